// The header of an NPY array file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace orrery::data {

struct NpyHeader {
  std::string dtype;  ///< as written: "|b1"
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
/// array of two dimensions and of bool, uint8 or int8.
[[nodiscard]] NpyHeader parse_npy_header(const std::string& file, std::string_view text);

}  // namespace orrery::data
