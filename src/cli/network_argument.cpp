#include "cli/network_argument.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "orrery/base/error.hpp"
#include "orrery/model/generators.hpp"
#include "orrery/model/network_json.hpp"
#include "orrery/store/store.hpp"

namespace orrery::cli {
namespace {

struct FileEntry {
  std::string path;
  std::string entry;  ///< one network of several; may be empty
};

/// FILE or FILE:NAME, whichever is there; nothing if neither is.
std::optional<FileEntry> find_file(const std::string& argument) {
  std::error_code ignored;
  if (std::filesystem::exists(argument, ignored)) return FileEntry{argument, ""};
  const std::size_t colon = argument.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  FileEntry parts{argument.substr(0, colon), argument.substr(colon + 1)};
  if (!std::filesystem::exists(parts.path, ignored)) return std::nullopt;
  return parts;
}

}  // namespace

model::LearnedModel load_network(const std::string& argument, std::uint64_t seed) {
  if (auto generated = model::generate_network(argument, seed)) {
    model::LearnedModel model;
    model.network = std::move(*generated);
    return model;
  }
  const auto file = find_file(argument);
  if (!file) {
    throw InputError(fmt::format("{}: neither a file nor a built-in network; those are {}",
                                 argument, model::generator_help()));
  }
  if (store::is_hdf5(file->path)) return store::read_model(file->path);
  return model::read_network_json(file->path, file->entry);
}

model::LearnedModel load_network(const parallel::Team& team, const std::string& argument,
                                 std::uint64_t seed) {
  return team.root_first([&] { return load_network(argument, seed); });
}

std::string network_file(const std::string& argument) {
  if (model::generate_network(argument, 0)) return "";
  const auto file = find_file(argument);
  return file ? file->path : "";
}

}  // namespace orrery::cli
