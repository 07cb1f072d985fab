// Purpose: several tables as one; see the header.
// Cost: linear in the values; bits are copied a word at a time.
#include "data/joined_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include "data/cells.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

// --------------------------------------------------------------------------------------- columns

void JoinedColumns::begin_table(const std::string& file, const std::vector<std::string>& names) {
  if (names_.empty()) names_ = names;
  if (first_file_.empty()) first_file_ = file;
  std::unordered_map<std::string_view, std::size_t> place_of;
  for (std::size_t c = 0; c < names.size(); ++c) place_of.emplace(names[c], c);
  places_.clear();
  for (const std::string& name : names_) {
    const auto found = place_of.find(name);
    places_.push_back(found == place_of.end() ? absent : found->second);
    if (places_.back() != absent || may_be_absent_) continue;
    throw InputError(
        fmt::format("{}: has no column {}, which {} has; tables are put together by the names of "
                    "their columns: "
                    "leave the column out with --drop {}, or give it to both",
                    file, in_quotes(name), first_file_, in_quotes(name)));
  }
  if (may_be_absent_ || names.size() == names_.size()) return;
  const auto more = std::ranges::find_if(names, [&](const std::string& name) {
    return std::ranges::find(names_, name) == names_.end();
  });
  throw InputError(
      fmt::format("{}: has a column {}, which {} has not; tables are put together by the names of "
                  "their columns: "
                  "leave the column out with --drop {}, or give it to both",
                  file, in_quotes(*more), first_file_, in_quotes(*more)));
}

// ------------------------------------------------------------------------------------------ bits

namespace {

/// Bits [from, from + n) of `source` to [to, to + n) of `target`, which are zero. n is at most what
/// the words have.
void copy_bits(std::span<const std::uint64_t> source, std::size_t from,
               std::span<std::uint64_t> target, std::size_t to, std::size_t n) {
  for (std::size_t done = 0; done < n;) {
    const std::size_t at = from + done;
    const std::size_t into = to + done;
    const std::size_t in_word = std::min({n - done, 64 - at % 64, 64 - into % 64});
    const std::uint64_t mask =
        in_word == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << in_word) - 1;
    target[into / 64] |= ((source[at / 64] >> (at % 64)) & mask) << (into % 64);
    done += in_word;
  }
}

void set_bits(std::span<std::uint64_t> target, std::size_t to, std::size_t n) {
  for (std::size_t row = to; row < to + n; ++row) {
    target[row / 64] |= std::uint64_t{1} << (row % 64);
  }
}

}  // namespace

void JoinedBits::begin(const std::vector<std::string>& names) {
  columns_.begin_table(file_, names);
  if (has_begun_) return;
  has_begun_ = true;
  to_.begin(columns_.names());
  values_ = BitColumns(columns_.size(), block_rows(columns_.size()));
}

void JoinedBits::append(const BitColumns& values, const BitColumns* missing) {
  for (std::size_t first = 0; first < values.n_rows();) {
    const std::size_t n = std::min(values.n_rows() - first, values_.n_rows() - n_filled_);
    append_piece(values, missing, first, n);
    first += n;
    n_filled_ += n;
    n_rows_ += n;
    if (n_filled_ == values_.n_rows()) push();
  }
}

void JoinedBits::append_piece(const BitColumns& values, const BitColumns* missing,
                              std::size_t first, std::size_t n) {
  const std::vector<std::size_t>& places = columns_.places();
  const bool lacks_one = std::ranges::find(places, JoinedColumns::absent) != places.end();
  if ((missing != nullptr || lacks_one) && !has_missing_) {
    missing_ = BitColumns(values_.n_columns(), values_.n_rows());
    has_missing_ = true;
  }
  for (std::size_t c = 0; c < places.size(); ++c) {
    if (places[c] == JoinedColumns::absent) {
      set_bits(missing_.column(c), n_filled_, n);
      continue;
    }
    copy_bits(values.column(places[c]), first, values_.column(c), n_filled_, n);
    if (missing == nullptr) continue;
    copy_bits(missing->column(places[c]), first, missing_.column(c), n_filled_, n);
  }
}

