#include "model/elimination_plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>

#include "orrery/data/bits.hpp"

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
      plan.fits = false;
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

namespace {

/// Links between variables as rows of bits.
class Links {
 public:
  Links(std::size_t n, std::span<const Scope> scopes)
      : n_words_((n + 63) / 64), bits_(n * n_words_) {
    for (const Scope& scope : scopes) {
      for (const std::uint32_t i : scope) {
        for (const std::uint32_t k : scope) {
          if (i != k) row(i)[k / 64] |= std::uint64_t{1} << (k % 64);
        }
      }
    }
  }
  [[nodiscard]] std::span<std::uint64_t> row(std::size_t i) {
    return std::span(bits_).subspan(i * n_words_, n_words_);
  }
  /// Twice the links that the variable's neighbours lack; stops beyond `enough`.
  [[nodiscard]] std::size_t lacking(std::size_t i, std::size_t enough) {
    const auto mine = row(i);
    std::size_t n = 0;
    for (std::size_t w = 0; w < n_words_ && n <= enough; ++w) {
      data::for_each_bit(mine[w], 64 * w, [&](std::size_t k) {
        const auto theirs = row(k);
        for (std::size_t v = 0; v < n_words_; ++v) {
          n += static_cast<std::size_t>(std::popcount(mine[v] & ~theirs[v]));
        }
        --n;  // a variable lacks no link to itself
      });
    }
    return n;
  }
  /// Links its neighbours, and takes it out.
  void eliminate(std::size_t i) {
    const auto mine = row(i);
    data::for_each_bit(std::span<const std::uint64_t>(mine), [&](std::size_t k) {
      const auto theirs = row(k);
      for (std::size_t v = 0; v < n_words_; ++v) theirs[v] |= mine[v];
      theirs[k / 64] &= ~(std::uint64_t{1} << (k % 64));
      theirs[i / 64] &= ~(std::uint64_t{1} << (i % 64));
    });
    std::ranges::fill(mine, 0);
  }

 private:
  std::size_t n_words_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace

Scope min_fill_order(std::size_t n_variables, std::span<const Scope> scopes) {
  Links links(n_variables, scopes);
  Scope left(n_variables), order;
  for (std::uint32_t i = 0; i < n_variables; ++i) left[i] = i;
  order.reserve(n_variables);
  while (!left.empty()) {
    std::size_t least = std::numeric_limits<std::size_t>::max();
    std::size_t best = 0;
    for (std::size_t at = 0; at < left.size() && least > 0; ++at) {
      const std::size_t lacking = links.lacking(left[at], least);
      if (lacking >= least) continue;
      least = lacking;
      best = at;
    }
    links.eliminate(left[best]);
    order.push_back(left[best]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return order;
}

}  // namespace orrery::model
