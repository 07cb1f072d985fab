// Which tables bucket elimination of binary variables would make, in a given order, and what they
// cost (Dechter 1999): before any is filled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery::model {

/// The variables that a table is of, each once.
using Scope = std::vector<std::uint32_t>;

struct EliminationPlan {
  static constexpr std::size_t max_scope = 27;

  struct Bucket {
    Scope scope;                         ///< places in the order, rising; the first is its own
    std::vector<std::uint32_t> factors;  ///< that are multiplied here
    std::vector<std::uint32_t> inputs;   ///< buckets whose messages come here
  };
  Scope order;                ///< all variables
  std::vector<Scope> places;  ///< a factor: its scope, as places in the order
  std::vector<Bucket> buckets;
  double work = 0;   ///< multiply-adds, there and back
  double cells = 0;  ///< of all buckets
  bool fits = true;  ///< no bucket has more than max_scope variables; else it ends there
};

EliminationPlan plan_elimination(std::span<const Scope> scopes, Scope order);

/// An order that adds few links at a time: the variable whose neighbours lack the fewest links
/// next, the lowest of equals. O(n neighbours n / 64) a variable.
Scope min_fill_order(std::size_t n_variables, std::span<const Scope> scopes);

}  // namespace orrery::model
