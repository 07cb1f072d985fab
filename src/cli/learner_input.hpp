// Samples and moments for the commands that learn, the same at every rank.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/model_run.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/moments/moment_source.hpp"
#include "orrery/store/store.hpp"

namespace orrery::cli {

/// Owns what a learner reads. Not copyable: the moments refer to the samples beside them.
struct LearnerInput {
  std::unique_ptr<data::SampleMatrix> samples;   ///< usable rows; null with exact moments
  std::unique_ptr<model::LearnedModel> network;  ///< the network of exact moments
  std::unique_ptr<store::MomentsReader> stored;  ///< moments counted earlier
  std::unique_ptr<moments::MomentSource> moments;
  std::vector<std::string> names;
  std::uint64_t digest = 0;
};

/// Reads DATA at rank 0, sends it to all, and counts pairs on all ranks, or takes them from a
/// moments file (--moments FILE) whose digest must match. `data` empty: --moments names a network,
/// whose exact moments are used. Collective.
LearnerInput load_learner_input(const parallel::Team& team, const Arguments& arguments,
                                const MomentInputs& inputs, learners::Checkpoints& checkpoints,
                                std::vector<Stage>& stages);

/// Reads the samples at rank 0, keeps the usable rows, sends them to all. Collective.
data::SampleMatrix load_samples(const parallel::Team& team, const std::string& path);

}  // namespace orrery::cli
