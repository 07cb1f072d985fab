#include "families/noisy_or/quartet/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "base/progress.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/growth/grown.hpp"
#include "families/noisy_or/quartet/growth/grown_em.hpp"
#include "learning/baselines.hpp"
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

namespace {

std::string list_columns(const std::vector<std::uint32_t>& columns,
                         const std::vector<std::string>& names) {
  std::vector<std::string> chosen;
  for (const std::uint32_t a : columns) chosen.push_back(names[a]);
  return learning::list_names(chosen);
}

bool is_opposite(const std::vector<std::uint32_t>& group, const moments::MomentSource& moments) {
  return group.size() == 2 &&
         2 - moments.single(group[0]) - moments.single(group[1]) > constants::verdict::nearly_all;
}

std::string on_exclusive(const std::vector<std::vector<std::uint32_t>>& groups,
                         const std::vector<std::string>& names) {
  return fmt::format(
      "{} of columns that exclude one another, as the answers to one question do (the first: "
      "{}): no noisy-OR network says so; give the table with a column per question to `orrery "
      "import --categorical`, and learn from that",
      groups.size() == 1 ? "a group" : fmt::format("{} groups", groups.size()),
      list_columns(groups.front(), names));
}

std::string on_opposite(const std::vector<std::vector<std::uint32_t>>& pairs,
                        const std::vector<std::string>& names) {
  return fmt::format(
      "{} the opposite of each other (the first: {}): a cause switches variables on only; leave "
      "one of each out with `orrery import --drop`",
      pairs.size() == 1 ? "a pair of columns says"
                        : fmt::format("{} pairs of columns say", pairs.size()),
      list_columns(pairs.front(), names));
}

std::string on_misfit(double misfit) {
  return fmt::format(
      "{:.1f} % of the pairs of variables are on together more often or more rarely than the "
      "network expects, by more than 3 standard errors; chance makes it 0.3 %",
      100 * misfit);
}

std::string on_fit(double misfit) { return on_misfit(misfit) + ": the network fits"; }

bool can_look_at_pairs(std::size_t n_observed, std::size_t n_causes) {
  const auto m = static_cast<double>(n_observed);
  return n_observed <= constants::verdict::most_variables &&
         m * m / 2 * static_cast<double>(n_causes + 1) <= constants::verdict::most_terms;
}

std::string kinds(std::size_t n_components) {
  return fmt::format("a mixture of {} kind{} of rows", n_components, n_components == 1 ? "" : "s");
}

/// What was tested, and what to do.
std::string on_no_cause(std::size_t n_observed, double misfit, bool is_cut_short) {
  std::string way_on = "more rows show weaker dependence";
  if (misfit >= constants::verdict::most_misfit) {
    way_on = is_cut_short ? "they depend on one another, and a longer time limit finds out how"
                          : "they depend on one another, but no cause of three variables or more "
                            "explains enough of that";
  }
  return fmt::format(
      "no cause found: {:.1f} % of the {} pairs of variables are more than 3 standard errors "
      "from independence, where chance makes it 0.3 %; {}",
      100 * misfit, format_count(n_observed * (n_observed - 1) / 2), way_on);
}

/// How the network predicts rows, and what it means where others predict them better.
std::vector<std::string> on_held_out(const HeldOutScores& scores, double misfit) {
  std::vector<std::string> remarks{fmt::format(
      "log-likelihood of {} rows that set no parameter: {:.3f} nats per row; of a Chow-Liu tree "
      "{:.3f}, of independent variables {:.3f}, of {} {:.3f}; {}",
      format_count(scores.n_rows), mean_of(scores.network), mean_of(scores.tree),
      mean_of(scores.independent), kinds(scores.n_components), mean_of(scores.mixture),
      on_misfit(misfit))};
  if (is_better(scores.tree, scores.network)) {
    remarks.emplace_back(
        "a tree over the variables predicts rows better than hidden causes do: variables depend on "
        "one another directly, as neighbours in a sequence or answers to one question do; this "
        "model is wrong for this table");
  } else if (is_better(scores.mixture, scores.network, constants::verdict::worse_than_kinds, 2)) {
    remarks.push_back(fmt::format(
        "{} predicts rows better by {:.2f} nats per row: rows are of kinds that exclude one "
        "another more than they are sums of causes; take this model as a summary",
        kinds(scores.n_components), mean_of(scores.mixture) - mean_of(scores.network)));
  }
  return remarks;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> exclusive_columns(const moments::MomentSource& moments) {
  const auto n_rows = static_cast<double>(moments.n_samples());
  const auto on = [&](std::uint32_t a) { return 1 - moments.single(a); };
  const auto exclude = [&](std::uint32_t a, std::uint32_t b) {
    const double chance = on(a) * on(b);
    const double both = on(a) + on(b) - 1 + moments.pair(a, b);
    return n_rows * chance >= constants::verdict::least_expected &&
           both <= constants::verdict::hardly_any * chance;
  };
  std::vector<std::vector<std::uint32_t>> groups;
  std::vector<double> answered;
  for (std::uint32_t a = 0; a < moments.n_observed(); ++a) {
    // Beside the group that it leaves the least room in.
    std::size_t best = groups.size();
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const bool fits = std::ranges::all_of(groups[g], [&](auto b) { return exclude(b, a); });
      if (fits && (best == groups.size() || answered[g] > answered[best])) best = g;
    }
    if (best == groups.size()) {
      groups.emplace_back();
      answered.push_back(0);
    }
    groups[best].push_back(a);
    answered[best] += on(a);
  }
  std::vector<std::vector<std::uint32_t>> questions;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].size() > 1 && answered[g] >= constants::verdict::least_answered)
      questions.push_back(std::move(groups[g]));
  }
  return questions;
}

