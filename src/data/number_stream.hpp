// The numbers of an array, from the first to the last, wherever they lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace orrery::data {

/// Through one buffer.
class NumberStream {
 public:
  /// `name` is for messages: "t.npz: data.npy".
  NumberStream(std::string name, std::uint64_t size, bool holds_integers);
  NumberStream(const NumberStream&) = delete;
  NumberStream& operator=(const NumberStream&) = delete;
  virtual ~NumberStream() = default;

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] bool holds_integers() const noexcept { return holds_integers_; }

  void restart();
  /// There must be one: fewer than size() were taken. Throws InputError.
  [[nodiscard]] double next() {
    if (next_ == buffer_.size()) refill();
    return buffer_[next_++];
  }
  /// As an index, at most `most`. Throws InputError for a larger, a negative or a broken number.
  [[nodiscard]] std::uint64_t next_index(std::uint64_t most);
  /// How many were taken.
  [[nodiscard]] std::uint64_t position() const noexcept {
    return n_read_ - (buffer_.size() - next_);
  }
  /// Throws InputError if more follows the last number, or if what was read is damaged. Call when
  /// all were taken.
  virtual void finish() {}

 protected:
  /// Before the first number.
  virtual void rewind() = 0;
  /// The next values.size() numbers, which are there. Throws InputError.
  virtual void read(std::span<double> values) = 0;

 private:
  void refill();

  std::string name_;
  std::uint64_t size_;
  bool holds_integers_;
  std::uint64_t n_read_ = 0;
  std::vector<double> buffer_;
  std::size_t next_ = 0;
  bool is_fresh_ = true;
};

}  // namespace orrery::data
