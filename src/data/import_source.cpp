// Purpose: tables of numbers (table_source.hpp) into blocks of bits, or of numbers.
// Rows in order are one block at a time. Entries in any order fill many blocks at once; where the
// table exceeds options.memory_bytes it is read again for the next blocks.
// Cost: linear in the table for every pass; passes = size / memory, at least one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "data/columns.hpp"
#include "data/readers.hpp"
#include "data/table_source.hpp"
#include "data/transposed.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

// ------------------------------------------------------------------- values, and what is refused

constexpr std::uint64_t most_bits = std::uint64_t{1} << 48U;  // beyond it a size is wrong: 32 TiB

[[noreturn]] void refuse_number(const std::string& place, double value) {
  throw InputError(fmt::format(
      "{}: {} is not a number; if it stands for a missing value, name it with --missing {}", place,
      value, value));
}

}  // namespace

void refuse_bit(const std::string& place, double value, const std::string& name) {
  if (!std::isfinite(value)) refuse_number(place, value);
  throw InputError(fmt::format(
      "{}: {} is neither 0 nor 1; say with --threshold X that numbers above X are on, or with --on "
      "and --off which ones are; name it as missing with --missing {} if it stands for no value; "
      "leave the column out with --drop {}; or import numbers with --numeric",
      place, value, value, in_quotes(name)));
}

namespace {

template <class Table>
std::string place_of(const Table& table, const Columns& columns, std::size_t column) {
  return fmt::format("{}, column {}", table.where(), columns.describe(column));
}

/// The meaning of a value in bits: 0, 1 or 2 (missing).
template <class Table>
unsigned bit_of(const Table& table, const NumberBits& bits, const Columns& columns,
                std::size_t column, double value) {
  const unsigned bit = bits(value);
  if (bit > 2 || (bit == 2 && std::isnan(value) && !table.nan_is_missing() &&
                  !bits.missing().contains(value))) {
    refuse_bit(place_of(table, columns, column), value, columns.names[column]);
  }
  return bit;
}

/// A finite number, or NaN if it is missing.
template <class Table>
double number_of(const Table& table, const MissingNumbers& missing, const Columns& columns,
                 std::size_t column, double value) {
  if (missing.contains(value)) return no_value;
  if (std::isinf(value) || (std::isnan(value) && !table.nan_is_missing())) {
    refuse_number(place_of(table, columns, column), value);
  }
  return value;
}

void refuse_options(Format format, const ImportOptions& options) {
  if (options.header == Header::yes) {
    throw UsageError(fmt::format(
        "--header yes: a table of the format {} has no line of column names; leave the option out",
        format_name(format)));
  }
}

void refuse_bit_options(const ImportOptions& options) {
  if (options.threshold || !options.on_tokens.empty() || !options.off_tokens.empty()) {
    throw UsageError(
        "--threshold, --on, --off: say which numbers are on, and --numeric imports the numbers "
        "themselves; leave one of them out");
  }
}

template <class Table>
Columns columns_of(const Table& table, Format format, const ImportOptions& options) {
  refuse_options(format, options);
  return select_columns(table.file(), table.names(), options);
}

// ------------------------------------------------------------------------------- rows in order

/// Of a table that has been turned round.
ImportOptions as_it_comes(ImportOptions options) {
  options.transpose = false;
  return options;
}

/// Goes to the next row, and keeps its name.
bool next_row(RowSource& table, std::vector<RowValue>& values, RowNames& names) {
  const bool is_there = table.next_row(values);
  if (is_there && table.has_row_names()) names.add(table.row_name());
  return is_there;
}

/// Writes rows of values into a stage; values that do not come are 0, whatever that means.
class RowBits {
 public:
  RowBits(const RowSource& table, const Columns& columns, const ImportOptions& options,
          RowStage& stage)
      : table_(table), columns_(columns), bits_(options), zero_(bits_(0)), stage_(stage) {}

  void write(const std::vector<RowValue>& values);

 private:
  void set(std::size_t column, double value);
  void set_missing_between(std::size_t first, std::size_t end);

