// Sections that pages of several families have, and cells of their tables. What is given is HTML.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace orrery::report {

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
