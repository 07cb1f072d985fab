// Purpose: NPY arrays into rows of bits or of numbers.
// C order: rows in sequence, many a read. Fortran order: for each block of rows, its piece of every
// kept column by a positioned read. Arrays of bytes that are bits have a path of their own, eight
// values at a time. Cost: every byte read once, in bounded memory.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "data/bits.hpp"
#include "data/columns.hpp"
#include "data/npy_array.hpp"
#include "data/readers.hpp"
#include "data/table_source.hpp"
#include "data/text_table.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

Progress start_progress(const NpyHeader& header) {
  return {"import", header.n_rows * header.n_columns * header.item_bytes / megabyte + 1, "MB"};
}

// ------------------------------------------------------------------------- numbers of any type

class NpySource final : public RowSource {
 public:
  explicit NpySource(const std::filesystem::path& path)
      : array_(path),
        header_(array_.header()),
        names_(default_names(static_cast<std::size_t>(header_.n_columns))),
        load_(number_loader(header_)),
        rows_per_read_(
            std::clamp<std::uint64_t>(most_read / (header_.n_columns * header_.item_bytes),
                                      header_.fortran_order ? 16U : 1U, 16384)),
        progress_(start_progress(header_)) {}

  [[nodiscard]] const std::string& file() const override { return array_.file(); }
  [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }
  [[nodiscard]] bool nan_is_missing() const override { return false; }
  [[nodiscard]] bool next_row(std::vector<RowValue>& values) override;
  [[nodiscard]] std::string where() const override {
    return fmt::format("{}: row {}", array_.file(), row_);
  }

 private:
  static constexpr std::uint64_t most_read = std::uint64_t{8} << 20U;  // bytes
  void read_rows();

  NpyArray array_;
  const NpyHeader& header_;
  std::vector<std::string> names_;
  LoadNumber load_;
  std::uint64_t rows_per_read_;
  Progress progress_;
  std::uint64_t row_ = 0;            // rows given so far
  std::uint64_t first_ = 0;          // the first row that was read last
  std::uint64_t n_read_ = 0;         // rows that were read last
  std::vector<unsigned char> read_;  // as they lie: row after row, or column after column
};

bool NpySource::next_row(std::vector<RowValue>& values) {
  values.clear();
  if (row_ == header_.n_rows) return false;
  if (row_ == first_ + n_read_) read_rows();
  const std::uint64_t row_in_read = row_ - first_;
  const std::size_t n_columns = names_.size();
  const std::uint64_t first = header_.fortran_order ? row_in_read : row_in_read * n_columns;
  const std::uint64_t step = (header_.fortran_order ? n_read_ : 1) * header_.item_bytes;
  const unsigned char* bytes = read_.data() + first * header_.item_bytes;
  for (std::size_t c = 0; c < n_columns; ++c, bytes += step) {
    const double value = load_(bytes, header_.is_big_endian);
    if (is_listed(value)) values.push_back({c, value});
  }
  ++row_;
  return true;
}

void NpySource::read_rows() {
  first_ = row_;
  n_read_ = std::min(rows_per_read_, header_.n_rows - row_);
  const std::uint64_t n_columns = header_.n_columns;
  read_.resize(static_cast<std::size_t>(n_read_ * n_columns * header_.item_bytes));
  if (header_.fortran_order) {
    for (std::uint64_t c = 0; c < n_columns; ++c) {
      array_.read(c * header_.n_rows + first_, n_read_,
                  read_.data() + c * n_read_ * header_.item_bytes);
    }
  } else {
    array_.read(first_ * n_columns, n_read_ * n_columns, read_.data());
  }
  progress_.set(first_ * n_columns * header_.item_bytes / megabyte);
}

// ---------------------------------------------------------------------- bytes that are 0 or 1

/// What the bytes of an array mean as bits.
class ByteBits {
 public:
  ByteBits(const NpyHeader& header, const ImportOptions& options);
  /// Throws InputError for a byte that is neither 0, 1 nor missing.
  void require_missing(const NpyArray& array, const Columns& columns, unsigned char byte,
                       std::uint64_t row, std::size_t column) const;

 private:
  bool is_signed_;
  std::array<bool, 256> is_missing_{};
};

ByteBits::ByteBits(const NpyHeader& header, const ImportOptions& options)
    : is_signed_(header.kind == 'i') {
  const NumberBits bits(options);
  const LoadNumber load = number_loader(header);
  for (unsigned value = 0; value < 256; ++value) {
    const auto byte = static_cast<unsigned char>(value);
    is_missing_[value] = bits(load(&byte, false)) == 2;
  }
}

void ByteBits::require_missing(const NpyArray& array, const Columns& columns, unsigned char byte,
                               std::uint64_t row, std::size_t column) const {
  if (is_missing_[byte]) return;
  const int value = is_signed_ ? static_cast<int>(static_cast<signed char>(byte)) : byte;
  refuse_bit(fmt::format("{}: row {}, column {}", array.file(), row + 1, columns.describe(column)),
             value, columns.names[column]);
}

class ByteReader {
 public:
  ByteReader(const std::filesystem::path& path, const ImportOptions& options)
      : array_(path), header_(array_.header()), bits_(header_, options) {
    columns_ = select_columns(array_.file(),
                              default_names(static_cast<std::size_t>(header_.n_columns)), options);
  }

  ImportSummary run(SampleSink& sink);

 private:
  void read_c_order(SampleBlocks& blocks);
  void read_fortran_order(SampleBlocks& blocks);

  NpyArray array_;
  const NpyHeader& header_;
  ByteBits bits_;
  Columns columns_;
};

ImportSummary ByteReader::run(SampleSink& sink) {
  SampleBlocks blocks(array_.file(), columns_, sink);
  if (header_.fortran_order) {
    read_fortran_order(blocks);
  } else {
    read_c_order(blocks);
  }
  return blocks.finish(Format::npy);
}

void ByteReader::read_c_order(SampleBlocks& blocks) {
  RowStage stage(columns_, blocks);
  Progress progress = start_progress(header_);
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
      if (columns_.is_kept[column] == 0) return;
      bits_.require_missing(array_, columns_, values[column], row, column);
      stage.set_missing(column);
    });
    stage.finish_row();
  }
  stage.finish();
}

void ByteReader::read_fortran_order(SampleBlocks& blocks) {
  Progress progress = start_progress(header_);
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
        bits_.require_missing(array_, columns_, bytes[i], first + i, column);
        if (!missing) missing.emplace(values.n_columns(), n_rows);
        missing->set(i, k);
      });
    }
    blocks.push(values, missing ? &*missing : nullptr);
    progress.set((first + n_rows) * header_.n_columns / megabyte);
  }
}

}  // namespace

ImportSummary import_npy(const std::filesystem::path& path, const ImportOptions& options,
                         SampleSink& sink) {
  const bool are_named = options.threshold || !options.on_tokens.empty() ||
                         !options.off_tokens.empty() || options.header == Header::yes;
  if (NpyArray(path).header().item_bytes == 1 && !are_named && !options.transpose) {
    return ByteReader(path, options).run(sink);
  }
  NpySource table(path);
  return import_bits(table, Format::npy, options, sink);
}

DenseImportSummary import_dense_npy(const std::filesystem::path& path, const ImportOptions& options,
                                    DenseSink& sink) {
  NpySource table(path);
  return import_numbers(table, Format::npy, options, sink);
}

}  // namespace orrery::data
