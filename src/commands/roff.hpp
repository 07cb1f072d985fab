// Text as roff, the language of manual pages (man(7)).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery::commands::roff {

/// The same text to be read: nothing in it is a command of roff. What stands between backquotes
/// becomes bold.
std::string prose(std::string_view text);
std::string bold(std::string_view text);

/// "--moments FILE|NETWORK [-o FILE]": what is typed as it is in bold, what is replaced in italics.
std::string syntax(std::string_view text);

/// ".SH NAME"
std::string section(std::string_view title);
std::string subsection(std::string_view title);
/// A term, and a paragraph that says what it is. `term` is roff, `text` is prose.
std::string entry(std::string_view term, std::string_view text);
/// A paragraph of prose.
std::string paragraph(std::string_view text);
/// Lines that keep their ends and blanks.
std::string verbatim(const std::vector<std::string>& lines);
/// A page without the paragraphs that begin where a section has just begun: none is needed there.
std::string tidy(const std::string& page);
/// A text in which lines that begin with a blank keep their form, and the others are paragraphs.
std::string paragraphs(const std::string& text);

}  // namespace orrery::commands::roff
