// Purpose: exact sums over the states of a network of causes.
// Method: an order of elimination and a table for each step of it
//         (clique_tree.hpp), then passes through the tables with weights.
// Cost: O(sum of 2^|clique|) a pass. Tables of all sets up to order K: sum over s < K of C(n, s)
//       2^s passes.
// At 1,000 ranks: nothing here is shared; every rank that asks makes its own tables.
#include "model/cause_elimination.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <cassert>

#include "model/clique_tree.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

constexpr CauseWeight held(bool on) { return on ? CauseWeight{0, 1} : CauseWeight{1, 0}; }

/// One thread's room.
struct TableFill {
  CliquePass pass;
  std::vector<CauseWeight> weights;
  std::vector<double> on;

  /// P(Z = state, y_k) for each k beyond `set`, Z, into the tables of Z and k.
  void fill(std::span<const std::uint32_t> set, std::size_t state, SubsetTables& tables) noexcept {
    for (std::size_t i = 0; i < set.size(); ++i) weights[set[i]] = held(((state >> i) & 1U) != 0);
    const double sum = pass.up(weights).value();
    for (const std::uint32_t i : set) weights[i] = {1, 1};
    if (sum == 0) return;
    pass.down(on);
    std::array<std::uint32_t, SubsetTables::max_order> with{};
    std::ranges::copy(set, with.begin());
    for (std::uint32_t k = set.empty() ? 0 : set.back() + 1; k < on.size(); ++k) {
      with[set.size()] = k;
      const std::span<double> cells = tables.table({with.data(), set.size() + 1});
      cells[state] = sum * (1 - on[k]);
      cells[state + (std::size_t{1} << set.size())] = sum * on[k];
    }
  }
};

/// The sets of a size, one after the other.
std::vector<std::uint32_t> sets_of(const SubsetTables& tables, std::size_t size) {
  std::vector<std::uint32_t> members;
  members.reserve(tables.n_sets(size) * size);
  tables.for_each_set(size, [&members](std::span<const std::uint32_t> set) {
    members.insert(members.end(), set.begin(), set.end());
  });
  return members;
}

}  // namespace

CauseElimination::CauseElimination(const CauseNetwork& network) : n_causes_(network.n_causes()) {
  const EliminationOrder order = min_fill_order(network, max_width);
  width_ = order.width;
  if (width_ > max_width) return;
  std::size_t n_cells = 0;
  for (const std::vector<std::uint32_t>& clique : order.cliques) {
    n_cells += std::size_t{1} << clique.size();
  }
  if (n_cells <= max_cells) tree_ = std::make_shared<const CliqueTree>(network, order);
}

const CliqueTree& CauseElimination::tree() const {
  if (tree_ != nullptr) return *tree_;
  throw InputError(fmt::format(
      "exact sums over {} causes need tables of {} of them or more at once ({} and {} numbers in "
      "all are possible): take a network with fewer parents per cause (a tree always works), or "
      "samples of it",
      n_causes_, width_, max_width, max_cells));
}

double CauseElimination::expectation(std::span<const CauseWeight> weights) const {
  assert(weights.size() == n_causes_);
  return CliquePass(tree()).up(weights).value();
}

double CauseElimination::log_expectation(std::span<const CauseWeight> weights) const {
  assert(weights.size() == n_causes_);
  return CliquePass(tree()).up(weights).log();
}

std::vector<double> CauseElimination::table(std::span<const std::uint32_t> set,
                                            std::span<const CauseWeight> weights) const {
  assert(weights.size() == n_causes_);
  if (set.size() > max_width) {
    throw InputError(fmt::format("a table of {} causes at once; at most {} are possible",
                                 set.size(), max_width));
  }
  CliquePass pass(tree());
  std::vector<CauseWeight> with(weights.begin(), weights.end());
  std::vector<double> cells(std::size_t{1} << set.size());
  for (std::size_t state = 0; state < cells.size(); ++state) {
    for (std::size_t i = 0; i < set.size(); ++i) {
      const std::size_t value = (state >> i) & 1U;
      with[set[i]] = {0, 0};
      with[set[i]][value] = weights[set[i]][value];
    }
    cells[state] = pass.up(with).value();
  }
  return cells;
}

std::vector<double> CauseElimination::posteriors(std::span<const CauseWeight> weights) const {
  assert(weights.size() == n_causes_);
  CliquePass pass(tree());
  if (pass.up(weights).mantissa == 0) {
    throw InputError(
        "what is given of the causes has probability 0 in their network; look for probabilities of "
        "0 or 1 in its tables");
  }
  std::vector<double> on(n_causes_);
  pass.down(on);
  return on;
}

SubsetTables CauseElimination::tables(std::size_t order) const {
  SubsetTables result(n_causes_, order);
  const std::vector<CauseWeight> none(n_causes_, CauseWeight{1, 1});
  // Allocated here: nothing may throw inside the parallel region.
  std::vector<TableFill> own(static_cast<std::size_t>(omp_get_max_threads()),
                             {CliquePass(tree()), none, std::vector<double>(n_causes_)});
  own.front().fill({}, 0, result);
  for (std::size_t size = 1; size < order; ++size) {
    const std::vector<std::uint32_t> members = sets_of(result, size);
    const std::size_t n_sets = members.size() / size;
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t s = 0; s < n_sets; ++s) {
      TableFill& mine = own[static_cast<std::size_t>(omp_get_thread_num())];
      for (std::size_t state = 0; state < std::size_t{1} << size; ++state) {
        mine.fill({members.data() + s * size, size}, state, result);
      }
    }
  }
  return result;
}

}  // namespace orrery::model
