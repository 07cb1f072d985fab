// Samples in memory: blocks of bit columns, the panels and the matrix that they are gathered in.
#include "orrery/data/sample_matrix.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <new>
#include <string_view>
#include <unordered_set>

#include "orrery/base/error.hpp"
#include "orrery/data/bit_columns.hpp"
#include "orrery/data/sample_sink.hpp"

namespace orrery::data {
namespace {

constexpr std::size_t large_page = std::size_t{1} << 21U;

std::align_val_t alignment_of(std::size_t n_bytes) {
  return std::align_val_t{n_bytes < 8 * large_page ? 64 : large_page};
}

}  // namespace

void* new_pages(std::size_t n_bytes) {
  void* const pages = ::operator new(n_bytes, alignment_of(n_bytes));
#ifdef MADV_HUGEPAGE
  // A wish: where the system does not grant it, pages are small ones.
  if (n_bytes >= 8 * large_page) (void)madvise(pages, n_bytes, MADV_HUGEPAGE);
#endif
  return pages;
}

void delete_pages(void* pages, std::size_t n_bytes) noexcept {
  ::operator delete(pages, alignment_of(n_bytes));
}

BitPanels::BitPanels(std::size_t n_columns, std::size_t n_rows, int threads)
    : n_columns_(n_columns),
      n_rows_(n_rows),
      n_words_((n_rows + 63) / 64),
      stride_(panel_lanes * n_words_),
      own_(words_needed(n_columns, n_rows)),
      words_(own_) {
  constexpr std::size_t share = std::size_t{1} << 17U;  // a megabyte
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::size_t first = 0; first < words_.size(); first += share) {
    std::ranges::fill(words_.subspan(first, std::min(share, words_.size() - first)), 0);
  }
}

BitPanels::BitPanels(std::size_t n_columns, std::size_t n_rows, std::uint64_t* words)
    : n_columns_(n_columns),
      n_rows_(n_rows),
      n_words_((n_rows + 63) / 64),
      stride_(panel_lanes * n_words_),
      words_(words, words_needed(n_columns, n_rows)) {}

BitPanels::BitPanels(const BitPanels& other)
    : n_columns_(other.n_columns_),
      n_rows_(other.n_rows_),
      n_words_(other.n_words_),
      stride_(other.stride_),
      own_(other.words_.begin(), other.words_.end()),
      words_(own_) {}

void BitPanels::set(std::size_t row, std::size_t column, bool value) noexcept {
  std::uint64_t& word =
      words_[column / panel_lanes * stride_ + row / 64 * panel_lanes + column % panel_lanes];
  const std::uint64_t bit = std::uint64_t{1} << (row % 64);
  word = value ? word | bit : word & ~bit;
}

BitPanels BitPanels::view(std::size_t first_row, std::size_t n_rows) const {
  BitPanels part;
  part.n_columns_ = n_columns_;
  part.n_rows_ = n_rows;
  part.n_words_ = (n_rows + 63) / 64;
  part.stride_ = stride_;
  const std::size_t first = first_row / 64 * panel_lanes;
  const std::size_t n = (n_panels() - 1) * stride_ + part.n_words_ * panel_lanes;
  part.words_ = words_.subspan(first, n);
  return part;
}

bool BitPanels::operator==(const BitPanels& other) const noexcept {
  return n_columns_ == other.n_columns_ && n_rows_ == other.n_rows_ &&
         std::ranges::equal(words_, other.words_);
}

void BitPanels::insert(std::size_t first_row, const BitColumns& block) {
  // Panel by panel, so that every cache line is written once.
  for (std::size_t first = 0; first < n_columns_; first += panel_lanes) {
    std::array<const std::uint64_t*, panel_lanes> columns{};
    const std::size_t n = std::min(panel_lanes, n_columns_ - first);
    for (std::size_t lane = 0; lane < n; ++lane) columns[lane] = block.column(first + lane).data();
    std::uint64_t* to =
        words_.data() + first / panel_lanes * stride_ + first_row / 64 * panel_lanes;
    for (std::size_t w = 0; w < block.words_per_column(); ++w, to += panel_lanes) {
      for (std::size_t lane = 0; lane < n; ++lane) to[lane] = columns[lane][w];
    }
  }
}

