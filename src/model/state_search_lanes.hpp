// The searches for states of causes, compiled once for each instruction set (see
// state_lanes_*.cpp): StateSearch of state_sums.hpp, and the beam of state_beam.hpp. Everything has
// internal linkage, so that no wide instruction leaks elsewhere.
#pragma once

#include <cmath>

#include "kernels/logarithm.hpp"
#include "model/eight_lanes.hpp"
#include "model/state_beam.hpp"
#include "model/state_sums.hpp"

namespace orrery::model {

// The search of StateSearch.

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
  [[nodiscard]] bool truncated() const { return truncated_; }
  [[nodiscard]] std::size_t n_states() const { return n_nodes_; }

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

  /// Adds the state at `depth` to the sums; its weight.
  double settle_state(std::size_t depth, double odds) {
    const Lanes* off = lanes(p_.off, depth, width());
    Lanes* inverse = lanes(p_.inverse_on, depth, width());
    const Lanes* scale = lanes(p_.scale, 0, width());
    Lanes on = all(1);
    for (std::size_t v = 0; v < width(); ++v) {
      const Lanes probability = 1 - off[v];
      inverse[v] = 1 / probability;
      on *= scale[v] * probability;
    }
    const double weight = odds * product(on);
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

  void settle(const Lanes* inverse_on, double weight) {
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

  const SearchArrays& p_;
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
    const double total = search.run();
    const bool is_small = total <= 1e-290;
    if (attempt == most_attempts || (!is_small && total < 1e290)) {
      times_results(p, total > 0 && total < HUGE_VAL ? 1 / total : 0);
      return {std::log(total) + log_scale, search.truncated(), search.n_states()};
    }
    (is_small ? underflows : overflows) = share;
    const bool may_try_end = attempt == 1 && is_small;
    share = may_try_end ? 1 : (underflows + overflows) / 2;
  }
}

SearchResult search_states(const SearchArrays& p) {
  switch (p.n_vectors) {
    case 1:
      return search_in_scale<1>(p);
    case 2:
      return search_in_scale<2>(p);
    case 3:
      return search_in_scale<3>(p);
    case 4:
      return search_in_scale<4>(p);
    case 5:
      return search_in_scale<5>(p);
    case 6:
      return search_in_scale<6>(p);
    case 7:
      return search_in_scale<7>(p);
    case 8:
      return search_in_scale<8>(p);
    default:
      return search_in_scale<0>(p);
  }
}

}  // namespace

// Opening a state of the beam, eight causes at a time.

