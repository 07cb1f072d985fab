#include "model/elimination_plan.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace orrery::model {

EliminationPlan plan_elimination(std::span<const Scope> scopes, Scope order) {
  EliminationPlan plan;
  plan.order = std::move(order);
  const std::size_t n = plan.order.size();
  Scope place(n);
  for (std::uint32_t b = 0; b < n; ++b) place[plan.order[b]] = b;
  plan.buckets.resize(n);
  for (std::uint32_t b = 0; b < n; ++b) plan.buckets[b].scope = {b};
  Scope merged;
  const auto add = [&](Scope& scope, const Scope& more) {
    merged.clear();
    std::ranges::set_union(scope, more, std::back_inserter(merged));
    scope.swap(merged);
  };
  for (std::uint32_t f = 0; f < scopes.size(); ++f) {
    Scope& places = plan.places.emplace_back(scopes[f]);
    for (std::uint32_t& variable : places) variable = place[variable];
    Scope rising = places;
    std::ranges::sort(rising);
    EliminationPlan::Bucket& bucket = plan.buckets[rising.front()];
    bucket.factors.push_back(f);
    add(bucket.scope, rising);
  }
  for (std::uint32_t b = 0; b < n; ++b) {
    const EliminationPlan::Bucket& bucket = plan.buckets[b];
    if (bucket.scope.size() > EliminationPlan::max_scope) {
      plan.work = plan.cells = std::numeric_limits<double>::infinity();
      return plan;
    }
    const double cells = std::ldexp(1.0, static_cast<int>(bucket.scope.size()));
    plan.cells += 1.5 * cells;  // the message is half the product
    plan.work += cells * static_cast<double>(2 + bucket.factors.size() + 2 * bucket.inputs.size());
    if (bucket.scope.size() == 1) continue;
    EliminationPlan::Bucket& next = plan.buckets[bucket.scope[1]];
    next.inputs.push_back(b);
    add(next.scope, Scope(bucket.scope.begin() + 1, bucket.scope.end()));
  }
  return plan;
}

}  // namespace orrery::model
