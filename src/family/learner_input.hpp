// Samples and moments for the commands that learn, the same at every rank.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "family/family.hpp"
#include "family/model_run.hpp"
#include "learning/load.hpp"
#include "moments/moment_source.hpp"
#include "store/store.hpp"

namespace orrery::family {

/// Owns what a learner reads. Not copyable: the moments refer to the samples beside them.
struct LearnerInput {
  std::unique_ptr<AnyModel> network;             ///< the network of exact moments
  std::unique_ptr<moments::MomentSource> exact;  ///< its moments
  std::unique_ptr<store::MomentsReader> stored;  ///< moments counted earlier
  learning::Samples samples;                     ///< nothing with exact moments
  std::vector<std::string> names;
  std::uint64_t digest = 0;

  [[nodiscard]] const moments::MomentSource& moments() const {
    return exact ? *exact : *samples.moments;
  }
};

/// The counts of --moments FILE, whose digest must be that of DATA. Collective.
std::unique_ptr<store::MomentsReader> read_counts(const parallel::Team& team,
                                                  const MomentInputs& inputs);

/// Moments of a network that take the place of samples; throws InputError, naming `source`, for a
/// family that has none. `model` must outlive them.
std::unique_ptr<moments::MomentSource> exact_moments_of(const AnyModel& model,
                                                        const std::string& source);

/// Names of the variables of DATA, or of the network of --moments. Collective.
std::vector<std::string> variable_names(const parallel::Team& team, const Arguments& arguments,
                                        const MomentInputs& inputs);

/// Loads DATA within --memory (if the command has that option) and counts pairs, or takes them from
/// a moments file (--moments FILE) whose digest must match. `data` empty: --moments names a
/// network, whose exact moments are used. Collective.
LearnerInput load_learner_input(const parallel::Team& team, const Arguments& arguments,
                                const MomentInputs& inputs, learning::Checkpoints& checkpoints,
                                std::vector<Stage>& stages);

}  // namespace orrery::family
