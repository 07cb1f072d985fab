// MODEL and NETWORK on the command line, of any family: which one an argument names is decided here
// alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "orrery/model/anchored_generators.hpp"
#include "orrery/model/categorical_network.hpp"
#include "orrery/model/linear_generators.hpp"
#include "orrery/model/tree_generators.hpp"
#include "orrery/model/tree_json.hpp"
#include "orrery/parallel/team.hpp"

namespace orrery::cli {

/// Parameters of random generators, a family each.
struct GeneratorParameters {
  model::TreeParameters tree;
  model::LinearParameters linear;
  model::AnchoredChoices anchored;
  double concentration = 0;  ///< model::CategoricalDesign::concentration
};

/// A generator's name, a JSON file (one network of several by FILE:NAME), or an HDF5 file with
/// /model, /tree, /linear or /categorical_network. `seed` and `parameters` are those of
/// random generators. Throws InputError or UsageError.
model::AnyModel load_model(const std::string& argument, std::uint64_t seed,
                           const GeneratorParameters& parameters = {});
/// The same at every rank. Collective.
model::AnyModel load_model(const parallel::Team& team, const std::string& argument,
                           std::uint64_t seed, const GeneratorParameters& parameters = {});
/// The file that `argument` names, without a network's name behind it; empty for a generator.
std::string model_file(const std::string& argument);

/// Throw InputError naming `source` and what it holds if the model is of another family.
model::LearnedModel require_network(model::AnyModel loaded, const std::string& source);
/// Of independent causes too.
model::LearnedModel require_independent(model::AnyModel loaded, const std::string& source);
model::LearnedTree require_tree(model::AnyModel loaded, const std::string& source);
model::LearnedLinear require_linear(model::AnyModel loaded, const std::string& source);
model::LearnedCategorical require_categorical(model::AnyModel loaded, const std::string& source);
/// Throws InputError for a categorical network: `command` has no use for it.
void refuse_categorical(const model::AnyModel& loaded, const std::string& source,
                        const char* command);

/// Of what family a model is: one of the names below.
const char* family_of(const model::AnyModel& loaded);
const char* family_of(const model::NoisyOrNetwork& network);
/// Throws UsageError if one of these options was given (not by its default): it is for models of
/// another family only.
void refuse_options(const Arguments& arguments, const std::vector<std::string>& options,
                    const std::string& source, const char* family);
inline constexpr const char* of_trees = "signs on a tree";
inline constexpr const char* of_networks = "a noisy-OR network";
inline constexpr const char* of_dependent = "a noisy-OR network whose causes depend on one another";
inline constexpr const char* of_linear = "a linear network";
inline constexpr const char* of_anchored = "an anchored network";
inline constexpr const char* of_categorical = "a categorical network";

}  // namespace orrery::cli
