#include "families/categorical/structural_em/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "families/categorical/structural_em/start.hpp"
#include "learning/load.hpp"
#include "learning/option_values.hpp"
#include "orrery/base/error.hpp"
#include "store/categorical.hpp"

namespace orrery::structural_em {
namespace {

namespace po = boost::program_options;

constexpr std::array start_words{std::pair{"products", StartKind::products},
                                 std::pair{"rows", StartKind::rows}};
constexpr std::array score_words{std::pair{"cheeseman-stutz", ScoreKind::cheeseman_stutz},
                                 std::pair{"bic", ScoreKind::bic}};

}  // namespace

void add_options(po::options_description& options) {
  const Options defaults;
  options.add_options()("causes", po::value<std::uint64_t>()->value_name("K"),
                        "number of hidden causes")(
      "cardinality", po::value<std::uint64_t>()->default_value(defaults.cardinality),
      "states of each cause")("score", po::value<std::string>()->default_value("cheeseman-stutz"),
                              "what a structure is judged by: cheeseman-stutz, an approximation of "
                              "the marginal likelihood, "
                              "or bic")(
      "restarts", po::value<std::uint64_t>()->default_value(defaults.restarts),
      "random starts; the network with the highest score is kept")(
      "start", po::value<std::string>()->default_value("products"),
      "random tables of the full network: products of a factor a cause, or each of their rows by "
      "itself")(
      "early-iterations", po::value<std::uint64_t>()->default_value(defaults.early_passes),
      "passes of EM before each search while the structure takes shape; 0: EM goes on until it has "
      "converged from the first search on")(
      "iterations", po::value<std::uint64_t>()->default_value(defaults.fit.max_passes),
      "the most passes of EM for each structure after that")(
      "tolerance", po::value<double>()->default_value(defaults.fit.tolerance, "1e-6"),
      "EM ends when a pass gains less, in nats per row; so does the search")(
      "alpha", po::value<double>()->default_value(defaults.fit.score.alpha, "1"),
      "Dirichlet pseudocount of each category and of each state of a cause");
}

Options read_options(const po::variables_map& values, bool exact_moments) {
  if (exact_moments) {
    throw UsageError(
        "learn sem goes over samples, and moments alone hold none: give DATA (draw some from the "
        "network with `orrery sample`)");
  }
  if (values.count("causes") == 0) {
    throw UsageError("--causes K is missing: the number of hidden causes to learn");
  }
  Options options;
  options.causes = learning::value_within<std::uint64_t>(values, "causes", 1, 1'000'000);
  options.cardinality = learning::value_within<std::uint64_t>(values, "cardinality", 2, 64);
  options.restarts = learning::value_within<std::uint64_t>(values, "restarts", 1, 10'000);
  options.start = learning::value_of_word(values, "start", start_words);
  options.early_passes =
      learning::value_within<std::uint64_t>(values, "early-iterations", 0, 1'000'000'000);
  options.fit.max_passes =
      learning::value_within<std::uint64_t>(values, "iterations", 1, 1'000'000'000);
  options.fit.tolerance = learning::positive_value(values, "tolerance", 1);
  options.fit.score.alpha = learning::positive_value(values, "alpha", 1e6);
  options.fit.score.kind = learning::value_of_word(values, "score", score_words);
  return options;
}

// What a run would take.
//
// A pass of EM over the first rows is timed with the tables of the full network, which is the
// largest of the search; how many passes there will be is a guess from runs on generated networks.

namespace {

constexpr double measuring_seconds = .2;
constexpr std::uint64_t most_measured = 1000;  // rows
// Of a restart; climbs included.
constexpr double early_passes = 60;
constexpr double passes = 120;

data::CategoricalTable first_rows(const data::CategoricalTable& table) {
  data::CategoricalTable part{
      table.names, table.categories, std::min(table.n_rows, most_measured), {}};
  const auto n = static_cast<std::ptrdiff_t>(part.n_rows * table.n_columns());
  part.codes.assign(table.codes.begin(), table.codes.begin() + n);
  return part;
}

/// Processor seconds of a pass over all rows.
double seconds_of_pass(const data::CategoricalTable& table, const Options& options,
                       const std::string& source, learning::Timing& timing) {
  const data::CategoricalTable part = first_rows(table);
  const parallel::Team alone;
  const learning::RowShare rows(alone, 1, part.n_rows);
  const model::CategoricalNetwork network =
      random_start(part, options.causes, options.cardinality, options.start, 1, 0, source);
  const double seconds = timing.measure(measuring_seconds, [&] {
    (void)expected_counts(network, {part, rows});
  });
  return seconds * static_cast<double>(table.n_rows) / static_cast<double>(part.n_rows);
}

}  // namespace

learning::Parts memory_to_learn(const data::CategoricalTable& table, std::size_t n_states,
                                int threads) {
  constexpr double bytes_of_sum = 56;          // of a thread; see learning::RowShare
  constexpr double climbing_bytes = 3 * 64e6;  // see hill_climbing.hpp: ratios, tables, counts
  double n_categories = 0;
  for (const auto& categories : table.categories) {
    n_categories += static_cast<double>(categories.size());
  }
  const double entries = n_categories * static_cast<double>(n_states);
  const double climbing = std::min(climbing_bytes, 24 * entries);
  // Tables and counts of the networks under way: three fits, two scratch copies.
  return {{"rows", static_cast<double>(table.codes.size())},
          {"networks", 10 * 8 * entries},
          {"sums", bytes_of_sum * entries * threads},
          {"climb", climbing}};
}

learning::Plan predict(const learning::DataPlanContext& context, const Options& options) {
  const store::StoredTable stored = store::read_categorical(context.path);
  learning::require_learnable(stored.table, options.causes, context.path);
  const std::size_t n_states =
      count_joint_states(stored.table, options.causes, options.cardinality, context.path);
  const double seconds = seconds_of_pass(stored.table, options, context.path, context.timing);
  const double n_passes = passes + (options.early_passes > 0 ? early_passes : 2 * passes);
  context.timing.shared("structural_em",
                        seconds * n_passes * static_cast<double>(options.restarts));
  learning::Plan plan;
  plan.memory = learning::memory_of_program(context.resources);
  for (auto& part : memory_to_learn(stored.table, n_states, context.resources.threads)) {
    plan.memory.push_back(std::move(part));
  }
  plan.memory_bytes = learning::total(plan.memory);
  plan.units = options.restarts;
  plan.unit = "restarts";
  return plan;
}

}  // namespace orrery::structural_em
