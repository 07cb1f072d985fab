// Starts that are alike: whether the merges of one have led to where those of another did.
#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "families/categorical/structural_ep/search.hpp"

namespace orrery::structural_ep {
namespace {

/// How much of the rows two networks must agree on, and of the variables. A variable of two parents
/// is with one of them or the other in a single-parent network.
constexpr double alike_rows = .98;
constexpr double alike_variables = .9;
constexpr double alike_variables_of_two = .5;

/// The place in each row of a square table that has most; none if two rows want the same.
std::optional<std::vector<std::size_t>> matching(std::span<const double> table, std::size_t n) {
  std::vector<std::size_t> match;
  for (std::size_t row = 0; row < n; ++row) {
    const auto of_row = table.subspan(row * n, n);
    const auto best = static_cast<std::size_t>(std::ranges::max_element(of_row) - of_row.begin());
    if (std::ranges::find(match, best) != match.end()) return std::nullopt;
    match.push_back(best);
  }
  return match;
}

double matched(std::span<const double> table, std::span<const std::size_t> match) {
  double sum = 0;
  for (std::size_t row = 0; row < match.size(); ++row) {
    sum += table[row * match.size() + match[row]];
  }
  return sum;
}

/// Weights of rows by the states of two causes, of each cause of `a` and each of `b`: K x K x J x
/// J. Collective.
std::vector<double> joint_states(const Start& a, const Start& b, const WeightedRows& observed,
                                 const learning::RowShare& rows, std::size_t cardinality) {
  const std::size_t k_all = a.states.size();
  return rows.sum(k_all * k_all * cardinality * cardinality,
                  [&](std::size_t row, int /*thread*/, std::span<double> to) {
                    const double weight = observed.weight(rows.first() + row);
                    for (std::size_t k = 0; k < k_all; ++k) {
                      for (std::size_t l = 0; l < k_all; ++l) {
                        const std::size_t first = (k * k_all + l) * cardinality;
                        const std::size_t of_a = a.states[k][row];
                        to[(first + of_a) * cardinality + b.states[l][row]] += weight;
                      }
                    }
                  });
}

}  // namespace

bool are_alike(const Start& a, const Start& b, const WeightedRows& observed,
               const learning::RowShare& rows, const Options& options) {
  const std::size_t k_all = a.states.size();
  const std::size_t square = std::size_t{options.cardinality} * options.cardinality;
  const auto joint = joint_states(a, b, observed, rows, options.cardinality);
  std::vector<double> agreement;  // K x K: of the rows
  for (std::size_t pair = 0; pair < k_all * k_all; ++pair) {
    const auto table = std::span(joint).subspan(pair * square, square);
    const auto states = matching(table, options.cardinality);
    agreement.push_back(states ? matched(table, *states) / observed.total() : 0);
  }
  const auto causes = matching(agreement, k_all);
  if (!causes) return false;
  for (std::size_t k = 0; k < k_all; ++k) {
    if (agreement[k * k_all + (*causes)[k]] < alike_rows) return false;
  }
  std::size_t n_same = 0;
  for (std::size_t i = 0; i < a.sets.size(); ++i) n_same += (*causes)[a.sets[i]] == b.sets[i];
  const double least = options.max_parents == 1 ? alike_variables : alike_variables_of_two;
  return static_cast<double>(n_same) >= least * static_cast<double>(a.sets.size());
}

}  // namespace orrery::structural_ep
