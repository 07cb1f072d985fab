// What a family of networks is to the commands. A family is one kind of network: noisy-OR networks,
// signs on a tree, linear networks, categorical networks. Its folder (src/families) fills one
// `Family`; the table of families (table.hpp) lists them all. A command asks the table whose a
// model is, and calls what that family has for it. What a family cannot do it leaves empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

#include "base/program_options.hpp"
#include "learning/learner.hpp"
#include "moments/moment_source.hpp"
#include "orrery/data/import.hpp"
#include "orrery/model/any_model.hpp"
#include "parallel/team.hpp"
#include "report/formats.hpp"
#include "report/sheet.hpp"
#include "store/archive.hpp"

namespace orrery::cli {
class Arguments;
}

namespace orrery::model {
class JsonEntry;
}

namespace orrery::family {

class KeptBatches;
/// What a command's options ask for; the team must outlive what is opened. Collective.
using OpenBatches = std::function<KeptBatches(const parallel::Team& team)>;

using cli::Arguments;
using model::AnyModel;
using AddOptions = void (*)(boost::program_options::options_description& options);

/// What a family does at one command.
template <class Function>
struct Action {
  std::function<Function> run{};     ///< empty: the family does not know the command
  AddOptions add_options = nullptr;  ///< those that the command has for this family
  std::string help{};                ///< what the command does for it, a sentence for --help
  /// --dry-run; `sample` and `infer` have none: `run` sees to it.
  std::function<learning::Plan(const AnyModel& model, const Arguments& arguments)> plan{};
};

struct Size {
  std::size_t nodes = 0;
  const char* kind = "causes";  ///< of the nodes
  std::size_t edges = 0;
};

/// A format of another program that `export` writes.
struct Format {
  std::string name;
  std::function<std::string(const AnyModel& model)> write;
  /// The same of edges of a strength of at least `least`; empty: the format is no list of edges.
  std::function<std::string(const AnyModel& model, double least)> write_strong{};
};

enum class NodeKind : std::uint8_t { cause, variable };
/// What a node is to be called that is called `name`.
using NewName = std::function<std::string(NodeKind kind, const std::string& name)>;

/// `depth --test NAME`. Both throw InputError, naming `source`, for a model that the test is not
/// for.
struct DepthTest {
  std::string name;
  std::string help;
  std::function<learning::Plan(const AnyModel& model, const std::string& source)> plan;
  std::function<void(const AnyModel& model, const std::string& source, report::Sheet& sheet)> run;
};

/// `plan NAME`: what theory says before there are data.
struct Planner {
  std::string name;
  std::string summary;
  std::string synopsis;
  std::string description;
  std::string example;
  AddOptions add_options = nullptr;
  void (*run)(const Arguments& arguments, report::Sheet& sheet) = nullptr;
};

/// `import --format NAME`: a network, not samples.
struct NetworkImport {
  std::string format;
  std::string help;
  AddOptions add_options = nullptr;
  void (*run)(const Arguments& arguments, data::Header header) = nullptr;
};

/// What the user knows of a network before it is learned, for learners that take known parts.
struct KnownInput {
  learning::KnownParts parts;
  /// Each option and the digest of what it names ("none" if it was not given): the result depends
  /// on it. Empty if none was given.
  std::vector<std::pair<std::string, std::string>> identity;

  [[nodiscard]] const learning::KnownParts* given() const {
    return identity.empty() ? nullptr : &parts;
  }
};
struct KnownOptions {
  AddOptions add_options = nullptr;
  /// Of data with variables of these names; the same at every rank. Collective.
  KnownInput (*load)(const Arguments& arguments, const parallel::Team& team,
                     const std::vector<std::string>& names) = nullptr;
};

/// The fields of a family's models, from the one function that names them: see store/archive.hpp.
struct Fields {
  std::function<AnyModel(store::Archive& archive)> read{};
  std::function<void(store::Archive& archive, const AnyModel& model)> write{};
};
template <class Model>
Fields fields_of(void (*fields)(store::Archive& archive, Model& model)) {
  return {[fields](store::Archive& archive) {
            Model model;
            fields(archive, model);
            return AnyModel(std::move(model));
          },
          [fields](store::Archive& archive, const AnyModel& model) {
            Model copy = *model.as<Model>();
            fields(archive, copy);
          }};
}

struct Family {
  std::string name;                               ///< of its folder
  std::type_index type;                           ///< of its models
  learning::Input input = learning::Input::bits;  ///< what its rows are made of

