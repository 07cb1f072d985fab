// Matching by cosine. With s_X the strengths 1 - f of cause X over all observed variables,
//   cosine(X, U) = s_X . s_U / (|s_X| |s_U|),
// of which all that are not 0 come from the lists of causes a variable has.
// Cost: the pairs of causes with a common child, then one assignment (assign.hpp).
//
// A learned cause that was matched to one true cause cannot be the match of its twin, too: the twin
// is missed, though a learned cause may be alike.
#include "families/noisy_or/scores/likeness.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <span>

#include "base/assign.hpp"

namespace orrery::noisy_or {
namespace {

using model::Edge;
using model::NoisyOrNetwork;

// Between the five frequency classes of QMR: 1 - f of 0.025, 0.2, 0.5, 0.8, 0.985.
constexpr std::array strength_bounds{0.0, edge_strength, .35, .65, .9, 1.0};
constexpr std::array prior_bounds{0.0, .0005, .001, .002, .005, .01, .05, 1.0};

/// The cosines of one cause with each of a network's.
class Cosines {
 public:
  explicit Cosines(const NoisyOrNetwork& network)
      : parents_(network.n_observed()), squares_(network.n_causes(), 0) {
    for (const Edge& edge : network.edges()) {
      const double strength = 1 - edge.failure;
      parents_[edge.observed].push_back({edge.cause, strength});
      squares_[edge.cause] += strength * strength;
    }
  }

  /// `children` by rising observed index: the sums are those over all variables, digit for digit.
  [[nodiscard]] std::vector<double> with(std::span<const Edge> children) const {
    std::vector<double> cosine(squares_.size(), 0);
    double square = 0;
    for (const Edge& edge : children) {
      const double strength = 1 - edge.failure;
      square += strength * strength;
      for (const Parent& parent : parents_[edge.observed]) {
        cosine[parent.cause] += strength * parent.strength;
      }
    }
    for (std::size_t k = 0; k < cosine.size(); ++k) {
      if (cosine[k] > 0) cosine[k] /= std::sqrt(square * squares_[k]);
    }
    return cosine;
  }

