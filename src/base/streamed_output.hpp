// A file that is too large to be held as a whole, written in pieces.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/output_file.hpp"

namespace orrery {

/// Appears whole, at finish(), or not at all, as an OutputFile does.
class StreamedOutput {
 public:
  /// Throws EnvironmentError as OutputFile does.
  explicit StreamedOutput(const std::filesystem::path& path);
  /// Throws EnvironmentError if the disk is full; the previous file is untouched.
  void write(std::string_view piece);
  /// Syncs and renames. Throws EnvironmentError.
  void finish();
  [[nodiscard]] std::uint64_t n_bytes() const noexcept { return n_bytes_; }

 private:
  void require_written() const;

  OutputFile file_;
  std::ofstream out_;
  std::uint64_t n_bytes_ = 0;
};

}  // namespace orrery
