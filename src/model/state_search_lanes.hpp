// The branch and bound of StateSearch (state_sums.hpp), compiled once for each instruction set (see
// state_lanes_*.cpp). Everything has internal linkage, so that no wide instruction leaks elsewhere.
#pragma once

#include <cmath>

#include "model/eight_lanes.hpp"
#include "model/state_sums.hpp"

namespace orrery::model {
namespace {

const Lanes* lanes(const double* values, std::size_t row, std::size_t width) {
  return reinterpret_cast<const Lanes*>(values) + row * width;
}
Lanes* lanes(double* values, std::size_t row, std::size_t width) {
  return reinterpret_cast<Lanes*>(values) + row * width;
}

double larger(double a, double b) { return a > b ? a : b; }

/// `known_width`: the number of vectors of eight variables, known when this is compiled so that
/// loops over them are unrolled; 0 for any number.
///
/// A node is a state: the causes included so far, all others excluded. Its children include one
/// more; the n-th child excludes for good the n - 1 before it. The most that cause j can multiply
/// the weight of any state below by is its ratio here, for log(1 - q) has diminishing returns in
/// the causes that are on: sum over a of log((1 - q_a f_ja) / (1 - q_a)) only falls.
template <std::size_t known_width>
class Search {
 public:
  explicit Search(const SearchArrays& problem)
      : p_(problem), tolerance_(problem.tolerance), limit_(problem.max_nodes) {}

  /// Sum of the weights of all states, relative to 1 / the product of `scale`.
  double run() {
    for (std::size_t v = 0; v < width(); ++v) {
      lanes(p_.off, 0, width())[v] = lanes(p_.quiet, 0, width())[v];
    }
    for (std::size_t k = 0; k < p_.n_causes; ++k) p_.open[k].cause = k;
    visit(0, 1, p_.open, p_.n_causes, p_.reach);
    return total_;
  }
  /// The same of the states of the steps alone. What a state and those below it come to is added to
  /// the sums of its last cause, and to what the state before it comes to.
  double follow() {
    Lanes* off = lanes(p_.off, 0, width());
    for (std::size_t v = 0; v < width(); ++v) off[v] = lanes(p_.quiet, 0, width())[v];
    std::size_t depth = 0;
    for (std::size_t i = 0; i < p_.n_followed; ++i) {
      const StateStep& step = p_.steps[i];
      if (i > 0) {
        for (; depth >= step.depth; --depth) close(depth);
        depth = step.depth;
        p_.included[depth - 1] = step.cause;
        const Lanes* failure = lanes(p_.failure, step.cause, width());
        Lanes* next = lanes(p_.off, depth, width());
        for (std::size_t v = 0; v < width(); ++v) {
          next[v] = lanes(p_.off, depth - 1, width())[v] * failure[v];
        }
      }
      open(depth, depth > 0 ? odds_at(depth - 1) * p_.odds[step.cause] : 1);
    }
    for (; depth > 0; --depth) close(depth);
    for (std::size_t v = 0; v < width(); ++v) {
      lanes(p_.inverse, 0, width())[v] = lanes(p_.reach, 0, width())[v];
    }
    return mass_at(0);
  }
  [[nodiscard]] bool truncated() const { return truncated_; }
  [[nodiscard]] std::size_t n_states() const { return n_nodes_; }
  [[nodiscard]] std::size_t n_steps() const { return n_steps_; }

 private:
  [[nodiscard]] std::size_t width() const { return known_width > 0 ? known_width : p_.n_vectors; }

  /// prod_a scale_a (1 - q_a reach_a).
  double explained(const Lanes* off, const Lanes* reach) const {
    const Lanes* scale = lanes(p_.scale, 0, width());
    Lanes weight = scale[0] * (1 - off[0] * reach[0]);
    for (std::size_t v = 1; v < width(); ++v) weight *= scale[v] * (1 - off[v] * reach[v]);
    return product(weight);
  }

  bool worth(double weight) const { return weight > 0 && weight >= tolerance_ * best_; }

  /// 1 / P(a on) of the state at `depth` into `inverse`; its weight.
  double weigh(std::size_t depth, double odds, Lanes* inverse) const {
    const Lanes* off = lanes(p_.off, depth, width());
    const Lanes* scale = lanes(p_.scale, 0, width());
    Lanes on = all(1);
    for (std::size_t v = 0; v < width(); ++v) {
      const Lanes probability = 1 - off[v];
      inverse[v] = 1 / probability;
      on *= scale[v] * probability;
    }
    return odds * product(on);
  }

  /// Adds the state at `depth` to the sums; its weight.
  double settle_state(std::size_t depth, double odds) {
    Lanes* inverse = lanes(p_.inverse_on, depth, width());
    const double weight = weigh(depth, odds, inverse);
    settle(inverse, weight);
    return weight;
  }

