// The causes of one row: messages between causes and their product causes (Eqs. 27, 28), and
// beliefs of both.
#include <algorithm>
#include <array>
#include <cmath>

#include "families/categorical/structural_ep/messages.hpp"
#include "kernels/logarithm.hpp"
#include "orrery/data/categorical_table.hpp"

namespace orrery::structural_ep {
namespace {

/// Log of the prior of a state in which a held cause is not.
constexpr double held_out_log = -600;

/// Logs of q\\k(z) of each cause of a set.
using Cavities = std::array<std::array<double, max_cardinality>, max_causes_of_set>;

/// Of a set of any number of causes: what its messages `from` and the other causes' cavities say of
/// state `j` of its a-th cause (Eq. 27).
double sum_over_others(const ParentSet& set, const double* from, const Cavities& cavity,
                       std::size_t a, std::size_t j, std::size_t j_all) {
  std::array<double, max_states> terms{};
  std::size_t n = 0;
  if (set.causes.size() == 2) {  // without a division
    for (std::size_t h = 0; h < j_all; ++h) {
      terms[n++] = from[a == 0 ? j + j_all * h : h + j_all * j] + cavity[1 - a][h];
    }
    return log_sum(std::span(terms).first(n));
  }
  for (std::size_t s = 0; s < set.n_states; ++s) {
    if (state_of(s, a, j_all) != j) continue;
    double term = from[s];
    for (std::size_t b = 0; b < set.causes.size(); ++b) {
      if (b != a) term += cavity[b][state_of(s, b, j_all)];
    }
    terms[n++] = term;
  }
  return log_sum(std::span(terms).first(n));
}

}  // namespace

void RowBeliefs::gather(const RowView& row, bool refresh) {
  std::ranges::fill(log_messages_, 0.0);
  std::ranges::fill(product_, 1.0);
  std::size_t pending = 0;
  const auto flush = [&] {
    for (std::size_t s = 0; s < shape_.n_states; ++s)
      log_messages_[s] += kernels::logarithm(product_[s]);
    std::ranges::fill(product_, 1.0);
    pending = 0;
  };
  for (std::size_t i = 0; i < row.codes.size(); ++i) {
    if (row.codes[i] == data::missing_code) continue;
    const LaneSpan message = row.states.subspan(i * shape_.n_states, shape_.n_states);
    const Reach reach = this->reach(row, i);
    const std::size_t end = shape_.sets[reach.end_set - 1].end_state();
    for (std::size_t s = shape_.sets[reach.first_set].first_state; s < end; ++s) {
      product_[s] *= message[s];
    }
    if (++pending == messages_a_logarithm) flush();
  }
  flush();
  believe(row, refresh);
}

void RowBeliefs::gather_from(const LaneSpan& log_messages, const RowView& row) {
  for (std::size_t s = 0; s < shape_.n_states; ++s) log_messages_[s] = log_messages[s];
  believe(row, true);
}

void RowBeliefs::believe(const RowView& row, bool refresh) {
  if (shape_.max_parents > 1 && refresh) {
    for (int round = 0; round < 2; ++round) send_between_causes(row);
  }
  set_context(row);
  for (const ParentSet& set : shape_.sets) {
    std::array<double, max_states> logs{};
    for (std::size_t j = 0; j < set.n_states; ++j) {
      logs[j] = log_context_[set.first_state + j] + log_messages_[set.first_state + j];
    }
    from_logs(std::span(logs).first(set.n_states),
              std::span(belief_).subspan(set.first_state, set.n_states));
  }
}

/// The cause's prior is uniform; where it is held, as good as certain.
void RowBeliefs::sum_cause_messages(const RowView& row) {
  const std::size_t j_all = shape_.cardinality;
  for (std::size_t l = 0; l < shape_.n_causes; ++l) {
    for (std::size_t j = 0; j < j_all; ++j) {
      const bool out = row.held[l] != free_state && row.held[l] != j;
      cause_logs_[l * j_all + j] = out ? held_out_log : 0;
    }
  }
  if (shape_.max_parents == 1) return;
  for (std::size_t k = 0; k < shape_.n_sets(); ++k) {
    const auto& causes = shape_.sets[k].causes;
    for (std::size_t a = 0; a < causes.size(); ++a) {
      for (std::size_t j = 0; j < j_all; ++j) {
        cause_logs_[causes[a] * j_all + j] += row.causes[(k * shape_.max_parents + a) * j_all + j];
      }
    }
  }
}

/// q\k(z_l) of set k's a-th cause: logs, normalised. Returns what they were divided by.
double RowBeliefs::cause_cavity(const RowView& row, std::size_t k, std::size_t a,
                                std::span<double> logs) const {
  const std::size_t j_all = shape_.cardinality;
  const std::size_t cause = shape_.sets[k].causes[a];
  for (std::size_t j = 0; j < j_all; ++j) {
    logs[j] = cause_logs_[cause * j_all + j];
    if (shape_.max_parents > 1) logs[j] -= row.causes[(k * shape_.max_parents + a) * j_all + j];
  }
  const double norm = log_sum(logs.first(j_all));
  for (std::size_t j = 0; j < j_all; ++j) logs[j] -= norm;
  return norm;
}

void RowBeliefs::send_between_causes(const RowView& row) {
  const std::size_t j_all = shape_.cardinality;
  Cavities cavity{};
  sum_cause_messages(row);
  for (std::size_t k = 0; k < shape_.n_sets(); ++k) {
    const ParentSet& set = shape_.sets[k];
    const double* from = log_messages_.data() + set.first_state;
    for (std::size_t a = 0; a < set.causes.size(); ++a) {
      std::array<double, max_cardinality> sent{};
      for (std::size_t b = 0; b < set.causes.size(); ++b) {
        if (b != a) cause_cavity(row, k, b, cavity[b]);
      }
      for (std::size_t j = 0; j < j_all; ++j) {
        sent[j] =
            set.causes.size() == 1 ? from[j] : sum_over_others(set, from, cavity, a, j, j_all);
      }
      const double largest = std::ranges::max(std::span(sent).first(j_all));
      for (std::size_t j = 0; j < j_all; ++j) {
        double& message = row.causes[(k * shape_.max_parents + a) * j_all + j];
        cause_logs_[set.causes[a] * j_all + j] += sent[j] - largest - message;
        message = sent[j] - largest;
      }
    }
  }
}

/// Eq. (28): what the causes say of each state; and q(z).
void RowBeliefs::set_context(const RowView& row) {
  const std::size_t j_all = shape_.cardinality;
  Cavities cavity{};
  sum_cause_messages(row);
  for (std::size_t k = 0; k < shape_.n_sets(); ++k) {
    const ParentSet& set = shape_.sets[k];
    for (std::size_t a = 0; a < set.causes.size(); ++a) cause_cavity(row, k, a, cavity[a]);
    for (std::size_t j = 0; j < set.n_states; ++j) {
      double log = 0;
      for (std::size_t a = 0; a < set.causes.size(); ++a) log += cavity[a][state_of(j, a, j_all)];
      log_context_[set.first_state + j] = log;
    }
  }
  for (std::size_t l = 0; l < shape_.n_causes; ++l) {
    const auto belief = std::span(cause_belief_).subspan(l * j_all, j_all);
    std::array<double, max_cardinality> logs{};
    for (std::size_t j = 0; j < j_all; ++j) {
      logs[j] = cause_logs_[l * j_all + j];
      // With one parent the cause is its own set, and hears from observed variables itself.
      if (shape_.max_parents == 1) logs[j] += log_messages_[shape_.sets[l].first_state + j];
    }
    from_logs(std::span(logs).first(j_all), belief);
  }
}

std::span<const double> RowBeliefs::states_without(const RowView& row, std::size_t i,
                                                   std::size_t own) {
  const std::size_t j_all = shape_.cardinality;
  const ParentSet& held = shape_.sets[own];
  const LaneSpan message =
      row.states.subspan(i * shape_.n_states + held.first_state, held.n_states);
  // A cause's message from `own` is its marginal there over all else that it hears.
  for (std::size_t a = 0; a < held.causes.size(); ++a) {
    std::array<double, max_cardinality> with{};
    std::array<double, max_cardinality> without{};
    for (std::size_t j = 0; j < held.n_states; ++j) {
      const double belief = belief_[held.first_state + j];
      with[state_of(j, a, j_all)] += belief;
      without[state_of(j, a, j_all)] += belief / message[j];
    }
    for (std::size_t j = 0; j < j_all; ++j) {
      taken_back_[held.causes[a] * j_all + j] = without[j] / with[j];
    }
  }
  for (std::size_t k = 0; k < shape_.n_sets(); ++k) {
    const ParentSet& set = shape_.sets[k];
    const auto result = std::span(cavity_states_).subspan(set.first_state, set.n_states);
    for (std::size_t j = 0; j < set.n_states; ++j) {
      double belief = belief_[set.first_state + j];
      if (k == own) {
        belief /= message[j];
      } else {
        for (std::size_t a = 0; a < set.causes.size(); ++a) {
          belief *= taken_back_[set.causes[a] * j_all + state_of(j, a, j_all)];
        }
      }
      result[j] = belief;
    }
    normalise(result);
  }
  for (const std::uint32_t cause : held.causes) {
    std::fill_n(taken_back_.begin() + static_cast<std::ptrdiff_t>(cause * j_all), j_all, 1.0);
  }
  return cavity_states_;
}

}  // namespace orrery::structural_ep
