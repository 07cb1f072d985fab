// Purpose: tables of numbers into rows of doubles: CSV and TSV (text_table.hpp), and NPY arrays.
// Cost: linear; a block of rows is held at a time.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_limit.hpp"
#include "base/progress.hpp"
#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/import_tables.hpp"
#include "data/npy_array.hpp"
#include "data/readers.hpp"
#include "data/text_table.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

class DenseDelimitedReader {
 public:
  DenseDelimitedReader(TextReader& text, Format format, const ImportOptions& options)
      : file_(text.file()),
        format_(format),
        may_be_names_(options.header == Header::automatic),
        numbers_(options.missing_tokens),
        table_(text, format, options, [this](const auto& first) { return are_names(first); }),
        cell_(table_.delimiter()) {}

  DenseImportSummary run(DenseSink& sink);

 private:
  [[nodiscard]] bool are_names(const std::vector<std::string>& first) const;
  void read_row(DenseBlocks& blocks);
  double read_value(std::size_t column);
  [[noreturn]] void refuse(NumberCell cell, std::size_t column) const;

  const std::string& file_;
  Format format_;
  bool may_be_names_;  // of the first row, which was taken for values
  NumberReader numbers_;
  DelimitedTable table_;
  CellSplitter cell_;  // the one read last
};

DenseImportSummary DenseDelimitedReader::run(DenseSink& sink) {
  DenseBlocks blocks(file_, table_.columns(), sink);
  may_be_names_ = may_be_names_ && !table_.has_header();
  while (table_.next_row()) {
    read_row(blocks);
    may_be_names_ = false;
  }
  return blocks.finish(format_);
}

bool DenseDelimitedReader::are_names(const std::vector<std::string>& first) const {
  return std::all_of(first.begin(), first.end(), [&](const std::string& cell) {
    double value = 0;
    return numbers_.read(cell, value) == NumberCell::other;
  });
}

void DenseDelimitedReader::read_row(DenseBlocks& blocks) {
  double* value = blocks.row();
  table_.for_each_kept(cell_, [&](std::size_t column) { *value++ = read_value(column); });
  blocks.finish_row();
}

// The number of the cell read last.
double DenseDelimitedReader::read_value(std::size_t column) {
  double value = 0;
  const NumberCell cell = numbers_.read(cell_.token(), value);
  if (cell > NumberCell::missing) refuse(cell, column);
  return value;
}

void DenseDelimitedReader::refuse(NumberCell cell, std::size_t column) const {
  const std::string token = in_quotes(cell_.token());
  const std::string place = fmt::format("{}: {}", table_.where(column), token);
  if (cell == NumberCell::out_of_range) {
    throw InputError(fmt::format(
        "{} is beyond what a double holds (2e-308 to 1.8e308 in size); scale the column, or name "
        "it as missing with --missing {}",
        place, token));
  }
  throw InputError(fmt::format(
      "{} is {}; write a number, name it as missing with --missing {}, or leave the column out "
      "with --drop {}{}",
      place, cell == NumberCell::infinite ? "infinite" : "not a number", token,
      in_quotes(table_.columns().names[column]),
      may_be_names_ ? "; if the first row holds names, import with --header yes" : ""));
}

DenseImportSummary import_as(Format format, const std::filesystem::path& path, TextReader& text,
                             const ImportOptions& options, DenseSink& sink) {
  switch (format) {
    case Format::npy:
      return import_dense_npy(path, options, sink);
    case Format::csv:
    case Format::tsv:
      return DenseDelimitedReader(text, format, options).run(sink);
    default:
      throw InputError(
          fmt::format("{}: a {} file holds bits, not numbers; leave --numeric out, or save the "
                      "numbers as csv, tsv or npy",
                      path.string(), format_name(format)));
  }
}

}  // namespace

DenseImportSummary import_dense(const std::filesystem::path& path, const ImportOptions& options,
                                DenseSink& sink) {
  if (options.format == Format::rows || options.format == Format::mtx) {
    throw UsageError(
        fmt::format("--format {}: holds bits; numbers (--numeric) are read from csv, tsv and npy",
                    format_name(options.format)));
  }
  try {
    TextReader text(path);
    return import_as(recognise(path, text, options, false), path, text, options, sink);
  } catch (const std::bad_alloc&) {
    throw EnvironmentError(
        fmt::format("{}: not enough memory to import it: {}; run where more is free", path.string(),
                    describe_memory_in_use()));
  }
}

// NPY arrays.
//
// C order: rows in sequence, many a read. Fortran order: for each block of rows, its piece of every
// kept column by a positioned read. Cost: every value read once, in bounded memory.

namespace {

/// A value as it lies, of either byte order.
template <class T>
double load(const unsigned char* bytes, bool is_big_endian) {
  std::array<unsigned char, sizeof(T)> raw;
  std::memcpy(raw.data(), bytes, sizeof(T));
  if (is_big_endian) std::reverse(raw.begin(), raw.end());
  T value;
  std::memcpy(&value, raw.data(), sizeof(T));
  return static_cast<double>(value);
}
double load_bool(const unsigned char* bytes, bool /*is_big_endian*/) { return *bytes != 0 ? 1 : 0; }

using Load = double (*)(const unsigned char* bytes, bool is_big_endian);
Load load_of(const NpyHeader& header) {
  const auto of_size = [&](Load one, Load two, Load four, Load eight) {
    const std::uint64_t n = header.item_bytes;
    return n == 1 ? one : n == 2 ? two : n == 4 ? four : eight;
  };
  switch (header.kind) {
    case 'b':
      return load_bool;
    case 'i':
      return of_size(load<std::int8_t>, load<std::int16_t>, load<std::int32_t>, load<std::int64_t>);
    case 'u':
      return of_size(load<std::uint8_t>, load<std::uint16_t>, load<std::uint32_t>,
                     load<std::uint64_t>);
    default:
      return of_size(nullptr, nullptr, load<float>, load<double>);
  }
}

class DenseNpyReader {
 public:
  DenseNpyReader(const std::filesystem::path& path, const ImportOptions& options)
      : array_(path, NpyValues::numbers, options),
        header_(array_.header()),
        columns_(select_columns(array_.file(),
                                default_names(static_cast<std::size_t>(header_.n_columns)),
                                options.drop_columns)),
        load_(load_of(header_)) {
    read_missing_tokens(options.missing_tokens);
  }

