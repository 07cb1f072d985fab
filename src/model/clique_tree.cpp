// Variable elimination in two steps: an order of small width, then sums by a tree of tables.
#include "model/clique_tree.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

namespace orrery::model {

// Purpose: an order of elimination of small width.
// Source: min-fill greedy, Rose 1972; Koller, Friedman 2009, Sec. 9.4.3.
// Method: what each variable would add (its fill: pairs of neighbours that are not neighbours of
//         each other) is kept up to date while edges are added and variables taken away. Lists of
//         neighbours are sorted vectors: rows of data are planned one by one, and sets were slower.
// Cost: O((n + added edges) max_width (max_width + log n)); the fills to begin with: O(log n) an
//       edge and the lesser degree of its ends. A forest never adds an edge: O(n log n).

namespace {

/// Variables that share a table are neighbours.
class InteractionGraph {
 public:
  InteractionGraph(std::size_t n, std::span<const Scope> scopes)
      : neighbours_(n), degree_(n), fill_(n, 0), is_gone_(n, false), is_changed_(n, false) {
    join(scopes);
    for (std::uint32_t i = 0; i < n; ++i) {
      for (const std::uint32_t j : neighbours_[i]) fill_[i] += degree_[i] - 1 - n_common(i, j);
      fill_[i] /= 2;  // each pair was met from both its ends
      by_fill_.emplace(fill_[i], i);
    }
  }

  [[nodiscard]] std::uint32_t next() {
    while (is_gone_[by_fill_.top().second] || is_outdated(by_fill_.top())) by_fill_.pop();
    return by_fill_.top().second;
  }
  /// Rising.
  [[nodiscard]] const Scope& neighbours(std::uint32_t i) {
    if (neighbours_[i].size() > degree_[i]) drop_gone(i);
    return neighbours_[i];
  }

  void eliminate(std::uint32_t gone) {
    const Scope left = neighbours(gone);
    for (std::size_t a = 0; a < left.size(); ++a) {
      for (std::size_t b = a + 1; b < left.size(); ++b) {
        if (!std::ranges::binary_search(neighbours_[left[a]], left[b])) add_edge(left[a], left[b]);
      }
    }
    is_gone_[gone] = true;
    // Its neighbours are joined to one another by now: of each pair (gone, other) at a neighbour
    // those with an `other` that is not among them were not joined.
    for (const std::uint32_t i : left) {
      change_fill(i, fill_[i] - (degree_[i] - left.size()));
      // Lists shrink by halves: a star's centre is not searched for each of its leaves.
      if (neighbours_[i].size() > 2 * --degree_[i]) drop_gone(i);
    }
    for (const std::uint32_t i : changed_) {
      by_fill_.emplace(fill_[i], i);
      is_changed_[i] = false;
    }
    changed_.clear();
  }

 private:
  using Candidate = std::pair<std::size_t, std::uint32_t>;  // fill, variable

