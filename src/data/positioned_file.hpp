// A binary file that is read at any place.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace orrery::data {

class PositionedFile {
 public:
  /// Throws InputError for a file that cannot be read, and for one that is not an ordinary file,
  /// such as a pipe; `what` says what it would be: "an NPY array".
  PositionedFile(const std::filesystem::path& path, const std::string& what);
  PositionedFile(const PositionedFile&) = delete;
  PositionedFile& operator=(const PositionedFile&) = delete;
  ~PositionedFile();

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// Throws InputError if the file cannot be read, or ends before.
  void read(std::uint64_t position, std::uint64_t n, unsigned char* bytes) const;

 private:
  std::string file_;
  std::uint64_t size_ = 0;
  int descriptor_ = -1;
};

}  // namespace orrery::data
