#include "families/noisy_or/variational_em/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <string>

#include "base/random.hpp"
#include "base/work_time.hpp"
#include "families/noisy_or/variational_em/e_step.hpp"
#include "learning/option_values.hpp"
#include "orrery/base/error.hpp"

namespace orrery::variational_em {
namespace {

namespace po = boost::program_options;

constexpr std::size_t most_causes = 10'000;
constexpr std::size_t most_restarts = 10'000;

std::size_t read_causes(const std::string& text) {
  if (text == "auto") return 0;
  std::size_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size() || n == 0 || n > most_causes) {
    throw UsageError(
        fmt::format("--causes {}: auto or a whole number from 1 to {}", text, most_causes));
  }
  return n;
}

}  // namespace

void add_options(po::options_description& options) {
  const Options defaults;
  options.add_options()("causes",
                        po::value<std::string>()->default_value("auto")->value_name("auto|K"),
                        "number of hidden causes; auto: the number that gives every tenth row, "
                        "held out while the others are learned from, the highest bound")(
      "restarts", po::value<std::uint64_t>()->default_value(defaults.restarts)->value_name("N"),
      "random starts; the one with the highest bound is kept")(
      "tolerance",
      po::value<double>()->default_value(defaults.fit.tolerance, "1e-5")->value_name("X"),
      "a restart ends when an iteration raises its bound by less, in nats per row")(
      "max-iterations",
      po::value<std::uint64_t>()->default_value(defaults.fit.max_iterations)->value_name("N"),
      "a restart also ends after this many iterations")(
      "race", po::value<std::uint64_t>()->default_value(defaults.fit.race)->value_name("N"),
      "a restart is given up once N more gains like its last would not bring it to the best bound "
      "(0: none is)")("prune",
                      po::value<double>()->default_value(defaults.prune, "0.9")->value_name("F"),
                      "edges with a larger failure probability are left out (1: none)");
}