  DenseImportSummary run(DenseSink& sink);

 private:
  void read_missing_tokens(const std::vector<std::string>& tokens);
  void read_c_order(DenseBlocks& blocks);
  void read_fortran_order(DenseBlocks& blocks);
  [[nodiscard]] Progress start_progress() const {
    return {"import", n_bytes(header_.n_rows * header_.n_columns) / megabyte + 1, "MB"};
  }
  [[nodiscard]] std::uint64_t n_bytes(std::uint64_t n_values) const noexcept {
    return n_values * header_.item_bytes;
  }
  /// NaN if it is missing.
  [[nodiscard]] double value(const unsigned char* bytes, std::uint64_t row,
                             std::size_t column) const;

  NpyArray array_;
  const NpyHeader& header_;
  Columns columns_;
  Load load_;
  bool nan_is_missing_ = false;
  std::vector<double> missing_;  // values that mean missing, beside NaN
};

DenseImportSummary DenseNpyReader::run(DenseSink& sink) {
  DenseBlocks blocks(array_.file(), columns_, sink);
  if (header_.fortran_order) {
    read_fortran_order(blocks);
  } else {
    read_c_order(blocks);
  }
  return blocks.finish(Format::npy);
}

// Here a missing token is a number, as in --missing -999, or NaN.
void DenseNpyReader::read_missing_tokens(const std::vector<std::string>& tokens) {
  for (const std::string& token : tokens) {
    double number = 0;
    const char* const end = token.data() + token.size();
    const auto [stop, error] = std::from_chars(token.data(), end, number);
    if (error != std::errc{} || stop != end) {
      throw UsageError(fmt::format(
          "--missing {}: in an NPY array a missing value is a number, such as -999, or nan",
          in_quotes(token)));
    }
    if (std::isnan(number)) {
      nan_is_missing_ = true;
    } else {
      missing_.push_back(number);
    }
  }
}

double DenseNpyReader::value(const unsigned char* bytes, std::uint64_t row,
                             std::size_t column) const {
  const double found = load_(bytes, header_.is_big_endian);
  if (std::find(missing_.begin(), missing_.end(), found) != missing_.end() ||
      (nan_is_missing_ && std::isnan(found))) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (std::isfinite(found)) return found;
  throw InputError(fmt::format(
      "{}: row {}, column {}: {} is not a number; if it stands for a missing value, name it with "
      "--missing {}",
      array_.file(), row + 1, columns_.describe(column), found, found));
}

void DenseNpyReader::read_c_order(DenseBlocks& blocks) {
  Progress progress = start_progress();
  const std::uint64_t rows_per_read = std::clamp<std::uint64_t>(
      bytes_per_read / n_bytes(header_.n_columns), 1, std::max<std::uint64_t>(header_.n_rows, 1));
  std::vector<unsigned char> bytes(n_bytes(rows_per_read * header_.n_columns));
  for (std::uint64_t row = 0; row < header_.n_rows; ++row) {
    const std::uint64_t row_in_read = row % rows_per_read;
    if (row_in_read == 0) {
      const std::uint64_t n_rows = std::min(rows_per_read, header_.n_rows - row);
      array_.read(row * header_.n_columns, n_rows * header_.n_columns, bytes.data());
      progress.set(n_bytes(row * header_.n_columns) / megabyte);
    }
    const unsigned char* const values = bytes.data() + n_bytes(row_in_read * header_.n_columns);
    double* const to = blocks.row();
    for (std::size_t k = 0; k < columns_.kept.size(); ++k) {
      const std::size_t column = columns_.kept[k];
      to[k] = value(values + n_bytes(column), row, column);
    }
    blocks.finish_row();
  }
}

void DenseNpyReader::read_fortran_order(DenseBlocks& blocks) {
  Progress progress = start_progress();
  const std::size_t n_kept = columns_.kept.size();
  const std::uint64_t rows_per_block = dense_block_rows(n_kept);
  std::vector<unsigned char> bytes(n_bytes(std::min(rows_per_block, header_.n_rows)));
  for (std::uint64_t first = 0; first < header_.n_rows; first += rows_per_block) {
    const std::uint64_t n_rows = std::min(rows_per_block, header_.n_rows - first);
    double* const to = blocks.row();  // of the whole block
    for (std::size_t k = 0; k < n_kept; ++k) {
      const std::size_t column = columns_.kept[k];
      array_.read(column * header_.n_rows + first, n_rows, bytes.data());
      for (std::uint64_t i = 0; i < n_rows; ++i) {
        to[i * n_kept + k] = value(bytes.data() + n_bytes(i), first + i, column);
      }
    }
    for (std::uint64_t i = 0; i < n_rows; ++i) blocks.finish_row();
    progress.set(n_bytes((first + n_rows) * header_.n_columns) / megabyte);
  }
}

}  // namespace

DenseImportSummary import_dense_npy(const std::filesystem::path& path, const ImportOptions& options,
                                    DenseSink& sink) {
  return DenseNpyReader(path, options).run(sink);
}

}  // namespace orrery::data
