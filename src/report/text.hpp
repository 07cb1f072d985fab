// Text for pages and export formats: names of any bytes made safe, numbers made short.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orrery::report {

/// Valid UTF-8 without control characters: tab and line ends become a blank, all else that XML 1.0
/// does not allow becomes U+FFFD.
std::string clean_text(std::string_view text);
/// clean_text with & < > " ' as entities: safe as text and as a quoted attribute of HTML and XML.
std::string escape(std::string_view text);
/// clean_text, cut to `max_characters` (code points; the last one is then an ellipsis).
std::string shorten(std::string_view text, std::size_t max_characters);
/// Number of code points of valid UTF-8.
std::size_t count_characters(std::string_view text);

/// "0.251", "0.0042", "1.2e-4", "0".
std::string short_number(double value);
/// "1 cause", "1,234 causes".
std::string count_of(std::size_t n, std::string_view noun);

}  // namespace orrery::report
