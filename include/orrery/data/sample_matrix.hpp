// Samples in memory: bits in panels of eight columns interleaved by word, the layout of the
// counting kernels (kernels.hpp). Column c is lane c % 8 of panel c / 8; bit i of word w of that
// lane is row 64 w + i. Lanes beyond the last column and bits beyond the last row are zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/data/bit_columns.hpp"

namespace orrery::data {

inline constexpr std::size_t panel_lanes = 8;

/// 64-byte aligned words, as the kernels want them.
template <class T>
struct CacheAligned {
  using value_type = T;
  CacheAligned() = default;
  template <class U>
  explicit CacheAligned(const CacheAligned<U>& /*other*/) noexcept {}
  T* allocate(std::size_t n) {
    return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{64}));
  }
  void deallocate(T* p, std::size_t /*n*/) noexcept { ::operator delete (p, std::align_val_t{64}); }
  bool operator==(const CacheAligned&) const = default;
};
template <class T>
using AlignedVector = std::vector<T, CacheAligned<T>>;

/// Memory for so many bytes, 64-byte aligned: much of it in pages of 2 MiB, if the system has such.
/// (Who reads a few bytes here and there of gigabytes waits for tables of pages of 4 KiB as long as
/// for what is read.) It goes back by delete_pages() of as many bytes.
[[nodiscard]] void* new_pages(std::size_t n_bytes);
void delete_pages(void* pages, std::size_t n_bytes) noexcept;

/// The same in such pages, but elements that are given no value have none. Of much memory most of
/// the time goes by until the system has handed it out, to the thread that first writes there:
/// several threads may do so side by side.
template <class T>
struct Unset {
  using value_type = T;
  Unset() = default;
  template <class U>
  explicit Unset(const Unset<U>& /*other*/) noexcept {}
  T* allocate(std::size_t n) { return static_cast<T*>(new_pages(n * sizeof(T))); }
  void deallocate(T* p, std::size_t n) noexcept { delete_pages(p, n * sizeof(T)); }
  template <class U>
  void construct(U* at) noexcept {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class Value>
  void construct(U* at, Value&& value) {
    ::new (static_cast<void*>(at)) U(std::forward<Value>(value));
  }
  bool operator==(const Unset&) const = default;
};
template <class T>
using UnsetVector = std::vector<T, Unset<T>>;

class BitPanels {
 public:
  BitPanels() = default;
  /// All zero, in memory of its own, by so many threads.
  BitPanels(std::size_t n_columns, std::size_t n_rows, int threads = 1);
  /// On words_needed() words that outlive the object, as they are.
  BitPanels(std::size_t n_columns, std::size_t n_rows, std::uint64_t* words);
  BitPanels(const BitPanels& other);  // a copy has memory of its own
  BitPanels& operator=(const BitPanels& other) { return *this = BitPanels(other); }
  BitPanels(BitPanels&&) noexcept = default;
  BitPanels& operator=(BitPanels&&) noexcept = default;
  ~BitPanels() = default;

  [[nodiscard]] static std::size_t words_needed(std::size_t n_columns,
                                                std::size_t n_rows) noexcept {
    return (n_columns + panel_lanes - 1) / panel_lanes * panel_lanes * ((n_rows + 63) / 64);
  }

  [[nodiscard]] std::size_t n_columns() const noexcept { return n_columns_; }
  [[nodiscard]] std::size_t n_rows() const noexcept { return n_rows_; }
  /// Words of a column.
  [[nodiscard]] std::size_t n_words() const noexcept { return n_words_; }
  [[nodiscard]] std::size_t n_panels() const noexcept {
    return (n_columns_ + panel_lanes - 1) / panel_lanes;
  }
  /// 8 * n_words() words: lane i of word w at [8 w + i].
  [[nodiscard]] const std::uint64_t* panel(std::size_t p) const noexcept {
    return words_.data() + p * stride_;
  }
  [[nodiscard]] std::uint64_t word(std::size_t column, std::size_t w) const noexcept {
    return panel(column / panel_lanes)[panel_lanes * w + column % panel_lanes];
  }
  [[nodiscard]] bool at(std::size_t row, std::size_t column) const noexcept {
    return ((word(column, row / 64) >> (row % 64)) & 1U) != 0;
  }
  void set(std::size_t row, std::size_t column, bool value) noexcept;
  /// Copies a block into rows [first_row, first_row + block.n_rows()); first_row must be a
  /// multiple of 64.
  void insert(std::size_t first_row, const BitColumns& block);
  /// The same at any row; rows from there on must still be zero.
  void append(std::size_t first_row, const BitColumns& block) noexcept;
  /// Rows [first_row, first_row + n_rows) of these words, which must outlive the object; first_row
  /// must be a multiple of 64, and n_rows too unless they are the last.
  [[nodiscard]] BitPanels view(std::size_t first_row, std::size_t n_rows) const;
  [[nodiscard]] bool operator==(const BitPanels& other) const noexcept;
  /// The reverse of insert.
  [[nodiscard]] BitColumns extract(std::size_t first_row, std::size_t n_rows) const;
  /// The raw words, panel after panel (for sending between ranks); not of a view.
  [[nodiscard]] std::span<std::uint64_t> words() noexcept { return words_; }
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return words_; }

 private:
  std::size_t n_columns_ = 0;
  std::size_t n_rows_ = 0;
  std::size_t n_words_ = 0;
  std::size_t stride_ = 0;          // words from panel to panel
  UnsetVector<std::uint64_t> own_;  // empty on words of somebody else
  std::span<std::uint64_t> words_;
};

/// A data set: values, an optional mask of missing values (1 = missing; the value bit is then 0),
/// column names, and the digest of the file it was read from (0 when it was made in memory).
struct SampleMatrix {
  BitPanels values;
  std::optional<BitPanels> missing;
  std::vector<std::string> names;
  std::uint64_t digest = 0;

  [[nodiscard]] std::size_t n_samples() const noexcept { return values.n_rows(); }
  [[nodiscard]] std::size_t n_observed() const noexcept { return values.n_columns(); }
};

/// Throws InputError unless each column has a name of its own and the mask has the values' shape.
/// `source` names the samples in messages.
void require_consistent(const SampleMatrix& samples, const std::string& source);

}  // namespace orrery::data