Options read_options(const po::variables_map& values, bool exact_moments) {
  if (exact_moments) {
    throw UsageError(
        "learn vem goes over samples, and moments alone hold none: give DATA (draw some from the "
        "network with `orrery sample`)");
  }
  Options options;
  options.causes = read_causes(values["causes"].as<std::string>());
  options.restarts = learning::value_within<std::uint64_t>(values, "restarts", 1, most_restarts);
  options.fit.max_iterations =
      learning::value_within<std::uint64_t>(values, "max-iterations", 1, 1'000'000'000);
  options.fit.race = learning::value_within<std::uint64_t>(values, "race", 0, 1'000'000);
  options.fit.tolerance = learning::positive_value(values, "tolerance", 1e6);
  options.prune = learning::positive_value(values, "prune", 1);
  return options;
}

// ------------------------------------------------------------------------------------ --dry-run

// The time of an iteration is measured on rows drawn from the marginals: what a row costs depends
// on how many variables are on in it. How many iterations a run takes cannot be known before; the
// plan counts with the usual number of the benchmark networks.

namespace {

constexpr double measuring_seconds = 0.5;
constexpr std::size_t drawn_rows = 64;
constexpr std::uint64_t usual_iterations = 45;  // of the restart that takes most
// Of a restart, with a race and without one (jobs/quartet's networks).
constexpr double usual_raced = 14;
constexpr double usual_climbed = 36;

struct DrawnRows {
  std::vector<std::uint64_t> words;
  learning::RowBlock block;
  Counts counts;
};

DrawnRows draw_rows(const moments::MomentSource& moments) {
  const std::size_t m = moments.n_observed();
  DrawnRows rows;
  rows.block.n_rows = drawn_rows;
  rows.block.n_words = (m + 63) / 64;
  rows.words.resize(drawn_rows * rows.block.n_words, 0);
  for (std::size_t i = 0; i < drawn_rows; ++i) {
    RowRandom random(1, Stream::check, i);
    for (std::size_t a = 0; a < m; ++a) {
      if (random.bernoulli(1 - moments.single(a))) {
        rows.words[i * rows.block.n_words + a / 64] |= std::uint64_t{1} << (a % 64);
      }
    }
  }
  rows.block.values = rows.words;
  for (std::size_t a = 0; a < m; ++a) rows.counts.on.push_back(1 - moments.single(a));
  return rows;
}

/// Parameters of no network in particular, but of the size that counts.
Parameters any_parameters(std::size_t n, const Counts& counts) {
  const std::size_t m = counts.on.size();
  Parameters parameters{n, m, std::vector(n, std::min(0.2, 2 / static_cast<double>(n))),
                        std::vector(m * n, 0.0), std::vector(m, 0.0)};
  RowRandom random(1, Stream::check, drawn_rows);
  for (double& failure : parameters.failure) failure = random.bernoulli(0.25) ? 0.2 : 0.95;
  for (std::size_t a = 0; a < m; ++a) {
    parameters.leak[a] = std::clamp(0.2 * counts.on[a], least_leak, 1 - least_leak);
  }
  return parameters;
}

/// Processor seconds of a row for a restart.
double seconds_a_row(const DrawnRows& rows, std::size_t n_causes, double budget,
                     learning::Timing& timing) {
  using Clock = std::chrono::steady_clock;
  const Parameters parameters = any_parameters(n_causes, rows.counts);
  const Tables tables(std::vector<const Parameters*>{&parameters});
  std::vector<double> sums(SumLayout(n_causes, rows.counts.on.size(), 1).size(), 0.0);
  EStep e_step;
  learning::RowBlock some = rows.block;
  some.n_rows = lanes;
  const auto begin = Clock::now();
  const double before = thread_seconds();
  double elapsed = 0;
  std::size_t done = 0;
  do {
    some.values =
        std::span(rows.words).subspan(done % drawn_rows * some.n_words, some.n_rows * some.n_words);
    e_step.add_rows(tables.view(), EStepSettings{}, some, sums.data());
    done += some.n_rows;
    elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
  } while (elapsed < budget);
  const double processor = thread_seconds() - before;
  timing.gave(processor, elapsed, 1);
  return processor / static_cast<double>(done);
}

/// How often a run is likely to go over a row with a restart.
double restarts_rows(const Options& options, double n_rows) {
  const double usual = options.fit.race == 0 ? usual_climbed : usual_raced;
  return static_cast<double>(options.restarts) * n_rows *
         std::min(usual, static_cast<double>(options.fit.max_iterations));
}

/// The numbers of causes that a run fits; with auto, as if some ten were found.
std::vector<std::size_t> numbers(const Options& options, std::size_t n_observed) {
  if (options.causes > 0) return {options.causes};
  std::vector<std::size_t> fitted;
  for (const std::size_t n : {1, 2, 4, 8, 16, 12, 10, 9, 11, 10}) {
    fitted.push_back(std::min(n, n_observed));
  }
  return fitted;
}

}  // namespace

learning::Plan predict(const learning::PlanContext& context, const Options& options) {
  const std::size_t m = context.moments.n_observed();
  const DrawnRows rows = draw_rows(context.moments);
  const auto n_rows = static_cast<double>(context.moments.n_samples()) * context.scale;
  const std::uint64_t iterations = std::min(usual_iterations, options.fit.max_iterations);
  const auto fitted = numbers(options, m);
  learning::Plan plan;
  plan.unit = "iterations";
  for (const std::size_t n : fitted) {
    const double of_row = seconds_a_row(
        rows, n, measuring_seconds / static_cast<double>(fitted.size()), context.timing);
    context.timing.shared(fmt::format("{}_causes", n), of_row * restarts_rows(options, n_rows));
    plan.units += iterations;
    // The restarts' parameters, and what a pass takes.
    const double kept = 2.0 * static_cast<double>(options.restarts * (n + m * n + m)) * 8;
    learning::raise_memory(
        plan, {{"pair_tables", learning::pair_table_bytes(context.moments)},
               {"restarts", kept},
               {"pass", static_cast<double>(pass_bytes(n, m, options.restarts,
                                                       context.resources.threads, options.fit))}});
  }
  return plan;
}

}  // namespace orrery::variational_em