  void join(std::span<const Scope> scopes) {
    const std::size_t n = neighbours_.size();
    std::vector<std::vector<const Scope*>> scopes_of(n);
    for (const Scope& scope : scopes) {
      for (const std::uint32_t i : scope) scopes_of[i].push_back(&scope);
    }
    std::vector<std::size_t> last_met(n, n);
    for (std::uint32_t i = 0; i < n; ++i) {
      last_met[i] = i;
      for (const Scope* scope : scopes_of[i]) {
        for (const std::uint32_t j : *scope) {
          if (std::exchange(last_met[j], i) != i) neighbours_[i].push_back(j);
        }
      }
      std::ranges::sort(neighbours_[i]);
      degree_[i] = neighbours_[i].size();
    }
  }
  [[nodiscard]] bool is_outdated(const Candidate& candidate) const {
    return candidate.first != fill_[candidate.second];
  }
  void drop_gone(std::uint32_t i) {
    std::erase_if(neighbours_[i], [this](std::uint32_t j) { return is_gone_[j]; });
  }
  template <class Use>
  void for_each_common(std::uint32_t a, std::uint32_t b, const Use& use) const {
    if (neighbours_[a].size() > neighbours_[b].size()) std::swap(a, b);
    const Scope& longer = neighbours_[b];
    auto at = longer.begin();
    const bool by_steps = longer.size() < 8 * neighbours_[a].size();
    for (const std::uint32_t i : neighbours_[a]) {
      if (by_steps) {
        while (at != longer.end() && *at < i) ++at;
      } else {
        at = std::lower_bound(at, longer.end(), i);
      }
      if (at == longer.end()) return;
      if (*at == i && !is_gone_[i]) use(i);
    }
  }
  [[nodiscard]] std::size_t n_common(std::uint32_t a, std::uint32_t b) const {
    std::size_t n = 0;
    for_each_common(a, b, [&n](std::uint32_t) { ++n; });
    return n;
  }
  void change_fill(std::uint32_t i, std::size_t fill) {
    fill_[i] = fill;
    if (is_changed_[i]) return;
    is_changed_[i] = true;
    changed_.push_back(i);
  }
  void add_edge(std::uint32_t a, std::uint32_t b) {
    std::size_t n = 0;
    for_each_common(a, b, [&](std::uint32_t i) {
      change_fill(i, fill_[i] - 1);
      ++n;
    });
    // The other end is a new neighbour, to be joined to those that are not its own.
    change_fill(a, fill_[a] + degree_[a]++ - n);
    change_fill(b, fill_[b] + degree_[b]++ - n);
    neighbours_[a].insert(std::ranges::lower_bound(neighbours_[a], b), b);
    neighbours_[b].insert(std::ranges::lower_bound(neighbours_[b], a), a);
  }

