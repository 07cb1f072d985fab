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
// - --crossover auto: q from paths of two edges (estimate.hpp).
#include "learning/learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <charconv>
#include <chrono>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "families/sign_tree/hidden_tree/estimate.hpp"
#include "families/sign_tree/hidden_tree/options.hpp"
#include "families/sign_tree/hidden_tree/rows.hpp"
#include "families/sign_tree/hidden_tree/search.hpp"
#include "families/sign_tree/hidden_tree/sign_pair.hpp"
#include "learning/option_values.hpp"
#include "learning/row_slices.hpp"
#include "learning/tree_sample_sizes.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/sign_tree.hpp"
#include "store/store.hpp"

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

/// Conditions (40) and (41): the weakest edges that so many samples tell, if the strongest edge is
/// the one that was found, beside the weakest that was found.
void tell_weakest_edge(const model::LearnedTree& learned) {
  const auto& edges = learned.tree.edges();
  if (edges.size() < 2) return;
  constexpr double failure = .05;
  const auto [weakest, strongest] = std::ranges::minmax_element(
      edges, {}, [](const model::TreeEdge& edge) { return std::abs(edge.moment); });
  const double most = std::abs(strongest->moment);
  const auto tell = [&](double crossover, const char* condition) {
    const learning::WeakestEdge edge =
        learning::weakest_edge(learned.tree.n_variables(), most, crossover, failure,
                               static_cast<double>(learned.n_samples));
    const auto text = [&](double least) {
      return least <= most ? fmt::format("of {:.4g} and more", least) : std::string("of no size");
    };
    log::verbose("{}, {} samples tell edges {} (as published, condition {}: {})",
                 crossover > 0 ? fmt::format("at crossover {:.4g}", crossover) : "without noise",
                 format_count(learned.n_samples), text(edge.derived), condition,
                 text(edge.published));
  };
  log::verbose(
      "weakest edge: {} - {}, {:.4g}; what follows holds for trees without an edge above {:.4g}, "
      "the strongest that was found, with probability {}",
      learned.tree.names()[weakest->a], learned.tree.names()[weakest->b], std::abs(weakest->moment),
      most, 1 - failure);
  if (learned.tree.crossover() > 0) tell(learned.tree.crossover(), "(41)");
  tell(0, "(40)");
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
  model::LearnedTree learned =
      estimate(tree, rows, crossover, options.marginals, context.path, tells);
  if (tells && uniform) tell_weakest_edge(learned);
  return learned;
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
    .moments = learning::TakesMoments::counts,
    .learn_data = learn,
    .plan_data = plan};

// ---- options and plan

namespace {

namespace po = boost::program_options;

std::optional<double> read_crossover(const std::string& text) {
  if (text == "auto") return std::nullopt;
  double q = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), q);
  if (error != std::errc() || end != text.data() + text.size() || !(q >= 0 && q < .5)) {
    throw UsageError(
        fmt::format("--crossover {}: auto or a probability in [0, 0.5); at 0.5 the observed signs "
                    "say nothing of "
                    "the hidden ones, and above it they are the other way round",
                    text));
  }
  return q;
}

constexpr std::array marginals_words{std::pair{"uniform", Marginals::uniform},
                                     std::pair{"free", Marginals::free}};

}  // namespace

void add_options(po::options_description& options) {
  options.add_options()("crossover",
                        po::value<std::string>()->default_value("0")->value_name("Q|auto"),
                        "probability that an observed sign is the hidden one's opposite, in "
                        "[0, 0.5); auto: estimated (three variables and more)")(
      "alpha", po::value<double>()->value_name("A"),
      "learn a forest: an edge is kept if its correlation is not 0 at this level, two-sided, "
      "corrected for all pairs that it was chosen from (default: a tree)")(
      "marginals", po::value<std::string>()->default_value("uniform")->value_name("uniform|free"),
      "uniform: signs are + as often as -, correlations decide (Chow-Liu-CC); free: any share of "
      "+, the mutual information of the hidden signs decides");
}

Options read_options(const po::variables_map& values, bool exact_moments) {
  if (exact_moments) {
    throw UsageError(
        "learn tree counts the pairs of samples, and a NETWORK holds none: give DATA (draw some "
        "from the network with `orrery sample`)");
  }
  Options options;
  options.crossover = read_crossover(values["crossover"].as<std::string>());
  if (values.count("alpha") > 0) {
    options.alpha = learning::level_value(values, "alpha");
  }
  options.marginals = learning::value_of_word(values, "marginals", marginals_words);
  return options;
}

// What a run would take.
//
// The time of counting and of reducing is measured on a block of pairs of the file's first rows;
// both depend on how many pairs and rows there are, and hardly on what is in them.

