// Structural EM's search (Friedman 1998, "The Bayesian structural EM algorithm"): with the data
// completed once, each variable climbs by itself, an edge added or taken away at a time, to parents
// whose score nothing of that kind raises.
//
// All terms of the score (em.hpp) are of the completed data but the likelihood of the rows. It
// is not approximated: swapping variable i's table for another one changes it by
//
//   sum over rows n of log sum over joint states u of P(u|x^n) table'(x_i^n|u) / table(x_i^n|u).
//
// Gains of several variables need not add up; but the sum of what they gain in log P(D'|G) is a
// lower bound of what all together gain (Jensen).
//
// Cost: a round N D K S for K causes with S joint states, some K rounds. Memory: D L S counts and
// D K L S ratios, of as many variables at a time as fit into 2^23 numbers. Rows are shared; at
// 1,000 ranks the sums over ranks (48 bytes a count) come to matter first.
#pragma once

#include <cstdint>
#include <vector>

#include "families/categorical/structural_em/em.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::structural_em {

struct Change {
  std::uint32_t variable = 0;
  std::vector<std::uint32_t> parents;  ///< rising
  std::vector<double> counts;          ///< expected ones, J x L by rows
  double gain = 0;                     ///< of the score, all other variables as they were
};

/// The variables whose climb ends elsewhere, by falling gain, then by number. Collective.
[[nodiscard]] std::vector<Change> climb(const model::CategoricalNetwork& network, const Data& data,
                                        const ScoreSettings& settings);

/// The network with the first `n` changes made; tables are posterior means.
[[nodiscard]] model::CategoricalNetwork changed(const model::CategoricalNetwork& network,
                                                const std::vector<Change>& changes, std::size_t n,
                                                double alpha);

}  // namespace orrery::structural_em
