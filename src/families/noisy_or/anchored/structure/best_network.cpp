#include "families/noisy_or/anchored/structure/best_network.hpp"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <utility>

#include "base/random.hpp"
#include "families/noisy_or/anchored/structure/sampling_noise.hpp"
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

// The search over orders.

namespace {

/// An order, and the best network of it, kept as neighbours are swapped.
class Order {
 public:
  Order(const FamilyLists& families, std::vector<std::uint32_t> order)
      : families_(families), order_(std::move(order)), place_(order_.size()) {
    choice_.resize(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
    for (std::uint32_t cause = 0; cause < order_.size(); ++cause) choose(cause);
  }

  [[nodiscard]] const std::vector<std::uint32_t>& causes() const { return order_; }
  [[nodiscard]] const Choice& choice() const { return choice_; }
  [[nodiscard]] double score() const { return score_of(families_, choice_); }
  [[nodiscard]] std::size_t place(std::uint32_t cause) const { return place_[cause]; }

  /// Of places i and i + 1. Returns what is gained.
  double swap_at(std::size_t i) {
    const std::uint32_t first = order_[i];
    const std::uint32_t second = order_[i + 1];
    std::swap(order_[i], order_[i + 1]);
    std::swap(place_[first], place_[second]);
    // The first gains a possible parent; the second needs another family if it had the first.
    const double before = score_at(first) + score_at(second);
    choose(first);
    if (families_[second][choice_[second]].has(first)) choose(second);
    return score_at(first) + score_at(second) - before;
  }

  /// Returns what is gained.
  double move_to(std::uint32_t cause, std::size_t place) {
    double gain = 0;
    while (place_[cause] < place) gain += swap_at(place_[cause]);
    while (place_[cause] > place) gain += swap_at(place_[cause] - 1);
    return gain;
  }

 private:
  [[nodiscard]] double score_at(std::uint32_t cause) const {
    return families_[cause][choice_[cause]].score;
  }
  void choose(std::uint32_t cause) {
    std::uint32_t number = 0;
    const auto comes_later = [&](std::uint32_t parent) { return place_[parent] > place_[cause]; };
    while (std::ranges::any_of(families_[cause][number].parents(), comes_later)) ++number;
    choice_[cause] = number;
  }

  const FamilyLists& families_;
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> place_;
  Choice choice_;
};

/// Takes the cause to the place where the network is best; it stays where nothing is gained.
bool place_best(Order& order, std::uint32_t cause, double tolerance) {
  const std::size_t start = order.place(cause);
  const std::size_t n = order.causes().size();
  std::size_t best_place = start;
  double best = tolerance;
  double gain = 0;
  const auto look = [&] {
    if (gain > best) {
      best = gain;
      best_place = order.place(cause);
    }
  };
  while (order.place(cause) > 0) {
    gain += order.swap_at(order.place(cause) - 1);
    look();
  }
  while (order.place(cause) + 1 < n) {
    gain += order.swap_at(order.place(cause));
    if (order.place(cause) > start) look();
  }
  order.move_to(cause, best_place);
  return best_place != start;
}

void climb(Order& order, double tolerance) {
  bool moved = true;
  while (moved) {
    moved = false;
    for (std::uint32_t cause = 0; cause < order.causes().size(); ++cause) {
      moved = place_best(order, cause, tolerance) || moved;
    }
  }
}

}  // namespace

OrderSearch best_of_order(const FamilyLists& families, std::span<const std::uint32_t> order) {
  const Order best(families, {order.begin(), order.end()});
  return {best.choice(), best.score()};
}

OrderSearch search_orders(const FamilyLists& families, std::vector<std::uint32_t> order,
                          std::size_t kicks) {
  constexpr std::uint64_t seed = 0;  // one search, whatever the run's seed: it only saves time
  constexpr std::size_t moves_a_kick = 4;
  Order best(families, std::move(order));
  const double tolerance = score_tolerance(best.score());
  climb(best, tolerance);
  OrderSearch found{best.choice(), best.score()};
  std::vector<std::uint32_t> causes = best.causes();
  for (std::size_t kick = 0; kick < kicks; ++kick) {
    RowRandom random(seed, Stream::restart, kick);
    Order next(families, causes);
    for (std::size_t move = 0; move < moves_a_kick; ++move) {
      const auto cause = static_cast<std::uint32_t>(random.below(causes.size()));
      next.move_to(cause, random.below(causes.size()));
    }
    climb(next, tolerance);
    const double score = next.score();
    if (score <= found.score + tolerance) continue;
    found = {next.choice(), score};
    causes = next.causes();
  }
  return found;
}

// The tree.

namespace {

/// An edge; a < b.
struct Edge {
  double information = -1;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  [[nodiscard]] bool is_better_than(const Edge& other) const {
    return std::tuple(-information, a, b) < std::tuple(-other.information, other.a, other.b);
  }
};

/// Less information than this is rounding: it is not to decide between edges that have none.
constexpr double information_rounding = 1e-14;

Edge edge_between(const model::SubsetTables& moments, std::uint32_t i, std::uint32_t j) {
  const std::array<std::uint32_t, 2> pair{std::min(i, j), std::max(i, j)};
  const double found = information(moments.table(pair), 0);
  return {found > information_rounding ? found : 0, pair[0], pair[1]};
}

}  // namespace

ParentLists cause_tree(const model::SubsetTables& moments) {
  const std::size_t n = moments.n_variables();
  ParentLists parents(n);
  std::vector<Edge> nearest(n);  // of each cause outside the tree
  std::vector<bool> in_tree(n, false);
  std::uint32_t joined = 0;
  for (std::size_t size = 1; size < n; ++size) {
    in_tree[joined] = true;
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (in_tree[i]) continue;
      const Edge edge = edge_between(moments, joined, i);
      if (edge.is_better_than(nearest[i])) {
        nearest[i] = edge;
        parents[i] = {joined};
      }
      if (in_tree[next] || nearest[i].is_better_than(nearest[next])) next = i;
    }
    joined = next;
  }
  return parents;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> insignificant_edges(
    const model::SubsetTables& moments, const ParentLists& parents, const SamplingNoise& noise,
    double alpha) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t child = 0; child < parents.size(); ++child) {
    for (const std::uint32_t parent : parents[child]) {
      const std::array<std::uint32_t, 2> pair{std::min(child, parent), std::max(child, parent)};
      if (noise.test(pair, moments.table(pair), 0, 1, alpha).is_independent()) {
        edges.emplace_back(parent, child);
      }
    }
  }
  return edges;
}

}  // namespace orrery::anchored
