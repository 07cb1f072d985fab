#include "families/noisy_or/quartet/growth/cause_graph.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "families/noisy_or/quartet/constants.hpp"
#include "model/state_beam.hpp"

namespace orrery::quartet {
namespace {

double share_of(double on, double all) {
  return std::clamp((on + constants::growth::table_pseudo_count) /
                        (all + 2 * constants::growth::table_pseudo_count),
                    constants::growth::least_table_probability,
                    1 - constants::growth::least_table_probability);
}

double plogp(double x, double expected) { return x > 0 ? x * std::log(x / expected) : 0; }

/// N times the mutual information of two causes that are on so often, alone and together.
double gain_of(double c, double d, double both, double n) {
  return plogp(both, c * d / n) + plogp(c - both, c * (n - d) / n) +
         plogp(d - both, (n - c) * d / n) + plogp(n - c - d + both, (n - c) * (n - d) / n);
}

double both_of(const CauseCounts& counts, std::size_t c, std::size_t d) {
  return counts.together[pair_index(std::min(c, d), std::max(c, d))];
}

double all_of(const CauseCounts& counts, std::size_t c, std::size_t d, std::size_t e) {
  std::array<std::size_t, 3> set{c, d, e};
  std::ranges::sort(set);
  return counts.triples[triple_index(set[0], set[1], set[2])];
}

struct Tie {
  double gain;
  std::uint32_t c, d;
};

std::vector<std::vector<std::uint32_t>> forest_of(const CauseCounts& counts,
                                                  const EdgePrice& price) {
  const std::size_t n = counts.present.size();
  std::vector<Tie> ties;
  for (std::uint32_t d = 1; d < n; ++d) {
    for (std::uint32_t c = 0; c < d; ++c) {
      const double gain =
          gain_of(counts.present[c], counts.present[d], both_of(counts, c, d), counts.n_rows);
      if (gain > price.parameter + price.choice) ties.push_back({gain, c, d});
    }
  }
  std::ranges::stable_sort(ties, std::greater{}, &Tie::gain);
  std::vector<std::uint32_t> tree(n);
  std::iota(tree.begin(), tree.end(), 0U);
  std::vector<std::vector<std::uint32_t>> neighbours(n);
  for (const Tie& tie : ties) {
    const std::uint32_t kept = tree[tie.c];
    const std::uint32_t joined = tree[tie.d];
    if (kept == joined) continue;
    std::ranges::replace(tree, joined, kept);
    neighbours[tie.c].push_back(tie.d);
    neighbours[tie.d].push_back(tie.c);
  }
  return neighbours;
}

/// Edges point away from the most frequent cause of a tree.
CauseGraph directed(const std::vector<std::vector<std::uint32_t>>& neighbours,
                    std::span<const double> present) {
  const std::size_t n = present.size();
  CauseGraph graph;
  graph.tables.resize(n);
  std::vector<std::uint32_t> by_share(n);
  std::iota(by_share.begin(), by_share.end(), 0U);
  std::ranges::stable_sort(by_share, std::greater{}, [&](auto c) { return present[c]; });
  std::vector<bool> reached(n);
  for (const std::uint32_t root : by_share) {
    if (reached[root]) continue;
    reached[root] = true;
    std::vector<std::uint32_t> open{root};
    while (!open.empty()) {
      const std::uint32_t above = open.back();
      open.pop_back();
      for (const std::uint32_t c : neighbours[above]) {
        if (reached[c]) continue;
        reached[c] = true;
        graph.tables[c].parents = {above};
        open.push_back(c);
      }
    }
  }
  return graph;
}

/// Is `below` a descendant of `above`?
bool descends(const CauseGraph& graph, std::uint32_t below, std::uint32_t above) {
  std::vector<bool> seen(graph.size());
  std::vector<std::uint32_t> open{below};
  while (!open.empty()) {
    const std::uint32_t c = open.back();
    open.pop_back();
    if (c == above) return true;
    for (const std::uint32_t parent : graph.tables[c].parents) {
      if (seen[parent]) continue;
      seen[parent] = true;
      open.push_back(parent);
    }
  }
  return false;
}

/// The tables that a sum over all states makes stay small.
bool can_be_summed(const CauseGraph& graph) {
  CauseGraph copy = graph;
  for (model::CauseTable& table : copy.tables) {
    table.on.assign(std::size_t{1} << table.parents.size(), .5);
  }
  return model::CauseElimination(copy.network()).width() <= constants::growth::most_width;
}

/// Rows with the cause on, and rows, of each state of its parents.
struct FamilyCounts {
  std::array<double, 4> on{}, all{};
  std::size_t n_states = 1;
};

FamilyCounts family_of(const CauseCounts& counts, std::size_t c,
                       std::span<const std::uint32_t> parents) {
  FamilyCounts family;
  family.n_states = std::size_t{1} << parents.size();
  const double on = counts.present[c];
  if (parents.empty()) {
    family.on[0] = on;
    family.all[0] = counts.n_rows;
    return family;
  }
  const double p = counts.present[parents[0]];
  const double on_p = both_of(counts, c, parents[0]);
  if (parents.size() == 1) {
    family.on = {on - on_p, on_p};
    family.all = {counts.n_rows - p, p};
    return family;
  }
  const double q = counts.present[parents[1]];
  const double pq = both_of(counts, parents[0], parents[1]);
  const double on_q = both_of(counts, c, parents[1]);
  const double on_pq = all_of(counts, c, parents[0], parents[1]);
  family.on = {on - on_p - on_q + on_pq, on_p - on_pq, on_q - on_pq, on_pq};
  family.all = {counts.n_rows - p - q + pq, p - pq, q - pq, pq};
  return family;
}

/// Greedy search among networks of at most two parents per cause, from `graph` on: the edge is
/// added, taken out or turned round that gains most, until none gains (Chickering 2002, Sec. 2).
class GraphSearch {
 public:
  GraphSearch(const CauseCounts& counts, const EdgePrice& price, CauseGraph& graph)
      : counts_(counts), price_(price), graph_(graph) {}

