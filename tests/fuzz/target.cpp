#include "target.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "base/log.hpp"

namespace orrery::fuzz {

ScratchFile::ScratchFile() {
  log::configure(log::Level::quiet, false);
  const std::filesystem::path memory = "/dev/shm";
  const auto folder =
      std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
  static int n_made = 0;
  path_ = folder / fmt::format("orrery-fuzz-{}-{}", getpid(), n_made++);
}

ScratchFile::~ScratchFile() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

void ScratchFile::write(std::string_view content) const {
  std::ofstream file(path_, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  require(file.good());
}

}  // namespace orrery::fuzz