  const RowSource& table_;
  const Columns& columns_;
  NumberBits bits_;
  unsigned zero_;  // what 0 means
  RowStage& stage_;
};

void RowBits::write(const std::vector<RowValue>& values) {
  const std::size_t n_words = (columns_.size() + 63) / 64;
  std::fill_n(stage_.values(), n_words, zero_ == 1 ? ~std::uint64_t{0} : 0);
  std::size_t next = 0;
  for (const auto& [column, value] : values) {
    if (zero_ == 2) set_missing_between(next, column);
    next = column + 1;
    if (columns_.is_kept[column] != 0) set(column, value);
  }
  if (zero_ == 2) set_missing_between(next, columns_.size());
  stage_.finish_row();
}

void RowBits::set(std::size_t column, double value) {
  const unsigned bit = bit_of(table_, bits_, columns_, column, value);
  const std::uint64_t mask = std::uint64_t{1} << (column % 64);
  std::uint64_t& word = stage_.values()[column / 64];
  word = bit == 1 ? word | mask : word & ~mask;
  if (bit == 2) stage_.set_missing(column);
}

void RowBits::set_missing_between(std::size_t first, std::size_t end) {
  for (std::size_t column = first; column < end; ++column) {
    if (columns_.is_kept[column] != 0) stage_.set_missing(column);
  }
}

}  // namespace

ImportSummary import_bits(RowSource& table, Format format, const ImportOptions& options,
                          SampleSink& sink) {
  if (options.transpose) {
    TransposedRows turned(table);
    return import_bits(turned, format, as_it_comes(options), sink);
  }
  const Columns columns = columns_of(table, format, options);
  SampleBlocks blocks(table.file(), columns, sink);
  RowStage stage(columns, blocks);
  RowBits bits(table, columns, options, stage);
  std::vector<RowValue> values;
  RowNames names;
  while (next_row(table, values, names)) bits.write(values);
  stage.finish();
  return blocks.finish(format, names);
}

DenseImportSummary import_numbers(RowSource& table, Format format, const ImportOptions& options,
                                  DenseSink& sink) {
  if (options.transpose) {
    TransposedRows turned(table);
    return import_numbers(turned, format, as_it_comes(options), sink);
  }
  refuse_bit_options(options);
  const MissingNumbers missing(options.missing_tokens);
  const double zero = missing.contains(0) ? no_value : 0;
  const Columns columns = columns_of(table, format, options);
  const std::vector<std::size_t> place = columns.places();
  DenseBlocks blocks(table.file(), columns, sink);
  std::vector<RowValue> values;
  RowNames names;
  while (next_row(table, values, names)) {
    double* const row = blocks.row();
    std::fill_n(row, blocks.n_columns(), zero);
    for (const auto& [column, value] : values) {
      if (columns.is_kept[column] == 0) continue;
      row[place[column]] = number_of(table, missing, columns, column, value);
    }
    blocks.finish_row();
  }
  return blocks.finish(format, names);
}

// ------------------------------------------------------------------------- entries in any order

namespace {

RowNames names_of(const EntrySource& table) {
  RowNames names;
  if (!table.has_row_names()) return names;
  for (std::uint64_t row = 0; row < table.n_rows(); ++row) names.add(table.row_name(row));
  return names;
}

/// The blocks of a table, of which as many are held at once as memory allows.
struct Passes {
  std::uint64_t n_rows = 0;
  std::uint64_t rows_per_block = 1;
  std::uint64_t n_blocks = 0;
  std::uint64_t blocks_per_pass = 1;
  std::uint64_t n_passes = 1;

