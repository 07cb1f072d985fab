// Families, a cause and its parents, with their scores: what a search for the best network takes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

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

}  // namespace orrery::anchored
