// What the commands that end in a model share: where their moments come from, and the way from
// there to a file.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <cstdint>
#include <functional>
#include <string>

#include "cli/arguments.hpp"
#include "orrery/learners/checkpoints.hpp"
#include "orrery/learners/learner.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::cli {

/// DATA and --moments as given; one of them may be empty.
struct MomentInputs {
  std::string data;
  std::string moments;
};

/// Adds -o and --moments.
void add_model_options(boost::program_options::options_description& options);
/// Throws UsageError if neither was given.
MomentInputs moment_inputs(const Arguments& arguments);

struct Shape {
  std::uint64_t n_samples = 0;  ///< 0 with exact moments
  std::size_t n_observed = 0;
};
/// From the head of the file, without reading the samples. Root only.
Shape input_shape(const MomentInputs& inputs, std::uint64_t seed);

using Learn = std::function<model::LearnedModel(const learners::LearnContext&)>;
/// Loads the inputs, learns, writes and reports the model; rank 0 refuses before any work what it
/// could not write after it. `structure` is another file that the output must not replace, or
/// empty. Collective.
void run_model(const Arguments& arguments, const parallel::Team& team, const MomentInputs& inputs,
               const std::string& structure, learners::Checkpoints checkpoints, const Learn& learn);

}  // namespace orrery::cli
