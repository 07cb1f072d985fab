// Chow-Liu-CC: a tree of hidden signs from noisy ones (Nikolakakis, Kalogerias, Sarwate 2018,
// "Predictive learning on sign-valued hidden Markov trees", Algorithm 1 and Eq. 21).
//
//   paper                       code                              shape, range
//   p, n                        n_variables, n_rows
//   q                           crossover                         [0, 0.5)
//   mu^dagger_ij                sum_of_products / n of a pair     p x p, a block at a time
//   MaximumSpanningTree         find_tree (search.cpp)            p - 1 edges
//   clipping, Eq. (21)          estimate (estimate.cpp)           an edge
//
// Cost and memory: search.cpp. Everything beside the counting of pairs is O(p^2) comparisons.
//
// Departures from the paper:
// - Of correlations that would be clipped, and so tie, the larger goes first (sign_pair.hpp says
//   why): the tree does not depend on q.
// - Missing values: every correlation is of the rows in which both are observed.
// - --marginals free: Chow-Liu's tree of the mutual information of the hidden signs, whose tables
//   are those of the observed ones without the channel (sign_pair.hpp).
// - --alpha: a forest of the edges that are significant (estimate.hpp).
// - --crossover auto: q from paths of two edges (crossover.hpp).
#include "learning/learner.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "base/log.hpp"
#include "families/sign_tree/hidden_tree/estimate.hpp"
#include "families/sign_tree/hidden_tree/options.hpp"
#include "families/sign_tree/hidden_tree/search.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/sign_tree.hpp"

namespace orrery::hidden_tree {
namespace {

void warn_of_missing(const Rows& rows, const std::string& path) {
  if (!rows.may_miss()) return;
  const auto& missing = rows.singles.missing;
  log::warning(
      "{}: {} of {} values are missing; each correlation is taken from the rows in which "
      "both are observed, as if values were missing completely at random",
      path, std::accumulate(missing.begin(), missing.end(), std::uint64_t{0}),
      rows.singles.n_rows * rows.n_variables());
}

/// Means that differ from 0 at the level 0.01 of all variables together (Bonferroni).
void warn_of_marginals(const Rows& rows, const std::string& path) {
  std::size_t n_odd = 0;
  std::size_t worst = 0;
  double largest = 0;
  for (std::size_t a = 0; a < rows.n_variables(); ++a) {
    const auto n = static_cast<double>(rows.singles.observed(a));
    const auto on = static_cast<double>(rows.singles.observed_on(a));
    const double z = std::abs(2 * on - n) / std::sqrt(n);
    const double tests = static_cast<double>(rows.n_variables());
    if (std::erfc(z / std::numbers::sqrt2) * tests < .01) ++n_odd;
    if (z > largest) {
      largest = z;
      worst = a;
    }
  }
  if (n_odd == 0) return;
  log::warning(
      "{}: {} of {} variables are not + as often as -, most of all '{}' ({} of {} rows, z = "
      "{:.1f}): "
      "correlations then mistake what variables have in common with their means for a bond; "
      "--marginals free",
      path, n_odd, rows.n_variables(), rows.samples.names[worst], rows.singles.observed_on(worst),
      rows.singles.observed(worst), largest);
}

void require_observed_together(const std::vector<Edge>& tree, const Rows& rows,
                               const std::string& path) {
  for (const Edge& edge : tree) {
    if (edge.cells.n > 0) continue;
    throw InputError(fmt::format(
        "{}: no row has both '{}' and '{}', and no others join them: nothing is known of how they "
        "go together; learn a tree of each part, or leave columns out with `orrery import --drop`",
        path, rows.samples.names[edge.a], rows.samples.names[edge.b]));
  }
}

void warn_of_copies(const std::vector<Edge>& tree, const Rows& rows, const std::string& path) {
  std::vector<std::string> copies;
  for (const Edge& edge : tree) {
    const std::int64_t sum = sum_of_products(edge.cells);
    if (std::abs(sum) != edge.cells.n) continue;
    copies.push_back(fmt::format("{} = {}{}", rows.samples.names[edge.a], sum < 0 ? "-" : "",
                                 rows.samples.names[edge.b]));
  }
  if (copies.empty()) return;
  log::warning(
      "{}: {} column(s) repeat another in every row, or its opposite ({}): which of them "
      "others are joined to is arbitrary; leave them out with `orrery import --drop`",
      path, copies.size(), learning::list_names(copies));
}

model::AnyModel learn(const learning::DataContext& context,
                      const boost::program_options::variables_map& values) {
  const Options options = read_options(values, false);
  const bool uniform = options.marginals == Marginals::uniform;
  const Rows rows = load(context);
  const bool tells = context.team.is_root();
  if (tells) warn_of_missing(rows, context.path);
  if (tells && uniform) warn_of_marginals(rows, context.path);
  std::vector<Edge> tree =
      uniform ? find_tree(context, rows, UniformWeights{}, "tree")
              : find_tree(context, rows, FreeWeights{options.crossover.value_or(0)}, "tree");
  require_observed_together(tree, rows, context.path);
  const Crossover crossover = options.crossover ? Crossover{*options.crossover, 0}
                                                : estimate_crossover(context, rows, tree, uniform);
  // The order of informations depends on q, unlike that of correlations: once more with it.
  if (!uniform && !options.crossover && crossover.q > 0 && !context.checkpoints.is_cut_short()) {
    tree = find_tree(context, rows, FreeWeights{crossover.q}, "corrected_tree");
  }
  if (tells) warn_of_copies(tree, rows, context.path);
  if (options.alpha) {
    tree = significant(tree, *options.alpha, rows.n_variables(), options.marginals);
  }
  return estimate(tree, rows, crossover, options.marginals, context.path, tells);
}

std::vector<std::pair<std::string, std::string>> result_options(
    bool exact_moments, const boost::program_options::variables_map& values) {
  const Options options = read_options(values, exact_moments);
  return {{"--crossover", options.crossover ? fmt::format("{}", *options.crossover) : "auto"},
          {"--alpha", options.alpha ? fmt::format("{}", *options.alpha) : "none"},
          {"--marginals", options.marginals == Marginals::uniform ? "uniform" : "free"}};
}

learning::Plan plan(const learning::DataPlanContext& context,
                    const boost::program_options::variables_map& values) {
  return predict(context, read_options(values, false));
}

}  // namespace

extern const learning::LearnerEntry entry;
const learning::LearnerEntry entry{
    .name = "tree",
    .summary = "a tree of signs seen through a noisy channel (Nikolakakis et al. 2018)",
    .add_options = add_options,
    .result_options = result_options,
    .learn_data = learn,
    .plan_data = plan};

}  // namespace orrery::hidden_tree
