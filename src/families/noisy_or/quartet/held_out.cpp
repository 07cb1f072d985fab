#include "families/noisy_or/quartet/held_out.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "base/progress.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/growth/grown_em.hpp"
#include "families/noisy_or/quartet/growth/grown_sums.hpp"
#include "learning/bernoulli_mixture.hpp"
#include "learning/chow_liu.hpp"
#include "learning/row_sums.hpp"
#include "learning/stages.hpp"

namespace orrery::quartet {
namespace {

constexpr std::size_t n_tenths = std::tuple_size_v<TenthMeans>;
// More kinds of rows, or more rows, cost more time than the network itself.
const std::vector<std::size_t> kinds_of_rows{1, 2, 5, 10, 20, 40, 80};

/// Some of the rows.
data::SampleMatrix pick(const learning::RowPass& from, const std::vector<std::size_t>& rows) {
  const std::size_t m = from.values()->n_columns();
  data::SampleMatrix picked;
  picked.values = data::BitPanels(m, rows.size());
  if (from.missing() != nullptr) picked.missing = data::BitPanels(m, rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t a = 0; a < m; ++a) {
      const bool is_missing = picked.missing && from.missing()->at(rows[r], a);
      if (is_missing) picked.missing->set(r, a, true);
      if (!is_missing && from.values()->at(rows[r], a)) picked.values.set(r, a, true);
    }
  }
  return picked;
}

/// Rows that set parameters, and rows set aside in ten parts.
struct Split {
  data::SampleMatrix kept;
  std::vector<data::SampleMatrix> set_aside;
};

/// Sets aside the rows of places first, first + 10, ... of those looked at.
Split split(const learning::RowPass& rows, std::size_t first, std::size_t n_parts) {
  const auto n_all = static_cast<std::size_t>(rows.n_rows());
  const std::size_t n = std::min(n_all, constants::held_out::most_rows);
  std::vector<std::size_t> kept;
  std::vector<std::vector<std::size_t>> set_aside(n_parts);
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_kept = i % n_tenths != first;
    (is_kept ? kept : set_aside[i / n_tenths % n_parts]).push_back(i * n_all / n);
  }
  Split made{pick(rows, kept), {}};
  for (const auto& part : set_aside) made.set_aside.push_back(pick(rows, part));
  return made;
}

learning::RowPass pass_over(const data::SampleMatrix& samples,
                            const learning::LearnContext& context) {
  return {context.team, context.threads, samples.values,
          samples.missing ? &*samples.missing : nullptr};
}

double mean_log_likelihood_of(const data::SampleMatrix& samples,
                              const learning::LearnContext& context, const Grown& network) {
  const learning::RowPass pass = pass_over(samples, context);
  return log_likelihood(AllRows(pass), network, {}) / static_cast<double>(samples.n_samples());
}

/// The network's parameters from these rows alone.
Grown refit(const data::SampleMatrix& samples, const learning::LearnContext& context,
            Grown network) {
  for (double& leak : network.leaks) {
    leak = std::clamp(leak, constants::growth::least_leak, 1 - constants::growth::least_leak);
  }
  for (auto& failures : network.failures) {
    for (double& failure : failures) failure = std::max(failure, constants::growth::least_failure);
  }
  const learning::RowPass pass = pass_over(samples, context);
  const AllRows rows(pass);
  GrownFitOptions options;
  options.passes = constants::held_out::most_passes;
  options.tolerance = constants::held_out::settled_gain * rows.n_rows();
  options.tie_price.parameter = .5 * std::log(rows.n_rows());
  options.second_parents = true;
  return fit(rows, std::move(network), options).grown;
}

learning::BernoulliMixture fit_kinds(const data::SampleMatrix& samples,
                                     const learning::LearnContext& context,
                                     const std::vector<std::size_t>& numbers) {
  learning::MixtureOptions options;
  options.numbers = numbers;
  options.most_rows = constants::held_out::most_mixture_rows;
  options.seed = context.seed;
  options.threads = context.threads;
  return learning::fit_mixture(samples, options);
}

/// Of the tenths from `first` on. The number of kinds of rows is chosen where it is not known yet.
void score_baselines(const learning::LearnContext& context, const Split& rows, std::size_t first,
                     HeldOutScores& scores) {
  const model::TreeTables tree = learning::fit_chow_liu(rows.kept);
  const model::TreeTables independent = learning::fit_independent(rows.kept);
  const bool is_chosen = scores.n_components > 0;
  const learning::BernoulliMixture mixture =
      fit_kinds(rows.kept, context, is_chosen ? std::vector{scores.n_components} : kinds_of_rows);
  scores.n_components = mixture.n_components();
  for (std::size_t part = 0; part < rows.set_aside.size(); ++part) {
    const data::SampleMatrix& set_aside = rows.set_aside[part];
    const std::size_t tenth = first + part;
    scores.tree[tenth] = learning::mean_log_likelihood(tree, set_aside);
    scores.independent[tenth] = learning::mean_log_likelihood(independent, set_aside);
    scores.mixture[tenth] = learning::mean_log_likelihood(mixture, set_aside, context.threads);
  }
}

/// Root's baselines to all: ranks that share cores would take each other's.
void share(const parallel::Team& team, HeldOutScores& scores) {
  std::vector<double> words{static_cast<double>(scores.n_components)};
  for (TenthMeans* means : {&scores.tree, &scores.independent, &scores.mixture}) {
    words.insert(words.end(), means->begin(), means->end());
  }
  team.broadcast(words);
  const double* next = words.data();
  scores.n_components = static_cast<std::size_t>(*next++);
  for (TenthMeans* means : {&scores.tree, &scores.independent, &scores.mixture}) {
    for (double& mean : *means) mean = *next++;
  }
}

}  // namespace

double mean_of(const TenthMeans& tenths) {
  return std::accumulate(tenths.begin(), tenths.end(), 0.0) / static_cast<double>(tenths.size());
}

bool is_better(const TenthMeans& one, const TenthMeans& other, double margin, double errors) {
  const double gain = mean_of(one) - mean_of(other);
  double squares = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    squares += (one[i] - other[i] - gain) * (one[i] - other[i] - gain);
  }
  const auto n = static_cast<double>(one.size());
  return gain > margin && gain > errors * std::sqrt(squares / (n * (n - 1)));
}

std::optional<HeldOutScores> score_held_out(const learning::LearnContext& context,
                                            const Grown& network) {
  if (network.n_causes() > model::most_beam_causes || context.rows->values() == nullptr ||
      context.rows->n_rows() < constants::held_out::least_rows) {
    return {};
  }
  learning::StageWatch watch(context.stages, "held_out");
  const bool is_small = context.rows->n_rows() <= constants::held_out::few_rows;
  const std::size_t n_parts = is_small ? 1 : n_tenths;
  HeldOutScores scores;
  for (std::size_t first = 0; first < n_tenths / n_parts; ++first) {
    const Split rows = split(*context.rows, first, n_parts);
    const Grown refitted = refit(rows.kept, context, network);
    for (std::size_t part = 0; part < n_parts; ++part) {
      const data::SampleMatrix& set_aside = rows.set_aside[part];
      scores.n_rows += set_aside.n_samples();
      scores.network[first + part] = mean_log_likelihood_of(set_aside, context, refitted);
    }
    if (context.team.is_root()) score_baselines(context, rows, first, scores);
  }
  share(context.team, scores);
  watch.add(context.team, {}, 1);
  return scores;
}

}  // namespace orrery::quartet
