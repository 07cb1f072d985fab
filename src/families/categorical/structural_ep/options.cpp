#include "families/categorical/structural_ep/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <charconv>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "families/categorical/network/inference.hpp"
#include "families/categorical/structural_ep/approximation.hpp"
#include "learning/load.hpp"
#include "learning/option_values.hpp"
#include "orrery/base/error.hpp"
#include "store/tables.hpp"

namespace orrery::structural_ep {
namespace {

namespace po = boost::program_options;

std::uint32_t read_number(std::string_view part, const std::string& whole) {
  std::uint32_t k = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), k);
  if (error != std::errc() || end != part.data() + part.size() || k == 0) {
    throw UsageError(fmt::format(
        "--causes {}: auto, how many, from 1 on, or a range to choose from: 2-6", whole));
  }
  return k;
}

/// Starts at most, and of them in agreement, by which a number of causes is judged.
constexpr std::uint32_t judging_starts = 3;
constexpr std::uint32_t judging_agreements = 2;

/// The most that --causes auto tries.
constexpr std::uint32_t most_causes = 10;

void read_causes(const std::string& text, Options& options) {
  options.stops_early = text == "auto";
  if (options.stops_early) {
    options.drops_edges = true;
    options.first_causes = 0;
    options.last_causes = most_causes;
    return;
  }
  const auto dash = text.find('-');
  options.first_causes = read_number(std::string_view(text).substr(0, dash), text);
  options.last_causes = options.first_causes;
  if (dash != std::string::npos) {
    options.last_causes = read_number(std::string_view(text).substr(dash + 1), text);
  }
  if (options.last_causes < options.first_causes) {
    throw UsageError(fmt::format("--causes {}: the range is empty; write {}-{}", text,
                                 options.last_causes, options.first_causes));
  }
}

constexpr std::array start_words{std::pair{"clusters", StartKind::clusters},
                                 std::pair{"random", StartKind::random}};

constexpr std::array projection_words{std::pair{"mean-log", Projection::mean_log},
                                      std::pair{"mean-variance", Projection::mean_variance}};

}  // namespace

void add_options(po::options_description& options) {
  options.add_options()(
      "causes", po::value<std::string>()->default_value("auto")->value_name("auto|K|A-B"),
      "how many hidden causes; a range: the number whose networks predict "
      "held-out rows best (--folds; two or three starts each; a number that is "
      "clearly worse is held against one part of the rows only); auto: the same "
      "of 1, 2, ... up to 10 and a third of the columns, until two in a row "
      "predict no better than one before (10,000 rows at most), and none where "
      "independent variables predict as well; variables that depend on no cause "
      "get none")("parents", po::value<std::uint32_t>()->default_value(1)->value_name("1|2"),
                  "the most causes that a variable may have")(
      "cardinality", po::value<std::uint32_t>()->default_value(2)->value_name("J"),
      "states of each cause, 2 to 8")(
      "start", po::value<std::string>()->default_value("clusters")->value_name("clusters|random"),
      "where a start begins: clusters, merged down to the causes, whose variables are then "
      "reconsidered one by one; or random messages and nothing more, the paper's own way (with "
      "--restarts 1 --damping 1)")("restarts",
                                   po::value<std::uint32_t>()->default_value(10)->value_name("R"),
                                   "starts at most; the one with the best evidence is kept")(
      "agreements", po::value<std::int32_t>()->default_value(-1)->value_name("N"),
      "make no more starts once this many have ended with the best evidence; 0: make all; -1: as "
      "many as there are causes, with two parents twice as many")(
      "extra-causes", po::value<std::uint32_t>()->default_value(3)->value_name("N"),
      "how many causes a start has beyond those asked for; they are merged later")(
      "projection",
      po::value<std::string>()->default_value("mean-log")->value_name("mean-log|mean-variance"),
      "of parameters: mean-log (exact moment matching; Minka 2000), or mean-variance (closed form; "
      "Minka and Lafferty 2002)")("prior", po::value<double>()->default_value(1)->value_name("A"),
                                  "Dirichlet count of each category, 0.01 to 100")(
      "damping", po::value<double>()->default_value(.5)->value_name("D"),
      "share of the new message in each update of parameters, 0.01 to 1 (1: none)")(
      "tolerance", po::value<double>()->default_value(1e-4)->value_name("T"),
      "sweeps end when no probability of a structure changes by more, three times in a row")(
      "max-iterations", po::value<std::uint32_t>()->default_value(60)->value_name("N"),
      "sweeps at most")(
      "conditionings", po::value<std::int32_t>()->default_value(-1)->value_name("N"),
      "how often causes that are sure in a row (probability beyond 0.9) are held and the rest is "
      "inferred again; -1: 2 with two parents, 0 with one, as in the paper")(
      "independent-below", po::value<double>()->default_value(0)->value_name("Q"),
      "variables whose most probable parents have less than this get none (the paper's clinical "
      "data: 0.5)")("folds", po::value<std::uint32_t>()->default_value(5)->value_name("F"),
                    "parts that rows are held out in, to choose the number of causes")(
      "top", po::value<std::uint32_t>()->default_value(3)->value_name("N"),
      "structures reported of each variable that has more than one likely one");
}

Options for_columns(Options options, std::size_t n_columns) {
  if (!options.stops_early) return options;
  const auto most = static_cast<std::uint32_t>(std::min<std::size_t>(n_columns / 3, most_causes));
  options.last_causes = std::max<std::uint32_t>(most, 1);
  return options;
}

