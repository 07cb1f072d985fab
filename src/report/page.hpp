// What pages are made of: what all have around their sections (headline, verdict, glossary, where
// the model came from), and sections and cells of tables that pages of several families have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/verdict.hpp"

namespace orrery::report {

/// The style sheet: light, dark and print; no fonts or images from elsewhere.
extern const char* const style_sheet;

// The page.

/// The run that made a model's file, as the file says.
struct MadeBy {
  std::string command;
  std::string version;
  std::string started;  ///< UTC, ISO 8601
  std::string host;
  std::uint64_t seed = 0;
  std::uint32_t ranks = 1;
  std::uint32_t threads = 1;
  std::string commit{};  ///< of the program's sources; empty: not known
};

/// Where a model came from, and what to cite.
struct Colophon {
  std::string file;                 ///< the model's; or the built-in network
  std::optional<MadeBy> made_by{};  ///< not known of a network that is not a file of orrery
  std::string data_file{};          ///< as the command named it; empty: not known
  std::uint64_t data_digest = 0;    ///< of the samples learned from; 0: none
  std::uint64_t n_samples = 0;
  std::uint64_t model_digest = 0;     ///< 0: not known
  std::vector<std::string> papers{};  ///< whose method it is, by key (papers.hpp)
};

/// A page before it is put together. `summary`, `detail`, `body`, `note` and `script` are HTML.
struct PageParts {
  std::string title;    ///< escaped by html_page, as the verdict is
  std::string summary;  ///< the headline
  std::string detail;   ///< the line below it
  Verdict verdict;
  std::string body;      ///< sections
  std::string note;      ///< last line
  std::string script{};  ///< elements behind all others
};
/// From the doctype to the end.
std::string html_page(const PageParts& parts, const Colophon& colophon);

/// The terms that this HTML uses, as its reader sees it, and what they mean: a section.
std::string glossary_section(std::string_view html);
/// Software and paper as a section with the run that made the model.
std::string provenance_section(const Colophon& colophon);

// Sections and cells. What is given is HTML.

/// Of tables.
inline constexpr std::size_t most_listed_rows = 2'000;
/// Rows of a table that are printed; the page on the screen has all.
inline constexpr std::size_t most_printed_rows = 100;

/// A section whose body may be wider than the page.
std::string scroll_section(const char* title, const std::string& note, const std::string& body);
/// A section with one sentence: why there is nothing to show.
std::string empty_section(const char* title, const std::string& sentence);
struct TableStyle {
  std::size_t n_rows = 0;
  bool is_stacked = false;  ///< see Table::is_stacked
};
/// A table in a pane of its own. A stacked one is what readers came for: it comes first on a phone.
std::string table_section(const char* title, const std::string& note, const std::string& heads,
                          const std::string& rows, const TableStyle& style);
/// Of a table of so many rows, a line for paper alone: how many are printed. Empty if all are.
std::string printed_rows_note(std::size_t n_rows);
/// A row of a table of scores.
std::string score_row(const std::string& what, const std::string& value, const std::string& note);
/// What a learner remarks; escaped here. Empty if there is nothing.
std::string remarks_section(const std::vector<std::string>& remarks);

/// What a list of counts ends with beside the truth: ", 2 wrong, 1 missed" in their colours;
/// nothing of what is 0.
std::string wrong_and_missed(std::size_t wrong, std::size_t missed);

std::string head_cell(const char* text, bool number = false);
std::string number_cell(const std::string& text);
/// A sample of a line of this style, and what it means.
std::string legend_key(const char* style, const char* text);

}  // namespace orrery::report
