// The bounds of eight rows (row_update.hpp), compiled once for each instruction set. Each lane does
// the operations of RowBeliefs::states_without in their order.
#pragma once

#include "families/categorical/structural_ep/lanes.hpp"
#include "families/categorical/structural_ep/row_update.hpp"

namespace orrery::structural_ep {
namespace {

/// StructureBounds of evidence.hpp, with the operations of RowBeliefs::states_without.
class LaneBounds {
 public:
  LaneBounds(const SweepArrays& sweep, const BoundArrays& group)
      : s_(sweep),
        g_(group),
        untouched_(lanes(group.room)),
        states_(untouched_ + sweep.n_states),
        shares_(states_ + sweep.n_states),
        taken_back_(shares_ + sweep.n_states),
        with_(taken_back_ + group.n_causes * group.cardinality),
        without_(with_ + group.cardinality) {}

  void run() {
    for (std::size_t l = 0; l < g_.n_causes * g_.cardinality; ++l) taken_back_[l] = all(1);
    for (std::size_t k = 0; k < s_.n_sets; ++k) {
      const std::size_t first = s_.sets[k].first_state;
      normalise(s_.sets[k], lanes(g_.belief) + first, untouched_ + first);
    }
    for (std::size_t i = 0; i < s_.n_observed; ++i) {
      leave_out(i);
      for (std::size_t k = 0; k < s_.n_sets; ++k) share(i, k);
      add_counts(i);
      const SetPlace& own = s_.sets[s_.held_sets[i]];
      for (std::size_t a = 0; a < own.n_causes; ++a) {
        for (std::size_t j = 0; j < g_.cardinality; ++j) {
          taken_back_[own.causes[a] * g_.cardinality + j] = all(1);
        }
      }
    }
  }

 private:
  void normalise(const SetPlace& set, const Lanes* from, Lanes* to) const {
    Lanes total = all(0);
    for (std::size_t j = 0; j < set.n_states; ++j) total += from[j];
    const Lanes share = 1 / total;
    for (std::size_t j = 0; j < set.n_states; ++j) {
      to[j] = larger(from[j] * share, all(lowest_probability));
    }
  }

  [[nodiscard]] std::size_t state_of(std::size_t state, std::size_t a) const {
    for (; a > 0; --a) state /= g_.cardinality;
    return state % g_.cardinality;
  }

  /// What the causes of value i's own set say of it without the value.
  void take_back(const SetPlace& own, const Lanes* message) {
    const Lanes* belief = lanes(g_.belief) + own.first_state;
    for (std::size_t a = 0; a < own.n_causes; ++a) {
      for (std::size_t j = 0; j < g_.cardinality; ++j) with_[j] = without_[j] = all(0);
      for (std::size_t j = 0; j < own.n_states; ++j) {
        with_[state_of(j, a)] += belief[j];
        without_[state_of(j, a)] += belief[j] / message[j];
      }
      for (std::size_t j = 0; j < g_.cardinality; ++j) {
        taken_back_[own.causes[a] * g_.cardinality + j] = without_[j] / with_[j];
      }
    }
  }

  [[nodiscard]] bool are_apart(const SetPlace& x, const SetPlace& y) const {
    for (std::size_t a = 0; a < x.n_causes; ++a) {
      for (std::size_t b = 0; b < y.n_causes; ++b) {
        if (x.causes[a] == y.causes[b]) return false;
      }
    }
    return true;
  }

  /// q(u) of every set without value i. Sets that have no cause of its own set are untouched.
  void leave_out(std::size_t i) {
    const std::size_t k_own = s_.held_sets[i];
    const SetPlace& own = s_.sets[k_own];
    const Lanes* message = lanes(g_.states) + i * s_.n_states + own.first_state;
    take_back(own, message);
    for (std::size_t k = 0; k < s_.n_sets; ++k) {
      const SetPlace& set = s_.sets[k];
      const Lanes* belief = lanes(g_.belief) + set.first_state;
      Lanes* result = states_ + set.first_state;
      if (are_apart(set, own)) {
        for (std::size_t j = 0; j < set.n_states; ++j) result[j] = untouched_[set.first_state + j];
        continue;
      }
      for (std::size_t j = 0; j < set.n_states; ++j) {
        result[j] = belief[j];
        if (k == k_own) {
          result[j] = belief[j] / message[j];
          continue;
        }
        for (std::size_t a = 0; a < set.n_causes; ++a) {
          result[j] *= taken_back_[set.causes[a] * g_.cardinality + state_of(j, a)];
        }
      }
      normalise(set, result, result);
    }
  }

  void share(std::size_t i, std::size_t k) {
    const SetPlace& set = s_.sets[k];
    const Lanes& x = *lanes(g_.codes + row_lanes * i);
    const std::size_t n_categories = s_.n_categories[i];
    const double* expected =
        g_.expectations + g_.first_expectation[i] + set.first_state * n_categories;
    Lanes total = all(0);
    for (std::size_t j = 0; j < set.n_states; ++j) {
      Lanes of_x = all(1);
      for (std::size_t l = 0; l < n_categories; ++l) {
        of_x =
            choose(is_equal(x, static_cast<double>(l)), all(expected[j * n_categories + l]), of_x);
      }
      shares_[set.first_state + j] = states_[set.first_state + j] * of_x;
      total += shares_[set.first_state + j];
    }
    for (std::size_t j = 0; j < set.n_states; ++j) {
      Lanes& of_state = shares_[set.first_state + j];
      of_state = of_state / total;
    }
    Lanes log = log_of(total);
    double sum = g_.score_sums[i * s_.n_sets + k];
    for (std::size_t r = 0; r < row_lanes; ++r) {
      if (g_.codes[row_lanes * i + r] >= 0) sum += g_.weights[r] * lane(log, r);
    }
    g_.score_sums[i * s_.n_sets + k] = sum;
  }

  void add_counts(std::size_t i) {
    const std::size_t n_categories = s_.n_categories[i];
    for (std::size_t r = 0; r < row_lanes; ++r) {
      const double x = g_.codes[row_lanes * i + r];
      if (x < 0) continue;
      double* counts = g_.count_sums + g_.first_expectation[i] + static_cast<std::size_t>(x);
      for (std::size_t s = 0; s < s_.n_states; ++s) {
        counts[s * n_categories] += g_.weights[r] * lane(shares_[s], r);
      }
    }
  }

  const SweepArrays& s_;
  const BoundArrays& g_;
  Lanes* untouched_;  // states without a value whose set shares no cause
  Lanes* states_;
  Lanes* shares_;
  Lanes* taken_back_;
  Lanes* with_;
  Lanes* without_;
};

void share_in_lanes(const SweepArrays& sweep, const BoundArrays& group) {
  LaneBounds(sweep, group).run();
}

}  // namespace
}  // namespace orrery::structural_ep