  [[nodiscard]] std::size_t rows_of(std::uint64_t block) const {
    return static_cast<std::size_t>(std::min(rows_per_block, n_rows - block * rows_per_block));
  }
};

/// `block_bytes` are those of what the table becomes, `held_bytes` what a block takes meanwhile.
Passes plan_passes(const EntrySource& table, std::uint64_t rows_per_block,
                   std::uint64_t block_bytes, std::uint64_t held_bytes,
                   const ImportOptions& options) {
  Passes passes;
  passes.n_rows = table.n_rows();
  passes.rows_per_block = rows_per_block;
  passes.n_blocks = (passes.n_rows + rows_per_block - 1) / rows_per_block;
  passes.blocks_per_pass = std::max<std::uint64_t>(1, options.memory_bytes / held_bytes);
  passes.n_passes = (passes.n_blocks + passes.blocks_per_pass - 1) / passes.blocks_per_pass;
  if (passes.n_passes > 1) {
    log::info("{}: {} of values, read in {} passes of {}", table.file(),
              format_bytes(static_cast<double>(passes.n_blocks * block_bytes)), passes.n_passes,
              format_bytes(static_cast<double>(passes.blocks_per_pass * block_bytes)));
  }
  return passes;
}

/// `bits_per_value` in the table as it is stored.
void require_size(const EntrySource& table, std::uint64_t bits_per_value) {
  const std::uint64_t most_rows =
      most_bits / bits_per_value / std::max<std::size_t>(table.names().size(), 1);
  if (table.n_rows() <= most_rows) return;
  throw InputError(fmt::format(
      "{}: {} rows of {} columns are more than 32 TiB; are the sizes in the file right?",
      table.file(), table.n_rows(), table.names().size()));
}

[[noreturn]] void refuse_second(const EntrySource& table, const Columns& columns,
                                const TableEntry& entry) {
  throw InputError(fmt::format(
      "{}: row {}, column {} has a second entry; write every entry once (their sum, if that is "
      "what they mean)",
      table.where(), entry.row + 1, columns.describe(entry.column)));
}

/// Reads the table as often as needed, and calls push(block, n_rows, its values), in order. A block
/// takes memory from its first entry on, so that a wrong size is refused before it costs any:
/// make(n_rows) gives an empty one; put(values, row, place, entry) sets a value of it.
template <class Make, class Put, class Push>
void for_each_block(EntrySource& table, const Columns& columns, const Passes& passes,
                    const Make& make, const Put& put, const Push& push) {
  using Block = decltype(make(std::size_t{1}));
  const std::vector<std::size_t> place = columns.places();
  for (std::uint64_t pass = 0; pass < passes.n_passes; ++pass) {
    const std::uint64_t first = pass * passes.blocks_per_pass;
    const std::uint64_t end = std::min(passes.n_blocks, first + passes.blocks_per_pass);
    std::vector<std::optional<Block>> blocks(static_cast<std::size_t>(end - first));
    table.restart(pass + 1, passes.n_passes);
    for (TableEntry entry; table.next(entry);) {
      const std::uint64_t row = entry.row - first * passes.rows_per_block;  // wraps: an earlier one
      const std::uint64_t block = row / passes.rows_per_block;
      if (columns.is_kept[entry.column] == 0 || block >= blocks.size()) continue;
      if (!blocks[block]) blocks[block] = make(passes.rows_of(first + block));
      put(*blocks[block], static_cast<std::size_t>(row % passes.rows_per_block),
          place[entry.column], entry);
    }
    for (std::uint64_t b = 0; b < blocks.size(); ++b) {
      push(blocks[b] ? *blocks[b] : make(passes.rows_of(first + b)));
      blocks[b].reset();
    }
  }
}

void clear(BitColumns& bits, std::size_t row, std::size_t column) {
  bits.column(column)[row / 64] &= ~(std::uint64_t{1} << (row % 64));
}

BitColumns filled(std::size_t n_columns, std::size_t n_rows) {
  BitColumns bits(n_columns, n_rows);
  std::ranges::fill(bits.words(), ~std::uint64_t{0});
  const std::size_t n_last = n_rows % 64;
  for (std::size_t c = 0; c < n_columns && n_last != 0; ++c) {
    bits.column(c).back() = (std::uint64_t{1} << n_last) - 1;
  }
  return bits;
}

struct EntryBlock {
  BitColumns values;
  std::optional<BitColumns> missing;
  std::optional<BitColumns> seen;  ///< where 0, which does not show, may be one of two entries
};

/// Puts entries into blocks of bits.
class EntryBits {
 public:
  EntryBits(const EntrySource& table, const Columns& columns, const ImportOptions& options)
      : table_(table), columns_(columns), bits_(options), zero_(bits_(0)) {}

  /// Of the bits of a block, the memory that it may take.
  [[nodiscard]] std::uint64_t held() const { return bits_.is_plain() ? 1 : 3; }
  [[nodiscard]] EntryBlock make(std::size_t n_rows) const;
  void put(EntryBlock& block, std::size_t row, std::size_t place, const TableEntry& entry) const;

