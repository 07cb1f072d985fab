#include "cli/paths.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/any.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <boost/program_options/variables_map.hpp>
#include <filesystem>
#include <system_error>

#include "cli/arguments.hpp"
#include "orrery/base/error.hpp"

namespace orrery::cli {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

struct NamedFile {
  std::string option;  ///< "-o", "--checkpoint", "FILE"
  std::string value;   ///< as it was given
  fs::path path;
  bool written = false;
  bool may_be_generator = false;  ///< "img" may be a network of that name instead of a file
};

constexpr std::size_t most_links = 40;  // as Linux follows

/// Where the file is, or would be made: links are followed even if they lead nowhere yet.
fs::path resolved(fs::path path) {
  std::error_code ignored;
  for (std::size_t i = 0; i < most_links && fs::is_symlink(path, ignored); ++i) {
    const fs::path target = fs::read_symlink(path, ignored);
    if (ignored) break;
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, ignored), ignored);
  return ignored ? path : whole;
}

/// A terminal, a pipe or /dev/null loses nothing by being named twice.
bool is_device(const fs::path& path) {
  std::error_code ignored;
  return fs::is_other(path, ignored);
}

bool is_same_file(const fs::path& a, const fs::path& b) {
  if (is_device(a) || is_device(b)) return false;
  std::error_code ignored;  // of two files that are not there
  return fs::equivalent(a, b, ignored) || resolved(a) == resolved(b);
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool names_file(const std::string& value_name) {
  return std::ranges::any_of(std::vector{"FILE", "DATA", "NETWORK", "WHAT"}, [&](const char* kind) {
    return value_name.find(kind) != std::string::npos;
  });
}

/// Of an option that holds texts.
std::vector<std::string> texts_of(const po::variable_value& value) {
  if (const auto* one = boost::any_cast<std::string>(&value.value())) return {*one};
  const auto* several = boost::any_cast<std::vector<std::string>>(&value.value());
  return several != nullptr ? *several : std::vector<std::string>();
}

std::vector<NamedFile> files_of(const po::options_description& options,
                                const po::variables_map& values, const Usage& usage) {
  std::vector<NamedFile> files;
  for (const auto& option : options.options()) {
    const std::string& name = option->long_name();
    if (values.count(name) == 0 || values[name].defaulted()) continue;
    const std::string kind = value_name(*option);
    const bool is_word = contains(usage.positional, name) || usage.more_words == name;
    const bool written = contains(usage.outputs, name) || name == "log";
    for (const std::string& value : texts_of(values[name])) {
      const bool in_file = value.starts_with('@');
      if (value.empty() || (!is_word && !written && !in_file && !names_file(kind))) continue;
      NamedFile file;
      file.option = name == "output" ? "-o" : is_word ? "" : "--" + name;
      file.value = value;
      file.path = in_file ? value.substr(1) : value;
      file.written = written;
      file.may_be_generator = kind.find("NETWORK") != std::string::npos || name == "moments" ||
                              name == "model" || name == "network";
      files.push_back(file);
      const std::size_t colon = value.rfind(':');  // FILE:NAME, one network of several
      if (!written && !in_file && colon != std::string::npos && colon > 0) {
        file.path = value.substr(0, colon);
        files.push_back(file);
      }
    }
  }
  return files;
}

[[noreturn]] void refuse(const NamedFile& lost, const NamedFile& other) {
  const std::string by =
      other.option.empty() ? other.value : fmt::format("{} {}", other.option, other.value);
  throw UsageError(
      other.written
          ? fmt::format("{} {}: the command writes {} too, which is the same file; name another",
                        lost.option, lost.value, by)
          : fmt::format("{} {}: the command reads this file ({}), and writing would replace it; "
                        "name another",
                        lost.option, lost.value, by));
}

}  // namespace

std::string value_name(const po::option_description& option) {
  std::string shown = option.semantic()->name();
  const std::size_t end = shown.find(" (=");  // its default
  if (end != std::string::npos) shown.resize(end);
  if (shown.starts_with('[')) shown = shown.substr(1, shown.find(']') - 1);
  return shown;
}

void require_own_files(const po::options_description& options, const po::variables_map& values,
                       const Usage& usage) {
  const std::vector<NamedFile> files = files_of(options, values, usage);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!files[i].written) continue;
    for (std::size_t j = 0; j < files.size(); ++j) {
      const NamedFile& other = files[j];
      if (j == i || (other.written && j > i) || !is_same_file(files[i].path, other.path)) continue;
      std::error_code ignored;
      if (!other.written && !fs::exists(other.path, ignored)) continue;  // is refused when read
      if (other.may_be_generator && usage.is_generator != nullptr &&
          usage.is_generator(other.value)) {
        continue;
      }
      refuse(files[i], other);
    }
  }
}

std::uint64_t bytes_of_file(const std::string& path) {
  std::error_code unknown;
  const auto bytes = std::filesystem::file_size(path, unknown);
  return unknown ? 0 : bytes;
}

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
