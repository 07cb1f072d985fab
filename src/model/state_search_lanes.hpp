// The search itself, compiled once for each instruction set (see state_search_*.cpp): everything
// has internal linkage, so that no wide instruction leaks elsewhere. Eight lanes whatever the
// instruction set, no fused multiply-adds: the same bytes everywhere.
#pragma once

#include <cmath>

#include "orrery/model/state_search.hpp"

namespace orrery::model {
namespace {

typedef double Lanes __attribute__((vector_size(search_lanes * sizeof(double))));

const Lanes* lanes(const double* values, std::size_t row, std::size_t width) {
  return reinterpret_cast<const Lanes*>(values) + row * width;
}
Lanes* lanes(double* values, std::size_t row, std::size_t width) {
  return reinterpret_cast<Lanes*>(values) + row * width;
}

double product(const Lanes& x) {
  return ((x[0] * x[1]) * (x[2] * x[3])) * ((x[4] * x[5]) * (x[6] * x[7]));
}

class Search {
 public:
  explicit Search(const SearchArrays& problem)
      : p_(problem),
        width_(problem.n_vectors),
        tolerance_(problem.tolerance),
        limit_(problem.max_nodes) {}

  /// Sum of the weights of all states, relative to 1 / the product of `scale`.
  double run() {
    for (std::size_t v = 0; v < width_; ++v) {
      lanes(p_.off, 0, width_)[v] = lanes(p_.quiet, 0, width_)[v];
    }
    descend(0, 1, bound(lanes(p_.off, 0, width_), 0));
    return total_;
  }

  [[nodiscard]] bool truncated() const { return truncated_; }

 private:
  /// prod_a scale_a (1 - q_a reach_a): no state below can weigh more.
  double bound(const Lanes* off, std::size_t depth) const {
    const Lanes* reach = lanes(p_.reach, depth, width_);
    const Lanes* scale = lanes(p_.scale, 0, width_);
    Lanes weight = scale[0] * (1 - off[0] * reach[0]);
    for (std::size_t v = 1; v < width_; ++v) weight *= scale[v] * (1 - off[v] * reach[v]);
    return product(weight);
  }

  bool worth(double weight) const { return weight > 0 && weight >= tolerance_ * best_; }

  void descend(std::size_t depth, double odds, double on) {
    if (depth == p_.n_causes) {
      settle(depth, odds * on);
      return;
    }
    if (++n_nodes_ > limit_) {
      truncated_ = true;
      tolerance_ = std::fmax(tolerance_ * 10, 1e-12);
      limit_ += p_.max_nodes / 4;
    }
    const double rest = p_.rest[depth + 1];
    const double odds_with = odds * p_.odds[depth];
    const double with = odds_with * on * rest;
    // Without this cause the row's variables must be explained by the others.
    const double on_without = bound(lanes(p_.off, depth, width_), depth + 1);
    const double without = odds * on_without * rest;
    if (with >= without) {
      if (worth(with)) include(depth, odds_with, on);
      if (worth(without)) exclude(depth, odds, on_without);
    } else {
      if (worth(without)) exclude(depth, odds, on_without);
      if (worth(with)) include(depth, odds_with, on);
    }
  }

  void include(std::size_t depth, double odds, double on) {
    const Lanes* off = lanes(p_.off, depth, width_);
    const Lanes* failure = lanes(p_.failure, depth, width_);
    Lanes* next = lanes(p_.off, depth + 1, width_);
    for (std::size_t v = 0; v < width_; ++v) next[v] = off[v] * failure[v];
    p_.included[n_included_++] = depth;
    descend(depth + 1, odds, on);
    --n_included_;
  }

  void exclude(std::size_t depth, double odds, double on) {
    const Lanes* off = lanes(p_.off, depth, width_);
    Lanes* next = lanes(p_.off, depth + 1, width_);
    for (std::size_t v = 0; v < width_; ++v) next[v] = off[v];
    descend(depth + 1, odds, on);
  }