namespace {

// Probabilities of at least 1e-9 can be multiplied so often before a logarithm is taken.
constexpr std::size_t longest_product = 24;

Lanes log_of(const Lanes& x) {
  return each([&](std::size_t i) { return kernels::logarithm<Vector, Places>(x.part[i]); });
}

void find_off_in_lanes(const RowArrays& row, std::uint64_t state, double* off) {
  for (std::size_t first = 0; first < row.stride; first += 8) {
    Lanes product = *lanes(row.quiet_on + first);
    for (std::uint64_t rest = state; rest != 0; rest &= rest - 1) {
      const auto c = static_cast<std::size_t>(__builtin_ctzll(rest));
      product *= *lanes(row.failure_on + c * row.stride + first);
    }
    *lanes(off + first) = product;
  }
}

/// The causes of a vector that are on, as masks.
void find_on(std::uint64_t state, std::size_t first, Places* is_on) {
  for (std::size_t i = 0; i < n_vectors; ++i) {
    Places bits{};
    for (std::size_t l = 0; l < ORRERY_LANES; ++l) bits[l] = 1LL << (ORRERY_LANES * i + l);
    is_on[i] = (static_cast<long long>(state >> first) & bits) == bits;
  }
}

/// `n` vectors of causes side by side: none waits for the products of another.
template <std::size_t n>
void open_vectors(const RowArrays& row, std::uint64_t state, const double* off, std::size_t first,
                  double* gains) {
  Places is_on[n][n_vectors];
  Lanes explained[n];
  for (std::size_t b = 0; b < n; ++b) {
    find_on(state, first + 8 * b, is_on[b]);
    explained[b] = all(0);
  }
  for (std::size_t begin = 0; begin < row.n_on; begin += longest_product) {
    const std::size_t end = begin + longest_product < row.n_on ? begin + longest_product : row.n_on;
    Lanes product[n];
    for (std::size_t b = 0; b < n; ++b) product[b] = all(1);
    for (std::size_t j = begin; j < end; ++j) {
      const std::size_t at = row.on[j] * row.width + first;
      const double stays_off = off[j];
      for (std::size_t b = 0; b < n; ++b) {
        const Lanes& failure = *lanes(row.failure + at + 8 * b);
        const Lanes& inverse = *lanes(row.inverse + at + 8 * b);
        product[b] *= each([&](std::size_t i) {
          return 1 - stays_off * (is_on[b][i] ? inverse.part[i] : failure.part[i]);
        });
      }
    }
    for (std::size_t b = 0; b < n; ++b) explained[b] += log_of(product[b]);
  }
  for (std::size_t b = 0; b < n; ++b) {
    Lanes field = *lanes(row.field + first + 8 * b);
    for (std::uint64_t rest = state; rest != 0; rest &= rest - 1) {
      const auto c = static_cast<std::size_t>(__builtin_ctzll(rest));
      field += *lanes(row.coupling + c * row.width + first + 8 * b);
    }
    *lanes(gains + first + 8 * b) = each([&](std::size_t i) {
      const Vector sign = is_on[b][i] ? Vector{} - 1 : Vector{} + 1;
      return explained[b].part[i] + sign * field.part[i];
    });
  }
}

void open_in_lanes(const RowArrays& row, std::uint64_t state, double* off, double* gains) {
  find_off_in_lanes(row, state, off);
  std::size_t first = 0;
  for (; first + 32 <= row.width; first += 32) open_vectors<4>(row, state, off, first, gains);
  if (first + 16 <= row.width) {
    open_vectors<2>(row, state, off, first, gains);
    first += 16;
  }
  if (first < row.width) open_vectors<1>(row, state, off, first, gains);
  // The first lane behind the causes is a cause that changes nothing: the state itself.
  const double own = gains[row.n_causes];
  for (std::size_t c = 0; c < row.width; ++c) gains[c] -= own;
}

std::uint64_t find_heavy_in_lanes(const double* gains, std::size_t width, double log_weight,
                                  double least) {
  Places heavy[n_vectors] = {};
  for (std::size_t first = 0; first < width; first += 8) {
    for (std::size_t i = 0; i < n_vectors; ++i) {
      Places bits{};
      for (std::size_t l = 0; l < ORRERY_LANES; ++l) bits[l] = 1LL << (ORRERY_LANES * i + l);
      const Vector weight = log_weight + lanes(gains + first)->part[i];
      heavy[i] |= (weight >= least) & (bits << first);
    }
  }
  std::uint64_t all_of_them = 0;
  for (std::size_t i = 0; i < n_vectors; ++i) {
    for (std::size_t l = 0; l < ORRERY_LANES; ++l) {
      all_of_them |= static_cast<std::uint64_t>(heavy[i][l]);
    }
  }
  return all_of_them;
}

void add_share_in_lanes(const RowArrays& row, std::uint64_t state, double share, const double* off,
                        double* inverse, double* shared) {
  for (std::size_t first = 0; first < row.stride; first += 8) {
    const Lanes term = share / (1 - *lanes(off + first));
    *lanes(inverse + first) += term;
    for (std::uint64_t rest = state; rest != 0; rest &= rest - 1) {
      const auto c = static_cast<std::size_t>(__builtin_ctzll(rest));
      *lanes(shared + c * row.stride + first) += term;
    }
  }
}

}  // namespace

}  // namespace orrery::model