ResidualPairs residuals_of(const learning::LearnContext& context,
                           const model::NoisyOrNetwork& network) {
  return {to_grown(network), context.moments, context.threads,
          static_cast<double>(context.moments.n_samples())};
}

double misfit_of(const ResidualPairs& pairs) {
  return pairs.share_beyond(constants::verdict::surprising);
}

double dependence_left(const learning::LearnContext& context, const ResidualPairs& pairs) {
  const std::size_t m = context.names.size();
  const auto beyond_chance = [m](const ResidualPairs& of) {
    double sum = 0;
    for (std::size_t a = 0; a < m; ++a) {
      for (std::size_t b = a + 1; b < m; ++b) {
        const double bar = constants::verdict::surprising;
        sum += std::max(of.z(a, b) * of.z(a, b) - bar * bar, 0.0) -
               constants::verdict::excess_by_chance;
      }
    }
    return std::max(sum, 0.0);
  };
  std::vector<model::Observed> independent;
  independent.reserve(m);
  for (std::size_t a = 0; a < m; ++a) {
    independent.push_back({context.names[a], 1 - context.moments.single(a)});
  }
  const double all = beyond_chance(residuals_of(context, {{}, std::move(independent), {}}));
  return all > 0 ? beyond_chance(pairs) / all : 0;
}

namespace {

void set_scores(const HeldOutScores& scores, model::Fit& fit) {
  fit.n_held_out = scores.n_rows;
  fit.network = mean_of(scores.network);
  fit.tree = mean_of(scores.tree);
  fit.independent = mean_of(scores.independent);
  fit.mixture = mean_of(scores.mixture);
  fit.n_kinds = static_cast<std::uint32_t>(scores.n_components);
}

/// Columns for which no noisy-OR network suits.
void remark_on_columns(const learning::LearnContext& context, std::vector<std::string>& remarks) {
  std::vector<std::vector<std::uint32_t>> exclusive = exclusive_columns(context.moments);
  std::vector<std::vector<std::uint32_t>> opposite;
  std::erase_if(exclusive, [&](const std::vector<std::uint32_t>& group) {
    if (!is_opposite(group, context.moments)) return false;
    opposite.push_back(group);
    return true;
  });
  if (!exclusive.empty()) remarks.push_back(on_exclusive(exclusive, context.names));
  if (!opposite.empty()) remarks.push_back(on_opposite(opposite, context.names));
}

}  // namespace

Verdict verdict(const learning::LearnContext& context, const model::NoisyOrNetwork& network) {
  const moments::MomentSource& moments = context.moments;
  Verdict verdict;
  std::vector<std::string>& remarks = verdict.remarks;
  if (moments.n_samples() == 0 || !can_look_at_pairs(moments.n_observed(), network.n_causes())) {
    return verdict;
  }
  const double misfit = misfit_of(residuals_of(context, network));
  verdict.fit.misfit = misfit;
  if (network.n_causes() == 0) {
    remarks.push_back(
        on_no_cause(moments.n_observed(), misfit, context.checkpoints.is_cut_short()));
  }
  const bool fits = misfit < constants::verdict::most_misfit;
  const bool has_few_rows =
      moments.n_samples() < constants::verdict::few_rows_per_variable * moments.n_observed();
  if (fits && !network.has_dependent_causes() && !has_few_rows) {
    if (network.n_causes() > 0) remarks.push_back(on_fit(misfit));
    return verdict;
  }
  std::optional<HeldOutScores> scores;
  if (!context.checkpoints.is_cut_short()) scores = score_held_out(context, to_grown(network));
  if (scores) {
    set_scores(*scores, verdict.fit);
    for (std::string& remark : on_held_out(*scores, misfit)) remarks.push_back(std::move(remark));
  } else if (network.n_causes() > 0) {
    remarks.push_back(on_misfit(misfit));
  }
  if (!fits) remark_on_columns(context, remarks);
  return verdict;
}

}  // namespace orrery::quartet