std::uint32_t sufficient_agreements(const Options& options, std::size_t n_causes) {
  if (options.agreements >= 0) return static_cast<std::uint32_t>(options.agreements);
  return options.max_parents * static_cast<std::uint32_t>(n_causes);
}

Options for_judging(Options options, std::uint32_t n_causes) {
  options.restarts = std::min(options.restarts, judging_starts);
  if (options.agreements < 0) {
    options.agreements = static_cast<std::int32_t>(std::min(judging_agreements, n_causes));
  }
  return options;
}

Options read_options(const po::variables_map& values) {
  Options options;
  read_causes(values["causes"].as<std::string>(), options);
  options.max_parents = learning::value_within<std::uint32_t>(values, "parents", 1, 2);
  options.cardinality = learning::value_within<std::uint32_t>(values, "cardinality", 2, 8);
  options.start = learning::value_of_word(values, "start", start_words);
  if (options.start == StartKind::random && !values["extra-causes"].defaulted()) {
    throw UsageError(
        "--extra-causes is of --start clusters, which merges causes: with --start random a network "
        "has the causes asked for from the beginning; leave one of the two out");
  }
  options.restarts = learning::value_within<std::uint32_t>(values, "restarts", 1, 100'000);
  options.agreements = learning::value_within<std::int32_t>(values, "agreements", -1, 100'000);
  options.extra = learning::value_within<std::uint32_t>(values, "extra-causes", 0, 100);
  options.prior = learning::value_within<double>(values, "prior", .01, 100);
  options.damping = learning::value_within<double>(values, "damping", .01, 1);
  options.tolerance = learning::value_within<double>(values, "tolerance", 1e-12, .5);
  options.max_sweeps =
      learning::value_within<std::uint32_t>(values, "max-iterations", 1, 1'000'000);
  options.independent_below = learning::value_within<double>(values, "independent-below", 0, 1);
  options.folds = learning::value_within<std::uint32_t>(values, "folds", 2, 100);
  options.top = learning::value_within<std::uint32_t>(values, "top", 1, 1000);
  const auto conditionings = learning::value_within<std::int32_t>(values, "conditionings", -1, 100);
  options.conditionings = conditionings >= 0         ? static_cast<std::uint32_t>(conditionings)
                          : options.max_parents == 2 ? 2
                                                     : 0;
  options.projection = learning::value_of_word(values, "projection", projection_words);
  return options;
}

// What a run would take: a sweep is timed on some of the rows.

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

/// Processor seconds of a sweep for a row.
double time_a_row(const data::CategoricalTable& table, std::size_t n_causes, const Options& options,
                  learning::Timing& timing) {
  const parallel::Team alone;
  const data::CategoricalTable part = model::first_rows(table, measured_rows);
  const learning::RowShare rows(alone, 1, part.n_rows);
  Approximation approximation(shape_of(part, n_causes, options.cardinality, options.max_parents),
                              part, rows, options.prior);
  IterateOptions sweep;
  sweep.projection = options.projection;
  sweep.damping = options.damping;
  sweep.held_sweeps = 0;
  sweep.max_sweeps = 1;
  const double seconds = timing.measure(measuring_seconds, [&] { iterate(approximation, sweep); });
  return seconds / static_cast<double>(std::max<std::uint64_t>(part.n_rows, 1));
}

double bytes_a_row(const Shape& shape) {
  const auto d = static_cast<double>(shape.n_observed());
  return 8 * (d * static_cast<double>(shape.n_states + shape.n_sets()) +
              static_cast<double>(shape.n_counts()));
}

}  // namespace

learning::Plan predict(const learning::DataPlanContext& context, const Options& given) {
  const data::CategoricalTable table = store::read_categorical(context.path).table;
  const Options options = for_columns(given, table.n_columns());
  learning::require_learnable(table, options.last_causes, context.path);
  learning::Plan plan;
  const auto n_rows = static_cast<double>(table.n_rows);
  double bytes = 0;
  // Independent variables take no time worth telling.
  for (std::uint32_t k = std::max(options.first_causes, 1U); k <= options.last_causes; ++k) {
    const Shape shape = shape_of(table, k, options.cardinality, options.max_parents);
    bytes = std::max(bytes, bytes_a_row(shape) * n_rows);
    const double sweep = time_a_row(table, k, options, context.timing) * n_rows;
    double sweeps = 0;
    if (options.first_causes != options.last_causes) {  // the race: one part, mostly
      const Options judging = for_judging(options, k);
      sweeps += judging.restarts * sweeps_a_start;
      plan.units += judging.restarts;
    }
    if (k == options.last_causes) {
      sweeps += expected_starts(options, k) * sweeps_a_start + options.max_sweeps / 2.0;
      plan.units += options.restarts;
    }
    context.timing.shared(fmt::format("{}_causes", k), sweeps * sweep);
  }
  plan.memory = learning::memory_of_program(context.resources);
  plan.memory.emplace_back("samples", n_rows * static_cast<double>(table.n_columns()));
  plan.memory.emplace_back("messages", bytes / context.resources.ranks);
  plan.memory_bytes = learning::total(plan.memory);
  plan.unit = "starts";
  return plan;
}

}  // namespace orrery::structural_ep
