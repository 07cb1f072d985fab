// Jernite, Halpern, Sontag 2013, Definition 2 and Theorems 1 and 2.
//
//   paper           code
//   epsilon, zeta   RankTestability::epsilon
//   W               SubtractionWidth::width
//   d               depth
//   delta           delta, the probability of failure
//
// Definition 2 asks for the third "eigenvalue" of the moments' matrix M = P(ab, cd) of the
// sub-network {U, a, b, c, d} with a set V of other causes, of which one has a child on both sides
// of the split; taken here as the third singular value, which is what the rank test computes. The
// sub-network has no leaks. Sets V are those of causes that share two or more of the four variables
// with each other's quartet: a cause with one of the four only acts as a leak of it. Where more
// than four causes do, V is one or all of them.
//
// The extraction of the theorems lost its fractions; read as
//   Theorem 1   N = O(max(1 / zeta^8, 1 / (n_min^8 p_min^2 (1 - f_max)^8)) ln(2m / delta))
//               error(N) <= O(E sqrt(ln(2m / delta) / N)),
//               E = 1 / (f_min^18 (1 - f_max)^6 n_min^28 p_min^13)
//   Theorem 2   N times (W 4^W E)^(2d).
//
// Cost: rank_testability a few microseconds per quartet, set V and split; subtraction_width a
// search among the children of each cause that is not learned at depth 0, at most 3,000 steps for
// each.
#include "model/sample_complexity.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/random.hpp"
#include "linalg/decompositions.hpp"
#include "moments/negative_moments.hpp"

namespace orrery::model {
namespace {

/// Which two members stand on each side, as places in the quartet.
constexpr std::array<std::array<std::size_t, 4>, 3> splits{
    {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}}};

/// A cause as the quartet sees it: mask and failures of its children among the four.
struct Coupling {
  double prior = 0;
  std::array<double, 4> failure{};
  std::uint32_t members = 0;
};

Coupling coupling_of(const NoisyOrNetwork& network, std::size_t cause,
                     const std::array<std::uint32_t, 4>& quartet) {
  Coupling coupling;
  coupling.prior = network.causes()[cause].prior;
  for (std::size_t k = 0; k < 4; ++k) {
    coupling.failure[k] = network.failure(cause, quartet[k]);
    if (coupling.failure[k] < 1) coupling.members |= 1U << k;
  }
  return coupling;
}

void multiply(moments::QuartetMoments& negative, const Coupling& coupling) {
  for (std::size_t set = 1; set < 16; ++set) {
    double product = 1;
    for (std::size_t k = 0; k < 4; ++k) {
      if (((set >> k) & 1U) != 0) product *= coupling.failure[k];
    }
    negative[set] *= moments::cause_factor(coupling.prior, product);
  }
}

double third_singular_value(const moments::QuartetCells& cells,
                            const std::array<std::size_t, 4>& split) {
  Eigen::Matrix4d matrix;
  for (std::size_t row = 0; row < 4; ++row) {
    for (std::size_t column = 0; column < 4; ++column) {
      const std::size_t set = (row & 1U) << split[0] | (row >> 1U) << split[1] |
                              (column & 1U) << split[2] | (column >> 1U) << split[3];
      matrix(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)) = cells[set];
    }
  }
  return linalg::singular_decomposition_of(matrix).values(2);
}

bool crosses(std::uint32_t members, const std::array<std::size_t, 4>& split) {
  const std::uint32_t left = 1U << split[0] | 1U << split[1];
  return (members & left) != 0 && (members & ~left) != 0;
}

/// The sets V of `n` causes, as masks.
std::vector<std::uint32_t> sets_of(std::size_t n) {
  constexpr std::size_t most_for_all = 4;
  std::vector<std::uint32_t> sets;
  if (n <= most_for_all) {
    for (std::uint32_t set = 1; set < 1U << n; ++set) sets.push_back(set);
    return sets;
  }
  n = std::min<std::size_t>(n, 31);
  for (std::size_t i = 0; i < n; ++i) sets.push_back(1U << i);
  sets.push_back((1U << n) - 1);
  return sets;
}

/// Members ordered so that the split is ab|cd.
std::array<std::uint32_t, 4> in_order(const std::array<std::uint32_t, 4>& quartet,
                                      const std::array<std::size_t, 4>& split) {
  return {quartet[split[0]], quartet[split[1]], quartet[split[2]], quartet[split[3]]};
}

class Examiner {
 public:
  explicit Examiner(const NoisyOrNetwork& network)
      : network_(network), parents_(network.n_observed()), seen_(network.n_causes(), 0) {
    for (const Edge& edge : network.edges()) parents_[edge.observed].push_back(edge.cause);
  }

