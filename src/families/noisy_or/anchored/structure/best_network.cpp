#include "families/noisy_or/anchored/structure/best_network.hpp"

#include <fmt/format.h>

#include <bit>
#include <limits>

#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

/// A cause's list as a scan needs it: sets as bits, best first.
struct MaskedList {
  std::vector<std::uint32_t> masks;
  std::vector<double> scores;

  explicit MaskedList(const std::vector<Family>& families) {
    for (const Family& family : families) {
      std::uint32_t mask = 0;
      for (const std::uint32_t parent : family.parents()) mask |= std::uint32_t{1} << parent;
      masks.push_back(mask);
      scores.push_back(family.score);
    }
  }
  /// The best with all parents in the set; there is one, that without parents.
  [[nodiscard]] std::uint32_t best_within(std::uint32_t set) const {
    std::uint32_t number = 0;
    while ((masks[number] & ~set) != 0) ++number;
    return number;
  }
};

struct Last {
  std::uint32_t cause = 0;
  std::uint32_t family = 0;
  double best = -std::numeric_limits<double>::infinity();
};

/// Who comes last in the best network of a set.
Last last_of(std::uint32_t set, const std::vector<MaskedList>& lists,
             const std::vector<double>& best) {
  Last last;
  for (std::uint32_t left = set; left != 0; left &= left - 1) {
    const auto cause = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint32_t rest = set & ~(std::uint32_t{1} << cause);
    const std::uint32_t family = lists[cause].best_within(rest);
    const double score = best[rest] + lists[cause].scores[family];
    if (score > last.best) last = {cause, family, score};
  }
  return last;
}

}  // namespace

BestNetwork best_network(const FamilyLists& families) {
  const std::size_t n = families.size();
  if (n > most_causes_of_sets) {
    throw InputError(fmt::format(
        "dynamic programming over the sets of {} causes: it takes up to {}; more go to the integer "
        "program",
        n, most_causes_of_sets));
  }
  const std::vector<MaskedList> lists(families.begin(), families.end());
  const std::uint32_t all = static_cast<std::uint32_t>((std::uint64_t{1} << n) - 1);
  std::vector<double> best(std::size_t{1} << n, 0);
  for (std::uint32_t set = 1; set <= all && set != 0; ++set) {
    best[set] = last_of(set, lists, best).best;
  }
  BestNetwork network;
  network.choice.resize(n);
  for (std::uint32_t set = all; set != 0;) {
    const Last last = last_of(set, lists, best);
    network.choice[last.cause] = last.family;
    set &= ~(std::uint32_t{1} << last.cause);
  }
  network.bound = score_of(families, network.choice);
  return network;
}

}  // namespace orrery::anchored
