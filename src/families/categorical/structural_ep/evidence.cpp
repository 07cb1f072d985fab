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
    const double* structure = row.structure.data() + i * n_sets;
    const Reach reach = this->reach(row, i);
    double sum = 0;
    for (std::size_t k = reach.first_set; k < reach.end_set; ++k)
      sum += cavity_structure_[k] * structure[k];
    result -= std::log(sum);
    const double* message = row.states.data() + i * shape_.n_states;
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
        sum[0] += of_row.log_factors(view, posterior, log_betas);
        sum[0] += of_row.log_normalizers(view);
      });
  return result + sums[0];
}

}  // namespace orrery::structural_ep
