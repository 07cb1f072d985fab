#include "families/noisy_or/anchored/plan.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "families/noisy_or/anchored/anchors_file.hpp"
#include "families/noisy_or/anchored/loadings/loadings.hpp"
#include "families/noisy_or/anchored/loadings/ratio_matcher.hpp"
#include "families/noisy_or/anchored/moments/frequencies.hpp"
#include "families/noisy_or/anchored/observations.hpp"
#include "orrery/model/learned_model.hpp"
#include "store/sample_reader.hpp"

namespace orrery::anchored {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double measuring_seconds = .1;

double sets_of(double n, std::size_t size) {
  double sets = 1;
  for (std::size_t i = 0; i < size; ++i) {
    sets *= (n - static_cast<double>(i)) / static_cast<double>(i + 1);
  }
  return std::max(0.0, sets);
}

/// Seconds of a product and a column over all rows, by the file's first block.
double time_counts(const store::SampleReader& reader, learning::Timing& timing) {
  const auto begin = Clock::now();
  const store::SampleReader::Block block = reader.read(0);
  timing.waits("load", std::chrono::duration<double>(Clock::now() - begin).count() *
                           static_cast<double>(reader.n_blocks()));
  Observations first;
  first.n_samples = block.values.n_rows();
  first.values = data::BitPanels(block.values.n_columns(), block.values.n_rows());
  first.values.insert(0, block.values);
  std::vector<Column> columns;
  for (std::uint32_t c = 0; c < std::min(columns_a_unit, block.values.n_columns()); ++c) {
    columns.push_back({Column::Kind::observed, c});
  }
  std::vector<Product> products;
  for (const Column& column : columns) products.push_back({column});
  const double seconds = timing.measure(measuring_seconds, [&] {
    const Frequencies counts(first, products, columns);
    if (counts.n_views() == 0) throw std::logic_error("no view");
  });
  return seconds / static_cast<double>(products.size() * columns.size()) *
         static_cast<double>(reader.header().n_samples) / static_cast<double>(first.n_samples);
}

/// Seconds of a variable in a view.
double time_failures(std::size_t n, learning::Timing& timing) {
  std::vector<model::CauseTable> tables(n);
  for (std::uint32_t i = 1; i < n; ++i) tables[i] = {{(i - 1) / 2}, {.2, .5}};
  const CauseExpectations sums(model::CauseNetwork(tables), 1, 1);
  const RatioMatcher matcher(sums);
  std::vector<std::uint32_t> active(n);
  for (std::uint32_t i = 0; i < n; ++i) active[i] = i;
  const std::vector<double> ratios(n, -.1);
  return timing.measure(measuring_seconds, [&] {
    std::vector<double> logs = ratios;
    if (!matcher.solve(ratios, active, logs)) throw std::logic_error("no failures");
  });
}

}  // namespace

learning::Plan predict(const learning::DataPlanContext& context, const Options& options) {
  require_program(options.recovery);
  const NamedAnchors named = read_anchors(options.anchors);
  const auto k = static_cast<double>(named.causes.size());
  learning::Plan plan;
  plan.unit = "blocks of variables";
  plan.memory = learning::memory_of_program(context.resources);
  const PolytopeCost polytope =
      cost_of(options.recovery.polytope, named.causes.size(), order_needed(options.structure));
  if (polytope.bytes > 0) plan.memory.emplace_back("polytope", polytope.bytes);
  // One processor works on it.
  if (polytope.seconds > 0) context.timing.waits("cause_moments", polytope.seconds);
  double variables = 0;
  double rows = 0;
  if (context.exact == nullptr) {
    const store::SampleReader reader(context.path);
    rows = static_cast<double>(reader.header().n_samples);
    variables = static_cast<double>(reader.header().n_observed);
    const double count = time_counts(reader, context.timing);
    const std::size_t order = order_needed(options.structure);
    double sets = 0;
    for (std::size_t size = 0; size < order; ++size) sets += sets_of(k, size);
    context.timing.shared("anchors", 2 * count * k * variables);
    context.timing.shared("anchor_moments", count * sets * k);
    const double views = static_cast<double>(n_views(reader.header().n_samples));
    const double edges = options.loadings == Loadings::tree ? k - 1 : 0;
    const double blankets = options.loadings == Loadings::blanket ? 8 * k : 0;
    const double failures = time_failures(named.causes.size(), context.timing);
    context.timing.shared("loadings",
                          2 * variables * (count * (1 + k + edges + blankets) + failures * views));
    plan.memory.emplace_back("bits",
                             bits_needed(reader.header().n_samples, reader.header().n_observed));
    plan.memory.emplace_back("anchor_moments", 8 * views * sets * (k + 1));
    plan.memory.emplace_back("loadings", 16 * 2 * variables * (k + 1));
  } else if (const auto* learned = context.exact->as<model::LearnedModel>()) {
    variables = static_cast<double>(learned->network.n_observed());
  }
  if (!options.labels.empty()) {
    plan.memory.emplace_back(
        "labels", 2 * bits_needed(static_cast<std::uint64_t>(rows), named.causes.size()));
  }
  plan.units =
      static_cast<std::uint64_t>(std::ceil(variables / static_cast<double>(columns_a_unit)));
  plan.memory_bytes = learning::total(plan.memory);
  return plan;
}

}  // namespace orrery::anchored
