// The tables of a network of causes from the moments of its families (Halpern, Horng, Sontag 2015,
// Sec. 4.1: "estimated from the empirical counts"; here from recovered tables).
#include <fmt/format.h>

#include <algorithm>

#include "families/noisy_or/anchored/structure/set_information.hpp"
#include "families/noisy_or/anchored/structure/structure.hpp"
#include "families/noisy_or/anchored/subsets.hpp"
#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

model::CauseTable fit_family(const model::SubsetTables& moments, std::uint32_t child,
                             const std::vector<std::uint32_t>& parents) {
  const std::vector<std::uint32_t> family = with_member(parents, child);
  if (family.size() > moments.order()) {
    throw InputError(fmt::format(
        "cause {} has {} parents, and the moments are of sets of up to {} causes: use moments of "
        "order {} or fewer parents",
        child, parents.size(), moments.order(), family.size()));
  }
  const std::span<const double> table = moments.table(family);
  const std::size_t bit = std::size_t{1} << place_of(family, child);
  model::CauseTable fitted{parents, {}};
  // Without the child's bit, cells are in the order of the parents' states.
  for_each_state_without(table.size(), bit, [&](std::size_t cell) {
    const double state = table[cell] + table[cell | bit];
    const double on = state > 0 ? table[cell | bit] / state : moments.on(child);
    fitted.on.push_back(std::clamp(on, 0.0, 1.0));
  });
  return fitted;
}

}  // namespace

model::CauseNetwork fit_tables(const model::SubsetTables& moments,
                               const std::vector<std::vector<std::uint32_t>>& parents) {
  std::vector<model::CauseTable> tables;
  for (std::uint32_t child = 0; child < parents.size(); ++child) {
    tables.push_back(fit_family(moments, child, parents[child]));
  }
  return model::CauseNetwork(std::move(tables));
}

}  // namespace orrery::anchored
