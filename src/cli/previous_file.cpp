#include "cli/previous_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace orrery::cli {

PreviousFile::PreviousFile(const std::string& path)
    : path_(std::filesystem::weakly_canonical(path)) {
  std::error_code error;
  was_there_ = std::filesystem::exists(path_, error);
  if (!was_there_) return;
  const std::filesystem::path name =
      path_.parent_path() / fmt::format(".{}.{}", path_.filename().string(), ::getpid());
  std::filesystem::create_hard_link(path_, name, error);
  if (!error) kept_ = name;
}

PreviousFile::~PreviousFile() {
  std::error_code ignored;
  if (!kept_.empty()) std::filesystem::remove(kept_, ignored);
}

bool PreviousFile::replaced() const {
  std::error_code ignored;
  if (!was_there_) return std::filesystem::exists(path_, ignored);
  return kept_.empty() || !std::filesystem::equivalent(path_, kept_, ignored);
}

bool PreviousFile::put_back() const {
  std::error_code error;
  if (!was_there_) {
    std::filesystem::remove(path_, error);
  } else if (!kept_.empty()) {
    std::filesystem::rename(kept_, path_, error);
  }
  return !error && (!was_there_ || !kept_.empty());
}

}  // namespace orrery::cli
