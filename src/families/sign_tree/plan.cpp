// orrery plan tree --p P --alpha A --beta B
#include <fmt/format.h>

#include <boost/program_options/options_description.hpp>
#include <cmath>
#include <optional>

#include "base/progress.hpp"
#include "cli/arguments.hpp"
#include "families/sign_tree/commands.hpp"
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
          "a probability in [0, 0.5); at 0.5 the observed signs say nothing of the hidden ones");
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

void add_sizes(report::Section& section, const SampleSizes& sizes) {
  section.data("sufficient", samples_json(sizes.sufficient))
      .data("sufficient_published", samples_json(sizes.sufficient_published))
      .data("necessary", samples_json(sizes.necessary));
}

void add_structure(report::Sheet& sheet, const TreeClass& trees, const SampleSizes& sizes) {
  report::Section& section = sheet.section("structure", "The very tree");
  section.sentences.push_back("the very tree:");
  add_sizes(section, sizes);
  section.show("enough samples for Chow-Liu-CC", describe(sizes.sufficient),
               fmt::format("as published, Theorem 3.1: {}", describe(*sizes.sufficient_published)));
  section.show("too few for any method", "fewer than " + describe(*sizes.necessary),
               trees.p < 3 ? "two variables have one tree: nothing is to be found" : "");
}

void add_prediction(report::Sheet& sheet, const TreeClass& trees, double eta,
                    const SampleSizes& sizes) {
  const double least = std::tanh(trees.alpha) + 4 * eta;
  const double beta = std::tanh(trees.beta);
  report::Section& section = sheet.section("prediction", "Prediction");
  section.sentences.push_back(fmt::format("marginals of two variables within {:.4g}:", eta));
  add_sizes(section, sizes);
  section.data("necessary_assumption_met", sizes.necessary.has_value());
  section.show("enough samples for Chow-Liu-CC", describe(sizes.sufficient), "by the very tree");
  section.show("too few for any method",
               sizes.necessary ? "fewer than " + describe(*sizes.necessary) : "not known",
               fmt::format("assumes tanh alpha + 4 eta = {:.4g} <= tanh beta = {:.4g}: {}", least,
                           beta, sizes.necessary ? "met" : "not met"));
}

}  // namespace

void add_plan_options(po::options_description& options) {
  options.add_options()("p", po::value<std::uint64_t>()->value_name("P"), "number of variables")(
      "alpha", po::value<double>()->value_name("A"),
      "least |theta| of an edge; its correlation is tanh(theta)")(
      "beta", po::value<double>()->value_name("B"), "largest |theta| of an edge")(
      "crossover", po::value<double>()->default_value(0, "0"),
      "probability that an observed sign is the hidden one's opposite, in [0, 0.5)")(
      "delta", po::value<double>()->default_value(.05, "0.05"), "probability of failure")(
      "eta", po::value<double>()->value_name("E"),
      "prediction too: the total variation allowed between marginals of two variables, true and "
      "learned");
}

void plan(const cli::Arguments& arguments, report::Sheet& sheet) {
  const TreeClass trees = read_class(arguments);
  const double delta = number(arguments, "delta");
  require(delta > 0 && delta < 1, "delta", delta, "a probability, more than 0, less than 1");
  report::Section& section = sheet.section("", "Trees");
  section.sentences.push_back(fmt::format(
      "trees of {} variables, edges with correlations of {:.4g} to {:.4g} (+ or -), crossover "
      "{:.4g}, failure {:.4g}",
      trees.p, std::tanh(trees.alpha), std::tanh(trees.beta), trees.crossover, delta));
  section.data("p", trees.p)
      .data("alpha", trees.alpha)
      .data("beta", trees.beta)
      .data("crossover", trees.crossover)
      .data("delta", delta);
  add_structure(sheet, trees, learning::samples_for_structure(trees, delta));
  if (!arguments.has("eta")) return;
  const double eta = number(arguments, "eta");
  require(eta > 0 && eta <= 1, "eta", eta, "more than 0, at most 1");
  section.data("eta", eta);
  add_prediction(sheet, trees, eta, learning::samples_for_prediction(trees, delta, eta));
}

}  // namespace orrery::sign_tree