  void examine(std::uint32_t cause, const std::array<std::uint32_t, 4>& quartet,
               RankTestability& found) {
    const std::vector<Coupling> others = others_of(cause, quartet);
    if (others.empty()) return;
    moments::QuartetMoments alone;
    alone.fill(1);
    multiply(alone, coupling_of(network_, cause, quartet));
    for (const std::uint32_t set : sets_of(others.size())) {
      moments::QuartetMoments negative = alone;
      for (std::size_t i = 0; i < others.size(); ++i) {
        if (((set >> i) & 1U) != 0) multiply(negative, others[i]);
      }
      const auto cells = moments::cells_from_negative(negative);
      for (const auto& split : splits) {
        const auto in_set_and_crossing = [&](std::size_t i) {
          return ((set >> i) & 1U) != 0 && crosses(others[i].members, split);
        };
        bool any = false;
        for (std::size_t i = 0; i < others.size() && !any; ++i) any = in_set_and_crossing(i);
        if (!any) continue;
        const double value = third_singular_value(cells, split);
        if (!(value < found.epsilon)) continue;
        found.epsilon = value;
        found.cause = cause;
        found.quartet = in_order(quartet, split);
      }
    }
  }

 private:
  /// Other causes of which two or more children are in the quartet, by rising index; at most 31.
  std::vector<Coupling> others_of(std::uint32_t cause,
                                  const std::array<std::uint32_t, 4>& quartet) {
    std::vector<std::uint32_t> twice;
    for (const std::uint32_t member : quartet) {
      for (const std::uint32_t other : parents_[member]) {
        if (other != cause && ++seen_[other] == 2) twice.push_back(other);
      }
    }
    for (const std::uint32_t member : quartet) {
      for (const std::uint32_t other : parents_[member]) seen_[other] = 0;
    }
    std::ranges::sort(twice);
    std::vector<Coupling> others;
    for (const std::uint32_t other : twice) {
      const double prior = network_.causes()[other].prior;
      if (prior > 0 && prior < 1 && others.size() < 31) {
        others.push_back(coupling_of(network_, other, quartet));
      }
    }
    return others;
  }

  const NoisyOrNetwork& network_;
  std::vector<std::vector<std::uint32_t>> parents_;
  std::vector<std::uint8_t> seen_;
};

/// Sets of four of n.
double fours_of(std::size_t n) {
  const auto k = static_cast<double>(n);
  return n < 4 ? 0 : k * (k - 1) * (k - 2) * (k - 3) / 24;
}

/// Four different numbers below n >= 4, rising; `lot` draws them.
std::array<std::size_t, 4> draw_four(std::size_t n, RowRandom lot) {
  std::array<std::size_t, 4> members{};
  for (std::size_t k = 0; k < 4;) {
    const std::size_t drawn = lot.below(n);
    if (std::find(members.begin(), members.begin() + k, drawn) == members.begin() + k) {
      members[k++] = drawn;
    }
  }
  std::ranges::sort(members);
  return members;
}

template <class Examine>
void for_each_four(std::size_t n, Examine&& examine) {
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) {
      for (std::size_t c = b + 1; c < n; ++c) {
        for (std::size_t d = c + 1; d < n; ++d) examine(std::array<std::size_t, 4>{a, b, c, d});
      }
    }
  }
}

/// Learned causes that share children with one that is learned later: which of its children.
using Shared = std::vector<std::vector<bool>>;

/// The search for the singly coupled quartet of one cause that the fewest learned causes couple.
class WidthSearch {
 public:
  WidthSearch(std::size_t n_children, Shared open, Shared learned)
      : n_(n_children), open_(std::move(open)), learned_(std::move(learned)) {}

  /// The fewest; `limit` steps at most, after which what was found is an upper bound.
  SubtractionWidth least(std::size_t upper, std::size_t limit) {
    best_ = upper;
    steps_ = limit;
    extend(0);
    return {best_, steps_ > 0};
  }

 private:
  [[nodiscard]] bool apart(std::size_t i) const {
    return std::ranges::any_of(open_, [&](const std::vector<bool>& of) {
      return of[i] && std::ranges::any_of(chosen_, [&](std::size_t j) { return of[j]; });
    });
  }

  [[nodiscard]] std::size_t coupling() const {
    return static_cast<std::size_t>(std::ranges::count_if(learned_, [&](const auto& of) {
      return std::ranges::count_if(chosen_, [&](std::size_t j) { return of[j]; }) >= 2;
    }));
  }

  // A cause that was not learned at once is coupled by one learned cause at least.
  void extend(std::size_t first) {
    if (chosen_.size() == quartet_size) {
      best_ = std::min(best_, coupling());
      return;
    }
    for (std::size_t i = first; i < n_ && best_ > 1 && steps_ > 0; ++i) {
      --steps_;
      if (apart(i)) continue;
      chosen_.push_back(i);
      if (coupling() < best_) extend(i + 1);
      chosen_.pop_back();
    }
  }

  std::size_t n_;
  Shared open_;
  Shared learned_;
  std::vector<std::size_t> chosen_;
  std::size_t best_ = 0;
  std::size_t steps_ = 0;
};

/// The children of a cause, those with the fewest other parents first: their quartets are tried
/// first.
std::vector<std::uint32_t> least_shared_first(const NoisyOrNetwork& network, std::size_t cause) {
  std::vector<std::size_t> n_parents(network.n_observed(), 0);
  for (const Edge& edge : network.edges()) ++n_parents[edge.observed];
  std::vector<std::uint32_t> children;
  for (const Edge& edge : network.children(cause)) children.push_back(edge.observed);
  std::ranges::stable_sort(children, {}, [&](std::uint32_t a) { return n_parents[a]; });
  return children;
}

