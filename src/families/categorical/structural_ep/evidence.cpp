#include "families/categorical/structural_ep/evidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace orrery::structural_ep {

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

double RowBeliefs::log_factors(const RowView& row, const Posterior& posterior,
                               std::span<const double> log_betas) {
  gather(row, false);
  const std::size_t n_sets = shape_.n_sets();
  double result = 0;
  for (std::size_t i = 0; i < row.codes.size(); ++i) {
    if (row.codes[i] == data::missing_code || !leave_out(row, posterior, i)) continue;
    result += std::log(total_);
    // Less the log of each variable's sum of q\ times its message.
    const LaneSpan structure = row.structure.subspan(i * n_sets, n_sets);
    const Reach reach = this->reach(row, i);
    double sum = 0;
    for (std::size_t k = reach.first_set; k < reach.end_set; ++k)
      sum += cavity_structure_[k] * structure[k];
    result -= std::log(sum);
    const LaneSpan message = row.states.subspan(i * shape_.n_states, shape_.n_states);
    for (std::size_t k = reach.first_set; k < reach.end_set; ++k) {
      sum = 0;
      for (std::size_t s = shape_.sets[k].first_state; s < shape_.sets[k].end_state(); ++s) {
        sum += cavity_states_[s] * message[s];
      }
      result -= std::log(sum);
    }
    const std::size_t n_categories = shape_.n_categories[i];
    for (std::size_t j = reach.first_row; j < reach.end_row; ++j) {
      result -= log_betas[i * shape_.n_rows + j] -
                log_beta(std::span(cavity_counts_).subspan(j * n_categories, n_categories));
    }
  }
  return result;
}

double log_evidence(Approximation& approximation) {
  const Shape& shape = approximation.shape();
  const Posterior& posterior = approximation.posterior();
  std::vector<double> log_betas;
  double result = 0;
  for (std::size_t i = 0; i < shape.n_observed(); ++i) {
    const std::size_t n_categories = shape.n_categories[i];
    const std::vector<double> prior(n_categories, approximation.prior());
    for (std::size_t j = 0; j < shape.n_rows; ++j) {
      log_betas.push_back(
          log_beta(std::span(posterior.counts)
                       .subspan(shape.first_count[i] + j * n_categories, n_categories)));
      result += log_betas.back() - log_beta(prior);
    }
    const auto logs = approximation.log_structure().subspan(i * shape.n_sets(), shape.n_sets());
    const double largest = std::ranges::max(logs);
    double total = 0;
    for (const double log : logs) total += std::exp(log - largest);
    result += largest + std::log(total / static_cast<double>(shape.n_sets()));
  }
  const auto sums =
      approximation.rows().sum(1, [&](std::size_t row, int thread, std::span<double> sum) {
        RowBeliefs& of_row = approximation.beliefs(thread);
        const RowView view = approximation.view(row);
        const double weight = approximation.weight(row);
        sum[0] += weight * of_row.log_factors(view, posterior, log_betas);
        sum[0] += weight * of_row.log_normalizers(view);
      });
  return result + sums[0];
}

// ---- bounds

namespace {

/// KL(Dir(counts) || Dir(prior, ..., prior)).
double divergence(std::span<const double> counts, double prior) {
  std::array<double, max_length> logs{};
  std::array<double, max_length> priors{};
  const auto of_prior = std::span(priors).first(counts.size());
  std::ranges::fill(of_prior, prior);
  mean_logs(counts, logs);
  double result = log_beta(of_prior) - log_beta(counts);
  for (std::size_t l = 0; l < counts.size(); ++l) result += (counts[l] - prior) * logs[l];
  return result;
}

}  // namespace

StructureBounds::StructureBounds(Approximation& approximation)
    : approximation_(approximation), shape_(approximation.shape()) {
  first_.assign(1, 0);
  for (const std::size_t n_categories : shape_.n_categories) {
    first_.push_back(first_.back() + shape_.n_states * n_categories);
  }
}

/// Shares value x of variable i among the states of set k; returns what it was predicted with.
double StructureBounds::share_value(std::span<const double> states, std::size_t i, std::size_t k,
                                    std::size_t x, std::span<double> shares) const {
  const ParentSet& set = shape_.sets[k];
  double total = 0;
  for (std::size_t j = 0; j < set.n_states; ++j) {
    const std::size_t s = set.first_state + j;
    shares[j] = states[s] * expectations_[first_[i] + s * shape_.n_categories[i] + x];
    total += shares[j];
  }
  for (std::size_t j = 0; j < set.n_states; ++j) shares[j] /= total;
  return total;
}

