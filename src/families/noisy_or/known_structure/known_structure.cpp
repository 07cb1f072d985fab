// Parameters of a known structure, from singly-coupled triplets.
//
//   paper                                code
//   singly-coupled triplet (a, b, c)     Triplet, singly_coupled_triplets
//   Eq. (2)                              moments::fit_mixture
//   CPMI, Eqs. (5), (6)                  moments::failure_from_information
//   subtracting off, Eq. (3)             moments::Subtraction, adjusted_triplet
//   depth (Table 1)                      depth
//
// A round learns every cause that has a singly-coupled triplet once the causes of earlier rounds
// are subtracted off. Departure: the paper uses one triplet per cause; here the strongest few, and
// the median of their estimates, which halves the error of the worst parameters at no other cost.
// Cost: a cause with k children O(k^3) for its triplets and 15 k triple counts, O(15 k N / 64).
#include "families/noisy_or/known_structure/known_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/log.hpp"
#include "learning/load.hpp"
#include "learning/stages.hpp"
#include "moments/negative_moments.hpp"
#include "orrery/base/error.hpp"
#include "orrery/learning/parameters.hpp"

namespace orrery::known_structure {

std::vector<Triplet> singly_coupled_triplets(const model::NoisyOrNetwork& structure,
                                             std::size_t cause, const std::vector<bool>& learned,
                                             std::size_t limit) {
  const auto children = structure.children(cause);
  const std::size_t k = children.size();
  // alone[i * k + j]: children i and j share no other cause that is not yet learned.
  std::vector<char> alone(k * k, 1);
  for (std::size_t other = 0; other < structure.n_causes(); ++other) {
    if (other == cause || learned[other]) continue;
    std::vector<std::size_t> shared;
    for (std::size_t i = 0; i < k; ++i) {
      if (structure.failure(other, children[i].observed) < 1) shared.push_back(i);
    }
    for (const std::size_t i : shared) {
      for (const std::size_t j : shared) alone[i * k + j] = 0;
    }
  }
  std::vector<Triplet> triplets;
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = i + 1; j < k; ++j) {
      if (alone[i * k + j] == 0) continue;
      for (std::size_t l = j + 1; l < k; ++l) {
        if (alone[i * k + l] == 0 || alone[j * k + l] == 0) continue;
        triplets.push_back({children[i].observed, children[j].observed, children[l].observed});
        if (triplets.size() == limit) return triplets;
      }
    }
  }
  return triplets;
}

namespace {

constexpr std::size_t used_triplets = 15;
constexpr std::size_t listed_triplets = 20'000;  // candidates for the strongest

/// log PMI of the weakest of the three pairs: how clearly the triplet shows its cause.
double strength(const moments::MomentSource& moments, const moments::Subtraction& learned,
                const Triplet& set) {
  const auto log_pmi = [&](std::size_t a, std::size_t b) {
    return std::log(moments.pair(a, b) / (moments.single(a) * moments.single(b)) *
                    learned.factor({a}) * learned.factor({b}) / learned.factor({a, b}));
  };
  return std::min({log_pmi(set[0], set[1]), log_pmi(set[0], set[2]), log_pmi(set[1], set[2])});
}

/// The strongest `used_triplets`, strongest first.
std::vector<Triplet> strongest(const moments::MomentSource& moments,
                               const moments::Subtraction& learned,
                               const std::vector<Triplet>& triplets) {
  std::vector<double> strengths;
  for (const Triplet& set : triplets) {
    const double value = strength(moments, learned, set);
    strengths.push_back(std::isnan(value) ? -1 : value);
  }
  std::vector<std::size_t> order(triplets.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return strengths[i] > strengths[j]; });
  order.resize(std::min(order.size(), used_triplets));
  std::vector<Triplet> best;
  best.reserve(order.size());
  for (const std::size_t i : order) best.push_back(triplets[i]);
  return best;
}

/// Two children that the cause alone couples, with Eq. (2)'s estimates.
struct CoupledPair {
  std::uint32_t a, b;
  double failure_a, failure_b;
};

/// Eq. (2) on the triplets of one cause.
struct TripletEstimates {
  std::vector<double> priors;
  std::vector<std::vector<double>> failures;  // by child
  std::vector<CoupledPair> pairs;             // the first two of each triplet
};

