#include "families/noisy_or/anchored/structure/best_network_program.hpp"

#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>

#include "families/noisy_or/anchored/structure/best_network.hpp"
#include "families/noisy_or/anchored/structure/cluster_cuts.hpp"
#include "families/noisy_or/anchored/structure/network_relaxation.hpp"

namespace orrery::anchored {
namespace {

using Status = NetworkRelaxation::Status;

constexpr std::size_t kicks_at_start = 200;
constexpr std::size_t kicks_at_node = 3;
/// Rounds of clusters in which the bound hardly falls: a fractional network is split instead.
constexpr std::size_t idle_rounds = 10;
/// Arcs that are tried before a node is split.
constexpr std::size_t most_trials = 10;

struct Node {
  double bound;
  std::uint64_t number;
  std::vector<ArcChoice> choices;
  std::shared_ptr<const NetworkRelaxation::Start> start{};  // where its other half began
  /// The priority queue gives the greatest bound first, then the node made last: the deepest.
  bool operator<(const Node& other) const {
    return std::tuple(bound, number) < std::tuple(other.bound, other.number);
  }
};

/// Whoever lacks the least weight of parents comes next.
std::vector<std::uint32_t> order_of(const FractionalNetwork& network) {
  const std::size_t n = network.n_causes();
  std::vector<double> missing(n, 0);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) missing[i] += network.arc(j, i);
  }
  std::vector<std::uint32_t> order;
  std::vector<bool> placed(n, false);
  while (order.size() < n) {
    std::uint32_t next = 0;
    while (placed[next]) ++next;
    for (std::uint32_t i = next; i < n; ++i) {
      if (!placed[i] && missing[i] < missing[next] - 1e-9) next = i;
    }
    placed[next] = true;
    order.push_back(next);
    for (std::size_t i = 0; i < n; ++i) missing[i] -= network.arc(next, i);
  }
  return order;
}

/// Arcs of which the weight is fractional, nearest to 1/2 first; ties: the lowest numbers.
std::vector<ArcChoice> arcs_to_split(const FractionalNetwork& network) {
  std::vector<std::tuple<double, std::uint32_t, std::uint32_t>> arcs;
  for (std::uint32_t j = 0; j < network.n_causes(); ++j) {
    for (std::uint32_t i = 0; i < network.n_causes(); ++i) {
      const double off = std::abs(network.arc(j, i) - .5);
      // Solvers' last bits are not to decide.
      if (off < .5 - 1e-6) arcs.emplace_back(std::round(1e6 * off), j, i);
    }
  }
  std::ranges::sort(arcs);
  arcs.resize(std::min(arcs.size(), most_trials));
  std::vector<ArcChoice> choices;
  for (const auto& [off, j, i] : arcs) choices.push_back({j, i, true});
  return choices;
}

/// Families, and their numbers in the lists that the whole search began with.
struct Lists {
  FamilyLists families;
  std::vector<Choice> numbers;

  explicit Lists(const FamilyLists& all) : families(all), numbers(all.size()) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      numbers[i].resize(all[i].size());
      std::iota(numbers[i].begin(), numbers[i].end(), 0U);
    }
  }
  /// Takes those away that are not wanted, but for those of `best`, which is renumbered, and those
  /// without parents, which a search over orders needs.
  void keep(const std::vector<std::vector<bool>>& wanted, OrderSearch& best) {
    for (std::size_t i = 0; i < families.size(); ++i) {
      std::uint32_t kept = 0;
      std::uint32_t chosen = 0;
      for (std::uint32_t f = 0; f < families[i].size(); ++f) {
        const bool is_best = f == best.choice[i];
        if (!wanted[i][f] && !is_best && families[i][f].n_parents > 0) continue;
        if (is_best) chosen = kept;
        families[i][kept] = families[i][f];
        numbers[i][kept++] = numbers[i][f];
      }
      families[i].resize(kept);
      numbers[i].resize(kept);
      best.choice[i] = chosen;
    }
  }
};

class Search {
 public:
  Search(const FamilyLists& families, const ProgramLimits& limits)
      : lists_(families),
        relaxation_(std::in_place, lists_.families, NetworkRelaxation::Start{}),
        limits_(limits) {
    std::vector<std::uint32_t> order(families.size());
    std::iota(order.begin(), order.end(), 0U);
    best_ = search_orders(families, std::move(order), kicks_at_start);
    for (const std::vector<Family>& list : families) {
      for (const Family& family : list) most_rank_ = std::max(most_rank_, family.n_parents);
    }
  }

  /// What a node's program ends with.
  struct Outcome {
    enum class Kind : std::uint8_t { closed, split, unsolved } kind = Kind::closed;
    double bound = 0;
    ArcChoice arc{};
  };

  Outcome work(const Node& node) {
    relaxation_->choose(node.choices);
    double bound = node.bound;
    double gap_at_shrinking = gap(bound);
    std::size_t idle = 0;
    while (true) {
      const Status status = relaxation_->solve();
      if (status == Status::infeasible) return {};
      if (status == Status::stopped) return {Outcome::Kind::unsolved, bound, {}};
      idle = bound - relaxation_->bound() < 1e-3 * gap(bound) ? idle + 1 : 0;
      bound = std::min(bound, relaxation_->bound());
      const FractionalNetwork network = relaxation_->shares();
      improve(network, 0);
      if (gap(bound) <= 0) return {};
      if (node.choices.empty() && gap(bound) < .5 * gap_at_shrinking) {
        gap_at_shrinking = gap(bound);
        shrink();
        continue;
      }
      if (add_clusters(network, idle)) continue;
      improve(network, kicks_at_node);
      if (gap(bound) <= 0) return {};
      if (node.choices.empty() && gap(bound) < .9 * gap_at_shrinking) {
        gap_at_shrinking = gap(bound);
        shrink();
        continue;
      }
      const std::vector<ArcChoice> arcs = arcs_to_split(network);
      // A whole network without a violated cluster is a network, which improve() has found; so what
      // is left is rounding.
      if (arcs.empty()) return {Outcome::Kind::unsolved, bound, {}};
      return {Outcome::Kind::split, bound, best_split(arcs, bound)};
    }
  }