  /// All causes are decided.
  void settle(std::size_t depth, double weight) {
    best_ = std::fmax(best_, weight);
    total_ += weight;
    const Lanes* off = lanes(p_.off, depth, width_);
    Lanes* inverse = lanes(p_.inverse, 0, width_);
    for (std::size_t i = 0; i < n_included_; ++i) p_.posterior[p_.included[i]] += weight;
    for (std::size_t v = 0; v < width_; ++v) {
      const Lanes share = weight / (1 - off[v]);
      inverse[v] += share;
      for (std::size_t i = 0; i < n_included_; ++i) {
        lanes(p_.shared, p_.included[i], width_)[v] += share;
      }
    }
  }

  const SearchArrays& p_;
  std::size_t width_;
  double tolerance_;
  std::size_t limit_;
  std::size_t n_nodes_ = 0;
  std::size_t n_included_ = 0;
  double total_ = 0;
  double best_ = 0;
  bool truncated_ = false;
};

/// What the weights are measured by: variables as likely on as all causes make them (share 0), as
/// the leak alone does (1), or between. Only where one under- or overflows is the next one tried.
double set_scale(const SearchArrays& p, double share) {
  const std::size_t width = p.n_vectors * search_lanes;
  double log_scale = 0;
  double product = 1;
  for (std::size_t a = 0; a < width; ++a) {
    const double most = 1 - p.quiet[a] * p.reach[a];
    const double unit =
        share == 0 ? most : std::pow(1 - p.quiet[a], share) * std::pow(most, 1 - share);
    p.scale[a] = 1 / unit;
    product *= unit;
    if (product < 1e-280) {
      log_scale += std::log(product);
      product = 1;
    }
  }
  return log_scale + std::log(product);
}

void times(double* values, std::size_t n, double factor) {
  for (std::size_t i = 0; i < n; ++i) values[i] *= factor;
}

void times_results(const SearchArrays& p, double factor) {
  const std::size_t n_lanes = p.n_vectors * search_lanes;
  times(p.posterior, p.n_causes, factor);
  times(p.inverse, n_lanes, factor);
  times(p.shared, p.n_causes * n_lanes, factor);
}

void clear_results(const SearchArrays& p) {
  const std::size_t n_lanes = p.n_vectors * search_lanes;
  for (std::size_t k = 0; k < p.n_causes; ++k) p.posterior[k] = 0;
  for (std::size_t a = 0; a < n_lanes; ++a) p.inverse[a] = 0;
  for (std::size_t i = 0; i < p.n_causes * n_lanes; ++i) p.shared[i] = 0;
}

void find_reach(const SearchArrays& p) {
  const std::size_t width = p.n_vectors;
  for (std::size_t v = 0; v < width; ++v) lanes(p.reach, p.n_causes, width)[v] = Lanes{} + 1;
  p.rest[p.n_causes] = 1;
  for (std::size_t k = p.n_causes; k-- > 0;) {
    p.rest[k] = p.rest[k + 1] * std::fmax(1.0, p.odds[k]);
    for (std::size_t v = 0; v < width; ++v) {
      lanes(p.reach, k, width)[v] = lanes(p.reach, k + 1, width)[v] * lanes(p.failure, k, width)[v];
    }
  }
}

SearchResult search_states(const SearchArrays& p) {
  find_reach(p);
  for (int attempt = 0;; ++attempt) {
    const double log_scale = set_scale(p, 0.5 * attempt);
    clear_results(p);
    Search search(p);
    const double total = search.run();
    if (attempt == 2 || (total > 1e-290 && total < 1e290)) {
      times_results(p, total > 0 && total < HUGE_VAL ? 1 / total : 0);
      return {std::log(total) + log_scale, search.truncated()};
    }
  }
}

}  // namespace
}  // namespace orrery::model
