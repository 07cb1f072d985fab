// A pass of EM over the first rows is timed with the tables of the full network, which is the
// largest of the search; how many passes there will be is a guess from runs on generated networks.
#include "families/categorical/structural_em/plan.hpp"

#include <algorithm>

#include "families/categorical/structural_em/start.hpp"
#include "learning/categorical_inputs.hpp"
#include "store/categorical.hpp"

namespace orrery::structural_em {
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