  /// A program without the clusters that other nodes have brought.
  void go_on_from(const NetworkRelaxation::Start& start) {
    pivots_ += relaxation_->n_pivots();
    relaxation_.emplace(lists_.families, start);
  }
  [[nodiscard]] NetworkRelaxation::Start here() const { return relaxation_->here(); }
  /// What a node with this bound could still gain.
  [[nodiscard]] double gap(double bound) const {
    return bound - best_.score - score_tolerance(best_.score);
  }
  [[nodiscard]] double best_score() const { return best_.score; }
  /// By the numbers that the families had at first.
  [[nodiscard]] Choice best_choice() const {
    Choice choice;
    for (std::size_t i = 0; i < best_.choice.size(); ++i) {
      choice.push_back(lists_.numbers[i][best_.choice[i]]);
    }
    return choice;
  }
  [[nodiscard]] bool is_spent() const { return pivots_ + relaxation_->n_pivots() > limits_.pivots; }

 private:
  void improve(const FractionalNetwork& network, std::size_t kicks) {
    OrderSearch found = kicks == 0 ? best_of_order(lists_.families, order_of(network))
                                   : search_orders(lists_.families, order_of(network), kicks);
    if (found.score > best_.score) best_ = std::move(found);
  }
  bool add_clusters(const FractionalNetwork& network, std::size_t idle) {
    std::vector<Cluster> clusters = find_clusters(lists_.families, network);
    if (!network.is_whole()) {
      if (idle >= idle_rounds || is_spent()) return false;
      for (std::uint32_t rank = 1; rank <= most_rank_ && clusters.empty(); ++rank) {
        clusters = find_clusters_exactly(lists_.families, network, rank);
      }
    }
    return relaxation_->add_clusters(clusters);
  }
  /// Of some arcs, that of which both choices bring the bound down most (strong branching).
  ArcChoice best_split(const std::vector<ArcChoice>& arcs, double bound) {
    ArcChoice best = arcs[0];
    double most = -1;
    for (const ArcChoice& arc : arcs) {
      const double with = bound - relaxation_->bound_after({arc.parent, arc.child, true});
      const double without = bound - relaxation_->bound_after({arc.parent, arc.child, false});
      const double worth = std::max(with, 1e-3) * std::max(without, 1e-3);
      if (worth > most) {
        most = worth;
        best = arc;
      }
    }
    return best;
  }
  /// A smaller program: the families that a better network can have, the clusters that hold it
  /// down. Of the first node, where nothing is chosen.
  void shrink() {
    NetworkRelaxation::Start start = relaxation_->here();
    start.columns.clear();  // of other families
    lists_.keep(relaxation_->can_reach(best_.score), best_);
    go_on_from(start);
  }

  Lists lists_;
  std::optional<NetworkRelaxation> relaxation_;
  OrderSearch best_;
  ProgramLimits limits_;
  std::uint32_t most_rank_ = 1;  // the most parents
  std::uint64_t pivots_ = 0;     // of earlier programs
};

/// Nodes from the first on. Leaves those in `open` that a limit has kept from work. Returns how
/// many were worked on.
std::uint64_t branch(Search& search, std::priority_queue<Node>& open, std::uint64_t most_nodes) {
  std::uint64_t number = 0;
  std::uint64_t n_nodes = 0;
  std::vector<Node> unsolved;
  std::optional<Node> next;  // a half of the last node: its program is solved from the last basis
  while ((next || !open.empty()) && n_nodes < most_nodes && !search.is_spent()) {
    const Node node = next ? *next : open.top();
    const bool is_elsewhere = !next;
    if (is_elsewhere) open.pop();
    next.reset();
    if (search.gap(node.bound) <= 0) continue;
    ++n_nodes;
    if (is_elsewhere && node.start) search.go_on_from(*node.start);
    const Search::Outcome outcome = search.work(node);
    if (outcome.kind == Search::Outcome::Kind::unsolved) {
      unsolved.push_back({outcome.bound, node.number, node.choices, nullptr});
    }
    if (outcome.kind != Search::Outcome::Kind::split) continue;
    const auto start = std::make_shared<const NetworkRelaxation::Start>(search.here());
    for (const bool is_there : {false, true}) {
      Node half{outcome.bound, ++number, node.choices, start};
      half.choices.push_back({outcome.arc.parent, outcome.arc.child, is_there});
      if (is_there) {
        next = std::move(half);
      } else {
        open.push(std::move(half));
      }
    }
  }
  if (next) open.push(std::move(*next));
  for (Node& node : unsolved) open.push(std::move(node));
  return n_nodes;
}

}  // namespace

BestNetwork best_network_program(const FamilyLists& families, const ProgramLimits& limits) {
  double most = 0;
  for (const std::vector<Family>& list : families) most += list[0].score;
  Search search(families, limits);
  std::priority_queue<Node> open;
  open.push({most, 0, {}, nullptr});
  BestNetwork network;
  network.n_nodes = branch(search, open, limits.nodes);
  network.choice = search.best_choice();
  network.bound = search.best_score();
  if (!open.empty()) network.bound = std::max(network.bound, open.top().bound);
  network.is_proved = search.gap(network.bound) <= 0;
  return network;
}

}  // namespace orrery::anchored
