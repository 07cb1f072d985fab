#include "model/factor_elimination.hpp"

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

namespace {

/// The cell of a smaller table that belongs to a cell of a larger one.
class Projection {
 public:
  /// `from`: rising.
  Projection(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to)
      : low_(std::size_t{1} << std::min(from.size(), split)),
        high_(std::size_t{1} << (from.size() - std::min(from.size(), split))) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      const auto at =
          static_cast<std::size_t>(std::ranges::lower_bound(from, to[i]) - from.begin());
      std::vector<std::uint32_t>& half = at < split ? low_ : high_;
      half[std::size_t{1} << (at < split ? at : at - split)] = std::uint32_t{1} << i;
    }
    complete(low_);
    complete(high_);
  }
  [[nodiscard]] std::size_t operator()(std::size_t cell) const noexcept {
    return low_[cell & (low_.size() - 1)] | high_[cell >> split];
  }

 private:
  static constexpr std::size_t split = 10;
  /// From the entries of single bits to those of all.
  static void complete(std::vector<std::uint32_t>& half) {
    for (std::size_t bit = 1; bit < half.size(); bit *= 2) {
      for (std::size_t i = 1; i < bit; ++i) half[bit | i] = half[bit] | half[i];
    }
  }
  std::vector<std::uint32_t> low_, high_;
};

std::span<const std::uint32_t> passed_on(const EliminationPlan::Bucket& bucket) {
  return std::span(bucket.scope).subspan(1);
}

}  // namespace

template <class Real>
void FactorElimination<Real>::run(const EliminationPlan& plan, std::span<const Factor> factors,
                                  std::span<const std::array<double, 2>> log_weights) {
  eliminate(Over::sum, plan, factors, log_weights);
}

template <class Real>
void FactorElimination<Real>::eliminate(Over over, const EliminationPlan& plan,
                                        std::span<const Factor> factors,
                                        std::span<const std::array<double, 2>> log_weights) {
  plan_ = &plan;
  tables_.assign(plan.buckets.size(), {});
  log_sum_ = 0;
  lost_digits_ = weighed_ = false;
  for (std::size_t b = 0; b < plan.buckets.size(); ++b) {
    const EliminationPlan::Bucket& bucket = plan.buckets[b];
    std::vector<Real>& product = tables_[b].product;
    product.resize(std::size_t{1} << bucket.scope.size());
    const auto& weights = log_weights[plan.order[b]];
    for (std::size_t cell = 0; cell < product.size(); ++cell) {
      product[cell] = std::exp(static_cast<Real>(weights[cell & 1]));
    }
    for (const std::uint32_t f : bucket.factors) {
      const Projection project(bucket.scope, plan.places[f]);
      const std::vector<double>& table = factors[f].table;
      for (std::size_t cell = 0; cell < product.size(); ++cell) {
        product[cell] *= static_cast<Real>(table[project(cell)]);
      }
    }
    for (const std::uint32_t from : bucket.inputs) {
      const Projection project(bucket.scope, passed_on(plan.buckets[from]));
      const std::vector<Real>& message = tables_[from].message;
      for (std::size_t cell = 0; cell < product.size(); ++cell) {
        product[cell] *= message[project(cell)];
      }
    }
    if (!send_message(over, b)) return;
  }
}

/// False if nothing is left.
template <class Real>
bool FactorElimination<Real>::send_message(Over over, std::size_t bucket) {
  const std::vector<Real>& product = tables_[bucket].product;
  std::vector<Real>& message = tables_[bucket].message;
  message.resize(product.size() / 2);
  for (std::size_t i = 0; i < message.size(); ++i) {
    message[i] = over == Over::sum ? product[2 * i] + product[2 * i + 1]
                                   : std::max(product[2 * i], product[2 * i + 1]);
  }
  const Real largest = *std::ranges::max_element(message);
  if (largest < Real(1e30) * std::numeric_limits<Real>::min()) lost_digits_ = true;
  if (largest == 0) {
    log_sum_ = -std::numeric_limits<double>::infinity();
    return false;
  }
  for (Real& value : message) value /= largest;
  log_sum_ += static_cast<double>(std::log(largest));
  return true;
}

