// Families, a cause and its parents, and their scores, Eq. (5) of Halpern, Horng, Sontag 2015: what
// a search for the best network takes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "families/noisy_or/anchored/structure/sampling_noise.hpp"
#include "learning/stages.hpp"
#include "orrery/model/subset_tables.hpp"

namespace orrery::anchored {

/// The parents of each cause; rising.
using ParentLists = std::vector<std::vector<std::uint32_t>>;

struct Family {
  static constexpr std::size_t max_parents = 4;

  double score = 0;
  std::uint32_t n_parents = 0;
  std::array<std::uint32_t, max_parents> members{};

  Family() = default;
  Family(double of, std::span<const std::uint32_t> parents)
      : score(of), n_parents(static_cast<std::uint32_t>(parents.size())) {
    std::ranges::copy(parents, members.begin());
  }
  [[nodiscard]] std::span<const std::uint32_t> parents() const noexcept {
    return {members.data(), n_parents};
  }
  [[nodiscard]] bool has(std::uint32_t cause) const noexcept {
    return std::ranges::find(parents(), cause) != parents().end();
  }
  /// `set` rises.
  [[nodiscard]] std::size_t n_parents_in(std::span<const std::uint32_t> set) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        parents(), [&](std::uint32_t parent) { return std::ranges::binary_search(set, parent); }));
  }
  /// Best first, then few parents, then low numbers.
  bool operator<(const Family& other) const noexcept {
    return std::tuple(-score, n_parents, members) <
           std::tuple(-other.score, other.n_parents, other.members);
  }
};

/// A list a cause, best first; the one without parents is in each.
using FamilyLists = std::vector<std::vector<Family>>;

/// The numbers, in the lists, of the families of a network.
using Choice = std::vector<std::uint32_t>;

inline ParentLists parents_of(const FamilyLists& families, const Choice& choice) {
  ParentLists parents;
  for (std::size_t i = 0; i < choice.size(); ++i) {
    const std::span<const std::uint32_t> of = families[i][choice[i]].parents();
    parents.emplace_back(of.begin(), of.end());
  }
  return parents;
}

/// Summed by cause, so that the same network has the same bits.
inline double score_of(const FamilyLists& families, const Choice& choice) {
  double sum = 0;
  for (std::size_t i = 0; i < choice.size(); ++i) sum += families[i][choice[i]].score;
  return sum;
}

/// Networks of which the scores differ by less count as equally good: rounding in sums of this
/// size.
inline double score_tolerance(double score) { return 1e-9 * (1 + (score < 0 ? -score : score)); }

struct BestNetwork {
  Choice choice;
  double bound = 0;           ///< no network scores more
  std::uint64_t n_nodes = 0;  ///< of the branch and bound
  bool is_proved = true;      ///< that the choice scores `bound`, up to score_tolerance
};

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
