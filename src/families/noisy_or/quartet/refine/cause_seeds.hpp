// Seeds of causes that no quartet shows: from what three variables depend on each other, and from
// what the leaks have to explain together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "families/noisy_or/quartet/calibrated/search.hpp"
#include "learning/learner.hpp"
#include "learning/row_sums.hpp"
#include "moments/moment_source.hpp"
#include "moments/negative_moments.hpp"
#include "orrery/model/network.hpp"

namespace orrery::quartet {

/// Three variables that depend on each other beyond `learned`, though no fourth does: the seeds of
/// causes with three children, which no quartet can find (z of the triple's log cumulant above 4).
/// The most significant first, each with the variables that agree with it. Collective.
std::vector<Elected> residual_triples(const learning::LearnContext& context,
                                      const moments::Subtraction& learned, double alpha);

/// How surely a and b come together beyond chance.
using PairZ = std::function<double(std::uint32_t a, std::uint32_t b)>;

/// `first`, and of the other n variables that are not `used` all that come together with each
/// member before them: the next one is that whose z with them add up to most.
std::vector<std::uint32_t> members_with(const std::array<std::uint32_t, 2>& first, std::size_t n,
                                        const std::vector<bool>& used, const PairZ& z);
/// The seed of a cause of three or more of n variables, of which the first two come together in
/// this share of the rows beyond chance, by this z.
Elected seed_of_members(const std::vector<std::uint32_t>& members, std::size_t n, double share,
                        double z);

/// Variables whose leaks come together: seeds of causes that the others hide from the moments.
/// `moments` say which are observed together. Collective.
std::vector<Elected> leaking_together(const learning::RowPass& rows,
                                      const moments::MomentSource& moments,
                                      const model::NoisyOrNetwork& network);

}  // namespace orrery::quartet
