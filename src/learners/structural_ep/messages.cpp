#include "learners/structural_ep/messages.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "orrery/data/categorical_table.hpp"

namespace orrery::structural_ep {
namespace {

/// Counts of a cavity below this make it improper in all but name.
constexpr double least_count = 1e-6;
/// Probabilities are kept above this: a state that is out is out by any message.
constexpr double least_probability = 1e-280;
/// Log of the prior of a state in which a held cause is not.
constexpr double held_out_log = -600;

double log_sum(std::span<const double> logs) noexcept {
  const double largest = std::ranges::max(logs);
  double total = 0;
  for (const double value : logs) total += std::exp(value - largest);
  return largest + std::log(total);
}

void normalise(std::span<double> values) noexcept {
  const double total = std::accumulate(values.begin(), values.end(), 0.0);
  for (double& value : values) value = std::max(value / total, least_probability);
}

void from_logs(std::span<const double> logs, std::span<double> probabilities) noexcept {
  const double largest = std::ranges::max(logs);
  for (std::size_t j = 0; j < logs.size(); ++j) probabilities[j] = std::exp(logs[j] - largest);
  normalise(probabilities);
}

}  // namespace

RowMessages::RowMessages(const Shape& shape, std::size_t n_rows)
    : structure(n_rows * shape.n_observed() * shape.n_sets(), 1.0),
      states(n_rows * shape.n_observed() * shape.n_states, 1.0),
      counts(n_rows * shape.n_counts(), 0.0),
      causes(shape.max_parents == 2 ? n_rows * shape.n_sets() * 2 * shape.cardinality : 0, 0.0),
      held(n_rows * shape.n_causes, free_state) {}

RowView row_view(const Shape& shape, RowMessages& messages, std::size_t row,
                 std::span<const std::uint8_t> codes) {
  const auto part = [row](auto& values, std::size_t n) {
    return std::span(values).subspan(values.empty() ? 0 : row * n, values.empty() ? 0 : n);
  };
  const std::size_t d = shape.n_observed();
  return {codes,
          part(messages.structure, d * shape.n_sets()),
          part(messages.states, d * shape.n_states),
          part(messages.counts, shape.n_counts()),
          part(messages.causes, shape.n_sets() * 2 * shape.cardinality),
          part(messages.held, shape.n_causes)};
}

RowBeliefs::RowBeliefs(const Shape& shape)
    : shape_(shape),
      belief_(shape.n_states),
      cause_belief_(shape.n_causes * shape.cardinality),
      log_messages_(shape.n_states),
      log_context_(shape.n_states),
      cause_logs_(shape.n_causes * shape.cardinality),
      product_(shape.n_states),
      cavity_states_(shape.n_states),
      cavity_structure_(shape.n_sets()),
      cavity_counts_(shape.n_rows * max_length),
      projected_(max_length),
      expected_(shape.n_rows),
      evidence_(shape.n_sets()),
      share_(shape.n_rows),
      taken_back_(shape.n_causes * shape.cardinality, 1.0) {}

void RowBeliefs::gather(const RowView& row, bool refresh) {
  std::ranges::fill(log_messages_, 0.0);
  std::ranges::fill(product_, 1.0);
  // A logarithm for 16 messages: none is below 1e-12 or so (a count over a total).
  int pending = 0;
  const auto flush = [&] {
    for (std::size_t s = 0; s < shape_.n_states; ++s) log_messages_[s] += std::log(product_[s]);
    std::ranges::fill(product_, 1.0);
    pending = 0;
  };
  for (std::size_t i = 0; i < row.codes.size(); ++i) {
    if (row.codes[i] == data::missing_code) continue;
    const double* message = row.states.data() + i * shape_.n_states;
    for (std::size_t s = 0; s < shape_.n_states; ++s) product_[s] *= message[s];
    if (++pending == 16) flush();
  }
  flush();
  if (shape_.max_parents == 2 && refresh) {
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
        cause_logs_[causes[a] * j_all + j] += row.causes[(k * 2 + a) * j_all + j];
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
    if (shape_.max_parents == 2) logs[j] -= row.causes[(k * 2 + a) * j_all + j];
  }
  const double norm = log_sum(logs.first(j_all));
  for (std::size_t j = 0; j < j_all; ++j) logs[j] -= norm;
  return norm;
}

void RowBeliefs::send_between_causes(const RowView& row) {
  const std::size_t j_all = shape_.cardinality;
  std::array<std::array<double, max_cardinality>, 2> cavity{};
  std::array<double, max_cardinality> terms{};
  sum_cause_messages(row);
  for (std::size_t k = 0; k < shape_.n_sets(); ++k) {
    const ParentSet& set = shape_.sets[k];
    const double* from = log_messages_.data() + set.first_state;
    for (std::size_t a = 0; a < set.causes.size(); ++a) {
      std::array<double, max_cardinality> sent{};
      if (set.causes.size() == 2) cause_cavity(row, k, 1 - a, cavity[1 - a]);
      for (std::size_t j = 0; j < j_all; ++j) {
        if (set.causes.size() == 1) {
          sent[j] = from[j];
          continue;
        }
        for (std::size_t h = 0; h < j_all; ++h) {  // state of the other cause
          terms[h] = from[a == 0 ? j + j_all * h : h + j_all * j] + cavity[1 - a][h];
        }
        sent[j] = log_sum(std::span(terms).first(j_all));
      }
      const double largest = std::ranges::max(std::span(sent).first(j_all));
      for (std::size_t j = 0; j < j_all; ++j) {
        double& message = row.causes[(k * 2 + a) * j_all + j];
        cause_logs_[set.causes[a] * j_all + j] += sent[j] - largest - message;
        message = sent[j] - largest;
      }
    }
  }
}

/// Eq. (28): what the causes say of each state; and q(z).
void RowBeliefs::set_context(const RowView& row) {
  const std::size_t j_all = shape_.cardinality;
  std::array<std::array<double, max_cardinality>, 2> cavity{};
  sum_cause_messages(row);
  for (std::size_t k = 0; k < shape_.n_sets(); ++k) {
    const ParentSet& set = shape_.sets[k];
    for (std::size_t a = 0; a < set.causes.size(); ++a) cause_cavity(row, k, a, cavity[a]);
    for (std::size_t j = 0; j < set.n_states; ++j) {
      double log = cavity[0][state_of(j, 0, j_all)];
      if (set.causes.size() == 2) log += cavity[1][state_of(j, 1, j_all)];
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

double RowBeliefs::log_normalizers(const RowView& row) const {
  const std::size_t j_all = shape_.cardinality;
  const double log_uniform = std::log(static_cast<double>(j_all));
  std::array<double, max_states> logs{};
  std::array<double, max_cardinality> cavity{};
  double result = 0;
  for (std::size_t k = 0; k < shape_.n_sets(); ++k) {  // u_k
    const ParentSet& set = shape_.sets[k];
    for (std::size_t j = 0; j < set.n_states; ++j) {
      logs[j] = log_context_[set.first_state + j] + log_messages_[set.first_state + j];
    }
    result += log_sum(std::span(logs).first(set.n_states));
  }
  if (shape_.max_parents == 1) return result;
  // z_l, and the factors between z and u: what remains of their terms beside those of u.
  for (std::size_t l = 0; l < shape_.n_causes; ++l) {
    result += log_sum(std::span(cause_logs_).subspan(l * j_all, j_all)) - log_uniform;
  }
  for (std::size_t k = 0; k < shape_.n_sets(); ++k) {
    const ParentSet& set = shape_.sets[k];
    for (std::size_t a = 0; a < set.causes.size(); ++a) {
      const double of_cavity = cause_cavity(row, k, a, cavity);
      result += of_cavity - log_sum(std::span(cause_logs_).subspan(set.causes[a] * j_all, j_all));
    }
  }
  return result;
}

std::span<const double> RowBeliefs::states_without(const RowView& row, std::size_t i,
                                                   std::size_t own) {
  const std::size_t j_all = shape_.cardinality;
  const ParentSet& held = shape_.sets[own];
  const double* message = row.states.data() + i * shape_.n_states + held.first_state;
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

/// q\i and q\n of one value; false if a row of parameters is improper without its message.
bool RowBeliefs::leave_out(const RowView& row, const Posterior& posterior, std::size_t i) {
  const std::size_t n_categories = shape_.n_categories[i];
  const std::size_t x = row.codes[i];
  const double* counts = posterior.counts.data() + shape_.first_count[i];
  const double* sent = row.counts.data() + shape_.first_count[i];
  for (std::size_t j = 0; j < shape_.n_rows; ++j) {
    double total = 0;
    for (std::size_t l = j * n_categories; l < (j + 1) * n_categories; ++l) {
      cavity_counts_[l] = counts[l] - sent[l];
      if (!(cavity_counts_[l] >= least_count)) return false;
      total += cavity_counts_[l];
    }
    expected_[j] = cavity_counts_[j * n_categories + x] / total;
  }
  const std::size_t n_sets = shape_.n_sets();
  for (std::size_t k = 0; k < n_sets; ++k) {
    cavity_structure_[k] = posterior.structure[i * n_sets + k] / row.structure[i * n_sets + k];
  }
  normalise(cavity_structure_);
  const double* message = row.states.data() + i * shape_.n_states;
  total_ = 0;
  for (std::size_t k = 0; k < n_sets; ++k) {
    const ParentSet& set = shape_.sets[k];
    double norm = 0;
    double evidence = 0;
    for (std::size_t j = 0; j < set.n_states; ++j) {
      const double belief = belief_[set.first_state + j] / message[set.first_state + j];
      cavity_states_[set.first_state + j] = belief;
      norm += belief;
      evidence += belief * expected_[set.first_row + j];
    }
    for (std::size_t j = 0; j < set.n_states; ++j) cavity_states_[set.first_state + j] /= norm;
    evidence_[k] = evidence / norm;
    total_ += cavity_structure_[k] * evidence_[k];
  }
  return true;
}

/// Eqs. (20)-(23), and (26)'s weights.
void RowBeliefs::send_states(const RowView& row, std::size_t i) {
  double* message = row.states.data() + i * shape_.n_states;
  std::ranges::fill(share_, 0.0);
  for (std::size_t k = 0; k < shape_.n_sets(); ++k) {
    const ParentSet& set = shape_.sets[k];
    const double weight = cavity_structure_[k] / total_;
    const double others = std::max(0.0, 1 - weight * evidence_[k]);
    double norm = 0;
    for (std::size_t j = 0; j < set.n_states; ++j) {
      const std::size_t s = set.first_state + j;
      const double expected = expected_[set.first_row + j];
      share_[set.first_row + j] += weight * cavity_states_[s] * expected;
      message[s] = weight * expected + others;
      belief_[s] = cavity_states_[s] * message[s];
      norm += belief_[s];
    }
    for (std::size_t j = 0; j < set.n_states; ++j) {
      double& belief = belief_[set.first_state + j];
      belief = std::max(belief / norm, least_probability);
    }
  }
}

/// Eqs. (24)-(26).
void RowBeliefs::send_counts(const RowView& row, const SweepOptions& options, std::size_t i) {
  const std::size_t n_categories = shape_.n_categories[i];
  const std::size_t x = row.codes[i];
  double* sent = row.counts.data() + shape_.first_count[i];
  for (std::size_t j = 0; j < shape_.n_rows; ++j) {
    const auto cavity = std::span(cavity_counts_).subspan(j * n_categories, n_categories);
    const auto result = std::span(projected_).first(n_categories);
    project(options.projection, cavity, x, std::min(share_[j], 1.0), result);
    for (std::size_t l = 0; l < n_categories; ++l) {
      double& message = sent[j * n_categories + l];
      message += options.damping * (result[l] - cavity[l] - message);
    }
  }
}

std::size_t RowBeliefs::update(const RowView& row, const Posterior& posterior,
                               const SweepOptions& options, const SweepSums& sums) {
  gather(row, true);
  const std::size_t n_sets = shape_.n_sets();
  std::size_t n_passed_over = 0;
  for (std::size_t i = 0; i < row.codes.size(); ++i) {
    if (row.codes[i] == data::missing_code) continue;
    if (leave_out(row, posterior, i)) {
      send_states(row, i);
      send_counts(row, options, i);
      if (!options.hold_structure) {
        for (std::size_t k = 0; k < n_sets; ++k) {  // Eq. (18)
          row.structure[i * n_sets + k] = evidence_[k] / total_;
        }
      }
    } else {
      ++n_passed_over;
    }
    if (!options.hold_structure) {
      for (std::size_t k = 0; k < n_sets; ++k) {
        sums.log_structure[i * n_sets + k] += std::log(row.structure[i * n_sets + k]);
      }
    }
    for (std::size_t l = shape_.first_count[i]; l < shape_.first_count[i + 1]; ++l) {
      sums.counts[l] += row.counts[l];
    }
  }
  return n_passed_over;
}

double RowBeliefs::log_factors(const RowView& row, const Posterior& posterior,
                               std::span<const double> log_betas) {
  gather(row, false);
  const std::size_t n_sets = shape_.n_sets();
  double result = 0;
  for (std::size_t i = 0; i < row.codes.size(); ++i) {
    if (row.codes[i] == data::missing_code || !leave_out(row, posterior, i)) continue;
    result += std::log(total_);
    // Less the log of each variable's sum of q\ times its message.
    const double* structure = row.structure.data() + i * n_sets;
    double sum = 0;
    for (std::size_t k = 0; k < n_sets; ++k) sum += cavity_structure_[k] * structure[k];
    result -= std::log(sum);
    const double* message = row.states.data() + i * shape_.n_states;
    for (const ParentSet& set : shape_.sets) {
      sum = 0;
      for (std::size_t s = set.first_state; s < set.first_state + set.n_states; ++s) {
        sum += cavity_states_[s] * message[s];
      }
      result -= std::log(sum);
    }
    const std::size_t n_categories = shape_.n_categories[i];
    for (std::size_t j = 0; j < shape_.n_rows; ++j) {
      result -= log_betas[i * shape_.n_rows + j] -
                log_beta(std::span(cavity_counts_).subspan(j * n_categories, n_categories));
    }
  }
  return result;
}

}  // namespace orrery::structural_ep