  void count_node() {
    if (++n_nodes_ <= limit_) return;
    truncated_ = true;
    tolerance_ = larger(tolerance_ * 10, 1e-12);
    limit_ += p_.max_nodes / 4;
  }

  void visit(std::size_t depth, double odds, const OpenCause* open, std::size_t n_open,
             double* reach) {
    const double weight = settle_state(depth, odds);
    if (n_open == 0) return;
    count_node();
    const Lanes* off = lanes(p_.off, depth, width());
    OpenCause* kept = p_.open + (depth + 1) * p_.n_causes;
    const std::size_t n = keep(off, lanes(p_.inverse_on, depth, width()), open, n_open, kept);
    if (n > 1) find_reach(kept, n, reach);
    for (std::size_t k = 0; k < n; ++k) {
      const OpenCause& cause = kept[k];
      const double weight_with = weight * cause.ratio;
      // A weight that underflows tells nothing of the states below.
      const bool tells = weight > 0;
      if (tells && weight_with * cause.ratios_after < tolerance_ * best_) continue;
      const bool is_last = k + 1 == n;
      const double most_below = is_last                  ? 0
                                : cause.ratios_after > 1 ? cause.ratios_after
                                                         : kept[k + 1].ratio;
      const bool has_none_below =
          is_last || (tells && weight_with * most_below < tolerance_ * best_);
      const double odds_with = odds * p_.odds[cause.cause];
      // Without a state below it, its ratio has told.
      if (!has_none_below &&
          !worth(odds_with * cause.odds_after *
                 explained(off, reinterpret_cast<Lanes*>(reach) + k * width()))) {
        continue;
      }
      const Lanes* failure = lanes(p_.failure, cause.cause, width());
      Lanes* next = lanes(p_.off, depth + 1, width());
      for (std::size_t v = 0; v < width(); ++v) next[v] = off[v] * failure[v];
      p_.included[n_included_++] = cause.cause;
      if (has_none_below) {
        settle_state(depth + 1, odds_with);
        if (!is_last) count_node();
      } else {
        visit(depth + 1, odds_with, kept + k + 1, n - k - 1,
              reach + (n + 1) * width() * search_lanes);
      }
      --n_included_;
    }
  }

  /// Those of the open causes that matter here, the most promising first.
  std::size_t keep(const Lanes* off, const Lanes* inverse, const OpenCause* open,
                   std::size_t n_open, OpenCause* kept) const {
    // All ratios first: none waits for what becomes of the one before it.
    for (std::size_t i = 0; i < n_open; ++i) {
      const Lanes* failure = lanes(p_.failure, open[i].cause, width());
      Lanes gain = (1 - off[0] * failure[0]) * inverse[0];
      for (std::size_t v = 1; v < width(); ++v) gain *= (1 - off[v] * failure[v]) * inverse[v];
      kept[i].ratio = p_.odds[open[i].cause] * product(gain);
    }
    std::size_t n = 0;
    for (std::size_t i = 0; i < n_open; ++i) {
      const double ratio = kept[i].ratio;
      if (ratio < tolerance_ || !(ratio > 0)) continue;
      std::size_t place = n++;
      for (; place > 0 && kept[place - 1].ratio < ratio; --place) kept[place] = kept[place - 1];
      kept[place] = {open[i].cause, ratio, 1, 1};
    }
    return n;
  }

  /// What a cause and those after it can do together.
  void find_reach(OpenCause* kept, std::size_t n, double* reach) const {
    Lanes* after = reinterpret_cast<Lanes*>(reach) + n * width();
    for (std::size_t v = 0; v < width(); ++v) after[v] = all(1);
    double odds = 1;
    double ratios = 1;
    for (std::size_t k = n; k-- > 0; after -= width()) {
      kept[k].odds_after = odds;
      kept[k].ratios_after = ratios;
      odds *= larger(1.0, p_.odds[kept[k].cause]);
      ratios *= larger(1.0, kept[k].ratio);
      const Lanes* failure = lanes(p_.failure, kept[k].cause, width());
      for (std::size_t v = 0; v < width(); ++v) (after - width())[v] = after[v] * failure[v];
    }
  }

  // For follow(): the odds of the state at a depth, and the weight of it and those below it; their
  // sums for the variables are in p_.reach.
  [[nodiscard]] double& odds_at(std::size_t depth) { return p_.open[depth].ratio; }
  [[nodiscard]] double& mass_at(std::size_t depth) { return p_.open[depth].odds_after; }

