// Purpose: sums over the states of a network by a tree of tables.
// Source: variable elimination and its downward pass; Koller, Friedman 2009, Sec. 9.3 and 10.2.
// Method: a clique's table is the product of the families that its cause is the first of to go, its
//         cause's weight, and the sums of the cliques below. The sum over its cause goes to the
//         clique of the member that goes next. Down: P(clique) = P(cause | the other members) P(the
//         other members), the first from its own table, the second from its parent's.
// Scale: a table is kept near 1 by powers of two, which change no digit.
// Cost: O(sum of 2^|clique|) time and memory: two numbers per cell.
#include "model/clique_tree.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace orrery::model {
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

double ScaledSum::log() const noexcept {
  if (mantissa == 0) return -std::numeric_limits<double>::infinity();
  return std::log(mantissa) + static_cast<double>(exponent) * std::log(2.0);
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
