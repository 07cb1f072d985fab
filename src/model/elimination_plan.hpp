// Which tables bucket elimination of binary variables would make, in a given order, and what they
// cost (Dechter 1999): before any is filled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/elimination_order.hpp"

namespace orrery::model {

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
  double work = 0;   ///< multiply-adds, there and back; infinity: a bucket beyond max_scope
  double cells = 0;  ///< of all buckets; likewise
};

EliminationPlan plan_elimination(std::span<const Scope> scopes, Scope order);

}  // namespace orrery::model