namespace {

using Clock = std::chrono::steady_clock;
constexpr double measuring_seconds = .2;

/// Rows that stand in for all.
struct FirstRows {
  data::BitPanels values;
  std::optional<data::BitPanels> missing;
  Singles singles;
};

FirstRows read_first(const store::SampleReader& reader, learning::Timing& timing) {
  const auto begin = Clock::now();
  store::SampleReader::Block block = reader.read(0);
  learning::set_missing_on(block);
  const std::size_t p = block.values.n_columns();
  const std::size_t n = block.values.n_rows();
  FirstRows rows{
      data::BitPanels(p, n), std::nullopt, {n, std::vector<std::uint64_t>(p, n / 2), {}}};
  rows.values.insert(0, block.values);
  if (block.missing) {
    rows.missing.emplace(p, n).insert(0, *block.missing);
    rows.singles.missing.assign(p, 0);
  }
  timing.waits("load", std::chrono::duration<double>(Clock::now() - begin).count() *
                           static_cast<double>(reader.n_blocks()));
  return rows;
}

template <class Weights>
void time_search(const FirstRows& rows, std::uint64_t n_rows, const Weights& weights,
                 const std::string& stage, learning::Timing& timing) {
  const Blocks blocks(rows.values.n_columns());
  // One off the diagonal, if there is one: it has twice the pairs.
  const BlockShape block = blocks.at(blocks.size() > 1 ? 1 : 0);
  const data::BitPanels* missing = rows.missing ? &*rows.missing : nullptr;
  std::vector<std::uint32_t> table(table_size(block, missing != nullptr));
  const double counting = timing.measure(measuring_seconds, [&] {
    std::ranges::fill(table, 0);
    count_block(rows.values, missing, block, 0, rows.values.n_words(), table);
  });
  // Counts of any rows do; these are of pairs that agree in half of them.
  std::ranges::fill(table, static_cast<std::uint32_t>(rows.singles.n_rows / 4));
  Forest<Weights> forest(rows.values.n_columns(), weights);
  const double reducing = timing.measure(measuring_seconds, [&] {
    forest.add_block(block, BlockCells(rows.singles, block, table));
    forest.clear();
  });
  const double pairs = block.diagonal() ? .5 * block.n * (block.n - 1.0)
                                        : static_cast<double>(block.n) * block.other_n;
  const auto p = static_cast<double>(rows.values.n_columns());
  const double of_all = std::max(1.0, p * (p - 1) / 2 / std::max(1.0, pairs));
  timing.shared(stage, of_all * (counting * static_cast<double>(n_rows) /
                                     static_cast<double>(rows.values.n_rows()) +
                                 reducing));
}

}  // namespace

learning::Plan predict(const learning::DataPlanContext& context, const Options& options) {
  const store::SampleReader reader(context.path);
  const store::SampleHeader& header = reader.header();
  require_usable(header, context.path);
  const std::set<std::string> hosts(context.team.hosts().begin(), context.team.hosts().end());
  const Split split{header.n_observed,
                    header.n_samples,
                    header.has_missing,
                    hosts.size(),
                    static_cast<std::size_t>(context.resources.ranks),
                    static_cast<std::size_t>(context.resources.threads)};
  const MemoryPlan memory =
      plan_memory(split, context.memory_bytes,
                  static_cast<std::size_t>(context.resources.program_bytes), context.path);
  learning::Plan plan;
  {
    const FirstRows rows = read_first(reader, context.timing);
    const bool uniform = options.marginals == Marginals::uniform;
    const auto time_with = [&](const auto& weights, const char* stage) {
      time_search(rows, context.stored ? 0 : header.n_samples, weights, stage, context.timing);
    };
    if (uniform) {
      time_with(UniformWeights{}, "tree");
    } else {
      time_with(FreeWeights{options.crossover.value_or(.1)}, "tree");
      if (!options.crossover) time_with(FreeWeights{.1}, "corrected_tree");
    }
  }
  const auto p = static_cast<double>(header.n_observed);
  const double layers = header.has_missing ? 2 : 1;
  const auto bits = layers * 8 *
                    static_cast<double>(data::BitPanels::words_needed(
                        header.n_observed, static_cast<std::size_t>(header.n_samples)));
  const double block = 3 * p / 8 * static_cast<double>(reader.rows_of(0)) * layers;
  plan.memory = learning::memory_of_program(context.resources);
  if (memory.hold == learning::Hold::whole) {
    plan.memory.emplace_back("bits", bits);
  } else if (memory.hold == learning::Hold::dealt) {
    plan.memory.emplace_back("bits", bits / static_cast<double>(split.ranks));
  }
  plan.memory.emplace_back("block", block);
  plan.memory.emplace_back("search", static_cast<double>(search_bytes(split)));
  if (context.stored) plan.memory.emplace_back("pair_tables", 8 * p * p);
  if (memory.way == Way::samples) {
    const double tables = (header.has_missing ? 4 : 1) * 2 * p * p;
    plan.memory.emplace_back("batch", std::min(tables, static_cast<double>(memory.batch_bytes)));
  }
  plan.memory_bytes = learning::total(plan.memory);
  plan.units = Blocks(header.n_observed).size();
  plan.unit = "blocks of pairs";
  return plan;
}

}  // namespace orrery::hidden_tree