  // ---- a model in words and numbers
  /// What a file holds: "signs on a tree".
  std::function<std::string(const AnyModel&)> describe{};
  /// Names of the observed variables.
  std::function<std::vector<std::string>(const AnyModel&)> variables{};
  std::function<Size(const AnyModel&)> size{};
  /// What `info` tells of it.
  std::function<void(const AnyModel&, report::Section&)> info{};
  /// What is told of it when it was just learned.
  std::function<void(const AnyModel&, report::Section&)> summary{};

  // ---- where models come from: generators
  std::string generators{};  ///< their arguments, for help
  /// Nothing if the argument is none of them. `arguments` are those of a command with the options
  /// of `sample`; null: the defaults.
  std::function<std::optional<AnyModel>(const std::string& argument, std::uint64_t seed,
                                        const Arguments* arguments)>
      generate{};

  // ---- and files
  Fields fields{};
  /// The model with what `new_name` says of the name of each node, asked once for each: all else
  /// stays as it is.
  std::function<AnyModel(const AnyModel&, const NewName& new_name)> renamed{};
  std::vector<std::string> groups{};        ///< of HDF5; the first is what is written
  std::vector<std::string> json_formats{};  ///< values of "format"; the first is what is written
  /// JSON of another program, which has no "format"; `entry` is one network of several, or empty.
  std::function<AnyModel(const model::JsonEntry& root, const std::string& entry)> other_json{};
  std::vector<Format> formats{};  ///< of its own, beside JSON
  std::function<report::Graph(const AnyModel&)> graph{};
  /// As tables of probabilities; empty: variables are numbers.
  std::function<report::DiscreteNetwork(const AnyModel&)> discrete{};
  std::vector<NetworkImport> imports{};

  // ---- learning
  std::vector<const learning::LearnerEntry*> learners{};
  /// By learner (and "params"): whose method it is, as src/BIBLIOGRAPHY.md has it. Pages cite it.
  std::map<std::string, std::string> papers{};
  KnownOptions known{};
  /// Moments of a network that take the place of samples; `model` must outlive them. Throws
  /// InputError, naming `source`.
  std::function<std::unique_ptr<moments::MomentSource>(const AnyModel& model,
                                                       const std::string& source)>
      exact_moments{};
  /// `params`: of a known structure.
  std::function<void(const AnyModel& structure, const Arguments&, const parallel::Team&)> params{};
  std::vector<Planner> planners{};

  // ---- commands on a model
  Action<void(const AnyModel&, const Arguments&, const parallel::Team&)> sample{};
  Action<void(const AnyModel&, const Arguments&, const parallel::Team&, const OpenBatches&)>
      infer{};
  /// Fills the sheet, at every rank. Collective, as the next.
  Action<void(const AnyModel&, const Arguments&, const parallel::Team&, report::Sheet&)> evaluate{};
  /// The page, HTML.
  Action<std::string(const AnyModel&, const Arguments&, const parallel::Team&)> report{};
  std::vector<DepthTest> depth{};
};

/// A function of one family's models as one of any model, for the fields of its Family.
template <class Result, class Model, class... Rest>
std::function<Result(const AnyModel&, Rest...)> typed(Result (*function)(const Model&, Rest...)) {
  return [function](const AnyModel& model, Rest... rest) -> Result {
    return function(*model.as<Model>(), std::forward<Rest>(rest)...);
  };
}

}  // namespace orrery::family
