// Purpose: NPY arrays of bytes into rows, or blocks, of bits.
// C order: rows in sequence, many a read. Fortran order: for each block of rows, its piece of every
// kept column by a positioned read. Cost: every byte read once, in bounded memory.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "data/bits.hpp"
#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/npy_array.hpp"
#include "data/readers.hpp"
#include "data/text_table.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

class NpyReader {
 public:
  NpyReader(const std::filesystem::path& path, const ImportOptions& options)
      : array_(path, NpyValues::bits, options),
        header_(array_.header()),
        options_(options),
        is_signed_(header_.kind == 'i') {}

  ImportSummary run(SampleSink& sink);

 private:
  void read_missing_tokens();
  void read_c_order(SampleBlocks& blocks);
  void read_fortran_order(SampleBlocks& blocks);
  [[nodiscard]] Progress start_progress() const {
    return {"import", (header_.n_rows * header_.n_columns + megabyte - 1) / megabyte, "MB"};
  }
  [[nodiscard]] bool is_missing(unsigned char byte) const noexcept { return is_missing_[byte]; }
  void require_missing(unsigned char byte, std::uint64_t row, std::size_t column) const;

  NpyArray array_;
  const NpyHeader& header_;
  const ImportOptions& options_;
  bool is_signed_;
  std::array<bool, 256> is_missing_{};
  Columns columns_;
};

ImportSummary NpyReader::run(SampleSink& sink) {
  read_missing_tokens();
  columns_ =
      select_columns(array_.file(), default_names(static_cast<std::size_t>(header_.n_columns)),
                     options_.drop_columns);
  SampleBlocks blocks(array_.file(), columns_, sink);
  if (header_.fortran_order) {
    read_fortran_order(blocks);
  } else {
    read_c_order(blocks);
  }
  return blocks.finish(Format::npy);
}

// Here a missing token is a number of the array's type, as in --missing 255.
void NpyReader::read_missing_tokens() {
  for (const std::string& token : options_.missing_tokens) {
    int value = 0;
    const char* const end = token.data() + token.size();
    const auto [stop, error] = std::from_chars(token.data(), end, value);
    const int lowest = is_signed_ ? -128 : 0;
    const int highest = is_signed_ ? 127 : 255;
    if (error != std::errc{} || stop != end || value < lowest || value > highest || value == 0 ||
        value == 1) {
      throw UsageError(fmt::format(
          "--missing {}: in an NPY array of dtype {} a missing value is a number of {} to {}, "
          "neither 0 nor 1",
          in_quotes(token), in_quotes(header_.dtype), lowest, highest));
    }
    is_missing_[static_cast<unsigned char>(value)] = true;
  }
}

void NpyReader::read_c_order(SampleBlocks& blocks) {
  RowStage stage(columns_, blocks);
  Progress progress = start_progress();
  const std::uint64_t rows_per_read = std::clamp<std::uint64_t>(
      bytes_per_read / header_.n_columns, 1, std::max<std::uint64_t>(header_.n_rows, 1));
  std::vector<unsigned char> bytes(static_cast<std::size_t>(rows_per_read * header_.n_columns));
  for (std::uint64_t row = 0; row < header_.n_rows; ++row) {
    const std::uint64_t row_in_read = row % rows_per_read;
    if (row_in_read == 0) {
      const std::uint64_t n_rows = std::min(rows_per_read, header_.n_rows - row);
      array_.read(row * header_.n_columns, n_rows * header_.n_columns, bytes.data());
      progress.set(row * header_.n_columns / megabyte);
    }
    const unsigned char* const values = bytes.data() + row_in_read * header_.n_columns;
    pack_bytes(values, columns_.size(), 0, stage.values(), [&](std::size_t column) {
      if (columns_.is_kept[column] != 0) {
        require_missing(values[column], row, column);
        stage.set_missing(column);
      }
    });
    stage.finish_row();
  }
  stage.finish();
}

void NpyReader::read_fortran_order(SampleBlocks& blocks) {
  Progress progress = start_progress();
  const std::uint64_t rows_per_block = blocks.rows_per_block();
  std::vector<unsigned char> bytes(
      static_cast<std::size_t>(std::min(rows_per_block, header_.n_rows)));
  for (std::uint64_t first = 0; first < header_.n_rows; first += rows_per_block) {
    const auto n_rows = static_cast<std::size_t>(std::min(rows_per_block, header_.n_rows - first));
    BitColumns values(columns_.kept.size(), n_rows);
    std::optional<BitColumns> missing;
    for (std::size_t k = 0; k < columns_.kept.size(); ++k) {
      const std::size_t column = columns_.kept[k];
      array_.read(column * header_.n_rows + first, n_rows, bytes.data());
      pack_bytes(bytes.data(), n_rows, 0, values.column(k).data(), [&](std::size_t i) {
        require_missing(bytes[i], first + i, column);
        if (!missing) {
          missing.emplace(values.n_columns(), n_rows);
        }
        missing->set(i, k);
      });
    }
    blocks.push(values, missing ? &*missing : nullptr);
    progress.set((first + n_rows) * header_.n_columns / megabyte);
  }
}

void NpyReader::require_missing(unsigned char byte, std::uint64_t row, std::size_t column) const {
  if (is_missing(byte)) {
    return;
  }
  const int value = is_signed_ ? static_cast<int>(static_cast<signed char>(byte)) : byte;
  throw InputError(fmt::format(
      "{}: row {}, column {}: {} is neither 0 nor 1; binarise the array, such as by (a == "
      "VALUE).astype('uint8') with the value that means on, import numbers with --numeric, or, if "
      "it stands for no value, name it as missing with --missing {}",
      array_.file(), row + 1, columns_.describe(column), value, value));
}

}  // namespace

ImportSummary import_npy(const std::filesystem::path& path, const ImportOptions& options,
                         SampleSink& sink) {
  return NpyReader(path, options).run(sink);
}

}  // namespace orrery::data