/// Makes a bucket's product the joint distribution of its variables, once the bucket that its
/// message went to is one.
template <class Real>
void FactorElimination<Real>::weigh(std::size_t b) {
  const EliminationPlan::Bucket& bucket = plan_->buckets[b];
  std::vector<Real>& product = tables_[b].product;
  std::vector<Real> share(product.size() / 2);
  if (bucket.scope.size() == 1) {
    share[0] = 1 / (product[0] + product[1]);
  } else {
    const Projection project(plan_->buckets[bucket.scope[1]].scope, passed_on(bucket));
    const std::vector<Real>& joint = tables_[bucket.scope[1]].product;
    for (std::size_t cell = 0; cell < joint.size(); ++cell) share[project(cell)] += joint[cell];
    for (std::size_t i = 0; i < share.size(); ++i) {
      const Real sum = product[2 * i] + product[2 * i + 1];
      share[i] = sum > 0 ? share[i] / sum : Real(0);
    }
  }
  for (std::size_t cell = 0; cell < product.size(); ++cell) product[cell] *= share[cell / 2];
}

template <class Real>
std::vector<std::array<double, 2>> FactorElimination<Real>::marginals() {
  if (!weighed_) {
    for (std::size_t b = tables_.size(); b-- > 0;) weigh(b);
  }
  weighed_ = true;
  std::vector<std::array<double, 2>> shares(tables_.size());
  for (std::size_t b = 0; b < tables_.size(); ++b) {
    std::array<Real, 2> sum{};
    const std::vector<Real>& product = tables_[b].product;
    for (std::size_t cell = 0; cell < product.size(); ++cell) sum[cell & 1] += product[cell];
    const Real both = sum[0] + sum[1];
    shares[plan_->order[b]] = {static_cast<double>(sum[0] / both),
                               static_cast<double>(sum[1] / both)};
  }
  return shares;
}

/// Of the values of all but the bucket's own variable, which is 0.
template <class Real>
std::size_t FactorElimination<Real>::cell_of(std::size_t bucket,
                                             std::span<const std::uint8_t> values) const {
  const Scope& scope = plan_->buckets[bucket].scope;
  std::size_t cell = 0;
  for (std::size_t i = 1; i < scope.size(); ++i) {
    if (values[plan_->order[scope[i]]] != 0) cell |= std::size_t{1} << i;
  }
  return cell;
}

template <class Real>
void FactorElimination<Real>::draw(const std::function<double()>& uniform,
                                   std::span<std::uint8_t> values) const {
  for (std::size_t b = tables_.size(); b-- > 0;) {
    const std::size_t cell = cell_of(b, values);
    const std::vector<Real>& product = tables_[b].product;
    const Real both = product[cell] + product[cell + 1];
    values[plan_->order[b]] = static_cast<Real>(uniform()) * both < product[cell + 1] ? 1 : 0;
  }
}

template <class Real>
double FactorElimination<Real>::find_largest(const EliminationPlan& plan,
                                             std::span<const Factor> factors,
                                             std::span<const std::array<double, 2>> log_weights,
                                             std::span<std::uint8_t> values) {
  eliminate(Over::largest, plan, factors, log_weights);
  if (std::isinf(log_sum_)) return log_sum_;
  for (std::size_t b = tables_.size(); b-- > 0;) {
    const std::size_t cell = cell_of(b, values);
    const std::vector<Real>& product = tables_[b].product;
    values[plan_->order[b]] = product[cell + 1] > product[cell] ? 1 : 0;
  }
  return log_sum_;
}

template class FactorElimination<double>;
template class FactorElimination<long double>;

}  // namespace orrery::model