TripletEstimates estimate_triplets(const moments::MomentSource& moments,
                                   const moments::Subtraction& learned,
                                   std::span<const model::Edge> children,
                                   const std::vector<Triplet>& triplets) {
  TripletEstimates estimates;
  estimates.failures.resize(children.size());
  const auto child_index = [&](std::uint32_t x) {
    return static_cast<std::size_t>(
        std::ranges::lower_bound(children, x, {}, &model::Edge::observed) - children.begin());
  };
  for (const Triplet& set : triplets) {
    const auto views = moments::fit_mixture(moments::adjusted_triplet(moments, learned, set));
    for (std::size_t k = 0; k < 3; ++k) {
      if (!views[k]) continue;
      estimates.priors.push_back(views[k]->prior);
      estimates.failures[child_index(set[k])].push_back(views[k]->failure);
    }
    if (views[0] && views[1]) {
      estimates.pairs.push_back({set[0], set[1], views[0]->failure, views[1]->failure});
    }
  }
  return estimates;
}

struct CauseEstimate {
  double prior = 0;
  Triplet triplet{};             // the strongest
  std::vector<double> failures;  // by child
};

/// Estimates a cause from its singly-coupled triplets; no failures if none of them decomposes.
CauseEstimate estimate_cause(const moments::MomentSource& moments,
                             const moments::Subtraction& learned,
                             std::span<const model::Edge> children,
                             const std::vector<Triplet>& triplets) {
  const std::vector<Triplet> best = strongest(moments, learned, triplets);
  auto [priors, failures, pairs] = estimate_triplets(moments, learned, children, best);
  if (priors.empty() || pairs.empty()) return {};
  CauseEstimate estimate{moments::median(priors), best.front(), {}};
  for (std::size_t child = 0; child < children.size(); ++child) {
    const std::uint32_t x = children[child].observed;
    for (const CoupledPair& pair : pairs) {
      // Children of the triplets have Eq. (2)'s own estimates.
      if (pair.a == x || pair.b == x || failures[child].size() >= pairs.size()) continue;
      const auto triplet = moments::adjusted_triplet(moments, learned, {pair.a, pair.b, x});
      failures[child].push_back(
          moments::failure_from_information(moments::conditional_mutual_information(triplet),
                                            estimate.prior, pair.failure_a, pair.failure_b));
    }
    estimate.failures.push_back(moments::median(failures[child]));
  }
  return estimate;
}

/// An estimate as numbers: prior, triplet, failures by child; all 0 where there is none.
constexpr std::size_t first_failure = 4;

void put(const CauseEstimate& estimate, std::span<double> values) {
  if (estimate.failures.empty()) return;
  values[0] = estimate.prior;
  std::ranges::copy(estimate.triplet, values.begin() + 1);
  std::ranges::copy(estimate.failures, values.begin() + first_failure);
}

/// What is known after some rounds; the same at every rank.
struct Learned {
  explicit Learned(const model::NoisyOrNetwork& structure)
      : causes(structure.n_observed()),
        is_learned(structure.n_causes(), false),
        priors(structure.n_causes(), 0),
        failures(structure.n_causes(), std::vector<double>(structure.n_observed(), 1.0)),
        provenance(structure.n_causes()) {}

  moments::Subtraction causes;
  std::vector<bool> is_learned;  // these, by cause of the structure
  std::vector<double> priors;
  std::vector<std::vector<double>> failures;
  std::vector<model::Provenance> provenance;
};

/// What a round found.
struct Round {
  std::vector<std::size_t> causes;  // of the structure: those that were not learned before it
  std::vector<double> values;       // as put() has them, `size` a cause
  std::size_t size = 0;
};

/// Estimates of all causes that have a singly-coupled triplet by now, from all ranks.
Round estimate_round(const learning::LearnContext& context, const model::NoisyOrNetwork& structure,
                     const Learned& learned, int depth) {
  Round round;
  std::size_t most_children = 0;
  for (std::size_t cause = 0; cause < structure.n_causes(); ++cause) {
    if (learned.is_learned[cause]) continue;
    round.causes.push_back(cause);
    most_children = std::max(most_children, structure.children(cause).size());
  }
  round.size = first_failure + most_children;
  round.values = learning::unit_values(
      {context.team, context.threads, context.checkpoints, context.stages},
      {fmt::format("parameters_depth_{}", depth), "causes", round.causes.size(), round.size},
      [&](std::uint64_t unit, int /*thread*/, std::span<double> values) {
        const std::size_t cause = round.causes[unit];
        const auto triplets =
            singly_coupled_triplets(structure, cause, learned.is_learned, listed_triplets);
        if (triplets.empty()) return;
        put(estimate_cause(context.moments, learned.causes, structure.children(cause), triplets),
            values);
      });
  return round;
}

