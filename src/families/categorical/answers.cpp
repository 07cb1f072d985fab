#include "families/categorical/answers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace orrery::categorical {
namespace {

using data::CategoricalTable;
using model::CategoricalInference;

/// What is found of one row.
struct Answer {
  model::CategoricalPosterior posterior;
  std::vector<std::pair<double, std::uint32_t>> best;  // -log P(u | row) and u, the best first
};

/// The `top` most probable joint states; of equal ones the lowest number.
Answer answer_of(const CategoricalInference& inference, std::span<const std::uint8_t> codes,
                 std::uint32_t top) {
  Answer answer{inference.posterior(codes), {}};
  if (top == 0 || std::isinf(answer.posterior.log_likelihood)) return answer;
  std::vector<double> scores(inference.n_states());
  inference.log_joint(codes, scores);
  std::vector<std::pair<double, std::uint32_t>> states;
  for (std::uint32_t u = 0; u < scores.size(); ++u) {
    if (!std::isinf(scores[u])) {
      states.emplace_back(answer.posterior.log_likelihood - scores[u], u);
    }
  }
  const auto n = static_cast<std::ptrdiff_t>(std::min<std::size_t>(top, states.size()));
  std::ranges::partial_sort(states, states.begin() + n);
  answer.best.assign(states.begin(), states.begin() + n);
  return answer;
}

void append_explanations(const Answer& answer, const CategoricalInference& inference,
                         std::uint32_t top, store::PosteriorRows& rows) {
  for (std::uint32_t i = 0; i < top; ++i) {
    const bool is_there = i < answer.best.size();
    rows.log_probability.push_back(is_there ? -answer.best[i].first
                                            : std::numeric_limits<double>::quiet_NaN());
    rows.proven.push_back(is_there ? 1 : 0);
    const auto states = is_there ? inference.states().states(answer.best[i].second)
                                 : std::span<const std::uint8_t>();
    rows.n_present.push_back(states.size());
    std::uint32_t first = 0;
    for (std::size_t k = 0; k < states.size(); ++k) {
      rows.present.push_back(first + states[k]);
      first += static_cast<std::uint32_t>(inference.states().cardinalities()[k]);
    }
  }
}

void append_row(const Answer& answer, const CategoricalInference& inference,
                const family::PosteriorOptions& settings, store::PosteriorRows& rows) {
  const bool is_possible = !std::isinf(answer.posterior.log_likelihood);
  rows.log_evidence.push_back(answer.posterior.log_likelihood);
  rows.log_evidence_error.push_back(0);
  rows.method.push_back(is_possible ? 0 : 2);
  rows.effective_samples.push_back(0);
  std::uint64_t n_listed = 0;
  for (std::uint32_t s = 0; is_possible && s < answer.posterior.marginals.size(); ++s) {
    const double probability = std::min(answer.posterior.marginals[s], 1.0);
    if (probability < settings.min_posterior) continue;
    ++n_listed;
    rows.cause.push_back(s);
    rows.probability.push_back(probability);
    rows.error.push_back(0);
  }
  rows.n_listed.push_back(n_listed);
  append_explanations(answer, inference, settings.top, rows);
}

}  // namespace

store::PosteriorRows answer_rows(const CategoricalInference& inference,
                                 const CategoricalTable& table, std::uint64_t first,
                                 std::uint64_t last, const family::PosteriorOptions& settings,
                                 int threads) {
  std::vector<Answer> answers(last - first);
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
  for (std::uint64_t n = first; n < last; ++n) {
    answers[n - first] = answer_of(inference, table.row(n), settings.top);
  }
  store::PosteriorRows rows;
  for (const Answer& answer : answers) append_row(answer, inference, settings, rows);
  return rows;
}

}  // namespace orrery::categorical
