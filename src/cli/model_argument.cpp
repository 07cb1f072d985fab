#include "cli/model_argument.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "orrery/base/error.hpp"
#include "orrery/model/generators.hpp"
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

model::AnyModel load_model(const std::string& argument, std::uint64_t seed,
                           const model::TreeParameters& parameters) {
  if (auto generated = model::generate_network(argument, seed)) {
    model::LearnedModel model;
    model.network = std::move(*generated);
    return model;
  }
  if (auto generated = model::generate_tree(argument, seed, parameters)) {
    model::LearnedTree learned;
    learned.tree = std::move(*generated);
    return learned;
  }
  const auto file = find_file(argument);
  if (!file) {
    throw InputError(fmt::format("{}: neither a file nor a built-in network; those are {}, {}",
                                 argument, model::generator_help(), model::tree_generator_help()));
  }
  if (store::is_hdf5(file->path)) return store::read_any_model(file->path);
  return model::read_model_json(file->path, file->entry);
}

model::AnyModel load_model(const parallel::Team& team, const std::string& argument,
                           std::uint64_t seed, const model::TreeParameters& parameters) {
  return team.root_first([&] { return load_model(argument, seed, parameters); });
}

std::string model_file(const std::string& argument) {
  if (model::is_tree_spec(argument) || model::generate_network(argument, 0)) return "";
  const auto file = find_file(argument);
  return file ? file->path : "";
}

model::LearnedModel require_network(model::AnyModel loaded, const std::string& source) {
  if (auto* network = std::get_if<model::LearnedModel>(&loaded)) return std::move(*network);
  throw InputError(fmt::format(
      "{}: holds signs on a tree, but a noisy-OR network is needed here; sample, infer, evaluate, "
      "report, export and info know trees",
      source));
}

model::LearnedTree require_tree(model::AnyModel loaded, const std::string& source) {
  if (auto* tree = std::get_if<model::LearnedTree>(&loaded)) return std::move(*tree);
  throw InputError(
      fmt::format("{}: holds a noisy-OR network, but signs on a tree are needed here; give a file "
                  "that `learn tree` wrote, or an orrery-tree-1 JSON",
                  source));
}

void refuse_options(const Arguments& arguments, const std::vector<std::string>& options,
                    const std::string& source, const char* family) {
  for (const std::string& option : options) {
    if (!arguments.has(option) || arguments.values()[option].defaulted()) continue;
    throw UsageError(
        fmt::format("--{} is of no use here: {} holds {}; leave it out", option, source, family));
  }
}

}  // namespace orrery::cli
