#include "cli/model_argument.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "orrery/base/error.hpp"
#include "orrery/model/any_model.hpp"
#include "orrery/model/categorical_generators.hpp"
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

/// What a model that is not what a command needs is good for.
const char* remedy_for(const model::AnyModel& loaded) {
  if (std::holds_alternative<model::LearnedLinear>(loaded)) {
    return "sample, learn linear, depth --test expansion, evaluate, report, export and info know "
           "linear networks";
  }
  if (std::holds_alternative<model::LearnedModel>(loaded)) {
    return "sample, learn anchored, infer, evaluate, report, export and info know networks whose "
           "causes depend on one another";
  }
  if (std::holds_alternative<model::LearnedCategorical>(loaded)) {
    return "sample, export and info know categorical networks";
  }
  return "sample, infer, evaluate, report, export and info know trees";
}

template <class Model>
Model require(model::AnyModel loaded, const std::string& source, const char* need,
              const char* remedy) {
  if (auto* found = std::get_if<Model>(&loaded)) return std::move(*found);
  throw InputError(
      fmt::format("{}: holds {}, but {}; {}", source, family_of(loaded), need, remedy));
}

}  // namespace

const char* family_of(const model::AnyModel& loaded) {
  if (std::holds_alternative<model::LearnedTree>(loaded)) return of_trees;
  if (std::holds_alternative<model::LearnedLinear>(loaded)) return of_linear;
  if (std::holds_alternative<model::LearnedCategorical>(loaded)) return of_categorical;
  return family_of(std::get<model::LearnedModel>(loaded).network);
}

const char* family_of(const model::NoisyOrNetwork& network) {
  if (!network.anchors().empty()) return of_anchored;
  return network.has_dependent_causes() ? of_dependent : of_networks;
}

model::AnyModel load_model(const std::string& argument, std::uint64_t seed,
                           const GeneratorParameters& parameters) {
  if (auto generated = model::generate_network(argument, seed)) {
    model::LearnedModel model;
    model.network = std::move(*generated);
    return model;
  }
  if (auto generated = model::generate_tree(argument, seed, parameters.tree)) {
    model::LearnedTree learned;
    learned.tree = std::move(*generated);
    return learned;
  }
  if (auto generated = model::generate_linear(argument, seed, parameters.linear)) {
    model::LearnedLinear learned;
    learned.network = std::move(*generated);
    return learned;
  }
  if (const auto spec = model::parse_anchored_spec(argument)) {
    model::LearnedModel learned;
    learned.network = model::generate_anchored(*spec, parameters.anchored, seed);
    return learned;
  }
  if (model::is_categorical_spec(argument)) {
    model::CategoricalDesign design = model::parse_categorical_design(argument);
    design.concentration = parameters.concentration;
    model::LearnedCategorical learned;
    learned.network = model::draw_categorical(design, seed);
    return learned;
  }
  const auto file = find_file(argument);
  if (!file) {
    throw InputError(fmt::format(
        "{}: neither a file nor a built-in network; those are {}, {}, {}, {}, {}", argument,
        model::generator_help(), model::tree_generator_help(), model::linear_generator_help(),
        model::anchored_generator_help(), model::categorical_generator_help()));
  }
  if (store::is_hdf5(file->path)) return store::read_any_model(file->path);
  return model::read_model_json(file->path, file->entry);
}

model::AnyModel load_model(const parallel::Team& team, const std::string& argument,
                           std::uint64_t seed, const GeneratorParameters& parameters) {
  return team.root_first([&] { return load_model(argument, seed, parameters); });
}

std::string model_file(const std::string& argument) {
  if (model::is_tree_spec(argument) || model::is_linear_spec(argument) ||
      model::is_anchored_spec(argument) || model::is_categorical_spec(argument) ||
      model::generate_network(argument, 0)) {
    return "";
  }
  const auto file = find_file(argument);
  return file ? file->path : "";
}

model::LearnedModel require_network(model::AnyModel loaded, const std::string& source) {
  const char* remedy = remedy_for(loaded);
  return require<model::LearnedModel>(std::move(loaded), source,
                                      "a noisy-OR network is needed here", remedy);
}

model::LearnedModel require_independent(model::AnyModel loaded, const std::string& source) {
  model::LearnedModel learned = require_network(std::move(loaded), source);
  if (!learned.network.has_dependent_causes()) return learned;
  throw InputError(
      fmt::format("{}: holds {}, but a noisy-OR network of independent causes is needed here; {}",
                  source, family_of(learned.network), remedy_for(learned)));
}

model::LearnedTree require_tree(model::AnyModel loaded, const std::string& source) {
  return require<model::LearnedTree>(
      std::move(loaded), source, "signs on a tree are needed here",
      "give a file that `learn tree` wrote, or an orrery-tree-1 JSON");
}

model::LearnedLinear require_linear(model::AnyModel loaded, const std::string& source) {
  return require<model::LearnedLinear>(
      std::move(loaded), source, "a linear network is needed here",
      "give linear:..., a file with /linear, or an orrery-linear-1 JSON");
}

model::LearnedCategorical require_categorical(model::AnyModel loaded, const std::string& source) {
  return require<model::LearnedCategorical>(
      std::move(loaded), source, "a categorical network is needed here",
      "give categorical:..., a file with /categorical_network, or an orrery-categorical-1 JSON");
}

void refuse_categorical(const model::AnyModel& loaded, const std::string& source,
                        const char* command) {
  if (!std::holds_alternative<model::LearnedCategorical>(loaded)) return;
  throw InputError(fmt::format("{}: holds {}, and `orrery {}` does not take categorical models; {}",
                               source, of_categorical, command, remedy_for(loaded)));
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