void BitPanels::append(std::size_t first_row, const BitColumns& block) noexcept {
  const std::size_t shift = first_row % 64;
  if (shift == 0) {
    insert(first_row, block);
    return;
  }
  for (std::size_t c = 0; c < n_columns_; ++c) {
    std::uint64_t* to =
        words_.data() + c / panel_lanes * stride_ + first_row / 64 * panel_lanes + c % panel_lanes;
    for (const std::uint64_t word : block.column(c)) {
      *to |= word << shift;
      to += panel_lanes;
      if (const std::uint64_t over = word >> (64 - shift); over != 0) *to |= over;
    }
  }
}

BitColumns BitPanels::extract(std::size_t first_row, std::size_t n_rows) const {
  BitColumns block(n_columns_, n_rows);
  for (std::size_t c = 0; c < n_columns_; ++c) {
    auto column = block.column(c);
    for (std::size_t w = 0; w < column.size(); ++w) column[w] = word(c, first_row / 64 + w);
  }
  block.truncate(n_rows);
  return block;
}

void require_consistent(const SampleMatrix& samples, const std::string& source) {
  const std::size_t m = samples.n_observed();
  if (samples.names.size() != m) {
    throw InputError(fmt::format("{}: {} names for {} columns; give each column a name", source,
                                 samples.names.size(), m));
  }
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : samples.names) {
    if (seen.insert(name).second) continue;
    throw InputError(
        fmt::format("{}: two columns are called '{}'; give each a name of its own", source, name));
  }
  if (!samples.missing) return;
  const BitPanels& missing = *samples.missing;
  if (missing.n_columns() == m && missing.n_rows() == samples.n_samples()) return;
  throw InputError(fmt::format(
      "{}: the mask of missing values is {} x {}, the values are {} x {}; they must be alike",
      source, missing.n_rows(), missing.n_columns(), samples.n_samples(), m));
}

void BitColumns::truncate(std::size_t n_rows) {
  const std::size_t n_words = (n_rows + 63) / 64;
  const std::uint64_t tail =
      n_rows % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << (n_rows % 64)) - 1;
  for (std::size_t c = 0; c < n_columns_; ++c) {
    std::copy_n(words_.begin() + static_cast<std::ptrdiff_t>(c * n_words_), n_words,
                words_.begin() + static_cast<std::ptrdiff_t>(c * n_words));
    if (n_words > 0) words_[c * n_words + n_words - 1] &= tail;
  }
  words_.resize(n_columns_ * n_words);
  n_rows_ = n_rows;
  n_words_ = n_words;
}

std::size_t block_rows(std::size_t n_columns) {
  constexpr std::size_t max_block_words = std::size_t{4} << 20U;  // 32 MiB
  const std::size_t words = max_block_words / std::max<std::size_t>(n_columns, 1);
  return 64 * std::clamp<std::size_t>(std::bit_floor(words), 1, 1024);
}

void MemorySink::begin(const std::vector<std::string>& names) { names_ = names; }

void MemorySink::append(const BitColumns& values, const BitColumns* missing) {
  values_.push_back(values);
  const bool has_missing =
      missing != nullptr &&
      std::ranges::any_of(missing->words(), [](std::uint64_t word) { return word != 0; });
  any_missing_ = any_missing_ || has_missing;
  missing_.push_back(has_missing ? *missing : BitColumns(values.n_columns(), values.n_rows()));
}

SampleMatrix MemorySink::take() {
  SampleMatrix samples;
  std::size_t n_rows = 0;
  for (const BitColumns& block : values_) n_rows += block.n_rows();
  samples.names = names_;
  samples.values = BitPanels(names_.size(), n_rows);
  if (any_missing_) samples.missing = BitPanels(names_.size(), n_rows);
  std::size_t row = 0;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    samples.values.insert(row, values_[i]);
    if (any_missing_) samples.missing->insert(row, missing_[i]);
    row += values_[i].n_rows();
  }
  return samples;
}

}  // namespace orrery::data