  std::vector<Scope> neighbours_;  // rising; some of them are gone
  std::vector<std::size_t> degree_;
  std::vector<std::size_t> fill_;
  std::vector<bool> is_gone_;
  std::vector<bool> is_changed_;
  Scope changed_;  // what by_fill_ does not know yet
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> by_fill_;  // and outdated
};

}  // namespace

EliminationOrder min_fill_order(std::size_t n, std::span<const Scope> scopes,
                                std::size_t max_width) {
  InteractionGraph graph(n, scopes);
  EliminationOrder result;
  std::vector<std::size_t> turn(n, n);
  for (std::size_t step = 0; step < n; ++step) {
    const std::uint32_t gone = graph.next();
    const Scope& neighbours = graph.neighbours(gone);
    result.width = std::max(result.width, neighbours.size() + 1);
    if (result.width > max_width) return result;
    turn[gone] = step;
    result.cliques.push_back({gone});
    result.cliques.back().insert(result.cliques.back().end(), neighbours.begin(), neighbours.end());
    graph.eliminate(gone);
  }
  for (Scope& clique : result.cliques) {
    std::ranges::sort(clique, {}, [&turn](std::uint32_t i) { return turn[i]; });
  }
  return result;
}

EliminationOrder min_fill_order(const CauseNetwork& network, std::size_t max_width) {
  std::vector<Scope> families;
  for (std::uint32_t i = 0; i < network.n_causes(); ++i) {
    families.push_back(network.tables()[i].parents);
    families.back().push_back(i);
  }
  return min_fill_order(network.n_causes(), families, max_width);
}

// Purpose: sums over the states of a network by a tree of tables.
// Source: variable elimination and its downward pass; Koller, Friedman 2009, Sec. 9.3 and 10.2.
// Method: a clique's table is the product of the families that its cause is the first of to go, its
//         cause's weight, and the sums of the cliques below. The sum over its cause goes to the
//         clique of the member that goes next. Down: P(clique) = P(cause | the other members) P(the
//         other members), the first from its own table, the second from its parent's.
// Scale: a table is kept near 1 by powers of two, which change no digit.
// Cost: O(sum of 2^|clique|) time and memory: two numbers per cell.

namespace {

constexpr double largest_cell = 0x1.0p+16;
constexpr double smallest_cell = 0x1.0p-16;
constexpr std::size_t block_cells = 1024;  // of Clique::low

/// The sum's cells that the cells of the parent take: member i >= 1 of `clique` is bit i - 1 of the
/// sum and some bit of the parent.
void map_message(Clique& clique, const Clique& parent) {
  std::vector<std::size_t> place_of_bit(parent.members.size(), Clique::none);
  for (std::size_t i = 1; i < clique.members.size(); ++i) {
    const auto at = std::ranges::find(parent.members, clique.members[i]);
    assert(at != parent.members.end());
    place_of_bit[static_cast<std::size_t>(at - parent.members.begin())] = i - 1;
  }
  const auto cell_of = [&](std::size_t parent_cell) {
    std::uint32_t cell = 0;
    for (std::size_t bit = 0; bit < place_of_bit.size(); ++bit) {
      if (place_of_bit[bit] == Clique::none) continue;
      cell |= static_cast<std::uint32_t>((parent_cell >> bit) & 1U) << place_of_bit[bit];
    }
    return cell;
  };
  for (std::size_t x = 0; x < std::min(block_cells, parent.n_cells()); ++x) {
    clique.low.push_back(cell_of(x));
  }
  for (std::size_t x = 0; x < parent.n_cells(); x += block_cells) clique.high.push_back(cell_of(x));
}

/// Brings the largest cell near 1 if it has left for very large or small; 0 stays.
void rescale(std::span<double> cells, double largest, ScaledSum& sum) noexcept {
  if (largest == 0 || (largest <= largest_cell && largest >= smallest_cell)) return;
  int exponent = 0;
  std::frexp(largest, &exponent);
  for (double& cell : cells) cell = std::ldexp(cell, -exponent);
  sum.exponent += exponent;
}

}  // namespace

CliqueTree::CliqueTree(const CauseNetwork& network, const EliminationOrder& order) {
  const std::size_t n = network.n_causes();
  assert(order.cliques.size() == n);
  std::vector<std::size_t> turn(n);
  std::size_t n_cells = 0;
  for (const std::vector<std::uint32_t>& members : order.cliques) {
    turn[members.front()] = cliques_.size();
    Clique clique;
    clique.members = members;
    clique.first = n_cells;
    n_cells += clique.n_cells();
    largest_ = std::max(largest_, clique.n_cells());
    cliques_.push_back(std::move(clique));
  }
  for (Clique& clique : cliques_) {
    if (clique.members.size() == 1) continue;
    clique.parent = turn[clique.members[1]];
    map_message(clique, cliques_[clique.parent]);
  }
  cells_.assign(n_cells, 1);
  for (std::uint32_t i = 0; i < n; ++i) {
    std::size_t first = turn[i];
    for (const std::uint32_t parent : network.tables()[i].parents) {
      first = std::min(first, turn[parent]);
    }
    multiply_family(network, i, cliques_[first]);
  }
}

void CliqueTree::multiply_family(const CauseNetwork& network, std::uint32_t cause,
                                 const Clique& clique) {
  const CauseTable& table = network.tables()[cause];
  const auto bit_of = [&clique](std::uint32_t member) {
    const auto at = std::ranges::find(clique.members, member);
    assert(at != clique.members.end());
    return static_cast<std::size_t>(at - clique.members.begin());
  };
  const std::size_t own = bit_of(cause);
  std::vector<std::size_t> bits;
  for (const std::uint32_t parent : table.parents) bits.push_back(bit_of(parent));
  for (std::size_t cell = 0; cell < clique.n_cells(); ++cell) {
    std::size_t state = 0;
    for (std::size_t i = 0; i < bits.size(); ++i) state |= ((cell >> bits[i]) & 1U) << i;
    const double on = table.on[state];
    cells_[clique.first + cell] *= ((cell >> own) & 1U) != 0 ? on : 1 - on;
  }
}

void ScaledSum::multiply(double factor) noexcept {
  int shift = 0;
  mantissa = std::frexp(mantissa * factor, &shift);
  exponent += shift;
}

double ScaledSum::value() const noexcept {
  // Beyond these a double is 0 or infinite whatever the mantissa.
  constexpr std::int64_t far = 4096;
  return std::ldexp(mantissa, static_cast<int>(std::clamp(exponent, -far, far)));
}

CliquePass::CliquePass(const CliqueTree& tree)
    : tree_(tree), cells_(tree.cells().size()), message_(tree.largest() / 2) {}

ScaledSum CliquePass::up(std::span<const CauseWeight> weights) noexcept {
  std::ranges::copy(tree_.cells(), cells_.begin());
  ScaledSum sum;
  for (std::size_t i = 0; i < tree_.cliques().size(); ++i) {
    const Clique& clique = tree_.cliques()[i];
    const CauseWeight& weight = weights[clique.members.front()];
    if (weight != CauseWeight{1, 1}) {
      const std::span<double> cells = table(clique);
      double largest = 0;
      for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        cells[cell] *= weight[cell % 2];
        largest = std::max(largest, cells[cell]);
      }
      rescale(cells, largest, sum);
    }
    send(i, sum);
    if (sum.mantissa == 0) break;
  }
  return sum;
}

