// The files that a command line names: what it writes is none of what it reads, and nothing twice.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/program_options.hpp"

namespace orrery::cli {

struct Usage;

/// Compares every file that an option names, before any is opened; through symbolic and hard links,
/// and where a file is yet to be made. An option names a file if its value is shown as FILE, DATA,
/// NETWORK or WHAT in --help, or begins with @; those of `usage.positional` all do. -o,
/// --checkpoint, --log and `usage.outputs` are written, the others are read. Throws UsageError
/// naming the option whose file would be lost.
void require_own_files(const boost::program_options::options_description& options,
                       const boost::program_options::variables_map& values, const Usage& usage);

/// What --help shows for the option's value: "FILE", or "arg" without a name.
std::string value_name(const boost::program_options::option_description& option);

/// Bytes of a file; 0 of a pipe, which has no size.
std::uint64_t bytes_of_file(const std::string& path);

// What was at a path before a command wrote there: of two files that appear together, the first can
// be taken back if the second fails.

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