void JoinedBits::push() {
  const std::size_t rows = values_.n_rows();
  values_.truncate(n_filled_);
  if (has_missing_) missing_.truncate(n_filled_);
  to_.append(values_, has_missing_ ? &missing_ : nullptr);
  values_ = BitColumns(columns_.size(), rows);
  has_missing_ = false;
  n_filled_ = 0;
}

void JoinedBits::finish() {
  if (n_filled_ > 0) push();
  if (are_fit(file_, row_names_, n_rows_)) to_.name_rows(row_names_);
}

BitColumns take_rows(const BitColumns& block, std::span<const std::uint64_t> rows) {
  std::size_t n = 0;
  for (const std::uint64_t word : rows) n += static_cast<std::size_t>(std::popcount(word));
  BitColumns taken(block.n_columns(), n);
  for (std::size_t c = 0; c < block.n_columns(); ++c) {
    const std::span<const std::uint64_t> from = block.column(c);
    std::size_t row = 0;
    for (std::size_t w = 0; w < from.size(); ++w) {
      for (std::uint64_t left = rows[w]; left != 0; left &= left - 1, ++row) {
        if ((from[w] >> static_cast<unsigned>(std::countr_zero(left)) & 1U) != 0) taken.set(row, c);
      }
    }
  }
  return taken;
}

// --------------------------------------------------------------------------------------- numbers

void JoinedNumbers::begin(const std::vector<std::string>& names) {
  columns_.begin_table(file_, names);
  if (has_begun_) return;
  has_begun_ = true;
  to_.begin(columns_.names());
  block_ = DenseBlock(dense_block_rows(columns_.size()), columns_.size());
}

void JoinedNumbers::append(const DenseBlock& block) {
  const std::vector<std::size_t>& places = columns_.places();
  for (std::size_t i = 0; i < block.n_rows; ++i) {
    const std::span<double> row = block_.row(n_filled_);
    for (std::size_t c = 0; c < places.size(); ++c) {
      row[c] = places[c] == JoinedColumns::absent ? std::numeric_limits<double>::quiet_NaN()
                                                  : block.row(i)[places[c]];
    }
    ++n_rows_;
    if (++n_filled_ == block_.n_rows) push();
  }
}

void JoinedNumbers::push() {
  const std::size_t rows = block_.n_rows;
  block_.n_rows = n_filled_;
  block_.values.resize(n_filled_ * block_.n_columns);
  to_.append(block_);
  block_ = DenseBlock(rows, columns_.size());
  n_filled_ = 0;
}

void JoinedNumbers::finish() {
  if (n_filled_ > 0) push();
  if (are_fit(file_, row_names_, n_rows_)) to_.name_rows(row_names_);
}

// ------------------------------------------------------------------------------------ categories

void append_rows(CategoricalTable& table, const CategoricalTable& more, const std::string& file) {
  JoinedColumns columns;
  columns.begin_table("the first table", table.names);
  columns.begin_table(file, more.names);
  const std::vector<std::size_t>& places = columns.places();
  for (std::size_t c = 0; c < places.size(); ++c) {
    if (more.categories[places[c]] == table.categories[c]) continue;
    throw InputError(
        fmt::format("{}: column {} has other categories than in the first table; import both with "
                    "--categories, "
                    "which says the same categories of both",
                    file, in_quotes(table.names[c])));
  }
  for (std::uint64_t n = 0; n < more.n_rows; ++n) {
    for (const std::size_t place : places) table.codes.push_back(more.row(n)[place]);
  }
  table.n_rows += more.n_rows;
}

CategoricalTable in_order(const CategoricalTable& table, const std::vector<std::string>& wanted,
                          const std::vector<std::vector<std::string>>& categories) {
  JoinedColumns columns(wanted);
  columns.begin_table("", table.names);
  CategoricalTable ordered;
  ordered.names = wanted;
  ordered.categories = categories;
  ordered.n_rows = table.n_rows;
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    for (const std::size_t place : columns.places()) {
      ordered.codes.push_back(place == JoinedColumns::absent ? missing_code : table.row(n)[place]);
    }
  }
  return ordered;
}

}  // namespace orrery::data
