// orrery plan tree --p P --alpha A --beta B
#include "families/sign_tree/plan.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/progress.hpp"
#include "cli/printing.hpp"
#include "learning/tree_sample_sizes.hpp"
#include "orrery/base/error.hpp"

namespace orrery::sign_tree {
namespace {

namespace po = boost::program_options;
using learning::SampleSizes;
using learning::TreeClass;

double number(const cli::Arguments& arguments, const char* name) {
  if (!arguments.has(name)) {
    throw UsageError(
        fmt::format("--{} is missing; `orrery plan tree --help` says what it is", name));
  }
  return arguments.get<double>(name);
}

void require(bool holds, const char* name, double value, const char* wanted) {
  if (!holds) throw UsageError(fmt::format("--{} {}: {}", name, value, wanted));
}

TreeClass read_class(const cli::Arguments& arguments) {
  if (!arguments.has("p")) {
    throw UsageError("--p is missing; `orrery plan tree --help` says what it is");
  }
  const TreeClass trees{arguments.get<std::uint64_t>("p"), number(arguments, "alpha"),
                        number(arguments, "beta"), number(arguments, "crossover")};
  constexpr double most = 15;  // 1 - tanh 15 = 2e-13
  require(trees.p >= 2 && trees.p <= 1'000'000'000, "p", static_cast<double>(trees.p),
          "2 to 1,000,000,000 variables");
  require(trees.alpha > 0 && trees.alpha <= most, "alpha", trees.alpha, "more than 0, at most 15");
  require(trees.beta >= trees.alpha && trees.beta <= most, "beta", trees.beta,
          "at least --alpha, at most 15");
  require(trees.crossover >= 0 && trees.crossover < .5, "crossover", trees.crossover,
          "a probability in [0, .5); at .5 the observed signs say nothing of the hidden ones");
  return trees;
}

/// Samples, rounded up.
std::string describe(double samples) {
  return samples < 1e15 ? format_count(static_cast<std::uint64_t>(std::ceil(samples)))
                        : fmt::format("{:.3g}", samples);
}

/// Rounded up; null where it is not known.
nlohmann::json samples_json(const std::optional<double>& samples) {
  if (!samples) return nullptr;
  if (*samples < 1e15) return static_cast<std::uint64_t>(std::ceil(*samples));
  return *samples;
}

nlohmann::json to_json(const SampleSizes& sizes) {
  return {{"sufficient", samples_json(sizes.sufficient)},
          {"sufficient_published", samples_json(sizes.sufficient_published)},
          {"necessary", samples_json(sizes.necessary)}};
}

void print_text(const TreeClass& trees, double delta, const SampleSizes& structure,
                const std::optional<double>& eta, const std::optional<SampleSizes>& prediction) {
  std::cout << fmt::format(
      "trees of {} variables, edges with correlations of {:.4g} to {:.4g} (+ or -), crossover "
      "{:.4g}, failure {:.4g}\n"
      "the very tree:\n"
      "  enough samples for Chow-Liu-CC: {} (as published, Theorem 3.1: {})\n"
      "  too few for any method: fewer than {}\n",
      trees.p, std::tanh(trees.alpha), std::tanh(trees.beta), trees.crossover, delta,
      describe(structure.sufficient), describe(*structure.sufficient_published),
      describe(*structure.necessary));
  if (trees.p < 3) std::cout << "  (two variables have one tree: nothing is to be found)\n";
  if (!prediction) return;
  std::cout << fmt::format(
      "marginals of two variables within {:.4g}:\n"
      "  enough samples for Chow-Liu-CC, by the very tree: {}\n",
      *eta, describe(prediction->sufficient));
  const double least = std::tanh(trees.alpha) + 4 * *eta;
  if (prediction->necessary) {
    std::cout << fmt::format(
        "  too few for any method: fewer than {} (assumes tanh alpha + 4 eta = {:.4g} <= tanh "
        "beta: "
        "met)\n",
        describe(*prediction->necessary), least);
  } else {
    std::cout << fmt::format(
        "  too few for any method: not known (assumes tanh alpha + 4 eta = {:.4g} <= tanh beta = "
        "{:.4g}: not met)\n",
        least, std::tanh(trees.beta));
  }
}

}  // namespace

void add_plan_options(po::options_description& options) {
  options.add_options()("p", po::value<std::uint64_t>()->value_name("P"), "number of variables")(
      "alpha", po::value<double>()->value_name("A"),
      "least |theta| of an edge; its correlation is tanh(theta)")(
      "beta", po::value<double>()->value_name("B"), "largest |theta| of an edge")(
      "crossover", po::value<double>()->default_value(0, "0"),
      "probability that an observed sign is the hidden one's opposite, in [0, .5)")(
      "delta", po::value<double>()->default_value(.05, "0.05"), "probability of failure")(
      "eta", po::value<double>()->value_name("E"),
      "prediction too: the total variation allowed between marginals of two variables, true and "
      "learned");
}

void plan(const cli::Arguments& arguments) {
  const TreeClass trees = read_class(arguments);
  if (arguments.dry_run()) {
    cli::print_plan(arguments, {2e7, 1, "set of formulas", 0});
    return;
  }
  const double delta = number(arguments, "delta");
  require(delta > 0 && delta < 1, "delta", delta, "a probability, more than 0, less than 1");
  const SampleSizes structure = learning::samples_for_structure(trees, delta);
  std::optional<double> eta;
  std::optional<SampleSizes> prediction;
  if (arguments.has("eta")) {
    eta = number(arguments, "eta");
    require(*eta > 0 && *eta <= 1, "eta", *eta, "more than 0, at most 1");
    prediction = learning::samples_for_prediction(trees, delta, *eta);
  }
  if (!arguments.json()) {
    print_text(trees, delta, structure, eta, prediction);
    return;
  }
  nlohmann::json object{{"p", trees.p},       {"alpha", trees.alpha},
                        {"beta", trees.beta}, {"crossover", trees.crossover},
                        {"delta", delta},     {"structure", to_json(structure)}};
  if (prediction) {
    object["eta"] = *eta;
    object["prediction"] = to_json(*prediction);
    object["prediction"]["necessary_assumption_met"] = prediction->necessary.has_value();
  }
  cli::print_json(object);
}

}  // namespace orrery::sign_tree
