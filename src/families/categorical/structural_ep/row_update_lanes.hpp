// The update of eight rows (row_update.hpp), compiled once for each instruction set. Each lane does
// the operations of RowBeliefs in their order.
#pragma once

#include "families/categorical/structural_ep/projection_lanes.hpp"
#include "families/categorical/structural_ep/row_update.hpp"

namespace orrery::structural_ep {
namespace {

constexpr double lowest_count = 1e-6;  // as in messages.cpp

class LaneUpdate {
 public:
  LaneUpdate(const SweepArrays& sweep, const GroupArrays& group)
      : s_(sweep),
        g_(group),
        belief_(lanes(group.belief)),
        cavity_structure_(lanes(group.room)),
        evidence_(cavity_structure_ + sweep.n_sets),
        cavity_states_(evidence_ + sweep.n_sets),
        expected_(cavity_states_ + sweep.n_states),
        share_(expected_ + sweep.n_rows),
        projected_(share_ + sweep.n_rows) {}

  std::size_t run() {
    std::size_t n_passed_over = 0;
    for (std::size_t i = 0; i < s_.n_observed; ++i) {
      begin(i);
      const Mask present = is_least(x_, 0);
      const Mask fit = leave_out() & present;
      n_passed_over += n_set(present) - n_set(fit);
      send_states(fit);
      send_counts(fit);
      if (!s_.hold_structure) send_structure(fit);
      add_counts();
    }
    return n_passed_over;
  }

 private:
  /// The sets and rows of parameters that variable i has to do with, and its messages.
  void begin(std::size_t i) {
    x_ = *lanes(g_.codes + row_lanes * i);
    n_categories_ = s_.n_categories[i];
    first_set_ = 0;
    end_set_ = s_.n_sets;
    first_row_ = 0;
    end_row_ = s_.n_rows;
    if (s_.held_sets != nullptr) {
      first_set_ = s_.held_sets[i];
      end_set_ = first_set_ + 1;
      first_row_ = s_.sets[first_set_].first_row;
      end_row_ = first_row_ + s_.sets[first_set_].n_states;
    }
    i_ = i;
    sent_ = lanes(g_.counts) + s_.first_count[i];
    message_ = lanes(g_.states) + i * s_.n_states;
    structure_ = lanes(g_.structure) + i * s_.n_sets;
    cavity_counts_ = projected_ + 4 * n_categories_;
  }

  /// Lanes whose parameters are proper without their messages.
  Mask leave_out() {
    Mask fit = is_equal(all(0), 0);
    const double* counts = s_.counts + s_.first_count[i_];
    for (std::size_t j = first_row_; j < end_row_; ++j) {
      Lanes total = all(0);
      Lanes of_x = all(0);
      for (std::size_t l = 0; l < n_categories_; ++l) {
        const std::size_t at = j * n_categories_ + l;
        const Lanes cavity = counts[at] - sent_[at];
        cavity_counts_[at] = cavity;
        fit = fit & is_least(cavity, lowest_count);
        total += cavity;
        of_x = choose(is_equal(x_, static_cast<double>(l)), cavity, of_x);
      }
      expected_[j] = of_x / total;
    }
    const double* structure = s_.structure + i_ * s_.n_sets;
    Lanes norm = all(0);
    for (std::size_t k = first_set_; k < end_set_; ++k) {
      cavity_structure_[k] = structure[k] / structure_[k];
      norm += cavity_structure_[k];
    }
    const Lanes share = 1 / norm;
    total_ = all(0);
    for (std::size_t k = first_set_; k < end_set_; ++k) {
      cavity_structure_[k] = larger(cavity_structure_[k] * share, all(lowest_probability));
      leave_out_states(s_.sets[k], k);
      total_ += cavity_structure_[k] * evidence_[k];
    }
    return fit;
  }

  void leave_out_states(const SetPlace& set, std::size_t k) {
    Lanes norm = all(0);
    Lanes evidence = all(0);
    const Lanes* expected = expected_ + set.first_row;
    Lanes* cavity = cavity_states_ + set.first_state;
    for (std::size_t j = 0; j < set.n_states; ++j) {
      cavity[j] = belief_[set.first_state + j] / message_[set.first_state + j];
      norm += cavity[j];
      evidence += cavity[j] * expected[j];
    }
    const Lanes share = 1 / norm;
    for (std::size_t j = 0; j < set.n_states; ++j) cavity[j] *= share;
    evidence_[k] = evidence * share;
  }