  void open(std::size_t depth, double odds) {
    Lanes* sums = lanes(p_.reach, depth, width());
    const double weight = weigh(depth, odds, sums);
    for (std::size_t v = 0; v < width(); ++v) sums[v] = weight * sums[v];
    odds_at(depth) = odds;
    mass_at(depth) = weight;
  }

  void close(std::size_t depth) {
    const std::size_t cause = p_.included[depth - 1];
    p_.posterior[cause] += mass_at(depth);
    mass_at(depth - 1) += mass_at(depth);
    const Lanes* sums = lanes(p_.reach, depth, width());
    Lanes* before = lanes(p_.reach, depth - 1, width());
    Lanes* shared = lanes(p_.shared, cause, width());
    for (std::size_t v = 0; v < width(); ++v) {
      shared[v] += sums[v];
      before[v] += sums[v];
    }
  }

  void settle(const Lanes* inverse_on, double weight) {
    if (n_steps_ < p_.room_for_steps) note(weight);
    ++n_steps_;
    best_ = larger(best_, weight);
    total_ += weight;
    Lanes* inverse = lanes(p_.inverse, 0, width());
    for (std::size_t i = 0; i < n_included_; ++i) p_.posterior[p_.included[i]] += weight;
    for (std::size_t v = 0; v < width(); ++v) {
      const Lanes share = weight * inverse_on[v];
      inverse[v] += share;
      for (std::size_t i = 0; i < n_included_; ++i) {
        lanes(p_.shared, p_.included[i], width())[v] += share;
      }
    }
  }

  void note(double weight) {
    const std::size_t last = n_included_ > 0 ? p_.included[n_included_ - 1] : 0;
    p_.steps[n_steps_] = {weight, static_cast<std::uint32_t>(n_included_),
                          static_cast<std::uint32_t>(last)};
  }

  const SearchArrays& p_;
  double tolerance_;
  std::size_t limit_;
  std::size_t n_nodes_ = 0;
  std::size_t n_steps_ = 0;
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
  double of_all = 1;
  for (std::size_t first = 0; first < width; first += search_lanes) {
    Lanes unit = 1 - *reinterpret_cast<const Lanes*>(p.reach + first);
    if (share > 0) {
      for (std::size_t a = 0; a < search_lanes; ++a) {
        lane(unit, a) =
            std::pow(1 - p.quiet[first + a], share) * std::pow(lane(unit, a), 1 - share);
      }
    }
    *reinterpret_cast<Lanes*>(p.scale + first) = 1 / unit;
    of_all *= product(unit);
    if (of_all < 1e-60) {
      log_scale += std::log(of_all);
      of_all = 1;
    }
  }
  return log_scale + std::log(of_all);
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

/// q_a with every cause on, into the first row of `reach`.
void find_least_off(const SearchArrays& p) {
  const std::size_t width = p.n_vectors;
  Lanes* least = lanes(p.reach, 0, width);
  for (std::size_t v = 0; v < width; ++v) least[v] = lanes(p.quiet, 0, width)[v];
  for (std::size_t k = 0; k < p.n_causes; ++k) {
    for (std::size_t v = 0; v < width; ++v) least[v] *= lanes(p.failure, k, width)[v];
  }
}

/// Of hundreds of variables that are on the weights of states differ by more than a double holds:
/// the share that suits them is looked for between one that underflows and one that overflows.
template <std::size_t known_width>
SearchResult search_in_scale(const SearchArrays& p) {
  constexpr int most_attempts = 12;
  double underflows = 0;
  double overflows = 1;
  double share = 0;
  for (int attempt = 0;; ++attempt) {
    find_least_off(p);
    const double log_scale = set_scale(p, share);
    clear_results(p);
    Search<known_width> search(p);
    const double total = p.n_followed > 0 ? search.follow() : search.run();
    const bool is_small = total <= 1e-290;
    if (attempt == most_attempts || (!is_small && total < 1e290)) {
      times_results(p, total > 0 && total < HUGE_VAL ? 1 / total : 0);
      return {std::log(total) + log_scale, search.truncated(), search.n_states(), search.n_steps()};
    }
    (is_small ? underflows : overflows) = share;
    const bool may_try_end = attempt == 1 && is_small;
    share = may_try_end ? 1 : (underflows + overflows) / 2;
  }
}

/// Of the searches that are compiled for a number of vectors, that of this row's.
template <std::size_t known_width>
SearchResult search_known(const SearchArrays& p) {
  constexpr std::size_t most_known = 8;
  if constexpr (known_width > most_known)
    return search_in_scale<0>(p);
  else
    return p.n_vectors == known_width ? search_in_scale<known_width>(p)
                                      : search_known<known_width + 1>(p);
}

SearchResult search_states(const SearchArrays& p) { return search_known<1>(p); }

}  // namespace

}  // namespace orrery::model