SubtractionWidth width_of(const NoisyOrNetwork& network,
                          const std::vector<CauseLearnability>& causes, std::size_t cause) {
  constexpr std::size_t most_steps = 3'000;
  const std::vector<std::uint32_t> children = least_shared_first(network, cause);
  Shared open;
  Shared learned;
  for (std::size_t other = 0; other < network.n_causes(); ++other) {
    const double prior = network.causes()[other].prior;
    if (other == cause || prior == 0 || prior == 1) continue;
    std::vector<bool> shares(children.size());
    for (std::size_t i = 0; i < children.size(); ++i) {
      shares[i] = network.failure(other, children[i]) < 1;
    }
    if (std::ranges::count(shares, true) < 2) continue;
    const std::int32_t depth = causes[other].depth;
    const bool is_learned = depth != CauseLearnability::never && depth < causes[cause].depth;
    (is_learned ? learned : open).push_back(std::move(shares));
  }
  const std::size_t n_learned = learned.size();
  WidthSearch search(children.size(), std::move(open), std::move(learned));
  return search.least(n_learned, most_steps);
}

}  // namespace

RankTestability rank_testability(const NoisyOrNetwork& network, std::uint64_t most_quartets) {
  RankTestability found;
  std::vector<double> end(network.n_causes(), 0);  // quartets of the causes up to this one
  for (std::size_t c = 0; c < network.n_causes(); ++c) {
    const double prior = network.causes()[c].prior;
    if (prior > 0 && prior < 1) found.n_quartets += fours_of(network.children(c).size());
    end[c] = found.n_quartets;
  }
  Examiner examiner(network);
  const auto examine = [&](std::size_t cause, const std::array<std::size_t, 4>& places) {
    std::array<std::uint32_t, 4> quartet{};
    std::ranges::transform(places, quartet.begin(),
                           [&](std::size_t k) { return network.children(cause)[k].observed; });
    examiner.examine(static_cast<std::uint32_t>(cause), quartet, found);
    ++found.n_examined;
  };
  const bool all = found.n_quartets <= static_cast<double>(most_quartets);
  for (std::size_t c = 0; c < end.size() && all; ++c) {
    if (end[c] == (c == 0 ? 0 : end[c - 1])) continue;
    for_each_four(network.children(c).size(), [&](const auto& places) { examine(c, places); });
  }
  for (std::uint64_t i = 0; i < most_quartets && !all; ++i) {
    const double at = (static_cast<double>(i) + 0.5) / static_cast<double>(most_quartets);
    const auto cause = static_cast<std::size_t>(
        std::ranges::upper_bound(end, at * found.n_quartets) - end.begin());
    examine(cause, draw_four(network.children(cause).size(), RowRandom(1, Stream::check, i)));
  }
  return found;
}

SubtractionWidth subtraction_width(const NoisyOrNetwork& network,
                                   const std::vector<CauseLearnability>& causes) {
  SubtractionWidth result;
  for (std::size_t c = 0; c < causes.size(); ++c) {
    if (causes[c].depth <= 0) continue;
    const SubtractionWidth of_cause = width_of(network, causes, c);
    result.is_exact = result.is_exact && (of_cause.is_exact || of_cause.width <= result.width);
    result.width = std::max(result.width, of_cause.width);
  }
  return result;
}

SampleComplexity sample_complexity(const NoisyOrNetwork& network, double epsilon, int depth,
                                   std::size_t width, double delta) {
  SampleComplexity result;
  for (const Cause& cause : network.causes()) {
    if (cause.prior == 0) continue;
    result.least_prior = std::min(result.least_prior, cause.prior);
    result.priors_below_half = result.priors_below_half && cause.prior <= 0.5;
  }
  for (const Edge& edge : network.edges()) {
    result.least_failure = std::min(result.least_failure, edge.failure);
    result.most_failure = std::max(result.most_failure, edge.failure);
  }
  for (std::uint32_t a = 0; a < network.n_observed(); ++a) {
    result.least_off = std::min(result.least_off, network.negative_moment({&a, 1}));
  }
  const double strength = std::log10(1 - result.most_failure);
  const double off = std::log10(result.least_off);
  const double prior = std::log10(result.least_prior);
  result.log10_error_scale =
      -(18 * std::log10(result.least_failure) + 6 * strength + 28 * off + 13 * prior);
  const double w = static_cast<double>(width);
  const double of_a_round =
      depth == 0 ? 0 : std::log10(w) + w * std::log10(4) + result.log10_error_scale;
  result.log10_samples =
      2 * depth * of_a_round +
      std::max(-8 * std::log10(epsilon), -(8 * off + 2 * prior + 8 * strength)) +
      std::log10(std::log(2 * static_cast<double>(network.n_observed()) / delta));
  return result;
}

}  // namespace orrery::model
