#include "base/text.hpp"

#include <fmt/format.h>

namespace orrery {

void append_formatted(std::string& text, fmt::string_view format, fmt::format_args values) {
  fmt::memory_buffer buffer;
  fmt::vformat_to(fmt::appender(buffer), format, values);
  text.append(buffer.data(), buffer.size());
}

}  // namespace orrery
