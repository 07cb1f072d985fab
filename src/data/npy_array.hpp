// An NPY array of two dimensions as it lies in its file, and its header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "data/positioned_file.hpp"

namespace orrery::data {

struct NpyHeader {
  std::string dtype;             ///< as written: "|b1"
  char kind = 'u';               ///< b, i, u or f; S or U: texts
  std::uint64_t item_bytes = 1;  ///< 1, 2, 4 or 8; of a text any number
  bool is_big_endian = false;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  /// Of two dimensions; else 0.
  std::uint64_t n_rows = 0;
  std::uint64_t n_columns = 0;

  [[nodiscard]] bool holds_numbers() const noexcept { return kind != 'S' && kind != 'U'; }
  /// Throws InputError if that is beyond 2^63.
  [[nodiscard]] std::uint64_t n_bytes(const std::string& file) const;
};

/// The double of a value as it lies, of any type of number.
using LoadNumber = double (*)(const unsigned char* bytes, bool is_big_endian);
[[nodiscard]] LoadNumber number_loader(const NpyHeader& header);

/// Magic string, version and length field: the most that must be read to know the header's length.
inline constexpr std::size_t npy_preamble_bytes = 12;
inline constexpr std::string_view npy_magic = "\x93NUMPY";

struct NpyPreamble {
  std::uint64_t header_begin = 0;
  std::uint64_t header_bytes = 0;
};

/// `bytes`: the first npy_preamble_bytes of the file, or all of a shorter one. Throws InputError if
/// it is not NPY of version 1 to 3, or announces a header beyond 1 MiB.
[[nodiscard]] NpyPreamble parse_npy_preamble(const std::string& file, std::string_view bytes);

/// `text`: the header, a Python dictionary. Throws InputError if it cannot be read, or if the array
/// holds neither texts nor numbers (bool, int8-64, uint8-64, float32 and float64, of either byte
/// order).
[[nodiscard]] NpyHeader parse_npy_header(const std::string& file, std::string_view text);
/// Throws InputError unless the array is of numbers, of two dimensions, with columns not too few or
/// many.
void require_table(const std::string& file, const NpyHeader& header);

inline constexpr std::uint64_t bytes_per_read = std::uint64_t{1} << 20U;

class NpyArray {
 public:
  /// Throws InputError for a file that cannot be read, is no NPY array of two dimensions, has fewer
  /// than two or too many columns, values that are no numbers, or more or fewer bytes than the
  /// header says.
  explicit NpyArray(const std::filesystem::path& path);

  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  [[nodiscard]] const NpyHeader& header() const noexcept { return header_; }

  /// `n` values as they lie, from the `first`-th of the array on. Throws InputError.
  void read(std::uint64_t first, std::uint64_t n, unsigned char* bytes) const;

 private:
  void read_header();
  void require_size() const;

  std::string file_;
  PositionedFile bytes_;
  NpyHeader header_;
  std::uint64_t data_begin_ = 0;
};

}  // namespace orrery::data