/// Returns how many causes were learned, in the causes' order, so that products of factors are the
/// same at any number of ranks.
std::size_t merge_round(const Round& round, const model::NoisyOrNetwork& structure, int depth,
                        Learned& learned) {
  std::size_t n_learned = 0;
  for (std::size_t i = 0; i < round.causes.size(); ++i) {
    const auto values = std::span(round.values).subspan(i * round.size, round.size);
    if (values[0] == 0) continue;
    const std::size_t cause = round.causes[i];
    ++n_learned;
    learned.is_learned[cause] = true;
    learned.priors[cause] = values[0];
    learned.provenance[cause].depth = depth;
    for (std::size_t k = 0; k < 3; ++k) {
      learned.provenance[cause].quartet[k] = static_cast<std::int32_t>(values[1 + k]);
    }
    const auto children = structure.children(cause);
    for (std::size_t child = 0; child < children.size(); ++child) {
      learned.failures[cause][children[child].observed] = values[first_failure + child];
    }
    learned.causes.add(learned.priors[cause], learned.failures[cause]);
  }
  return n_learned;
}

/// The network of the learned causes; leaks are what remains of the single moments.
model::LearnedModel assemble(const learning::LearnContext& context,
                             const model::NoisyOrNetwork& structure, const Learned& learned) {
  model::LearnedModel model;
  std::vector<model::Cause> causes;
  std::vector<model::Edge> edges;
  std::string left_out;
  for (std::size_t cause = 0; cause < structure.n_causes(); ++cause) {
    if (!learned.is_learned[cause]) {
      left_out += (left_out.empty() ? "" : ", ") + structure.causes()[cause].name;
      continue;
    }
    const auto id = static_cast<std::uint32_t>(causes.size());
    causes.push_back({structure.causes()[cause].name, learned.priors[cause]});
    model.provenance.push_back(learned.provenance[cause]);
    for (const model::Edge& edge : structure.children(cause)) {
      const double failure = learned.failures[cause][edge.observed];
      if (failure < 1) edges.push_back({id, edge.observed, failure});
    }
  }
  if (!left_out.empty()) {
    log::warning("no singly-coupled triplet, so no parameters, for: {}", left_out);
  }
  std::vector<model::Observed> observed;
  for (std::size_t x = 0; x < structure.n_observed(); ++x) {
    const double off = context.moments.single(x) / learned.causes.factor({x});
    observed.push_back({context.names[x], moments::leak_of(off, context.moments.n_samples())});
  }
  model.network = {std::move(causes), std::move(observed), std::move(edges)};
  model.learner = "params";
  model.n_samples = context.moments.n_samples();
  return model;
}

}  // namespace

model::LearnedModel learn_parameters(const learning::LearnContext& context,
                                     const model::NoisyOrNetwork& structure) {
  Learned learned(structure);
  for (int depth = 0;; ++depth) {
    const auto round = estimate_round(context, structure, learned, depth);
    if (merge_round(round, structure, depth, learned) == 0) break;
  }
  return assemble(context, structure, learned);
}

}  // namespace orrery::known_structure

namespace orrery::learn {

model::LearnedModel parameters(const data::SampleMatrix& samples,
                               const model::NoisyOrNetwork& structure,
                               const RunOptions& run_options) {
  if (structure.has_dependent_causes()) {
    throw InputError("structure: its causes depend on one another; independent ones are needed");
  }
  learning::MemoryRun run(samples, run_options);
  const learning::LearnContext context = run.context();
  if (structure.n_observed() != context.names.size()) {
    throw InputError(
        fmt::format("structure: {} variables, but the samples have {} columns; "
                    "give each column one variable, in the order of the columns",
                    structure.n_observed(), context.names.size()));
  }
  for (std::size_t x = 0; x < context.names.size(); ++x) {
    if (structure.observed()[x].name == context.names[x]) continue;
    throw InputError(fmt::format(
        "structure: its variable {} is '{}', but that column of the samples is '{}'; give the "
        "variables the order of the columns",
        x, structure.observed()[x].name, context.names[x]));
  }
  model::LearnedModel learned = known_structure::learn_parameters(context, structure);
  learned.data_digest = samples.digest;
  return learned;
}

}  // namespace orrery::learn
