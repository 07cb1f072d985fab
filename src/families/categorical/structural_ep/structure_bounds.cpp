#include "families/categorical/structural_ep/structure_bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace orrery::structural_ep {
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

/// Adds a row's values, shared among the states of every set, to `counts`, and the logs of what
/// they were predicted with to `scores`.
void StructureBounds::share_row(std::size_t row, int thread, std::span<double> counts,
                                std::span<double> scores) {
  RowBeliefs& of_row = approximation_.beliefs(thread);
  const RowView view = approximation_.view(row);
  of_row.gather(view, false);
  std::array<double, max_states> shares{};
  for (std::size_t i = 0; i < shape_.n_observed(); ++i) {
    const std::size_t x = view.codes[i];
    if (x == data::missing_code) continue;
    const auto states = of_row.states_without(view, i, approximation_.held_structure()[i]);
    for (std::size_t k = 0; k < shape_.n_sets(); ++k) {
      const ParentSet& set = shape_.sets[k];
      const double total = share_value(states, i, k, x, shares);
      for (std::size_t j = 0; j < set.n_states; ++j) {
        counts[first_[i] + (set.first_state + j) * shape_.n_categories[i] + x] += shares[j];
      }
      scores[i * shape_.n_sets() + k] += std::log(total);
    }
  }
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
  for (std::size_t pass = 0; pass <= passes; ++pass) {
    const auto sums = approximation_.rows().sum(
        n_expected + n_scores, [&](std::size_t row, int thread, std::span<double> to) {
          share_row(row, thread, to.first(n_expected), to.subspan(n_expected));
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
      std::ranges::fill(view.counts.subspan(first, shape_.first_count[i + 1] - first), 0.0);
      for (std::size_t j = 0; j < set.n_states; ++j) {
        view.counts[first + (set.first_row + j) * shape_.n_categories[i] + x] = shares[j];
      }
    }
  });
  approximation_.hold_structure(std::move(sets));
}

}  // namespace orrery::structural_ep
