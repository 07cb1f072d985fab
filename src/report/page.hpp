// What pages are made of: what all have around their sections, and sections and cells of tables
// that pages of several families have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::report {

/// The style sheet: light, dark and print; no fonts or images from elsewhere.
extern const char* const style_sheet;

/// From the doctype to the line below the title; `title` and `source` are escaped here, `summary`
/// and `detail` are HTML.
std::string page_head(std::string_view title, std::string_view source, std::string_view summary,
                      std::string_view detail);
/// From the footer to the end: `data_digest` 0: none; `note` and `script` are HTML.
std::string page_foot(std::uint64_t data_digest, std::string_view note, std::string_view script);

// Sections and cells. What is given is HTML.

/// Of tables.
inline constexpr std::size_t most_listed_rows = 2'000;

/// A section whose body may be wider than the page.
std::string scroll_section(const char* title, const std::string& note, const std::string& body);
/// A table in a pane of its own.
std::string table_section(const char* title, const std::string& note, const std::string& heads,
                          const std::string& rows);
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
