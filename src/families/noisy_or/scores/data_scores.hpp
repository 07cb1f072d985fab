// What samples say of a model: likelihoods beside those of simple baselines, and what it did not
// predict; of an anchored network also what labels say of its causes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/shared_sums.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/cause_network.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/model/network.hpp"

namespace orrery::noisy_or {

// What an anchored network says of rows of its observed variables, causes summed over; and what its
// network of causes says of their true values (Halpern, Horng, Sontag 2015, Sec. 5.3.1, Figure 4),
// and of another network.

struct AnchoredLikelihood {
  std::uint64_t n_rows = 0;
  std::uint64_t n_out_of_reach = 0;  ///< rows with too many findings for an exact sum
  std::uint64_t n_impossible = 0;    ///< of probability 0
  /// log P of a row, nats: -infinity if one is impossible; NaN if one is out of reach, since the
  /// others are no fair sample.
  double mean = 0;
};

/// Column j of `rows`: observed variable j; no value is missing. Memory: what an exact sum takes, a
/// thread. Collective for those that `share` the rows.
AnchoredLikelihood anchored_likelihood(const model::NoisyOrNetwork& network,
                                       const data::BitPanels& rows, int threads,
                                       const BlockShare& share = {});

/// KL(truth || learned), nats; infinity: the learned one rules out what happens. `place[i]`: the
/// true cause that is the learned one's cause i, each once. Exact, by elimination: a table of each
/// family. Throws InputError where the truth is too dense for that.
double kl_divergence(const model::CauseNetwork& truth, const model::CauseNetwork& learned,
                     const std::vector<std::uint32_t>& place);

/// The network with every P(cause | parents) moved into [floor, 1 - floor]: moments that are
/// recovered on the edge of what is possible rule out rows that occur.
model::CauseNetwork floored(const model::CauseNetwork& network, double floor);

struct LabelLikelihood {
  std::uint64_t n_rows = 0;        ///< with a label at least
  std::uint64_t n_impossible = 0;  ///< of probability 0
  double mean = 0;  ///< log P of a row's labels, nats; -infinity if one is impossible
};

/// Column i of `labels`: cause i; missing values are summed over. Throws InputError if the numbers
/// differ, or if values are missing and the network is too dense for sums.
LabelLikelihood label_likelihood(const model::CauseNetwork& network,
                                 const data::SampleMatrix& labels, int threads);

// Posterior predictive check: does the model predict what it was not asked to fit?

/// Rows in which all variables of a set are off: counted, and as the model has it.
struct PatternCheck {
  std::vector<std::uint32_t> variables;  ///< two or three, rising
  std::uint64_t observed = 0;            ///< rows with all of them off
  std::uint64_t n_rows = 0;              ///< rows in which none of them is missing
  double expected = 0;                   ///< n_rows * P(all off), Eq. (1)
  double z = 0;                          ///< of the difference; positive: more than expected
};

struct PredictiveCheck {
  std::vector<PatternCheck> pairs;    ///< by falling |z|, then by variables
  std::vector<PatternCheck> triples;  ///< the same
};

/// A |z| above this counts as surprising; 0.27 % of normal ones are.
inline constexpr double surprising_z = 3;
/// Of the checks; 0 if there is none.
double share_surprising(std::span<const PatternCheck> checks);

/// Up to `n_sets` random pairs and as many random triples, all of them if there are no more; a
/// function of `seed`. Throws InputError if the data have another number of variables.
PredictiveCheck check_predictions(const model::NoisyOrNetwork& network,
                                  const data::SampleMatrix& samples, std::size_t n_sets,
                                  std::uint64_t seed);

struct DataScoreOptions {
  const model::NoisyOrNetwork* truth = nullptr;  ///< scored too, if given
  const data::SampleMatrix* train = nullptr;     ///< baselines are fitted on it, if given
  std::size_t n_sets = 1000;                     ///< random pairs, and triples, to check
  std::uint64_t seed = 1;                        ///< of the choice of these, and of the mixture
  int threads = 1;
  BlockShare share{};  ///< of the rows, among ranks: score_data is then collective
};

struct DataScores {
  std::uint64_t n_samples = 0;
  bool held_out = true;  ///< false: these are the very samples that the model was learned from
  /// Mean log-likelihood per row in nats; where a connected component has more than most_causes, a
  /// bound from below (model::mean_log_likelihood_bound), and `exact` is false for the model's.
  /// Empty where the causes depend on so many others that no sum over their states ends.
  std::optional<double> model;
  bool exact = true;
  std::optional<double> truth;        ///< empty without a truth
  std::optional<double> chow_liu;     ///< empty without training samples
  std::optional<double> independent;  ///< the same
  std::optional<double> mixture;      ///< the same; of rows of several kinds
  std::size_t n_components = 0;       ///< of the mixture
  std::uint64_t n_train = 0;
  PredictiveCheck check;
};
/// Causes of a connected component that the exact likelihood enumerates at most.
inline constexpr std::size_t most_causes = 20;

/// Variables are taken in their order. Throws InputError if the samples have another number of them
/// than the model, or no row.
DataScores score_data(const model::LearnedModel& model, const data::SampleMatrix& samples,
                      const DataScoreOptions& options);

}  // namespace orrery::noisy_or
