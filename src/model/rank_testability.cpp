// Jernite, Halpern, Sontag 2013, Definition 2: how far multiply coupled quartets are from passing
// the rank test.
//
//   paper           code
//   epsilon, zeta   RankTestability::epsilon
//
// Definition 2 asks for the third "eigenvalue" of the moments' matrix M = P(ab, cd) of the
// sub-network {U, a, b, c, d} with a set V of other causes, of which one has a child on both sides
// of the split; taken here as the third singular value, which is what the rank test computes. The
// sub-network has no leaks. Sets V are those of causes that have two or more of the four variables
// as children: a cause with one of the four only acts as a leak of it. Where more than four causes
// do, V is one or all of them.
//
// Cost: a few microseconds per quartet, set V and split.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "linalg/decompositions.hpp"
#include "model/sample_complexity.hpp"
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

}  // namespace orrery::model