  void send_states(const Mask& fit) {
    for (std::size_t j = first_row_; j < end_row_; ++j) share_[j] = all(0);
    of_total_ = 1 / total_;
    for (std::size_t k = first_set_; k < end_set_; ++k) {
      const SetPlace& set = s_.sets[k];
      const Lanes weight = cavity_structure_[k] * of_total_;
      const Lanes others = larger(1 - weight * evidence_[k], all(0));
      const Lanes* expected = expected_ + set.first_row;
      const Lanes* cavity = cavity_states_ + set.first_state;
      Lanes* message = message_ + set.first_state;
      Lanes* belief = belief_ + set.first_state;
      Lanes norm = all(0);
      for (std::size_t j = 0; j < set.n_states; ++j) {
        share_[set.first_row + j] += weight * cavity[j] * expected[j];
        const Lanes now = weight * expected[j] + others;
        message[j] = choose(fit, now, message[j]);
        norm += cavity[j] * now;
      }
      const Lanes share = 1 / norm;
      for (std::size_t j = 0; j < set.n_states; ++j) {
        const Lanes now = larger(cavity[j] * message[j] * share, all(lowest_probability));
        belief[j] = choose(fit, now, belief[j]);
      }
    }
  }

  void send_counts(const Mask& fit) {
    for (std::size_t j = first_row_; j < end_row_; ++j) {
      const Lanes* cavity = cavity_counts_ + j * n_categories_;
      const Lanes p = each(
          [&](std::size_t i) { return share_[j].part[i] > 1 ? Vector{} + 1 : share_[j].part[i]; });
      const Mixture mixture{cavity, n_categories_, x_, p};
      match_mean_variance(mixture, projected_);
      if (s_.by_mean_logs) match_mean_logs(mixture, fit, projected_, projected_ + n_categories_);
      Lanes* sent = sent_ + j * n_categories_;
      for (std::size_t l = 0; l < n_categories_; ++l) {
        const Lanes now = sent[l] + s_.damping * (projected_[l] - cavity[l] - sent[l]);
        sent[l] = choose(fit, now, sent[l]);
      }
    }
  }

  /// Eq. (18), and the logs added up.
  void send_structure(const Mask& fit) {
    for (std::size_t k = 0; k < s_.n_sets; ++k) {
      structure_[k] = choose(fit, evidence_[k] * of_total_, structure_[k]);
      Lanes log = log_of(structure_[k]);
      double sum = g_.log_structure_sums[i_ * s_.n_sets + k];
      for (std::size_t r = 0; r < row_lanes; ++r) {
        sum += g_.weights[r] * lane(log, r);
      }
      g_.log_structure_sums[i_ * s_.n_sets + k] = sum;
    }
  }

  /// Messages to other rows of parameters are 0.
  void add_counts() {
    double* sums = g_.count_sums + s_.first_count[i_];
    for (std::size_t at = first_row_ * n_categories_; at < end_row_ * n_categories_; ++at) {
      double sum = sums[at];
      for (std::size_t r = 0; r < row_lanes; ++r) sum += g_.weights[r] * lane(sent_[at], r);
      sums[at] = sum;
    }
  }

  Lanes total_{};  // of variable i, as x_
  Lanes of_total_{};
  Lanes x_{};
  const SweepArrays& s_;
  const GroupArrays& g_;
  Lanes* belief_;
  // As in RowBeliefs:
  Lanes* cavity_structure_;
  Lanes* evidence_;
  Lanes* cavity_states_;
  Lanes* expected_;
  Lanes* share_;
  Lanes* projected_;
  Lanes* cavity_counts_ = nullptr;
  // Of variable i:
  std::size_t i_ = 0;
  std::size_t n_categories_ = 0;
  std::size_t first_set_ = 0;
  std::size_t end_set_ = 0;
  std::size_t first_row_ = 0;
  std::size_t end_row_ = 0;
  Lanes* sent_ = nullptr;
  Lanes* message_ = nullptr;
  Lanes* structure_ = nullptr;
};

std::size_t update_in_lanes(const SweepArrays& sweep, const GroupArrays& group) {
  return LaneUpdate(sweep, group).run();
}

void add_logs_in_lanes(const SweepArrays& sweep, const double* states, std::size_t first,
                       std::size_t n, double* logs, double* room) {
  Lanes* product = lanes(room);
  for (std::size_t s = 0; s < sweep.n_states; ++s) product[s] = all(1);
  for (std::size_t i = first; i < first + n; ++i) {
    const Lanes* message = lanes(states) + i * sweep.n_states;
    std::size_t begin = 0;
    std::size_t end = sweep.n_states;
    if (sweep.held_sets != nullptr) {
      begin = sweep.sets[sweep.held_sets[i]].first_state;
      end = begin + sweep.sets[sweep.held_sets[i]].n_states;
    }
    for (std::size_t s = begin; s < end; ++s) product[s] *= message[s];
  }
  for (std::size_t s = 0; s < sweep.n_states; ++s) lanes(logs)[s] += log_of(product[s]);
}

}  // namespace
}  // namespace orrery::structural_ep
