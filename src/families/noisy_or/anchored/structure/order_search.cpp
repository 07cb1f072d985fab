#include "families/noisy_or/anchored/structure/order_search.hpp"

#include <utility>

#include "base/random.hpp"

namespace orrery::anchored {
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

}  // namespace orrery::anchored
