// The scores of all families with few parents: Eq. (5) of Halpern, Horng, Sontag 2015, a cause.
//
//   paper              code
//   N I(Y_i; Y_Pa)     n_samples * information of the family's own table
//   N H(Y_i)           n_samples * entropy of the cause's own P
//   log(N) 2^|Pa|      log(n_samples) * SamplingNoise::parameters
//
// The penalty is twice that of BIC as usually written, as the paper prints it. Recovered tables of
// different sets need not agree about what they share, and H(Y_i) from each would shift families of
// one cause against one another by the first order of their noise; so it is taken from the cause
// alone. The information of a table is of second order where there is none.
//
// Cost: n C(n-1, K) tables of O((K+1) 4^(K+1)) each. Memory: a number each, at every rank; n = 50
// with K = 2 takes 0.5 MB, with K = 4 92 MB. At 1,000 ranks the n units (a cause each) are too few.
#pragma once

#include "families/noisy_or/anchored/structure/families.hpp"
#include "families/noisy_or/anchored/structure/sampling_noise.hpp"
#include "learning/stages.hpp"
#include "orrery/model/subset_tables.hpp"

namespace orrery::anchored {

/// Moments of order max_parents + 1 at least (less where there are fewer causes). Families of which
/// a part scores as much are left out: the best network does without. Throws InputError where there
/// are more than 2^26 families to score. Collective.
FamilyLists score_families(const learning::Workers& workers, const model::SubsetTables& moments,
                           std::size_t max_parents, const SamplingNoise& noise);

/// Of one family; `parents` rise.
double family_score(const model::SubsetTables& moments, std::uint32_t child,
                    std::span<const std::uint32_t> parents, const SamplingNoise& noise);

/// Of every set of up to max_parents other causes, by size, then colexicographically; -infinity
/// where a subset scores no less.
void score_parent_sets(const model::SubsetTables& moments, std::uint32_t child,
                       std::size_t max_parents, const SamplingNoise& noise,
                       std::span<double> scores);

}  // namespace orrery::anchored
