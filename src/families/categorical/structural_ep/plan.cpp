#include "families/categorical/structural_ep/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "families/categorical/structural_ep/search.hpp"
#include "learning/categorical_inputs.hpp"
#include "store/categorical.hpp"

namespace orrery::structural_ep {
namespace {

constexpr double measuring_seconds = .5;
constexpr std::uint64_t measured_rows = 1024;
/// Sweeps of a start with K causes, on generated networks (jobs/sep): 35 to 130; of them with more
/// causes while they are merged, 20.
constexpr double sweeps_a_start = 100;
/// Of 2 to 5 causes on those networks, 1 to 4.
constexpr double starts_an_agreement = 2;

double expected_starts(const Options& options, std::size_t n_causes) {
  const std::uint32_t enough = sufficient_agreements(options, n_causes);
  return enough == 0 ? options.restarts
                     : std::min<double>(options.restarts, starts_an_agreement * enough);
}

data::CategoricalTable first_rows(const data::CategoricalTable& table) {
  data::CategoricalTable part = table;
  part.n_rows = std::min(table.n_rows, measured_rows);
  part.codes.resize(part.n_rows * part.n_columns());
  return part;
}

/// Processor seconds of a sweep for a row.
double time_a_row(const data::CategoricalTable& table, std::size_t n_causes, const Options& options,
                  learning::Timing& timing) {
  const parallel::Team alone;
  const data::CategoricalTable part = first_rows(table);
  const learning::RowShare rows(alone, 1, part.n_rows);
  Inference inference(
      shape_of(part, n_causes, options.cardinality, n_causes == 1 ? 1 : options.max_parents), part,
      rows, options.prior);
  IterateOptions sweep;
  sweep.projection = options.projection;
  sweep.damping = options.damping;
  sweep.held_sweeps = 0;
  sweep.max_sweeps = 1;
  const double seconds = timing.measure(measuring_seconds, [&] { inference.iterate(sweep); });
  return seconds / static_cast<double>(std::max<std::uint64_t>(part.n_rows, 1));
}

double bytes_a_row(const Shape& shape) {
  const auto d = static_cast<double>(shape.n_observed());
  return 8 * (d * static_cast<double>(shape.n_states + shape.n_sets()) +
              static_cast<double>(shape.n_counts()));
}

}  // namespace

learning::Plan predict(const learning::DataPlanContext& context, const Options& options) {
  const data::CategoricalTable table = store::read_categorical(context.path).table;
  learning::require_learnable(table, options.last_causes, context.path);
  learning::Plan plan;
  const auto n_rows = static_cast<double>(table.n_rows);
  double bytes = 0;
  for (std::uint32_t k = options.first_causes; k <= options.last_causes; ++k) {
    const Shape shape = shape_of(table, k, options.cardinality, k == 1 ? 1 : options.max_parents);
    bytes = std::max(bytes, bytes_a_row(shape) * n_rows);
    const double fits = options.first_causes == options.last_causes ? 1 : options.folds;
    const double sweep = time_a_row(table, k, options, context.timing) * n_rows;
    const double sweeps = expected_starts(options, k) * sweeps_a_start + options.max_sweeps / 2.0;
    context.timing.shared(fmt::format("{}_causes", k), fits * sweeps * sweep);
    plan.units += static_cast<std::uint64_t>(fits) * options.restarts;
  }
  plan.memory = learning::memory_of_program(context.resources);
  plan.memory.emplace_back("samples", n_rows * static_cast<double>(table.n_columns()));
  plan.memory.emplace_back("messages", bytes / context.resources.ranks);
  plan.memory_bytes = learning::total(plan.memory);
  plan.unit = "starts";
  return plan;
}

}  // namespace orrery::structural_ep
