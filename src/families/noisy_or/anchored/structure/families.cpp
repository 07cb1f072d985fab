#include "families/noisy_or/anchored/structure/families.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "families/noisy_or/anchored/structure/sampling_noise.hpp"
#include "families/noisy_or/anchored/subsets.hpp"
#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

constexpr std::size_t most_families = std::size_t{1} << 26U;
constexpr double dropped = -std::numeric_limits<double>::infinity();

std::vector<std::uint32_t> others_of(std::uint32_t child, std::size_t n) {
  std::vector<std::uint32_t> others;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (i != child) others.push_back(i);
  }
  return others;
}

std::size_t n_parent_sets(std::size_t n_others, std::size_t max_parents) {
  std::size_t sum = 0;
  for (std::size_t size = 0; size <= max_parents; ++size) sum += binomial(n_others, size);
  return sum;
}

/// Number of a set of others in the order of score_parent_sets, without `left_out` (a place).
std::size_t number_without(std::span<const std::uint32_t> parents, std::size_t left_out,
                           std::uint32_t child, std::size_t n_others) {
  const std::size_t size = parents.size() - 1;
  std::size_t number = size == 0 ? 0 : n_parent_sets(n_others, size - 1);
  std::size_t place = 0;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (i == left_out) continue;
    const std::size_t among_others = parents[i] - (parents[i] > child ? 1 : 0);
    number += binomial(among_others, ++place);
  }
  return number;
}

}  // namespace

double family_score(const model::SubsetTables& moments, std::uint32_t child,
                    std::span<const std::uint32_t> parents, const SamplingNoise& noise) {
  const std::vector<std::uint32_t> family = with_member(parents, child);
  const std::span<const double> table = moments.table(family);
  const std::size_t place = place_of(family, child);
  const double n = noise.n_samples();
  return n * information(table, place) - n * entropy(moments.on(child)) -
         std::log(n) * noise.parameters(family, table, place);  // Eq. (5)
}

void score_parent_sets(const model::SubsetTables& moments, std::uint32_t child,
                       std::size_t max_parents, const SamplingNoise& noise,
                       std::span<double> scores) {
  const std::vector<std::uint32_t> others = others_of(child, moments.n_variables());
  std::vector<double> best_part(scores.size());  // the best score of a set and all its subsets
  std::size_t number = 0;
  for (std::size_t size = 0; size <= max_parents; ++size) {
    for_each_subset(others, size, [&](std::span<const std::uint32_t> parents) {
      double best = dropped;
      for (std::size_t i = 0; i < size; ++i) {
        best = std::max(best, best_part[number_without(parents, i, child, others.size())]);
      }
      const double score = family_score(moments, child, parents, noise);
      scores[number] = score > best ? score : dropped;
      best_part[number] = std::max(score, best);
      ++number;
    });
  }
}

FamilyLists score_families(const learning::Workers& workers, const model::SubsetTables& moments,
                           std::size_t max_parents, const SamplingNoise& noise) {
  const std::size_t n = moments.n_variables();
  const std::size_t n_sets = n_parent_sets(n - 1, std::min(max_parents, n - 1));
  if (n_sets > most_families / n) {
    throw InputError(fmt::format(
        "{} causes with up to {} parents each have {} families, more than {}: use fewer parents "
        "(--structure indegree:{}) or --structure tree",
        n, max_parents, n * n_sets, most_families, max_parents > 1 ? max_parents - 1 : 1));
  }
  const std::vector<double> values =
      learning::unit_values(workers, {"family_scores", "causes", n, n_sets},
                            [&](std::uint64_t child, int /*thread*/, std::span<double> scores) {
                              score_parent_sets(moments, static_cast<std::uint32_t>(child),
                                                std::min(max_parents, n - 1), noise, scores);
                            });
  FamilyLists families(n);
  for (std::uint32_t child = 0; child < n; ++child) {
    const std::vector<std::uint32_t> others = others_of(child, n);
    const double* score = values.data() + child * n_sets;
    for (std::size_t size = 0; size <= std::min(max_parents, n - 1); ++size) {
      for_each_subset(others, size, [&](std::span<const std::uint32_t> parents) {
        if (*score > dropped) families[child].emplace_back(*score, parents);
        ++score;
      });
    }
    std::sort(families[child].begin(), families[child].end());
  }
  return families;
}

}  // namespace orrery::anchored