  void run() {
    for (;;) {
      scores_.clear();
      for (std::uint32_t c = 0; c < graph_.size(); ++c) scores_.push_back(score(c, parents(c)));
      best_ = {};
      for (std::uint32_t c = 0; c < graph_.size(); ++c) {
        for (std::uint32_t p = 0; p < graph_.size(); ++p) {
          if (p == c) continue;
          if (!std::ranges::binary_search(parents(c), p)) {
            if (parents(c).size() < model::most_beam_parents) try_adding(p, c);
            continue;
          }
          try_taking_out(p, c);
          if (parents(p).size() < model::most_beam_parents) try_turning(p, c);
        }
      }
      if (best_.gain < constants::growth::least_graph_gain) return;
      for (const auto& [cause, its_parents] : best_.families) parents(cause) = its_parents;
    }
  }

 private:
  using Parents = std::vector<std::uint32_t>;
  struct Move {
    double gain = 0;
    std::vector<std::pair<std::uint32_t, Parents>> families;  // as they would be
  };

  Parents& parents(std::uint32_t c) { return graph_.tables[c].parents; }
  static Parents with(Parents parents, std::uint32_t more) {
    parents.insert(std::ranges::upper_bound(parents, more), more);
    return parents;
  }
  static Parents without(Parents parents, std::uint32_t less) {
    std::erase(parents, less);
    return parents;
  }

  /// Log likelihood of a family less its price.
  double score(std::uint32_t c, const Parents& its_parents) const {
    const FamilyCounts family = family_of(counts_, c, its_parents);
    double sum = 0;
    for (std::size_t state = 0; state < family.n_states; ++state) {
      const double all = std::max(family.all[state], 0.0);
      const double on = std::clamp(family.on[state], 0.0, all);
      sum += plogp(on, all) + plogp(all - on, all);
    }
    return sum - price_.parameter * static_cast<double>(family.n_states) -
           (its_parents.empty() ? 0 : price_.choice);
  }

  void consider(Move move) {
    if (move.gain <= best_.gain) return;
    CauseGraph changed = graph_;
    for (const auto& [cause, its_parents] : move.families) {
      changed.tables[cause].parents = its_parents;
    }
    if (changed.is_sound() && can_be_summed(changed)) best_ = std::move(move);
  }
  void try_adding(std::uint32_t p, std::uint32_t c) {
    Parents more = with(parents(c), p);
    const double gain = score(c, more) - scores_[c];
    consider({gain, {{c, std::move(more)}}});
  }
  void try_taking_out(std::uint32_t p, std::uint32_t c) {
    Parents fewer = without(parents(c), p);
    const double gain = score(c, fewer) - scores_[c];
    consider({gain, {{c, std::move(fewer)}}});
  }
  void try_turning(std::uint32_t p, std::uint32_t c) {
    Parents fewer = without(parents(c), p);
    Parents more = with(parents(p), c);
    const double gain = score(c, fewer) - scores_[c] + score(p, more) - scores_[p];
    consider({gain, {{c, std::move(fewer)}, {p, std::move(more)}}});
  }

