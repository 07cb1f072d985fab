// An NPY array of two dimensions as it lies in its file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "data/npy_header.hpp"
#include "orrery/data/import.hpp"

namespace orrery::data {

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