/// q(u) of every row, in groups.
void StructureBounds::find_beliefs() {
  beliefs_.resize(n_groups(approximation_.rows().size()) * row_lanes * shape_.n_states, 1.0);
  approximation_.rows().for_each([&](std::size_t row, int thread) {
    RowBeliefs& of_row = approximation_.beliefs(thread);
    of_row.gather(approximation_.view(row), false);
    const LaneSpan to(
        beliefs_.data() + row / row_lanes * row_lanes * shape_.n_states + row % row_lanes,
        shape_.n_states);
    for (std::size_t s = 0; s < shape_.n_states; ++s) to[s] = of_row.states()[s];
  });
}

/// Expectations under the posterior of parameters that has these counts beside the prior; each
/// set's divergence from the prior is taken from its score.
void StructureBounds::expect(std::span<const double> counts, std::span<double> scores) {
  std::array<double, max_length> posterior{};
  std::array<double, max_length> logs{};
  for (std::size_t i = 0; i < shape_.n_observed(); ++i) {
    const std::size_t n_categories = shape_.n_categories[i];
    const auto of_state = std::span(posterior).first(n_categories);
    for (std::size_t k = 0; k < shape_.n_sets(); ++k) {
      const ParentSet& set = shape_.sets[k];
      for (std::size_t s = set.first_state; s < set.first_state + set.n_states; ++s) {
        const std::size_t first = first_[i] + s * n_categories;
        for (std::size_t l = 0; l < n_categories; ++l)
          of_state[l] = approximation_.prior() + counts[first + l];
        mean_logs(of_state, logs);
        for (std::size_t l = 0; l < n_categories; ++l) expectations_[first + l] = std::exp(logs[l]);
        scores[i * shape_.n_sets() + k] -= divergence(of_state, approximation_.prior());
      }
    }
  }
}

std::vector<double> StructureBounds::of_sets(std::size_t passes) {
  const std::size_t n_expected = first_.back();
  const std::size_t n_scores = shape_.n_observed() * shape_.n_sets();
  expectations_.assign(n_expected, 1.0);
  std::vector<double> scores(n_scores);
  find_beliefs();
  for (std::size_t pass = 0; pass <= passes; ++pass) {
    const auto sums = approximation_.rows().sum(
        n_expected + n_scores, [&](std::size_t row, int thread, std::span<double> to) {
          if (row % row_lanes != 0) return;  // a group's rows are never parted
          const auto group = approximation_.group(row);
          approximation_.group_update(thread).share(
              std::span(group.views).first(group.n_rows),
              std::span(group.weights).first(group.n_rows), beliefs_.data() + row * shape_.n_states,
              expectations_, first_, to.first(n_expected), to.subspan(n_expected));
        });
    if (pass == passes) {  // the bound of the counts that the expectations are of
      for (std::size_t at = 0; at < n_scores; ++at) scores[at] += sums[n_expected + at];
    } else {
      std::ranges::fill(scores, 0.0);
      expect(std::span(sums).first(n_expected), scores);
    }
  }
  return scores;
}

void StructureBounds::move(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& moves) {
  auto sets = approximation_.held_structure();
  for (const auto& [i, to] : moves) sets[i] = to;
  approximation_.rows().for_each([&](std::size_t row, int thread) {
    RowBeliefs& of_row = approximation_.beliefs(thread);
    const RowView view = approximation_.view(row);
    of_row.gather(view, false);
    std::array<double, max_states> shares{};
    for (const auto& [i, to] : moves) {
      const std::size_t x = view.codes[i];
      if (x == data::missing_code) continue;
      const ParentSet& set = shape_.sets[to];
      share_value(of_row.states_without(view, i, approximation_.held_structure()[i]), i, to, x,
                  shares);
      const std::size_t first = shape_.first_count[i];
      view.counts.subspan(first, shape_.first_count[i + 1] - first).fill(0);
      for (std::size_t j = 0; j < set.n_states; ++j) {
        view.counts[first + (set.first_row + j) * shape_.n_categories[i] + x] = shares[j];
      }
    }
  });
  approximation_.hold_structure(std::move(sets));
}

}  // namespace orrery::structural_ep