  const CauseCounts& counts_;
  const EdgePrice& price_;
  CauseGraph& graph_;
  std::vector<double> scores_;  // of each family
  Move best_;
};

}  // namespace

std::size_t CauseGraph::n_edges() const noexcept {
  std::size_t n = 0;
  for (const model::CauseTable& table : tables) n += table.parents.size();
  return n;
}

std::size_t CauseGraph::n_dependences() const noexcept {
  std::size_t n = 0;
  for (const model::CauseTable& table : tables) n += table.on.size() - 1;
  return n;
}

bool CauseGraph::is_sound() const {
  for (std::uint32_t c = 0; c < size(); ++c) {
    const auto& parents = tables[c].parents;
    if (parents.size() > model::most_beam_parents || !std::ranges::is_sorted(parents)) return false;
    if (std::ranges::adjacent_find(parents) != parents.end()) return false;
    for (const std::uint32_t parent : parents) {
      if (parent >= size()) return false;
    }
  }
  for (std::uint32_t c = 0; c < size(); ++c) {
    for (const std::uint32_t parent : tables[c].parents) {
      if (descends(*this, parent, c)) return false;
    }
  }
  return true;
}

void CauseGraph::remove(std::size_t cause) {
  const model::CauseElimination sums(network());
  const std::vector<model::CauseWeight> weights(size(), {1, 1});
  for (std::uint32_t c = 0; c < size(); ++c) {
    std::vector<std::uint32_t>& parents = tables[c].parents;
    if (std::erase(parents, cause) == 0) continue;
    std::vector<std::uint32_t> family = parents;
    family.push_back(c);
    std::ranges::sort(family);
    const std::vector<double> cells = sums.table(family, weights);
    const auto place = static_cast<std::size_t>(std::ranges::find(family, c) - family.begin());
    std::vector<double> on(std::size_t{1} << parents.size()), all(on.size());
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      const std::size_t low = cell & ((std::size_t{1} << place) - 1);
      const std::size_t state = low | ((cell >> (place + 1)) << place);
      all[state] += cells[cell];
      if (((cell >> place) & 1U) != 0) on[state] += cells[cell];
    }
    for (std::size_t state = 0; state < on.size(); ++state) {
      on[state] = all[state] > 0 ? std::clamp(on[state] / all[state], 0.0, 1.0) : .5;
    }
    tables[c].on = on;
  }
  for (model::CauseTable& table : tables) {
    for (std::uint32_t& parent : table.parents) parent -= parent > cause ? 1 : 0;
  }
  tables.erase(tables.begin() + static_cast<std::ptrdiff_t>(cause));
}

std::vector<double> CauseGraph::marginals() const {
  if (size() == 0) return {};
  return model::CauseElimination(network()).posteriors(
      std::vector<model::CauseWeight>(size(), {1, 1}));
}

CauseGraphSums::CauseGraphSums(const CauseGraph& graph) : network_(graph.tables) {
  if (!network_.is_forest()) elimination_.emplace(network_);
}

double CauseGraphSums::expectation(std::span<const double> factors) const {
  if (!elimination_) return expectation_in_forest(factors);
  std::vector<model::CauseWeight> weights(factors.size());
  for (std::size_t c = 0; c < factors.size(); ++c) weights[c] = {1, factors[c]};
  return elimination_->expectation(weights);
}

double CauseGraphSums::expectation_in_forest(std::span<const double> factors) const {
  // Of what is below a cause, for the cause off and on.
  thread_local std::vector<std::array<double, 2>> below;
  below.assign(factors.size(), {1, 1});
  double product = 1;
  const std::vector<std::uint32_t>& order = network_.order();
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::uint32_t c = order[i];
    const auto& [parents, on] = network_.tables()[c];
    const double off = below[c][0];
    const double switched_on = below[c][1] * factors[c];
    const auto sum = [&](double share) { return (1 - share) * off + share * switched_on; };
    if (parents.empty()) {
      product *= sum(on[0]);
    } else {
      below[parents[0]][0] *= sum(on[0]);
      below[parents[0]][1] *= sum(on[1]);
    }
  }
  return product;
}

CauseGraph learn_graph(const CauseCounts& counts, const EdgePrice& price) {
  CauseGraph graph = directed(forest_of(counts, price), counts.present);
  if (!counts.triples.empty()) GraphSearch(counts, price, graph).run();
  refit(counts, graph);
  return graph;
}

void refit(const CauseCounts& counts, CauseGraph& graph) {
  for (std::size_t c = 0; c < graph.size(); ++c) {
    model::CauseTable& table = graph.tables[c];
    const FamilyCounts family = family_of(counts, c, table.parents);
    table.on.resize(family.n_states);
    for (std::size_t state = 0; state < family.n_states; ++state) {
      table.on[state] = share_of(family.on[state], family.all[state]);
    }
  }
}

}  // namespace orrery::quartet
