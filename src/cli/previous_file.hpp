// What was at a path before a command wrote there: of two files that appear together, the first can
// be taken back if the second fails.
#pragma once

#include <filesystem>
#include <string>

namespace orrery::cli {

/// Keeps a second name beside the first for as long as this lives.
class PreviousFile {
 public:
  explicit PreviousFile(const std::string& path);
  PreviousFile(const PreviousFile&) = delete;
  PreviousFile& operator=(const PreviousFile&) = delete;
  ~PreviousFile();

  [[nodiscard]] bool replaced() const;
  /// False if that cannot be done: a file system without second names, or one that fails again.
  [[nodiscard]] bool put_back() const;

 private:
  std::filesystem::path path_;
  std::filesystem::path kept_;
  bool was_there_ = false;
};

}  // namespace orrery::cli
