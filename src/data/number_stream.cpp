#include "data/number_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "orrery/base/error.hpp"

namespace orrery::data {

NumberStream::NumberStream(std::string name, std::uint64_t size, bool holds_integers)
    : name_(std::move(name)), size_(size), holds_integers_(holds_integers) {}

void NumberStream::restart() {
  if (is_fresh_) return;
  rewind();
  n_read_ = 0;
  buffer_.clear();
  next_ = 0;
}

void NumberStream::refill() {
  constexpr std::uint64_t most = 8192;
  is_fresh_ = false;
  const std::uint64_t n = std::min(most, size_ - n_read_);
  if (n == 0) throw InputError(fmt::format("{}: has too few values; write the file again", name_));
  buffer_.resize(static_cast<std::size_t>(n));
  read(buffer_);
  n_read_ += n;
  next_ = 0;
}

std::uint64_t NumberStream::next_index(std::uint64_t most) {
  const double value = next();
  if (value >= 0 && value <= static_cast<double>(most) && value == std::floor(value)) {
    return static_cast<std::uint64_t>(value);
  }
  throw InputError(fmt::format(
      "{}: value {} is {}, an index must be a whole number of 0 to {}; was the file written "
      "completely?",
      name_, position(), value, most));
}

}  // namespace orrery::data