 private:
  struct Parent {
    std::uint32_t cause;
    double strength;
  };
  std::vector<std::vector<Parent>> parents_;  // of each observed variable
  std::vector<double> squares_;
};

void take_nearer(Nearest& nearest, std::size_t cause, double cosine) {
  if (cosine > nearest.cosine) nearest = {static_cast<std::int64_t>(cause), cosine};
}

bool is_strict(const NoisyOrNetwork& truth, std::size_t t, const NoisyOrNetwork& learned,
               std::size_t k) {
  const double p_true = truth.causes()[t].prior;
  const double p_learned = learned.causes()[k].prior;
  if (p_learned > 2 * p_true || p_true > 2 * p_learned) return false;
  return std::ranges::all_of(truth.children(t), [&](const Edge& edge) {
    if (1 - edge.failure <= edge_strength) return true;
    // No edge is infinitely far.
    const double ratio = (1 - learned.failure(k, edge.observed)) / (1 - edge.failure);
    return std::abs(std::log(ratio)) <= 1;
  });
}

void match_causes(const NoisyOrNetwork& learned, const NoisyOrNetwork& truth, Likeness& result) {
  const std::size_t n_true = truth.n_causes();
  const std::size_t n_learned = learned.n_causes();
  const Cosines of_learned(learned);
  const Cosines of_truth(truth);
  std::vector<double> cost(n_true * n_learned, std::numeric_limits<double>::infinity());
  for (std::size_t t = 0; t < n_true; ++t) {
    const std::vector<double> cosine = of_learned.with(truth.children(t));
    for (std::size_t k = 0; k < n_learned; ++k) {
      take_nearer(result.truth[t].learned, k, cosine[k]);
      take_nearer(result.learned[k].truth, t, cosine[k]);
      if (cosine[k] > alike_cosine) cost[t * n_learned + k] = -cosine[k];
    }
    const std::vector<double> others = of_truth.with(truth.children(t));
    for (std::size_t u = 0; u < n_true; ++u) {
      if (u != t) take_nearer(result.truth[t].twin, u, others[u]);
    }
  }
  const std::vector<std::int64_t> partner = assign_partners(cost, n_true, n_learned);
  for (std::size_t t = 0; t < n_true; ++t) {
    if (partner[t] < 0) continue;
    const auto k = static_cast<std::size_t>(partner[t]);
    const double negative_cosine = cost[t * n_learned + k];
    if (!std::isfinite(negative_cosine)) continue;
    result.truth[t].match = partner[t];
    result.truth[t].cosine = -negative_cosine;
    result.truth[t].strict = is_strict(truth, t, learned, k);
    result.learned[k].match = static_cast<std::int64_t>(t);
  }
}

void count_causes(Likeness& result) {
  for (const TrueLikeness& cause : result.truth) {
    result.matched += cause.match >= 0 ? 1U : 0U;
    result.strict += cause.strict ? 1U : 0U;
  }
  result.extra = result.learned.size() - result.matched;
}

template <class Band, std::size_t size>
std::vector<Band> make_bands(const std::array<double, size>& bounds) {
  std::vector<Band> bands;
  for (std::size_t i = 0; i + 1 < size; ++i) {
    bands.emplace_back();
    bands.back().low = bounds[i];
    bands.back().high = bounds[i + 1];
  }
  return bands;
}

StrengthBand& band_of_strength(Likeness& result, double strength) {
  return *std::ranges::find_if(
      result.by_strength, [strength](const StrengthBand& band) { return strength <= band.high; });
}

PriorBand& band_of_prior(Likeness& result, double prior) {
  const auto band = std::ranges::find_if(
      result.by_prior, [prior](const PriorBand& candidate) { return prior < candidate.high; });
  return band == result.by_prior.end() ? result.by_prior.back() : *band;
}

/// Learned edges, by strength, by the prior of their cause, and of each cause.
void score_precision(const NoisyOrNetwork& learned, const NoisyOrNetwork& truth, Likeness& result) {
  for (std::size_t k = 0; k < learned.n_causes(); ++k) {
    LearnedLikeness& cause = result.learned[k];
    const std::int64_t partner = cause.match >= 0 ? cause.match : cause.truth.cause;
    PriorBand& prior = band_of_prior(result, learned.causes()[k].prior);
    ++prior.n_learned;
    prior.extra += cause.match < 0 ? 1U : 0U;
    for (const Edge& edge : learned.children(k)) {
      const double strength = 1 - edge.failure;
      const bool hit =
          partner >= 0 && truth.failure(static_cast<std::size_t>(partner), edge.observed) < 1;
      band_of_strength(result, strength).precision.count(hit);
      if (strength <= edge_strength) continue;
      prior.precision.count(hit);
      cause.precision.count(hit);
    }
    const double share = cause.precision.value(1);
    result.least_precision = std::min(result.least_precision, share);
    result.imprecise += share < precise_share ? 1U : 0U;
  }
}

/// True edges, by strength and by the prior of their cause.
void score_recall(const NoisyOrNetwork& learned, const NoisyOrNetwork& truth, Likeness& result) {
  for (std::size_t t = 0; t < truth.n_causes(); ++t) {
    const TrueLikeness& cause = result.truth[t];
    PriorBand& prior = band_of_prior(result, truth.causes()[t].prior);
    ++prior.n_true;
    prior.matched += cause.match >= 0 ? 1U : 0U;
    prior.strict += cause.strict ? 1U : 0U;
    for (const Edge& edge : truth.children(t)) {
      const double strength = 1 - edge.failure;
      const bool hit = cause.match >= 0 &&
                       learned.failure(static_cast<std::size_t>(cause.match), edge.observed) < 1;
      band_of_strength(result, strength).recall.count(hit);
      if (strength > edge_strength) prior.recall.count(hit);
    }
  }
}

}  // namespace

Likeness compare_strengths(const NoisyOrNetwork& learned, const NoisyOrNetwork& truth) {
  assert(learned.n_observed() == truth.n_observed());
  Likeness result;
  result.truth.resize(truth.n_causes());
  result.learned.resize(learned.n_causes());
  result.by_strength = make_bands<StrengthBand>(strength_bounds);
  result.by_prior = make_bands<PriorBand>(prior_bounds);
  match_causes(learned, truth, result);
  count_causes(result);
  score_precision(learned, truth, result);
  score_recall(learned, truth, result);
  return result;
}

}  // namespace orrery::noisy_or
