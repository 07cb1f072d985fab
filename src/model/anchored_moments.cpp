// Purpose: exact moments of an anchored network.
// Source: Halpern, Horng, Sontag 2015, Sec. 2 and 4.2 (the moments that its estimators take).
#include "model/anchored_moments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

/// From P(the variables of `z` free, the others off) at each z to P(those of z on, the others off),
/// over the lowest `n_bits` bits. What is below 0 is rounding.
void exclude(std::span<double> cells, std::size_t n_bits) {
  for (std::size_t i = 0; i < n_bits; ++i) {
    const std::size_t bit = std::size_t{1} << i;
    for (std::size_t z = 0; z < cells.size(); ++z) {
      if ((z & bit) != 0) cells[z] -= cells[z ^ bit];
    }
  }
  for (double& cell : cells) cell = std::max(cell, 0.0);
}

std::vector<std::uint32_t> chosen(std::span<const std::uint32_t> from, std::size_t bits) {
  std::vector<std::uint32_t> members;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (((bits >> i) & 1U) != 0) members.push_back(from[i]);
  }
  return members;
}

}  // namespace

AnchoredMoments::AnchoredMoments(const NoisyOrNetwork& network)
    : network_(network), elimination_(network.cause_network()), parents_(network.n_observed()) {
  for (const Edge& edge : network.edges()) parents_[edge.observed].push_back(edge);
  (void)elimination_.expectation(weights({}).causes);  // refuses what is not feasible here
}

AnchoredMoments::Weights AnchoredMoments::weights(std::span<const std::uint32_t> observed) const {
  Weights result{1, std::vector<CauseWeight>(network_.n_causes(), CauseWeight{1, 1})};
  for (const std::uint32_t j : observed) {
    result.leaks_fail *= 1 - network_.observed()[j].leak;
    for (const Edge& edge : parents_[j]) result.causes[edge.cause][1] *= edge.failure;
  }
  return result;
}

double AnchoredMoments::all_off(std::span<const std::uint32_t> observed) const {
  const Weights with = weights(observed);
  return with.leaks_fail * elimination_.expectation(with.causes);
}

std::vector<double> AnchoredMoments::off_with_causes(std::span<const std::uint32_t> observed,
                                                     std::span<const std::uint32_t> causes) const {
  const Weights with = weights(observed);
  std::vector<double> cells = elimination_.table(causes, with.causes);
  for (double& cell : cells) cell *= with.leaks_fail;
  return cells;
}

std::vector<double> AnchoredMoments::table(std::span<const std::uint32_t> observed,
                                           std::span<const std::uint32_t> causes) const {
  if (observed.size() + causes.size() > max_members) {
    throw InputError(
        fmt::format("a table of {} observed variables and {} causes; at most {} "
                    "together are possible",
                    observed.size(), causes.size(), max_members));
  }
  const std::size_t n_states = std::size_t{1} << observed.size();
  std::vector<double> cells(n_states << causes.size());
  for (std::size_t z = 0; z < n_states; ++z) {
    const std::vector<std::uint32_t> off = chosen(observed, ~z);
    const std::vector<double> of_causes = off_with_causes(off, causes);
    for (std::size_t y = 0; y < of_causes.size(); ++y) cells[z + y * n_states] = of_causes[y];
  }
  exclude(cells, observed.size());
  return cells;
}

SubsetTables AnchoredMoments::tables(std::span<const std::uint32_t> observed,
                                     std::size_t order) const {
  SubsetTables result(observed.size(), order);
  std::vector<std::uint32_t> members;
  for (std::size_t size = 1; size <= order; ++size) {
    result.for_each_set(size, [&](std::span<const std::uint32_t> set) {
      members.clear();
      for (const std::uint32_t place : set) members.push_back(observed[place]);
      const std::span<double> cells = result.table(set);
      cells.front() = all_off(members);
      // The others of it are off in a smaller set: all but its cell 0 are done with by then.
      for (std::size_t z = 1; z + 1 < cells.size(); ++z) {
        cells[z] = result.table(chosen(set, ~z)).front();
      }
      cells.back() = 1;
      exclude(cells, size);
    });
  }
  return result;
}

}  // namespace orrery::model