/// The sum over the clique's cause, into its parent's table; of the last member of a part of the
/// graph, into `sum`.
void CliquePass::send(std::size_t number, ScaledSum& sum) noexcept {
  const Clique& clique = tree_.cliques()[number];
  const std::span<const double> cells = table(clique);
  if (clique.parent == Clique::none) {
    sum.multiply(cells[0] + cells[1]);
    return;
  }
  for (std::size_t i = 0; i < cells.size() / 2; ++i) {
    message_[i] = cells[2 * i] + cells[2 * i + 1];
  }
  const std::span<double> above = table(tree_.cliques()[clique.parent]);
  double largest = 0;
  for (std::size_t x = 0; x < above.size(); ++x) {
    above[x] *= message_[clique.message_cell(x)];
    largest = std::max(largest, above[x]);
  }
  rescale(above, largest, sum);
  if (largest == 0) sum.mantissa = 0;
}

void CliquePass::down(std::span<double> on) noexcept {
  for (std::size_t i = tree_.cliques().size(); i-- > 0;) {
    receive(i);
    const Clique& clique = tree_.cliques()[i];
    const std::span<const double> cells = table(clique);
    std::array<double, 2> sums{0, 0};
    for (std::size_t cell = 0; cell < cells.size(); ++cell) sums[cell % 2] += cells[cell];
    on[clique.members.front()] = sums[1] / (sums[0] + sums[1]);
  }
}

/// Turns the clique's table into the probabilities of its states.
void CliquePass::receive(std::size_t number) noexcept {
  const Clique& clique = tree_.cliques()[number];
  const std::span<double> cells = table(clique);
  const std::size_t n_message = cells.size() / 2;
  if (clique.parent == Clique::none) {
    message_[0] = 1;
  } else {
    std::fill_n(message_.begin(), n_message, 0);
    const std::span<const double> above = table(tree_.cliques()[clique.parent]);
    for (std::size_t x = 0; x < above.size(); ++x) message_[clique.message_cell(x)] += above[x];
  }
  for (std::size_t i = 0; i < n_message; ++i) {
    const double sum = cells[2 * i] + cells[2 * i + 1];
    const double scale = sum > 0 ? message_[i] / sum : 0;  // a state that cannot be
    cells[2 * i] *= scale;
    cells[2 * i + 1] *= scale;
  }
}

}  // namespace orrery::model
