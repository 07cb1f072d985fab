#include "family/learner_input.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/log.hpp"
#include "cli/values.hpp"
#include "family/model_argument.hpp"
#include "family/table.hpp"
#include "learning/learner.hpp"
#include "moments/counted_moments.hpp"
#include "orrery/base/error.hpp"

namespace orrery::family {
namespace {

/// Refuses moments of other data, naming both.
void check_same_data(const store::MomentsReader& stored, const MomentInputs& inputs) {
  const store::SampleHeader data = store::read_sample_header(inputs.data);
  if (data.has_missing) {
    throw InputError(fmt::format(
        "--moments {}: {} has missing values, whose rows are counted for each set anew; leave "
        "--moments out",
        inputs.moments, inputs.data));
  }
  if (stored.data_digest() != data.digest || stored.pairs().n_observed != data.n_observed) {
    throw InputError(fmt::format(
        "{}: counted from other data (digest {:016x}, {} rows, {} columns) than {} (digest "
        "{:016x}, {} rows, {} columns); count again with `orrery moments`",
        inputs.moments, stored.data_digest(), stored.pairs().n_samples, stored.pairs().n_observed,
        inputs.data, data.digest, data.n_samples, data.n_observed));
  }
}

}  // namespace

std::unique_ptr<moments::MomentSource> exact_moments_of(const AnyModel& model,
                                                        const std::string& source) {
  const Family& family = family_of(model);
  if (!family.exact_moments) {
    refuse(model, source, "a network whose moments can be computed is needed here");
  }
  return family.exact_moments(model, source);
}

std::vector<std::string> variable_names(const parallel::Team& team, const cli::Arguments& arguments,
                                        const MomentInputs& inputs) {
  if (!inputs.data.empty()) return learning::read_names(team, inputs.data);
  const AnyModel network = load_model(team, inputs.moments, arguments.seed());
  return family_of(network).variables(network);
}

std::unique_ptr<store::MomentsReader> read_counts(const parallel::Team& team,
                                                  const MomentInputs& inputs) {
  auto stored = team.root_first([&] {
    auto reader = std::make_unique<store::MomentsReader>(inputs.moments);
    check_same_data(*reader, inputs);
    return reader;
  });
  log::verbose("{}: counts of order {} reused", inputs.moments, stored->order());
  return stored;
}

LearnerInput load_learner_input(const parallel::Team& team, const cli::Arguments& arguments,
                                const MomentInputs& inputs, learning::Checkpoints& checkpoints,
                                std::vector<Stage>& stages) {
  LearnerInput input;
  if (inputs.data.empty()) {
    input.network = std::make_unique<AnyModel>(load_model(team, inputs.moments, arguments.seed()));
    input.names = family_of(*input.network).variables(*input.network);
    input.exact = team.root_first([&] { return exact_moments_of(*input.network, inputs.moments); });
    return input;
  }
  std::optional<learning::StoredCounts> counts;
  if (!inputs.moments.empty()) {
    input.stored = read_counts(team, inputs);
    counts.emplace();
    counts->pairs = input.stored->pairs();
    if (input.stored->order() >= 3) {
      counts->triples = [reader = input.stored.get()](std::size_t a) {
        return reader->read_triples(a);
      };
    }
  }
  const double memory =
      arguments.has("memory") ? cli::parse_size("memory", arguments.text("memory")) : 0;
  input.samples = learning::load_samples(team, arguments.threads(), inputs.data,
                                         static_cast<std::size_t>(memory), std::move(counts),
                                         checkpoints, stages);
  input.names = input.samples.names;
  input.digest = input.samples.digest;
  return input;
}

}  // namespace orrery::family
