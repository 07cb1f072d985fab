// Text that grows: what is formatted goes to the end of a string.
#pragma once

#include <fmt/core.h>

#include <string>

namespace orrery {

/// Appends the text. Use this rather than fmt::format_to(std::back_inserter(text), ...): that
/// compiles all of fmt once more for every file, and appends a character at a time.
void append_formatted(std::string& text, fmt::string_view format, fmt::format_args values);

/// Appends to `text` what fmt::format says of the rest.
template <class... Values>
void append_text(std::string& text, fmt::format_string<Values...> format, Values&&... values) {
  append_formatted(text, format, fmt::make_format_args(values...));
}

}  // namespace orrery
