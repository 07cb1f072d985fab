#include "families/noisy_or/quartet/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/progress.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/growth/network.hpp"
#include "families/noisy_or/quartet/held_out.hpp"

namespace orrery::quartet {
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
      "{:.1f} % of the pairs of variables are more than 3 standard deviations from what the "
      "network expects, where chance leaves 0.3 %",
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
      "no cause found: {:.1f} % of the {} pairs of variables are more than 3 standard deviations "
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

std::vector<std::string> verdict(const learning::LearnContext& context,
                                 const model::NoisyOrNetwork& network) {
  const moments::MomentSource& moments = context.moments;
  std::vector<std::string> remarks;
  if (moments.n_samples() == 0 || !can_look_at_pairs(moments.n_observed(), network.n_causes())) {
    return remarks;
  }
  const double misfit = misfit_of(residuals_of(context, network));
  if (network.n_causes() == 0) {
    remarks.push_back(
        on_no_cause(moments.n_observed(), misfit, context.checkpoints.is_cut_short()));
  }
  const bool fits = misfit < constants::verdict::most_misfit;
  const bool has_few_rows =
      moments.n_samples() < constants::verdict::few_rows_per_variable * moments.n_observed();
  if (fits && !network.has_dependent_causes() && !has_few_rows) {
    if (network.n_causes() > 0) remarks.push_back(on_fit(misfit));
    return remarks;
  }
  std::optional<HeldOutScores> scores;
  if (!context.checkpoints.is_cut_short()) scores = score_held_out(context, to_grown(network));
  if (scores) {
    for (std::string& remark : on_held_out(*scores, misfit)) remarks.push_back(std::move(remark));
  } else if (network.n_causes() > 0) {
    remarks.push_back(on_misfit(misfit));
  }
  if (fits) return remarks;
  std::vector<std::vector<std::uint32_t>> exclusive = exclusive_columns(moments);
  std::vector<std::vector<std::uint32_t>> opposite;
  std::erase_if(exclusive, [&](const std::vector<std::uint32_t>& group) {
    if (!is_opposite(group, moments)) return false;
    opposite.push_back(group);
    return true;
  });
  if (!exclusive.empty()) remarks.push_back(on_exclusive(exclusive, context.names));
  if (!opposite.empty()) remarks.push_back(on_opposite(opposite, context.names));
  return remarks;
}

}  // namespace orrery::quartet
