// What the rows of a table are called: their bytes one after the other, since a table may have
// millions of rows. Memory: the names' bytes and 8 more per row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::data {

class RowNames {
 public:
  void add(std::string_view name) {
    bytes_ += name;
    ends_.push_back(bytes_.size());
  }
  void add(const RowNames& others);
  /// No word of the file says that these are names: they are taken for names if all differ.
  void mark_as_guess() noexcept { are_guessed_ = true; }
  [[nodiscard]] bool are_guessed() const noexcept { return are_guessed_; }
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  [[nodiscard]] bool empty() const noexcept { return ends_.empty(); }
  [[nodiscard]] std::string_view at(std::size_t row) const noexcept {
    const std::uint64_t begin = row == 0 ? 0 : ends_[row - 1];
    return std::string_view(bytes_).substr(begin, ends_[row] - begin);
  }
  /// Of the longest name, in bytes.
  [[nodiscard]] std::size_t longest() const noexcept;

 private:
  std::string bytes_;
  std::vector<std::uint64_t> ends_;  // of each name in bytes_
  bool are_guessed_ = false;
};

/// Why these cannot be the names of rows, for a message: two rows share a name, or a name is empty,
/// too long or no text; empty if they can. Memory: 16 bytes per row more.
[[nodiscard]] std::string unfit_as_row_names(const RowNames& names);
/// False if there are none, or if they are unfit, which is warned of. Throws InputError for unfit
/// ones that were guessed: they are values, then, of a column without a name.
[[nodiscard]] bool are_fit(const std::string& file, const RowNames& names, std::uint64_t n_rows);

}  // namespace orrery::data
