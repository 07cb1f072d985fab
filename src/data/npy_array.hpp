// An NPY array of two dimensions as it lies in its file, and its header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "orrery/data/import.hpp"

namespace orrery::data {

/// What an array is read for: bits are read from bool, uint8 and int8; numbers also from wider
/// integers, float32 and float64, in either byte order.
enum class NpyValues : std::uint8_t { bits, numbers };

struct NpyHeader {
  std::string dtype;             ///< as written: "|b1"
  char kind = 'u';               ///< b, i, u or f
  std::uint64_t item_bytes = 1;  ///< 1, 2, 4 or 8
  bool is_big_endian = false;
  bool fortran_order = false;
  std::uint64_t n_rows = 0;
  std::uint64_t n_columns = 0;
};

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

/// `text`: the header, a Python dictionary. Throws InputError if it cannot be read, or is not an
/// array of two dimensions and of what `values` are read from.
[[nodiscard]] NpyHeader parse_npy_header(const std::string& file, std::string_view text,
                                         NpyValues values);

inline constexpr std::uint64_t bytes_per_read = std::uint64_t{1} << 20U;

class NpyArray {
 public:
  /// Throws InputError for a file that cannot be read, is no NPY array of two dimensions, has fewer
  /// than two or too many columns, values of another type, or more or fewer bytes than the header
  /// says; UsageError if names are asked for (`--header yes`).
  NpyArray(const std::filesystem::path& path, NpyValues values, const ImportOptions& options);

  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  [[nodiscard]] const NpyHeader& header() const noexcept { return header_; }

  /// `n` values as they lie, from the `first`-th of the array on. Throws InputError.
  void read(std::uint64_t first, std::uint64_t n, unsigned char* bytes) const;

 private:
  struct Descriptor {
    int id = -1;
    Descriptor() = default;
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor();
  };
  void open_file();
  void read_header(NpyValues values);
  void require_size() const;
  void read_bytes(std::uint64_t position, std::uint64_t n, unsigned char* bytes) const;

  std::string file_;
  std::uint64_t file_bytes_ = 0;
  Descriptor descriptor_;
  NpyHeader header_;
  std::uint64_t data_begin_ = 0;
};

}  // namespace orrery::data