 private:
  const EntrySource& table_;
  const Columns& columns_;
  NumberBits bits_;
  unsigned zero_;  // what 0 means
};

EntryBlock EntryBits::make(std::size_t n_rows) const {
  const std::size_t n_columns = columns_.kept.size();
  EntryBlock block{zero_ == 1 ? filled(n_columns, n_rows) : BitColumns(n_columns, n_rows), {}, {}};
  if (zero_ == 2) block.missing = filled(n_columns, n_rows);
  if (!bits_.is_plain()) block.seen.emplace(n_columns, n_rows);
  return block;
}

void EntryBits::put(EntryBlock& block, std::size_t row, std::size_t place,
                    const TableEntry& entry) const {
  const unsigned bit = bit_of(table_, bits_, columns_, entry.column, entry.value);
  if (!block.seen && bit == 0) return;  // adds nothing to another entry
  const bool is_second =
      block.seen ? block.seen->at(row, place)
                 : block.values.at(row, place) || (block.missing && block.missing->at(row, place));
  if (is_second) refuse_second(table_, columns_, entry);
  if (block.seen) block.seen->set(row, place);
  if (bit == 2 && !block.missing) {
    block.missing.emplace(block.values.n_columns(), block.values.n_rows());
  }
  if (block.missing) clear(*block.missing, row, place);
  clear(block.values, row, place);
  if (bit == 1) block.values.set(row, place);
  if (bit == 2) block.missing->set(row, place);
}

struct NumberBlock {
  std::vector<double> values;  ///< row after row
  BitColumns seen;
};

}  // namespace

ImportSummary import_bits(EntrySource& table, Format format, const ImportOptions& options,
                          SampleSink& sink) {
  if (options.transpose) {
    TransposedEntries turned(table);
    return import_bits(turned, format, as_it_comes(options), sink);
  }
  require_size(table, 1);
  const Columns columns = columns_of(table, format, options);
  const EntryBits bits(table, columns, options);
  SampleBlocks output(table.file(), columns, sink);
  const std::uint64_t block_bytes = output.rows_per_block() / 8 * output.n_columns();
  const Passes passes =
      plan_passes(table, output.rows_per_block(), block_bytes, block_bytes * bits.held(), options);
  for_each_block(
      table, columns, passes, [&](std::size_t n_rows) { return bits.make(n_rows); },
      [&](EntryBlock& block, std::size_t row, std::size_t place, const TableEntry& entry) {
        bits.put(block, row, place, entry);
      },
      [&](const EntryBlock& block) {
        output.push(block.values, block.missing ? &*block.missing : nullptr);
      });
  return output.finish(format, names_of(table));
}

DenseImportSummary import_numbers(EntrySource& table, Format format, const ImportOptions& options,
                                  DenseSink& sink) {
  if (options.transpose) {
    TransposedEntries turned(table);
    return import_numbers(turned, format, as_it_comes(options), sink);
  }
  refuse_bit_options(options);
  require_size(table, 64);
  const MissingNumbers missing(options.missing_tokens);
  const double zero = missing.contains(0) ? no_value : 0;
  const Columns columns = columns_of(table, format, options);
  DenseBlocks output(table.file(), columns, sink);
  const std::size_t width = output.n_columns();
  const std::uint64_t rows_per_block = dense_block_rows(width);
  const std::uint64_t block_bytes = rows_per_block * width * sizeof(double);
  const Passes passes =
      plan_passes(table, rows_per_block, block_bytes, block_bytes + block_bytes / 32, options);
  for_each_block(
      table, columns, passes,
      [&](std::size_t n_rows) {
        return NumberBlock{std::vector<double>(n_rows * width, zero), BitColumns(width, n_rows)};
      },
      [&](NumberBlock& block, std::size_t row, std::size_t place, const TableEntry& entry) {
        if (block.seen.at(row, place)) refuse_second(table, columns, entry);
        block.seen.set(row, place);
        block.values[row * width + place] =
            number_of(table, missing, columns, entry.column, entry.value);
      },
      [&](const NumberBlock& block) {
        for (std::size_t begin = 0; begin < block.values.size(); begin += width) {
          std::copy_n(block.values.data() + begin, width, output.row());
          output.finish_row();
        }
      });
  return output.finish(format, names_of(table));
}

}  // namespace orrery::data
