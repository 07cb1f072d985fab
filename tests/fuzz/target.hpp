// What every fuzz target shares: a file to be read, and the promise that reading it gives what it
// holds or an InputError of one line that names the file.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "orrery/base/error.hpp"

namespace orrery::fuzz {

/// Ends the program, which libFuzzer reports as a finding.
inline void require(bool condition) {
  if (!condition) std::abort();
}

/// A file of its own, in memory if this machine offers that.
class ScratchFile {
 public:
  ScratchFile();
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  void write(std::string_view content) const;

 private:
  std::filesystem::path path_;
};

/// What `work` returns; nothing if it throws a sound InputError about `path`.
template <class Work>
std::optional<std::invoke_result_t<Work>> refused_or(const std::filesystem::path& path,
                                                     const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    const std::string message = error.what();
    require(message.find('\n') == std::string::npos);
    require(message.find(path.string()) != std::string::npos);
    return std::nullopt;
  }
}

}  // namespace orrery::fuzz
