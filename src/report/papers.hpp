// What to cite: the program, and the papers whose methods it runs. Pages, `orrery cite`, the log
// and manual pages say it from this one table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery::report {

/// A paper, as src/BIBLIOGRAPHY.md has it.
struct Paper {
  const char* key;      ///< of BibTeX: "jernite2013"
  const char* authors;  ///< as BibTeX has them: "Jernite, Yacine and Halpern, Yonatan"
  const char* title;
  const char* venue;   ///< "NIPS"; may be empty
  const char* series;  ///< the whole name of a journal or of proceedings, as BibTeX has it
  int year;
  bool is_article = false;  ///< in a journal; else in proceedings
};

/// Throws std::logic_error for a key that is not in the table.
const Paper& find_paper(std::string_view key);
/// All of them, by key.
const std::vector<Paper>& papers();

/// "Y. Jernite, Y. Halpern, D. Sontag. Discovering hidden variables ... NIPS 2013."
std::string as_text(const Paper& paper);
std::string as_bibtex(const Paper& paper);

/// "The orrery maintainers. orrery, version 1.0.0 (software)."
std::string program_as_text(std::string_view version);
/// `commit` and `date` as base/build.hpp has them.
std::string program_as_bibtex(std::string_view version, std::string_view commit,
                              std::string_view date);

}  // namespace orrery::report
