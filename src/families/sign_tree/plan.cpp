// orrery plan tree --p P --alpha A --beta B
#include <fmt/format.h>

#include <boost/program_options/options_description.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/progress.hpp"
#include "cli/arguments.hpp"
#include "families/sign_tree/commands.hpp"
#include "learning/tree_sample_sizes.hpp"
#include "orrery/base/error.hpp"

namespace orrery::sign_tree {
namespace {

namespace po = boost::program_options;
using learning::NearSizes;
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

/// Rounded up.
nlohmann::json samples_json(double samples) {
  if (samples < 1e15) return static_cast<std::uint64_t>(std::ceil(samples));
  return samples;
}

void add_structure(report::Sheet& sheet, const TreeClass& trees, const SampleSizes& sizes) {
  report::Section& section = sheet.section("structure", "The very tree");
  section.sentences.push_back("the very tree:");
  section.data("sufficient", samples_json(sizes.sufficient))
      .data("sufficient_published", samples_json(sizes.sufficient_published))
      .data("necessary", samples_json(sizes.necessary));
  section.show("enough samples for Chow-Liu-CC", describe(sizes.sufficient),
               fmt::format("as published, Theorem 3.1: {}", describe(sizes.sufficient_published)));
  section.show("too few for any method", "fewer than " + describe(sizes.necessary),
               trees.p < 3 ? "two variables have one tree: nothing is to be found" : "");
}

/// Both ways to come near a distribution, and the smaller number.
void add_near(report::Section& section, const NearSizes& sizes) {
  section.data("sufficient", samples_json(sizes.sufficient()))
      .data("sufficient_by_tree", samples_json(sizes.by_tree))
      .data("sufficient_without_alpha", samples_json(sizes.without_alpha));
  section.show("enough samples for Chow-Liu-CC", describe(sizes.by_tree), "by the very tree");
  section.show("enough whatever alpha is", describe(sizes.without_alpha),
               "edges that are too weak to be found hardly matter");
}

void add_prediction(report::Sheet& sheet, const TreeClass& trees, double delta, double eta) {
  const double least = std::tanh(trees.alpha) + 4 * eta;
  const double beta = std::tanh(trees.beta);
  report::Section& section = sheet.section("prediction", "Prediction");
  section.sentences.push_back(fmt::format("marginals of two variables within {:.4g}:", eta));
  add_near(section, learning::samples_for_prediction(trees, delta, eta));
  const std::optional<double> fewest = learning::fewest_for_prediction(trees, delta, eta);
  section.data("necessary", fewest ? samples_json(*fewest) : nlohmann::json())
      .data("necessary_assumption_met", fewest.has_value());
  section.show("too few for any method", fewest ? "fewer than " + describe(*fewest) : "not known",
               fmt::format("assumes tanh alpha + 4 eta = {:.4g} <= tanh beta = {:.4g}: {}", least,
                           beta, fewest ? "met" : "not met"));
}

void add_symmetric_kl(report::Sheet& sheet, const TreeClass& trees, double delta, double most) {
  report::Section& section = sheet.section("symmetric_kl", "Symmetric KL divergence");
  section.sentences.push_back(fmt::format("symmetric KL divergence within {:.4g} nats:", most));
  section.data("within", most);
  add_near(section, learning::samples_for_symmetric_kl(trees, delta, most));
}

/// Conditions (40) and (41): the weakest edge with which N samples suffice for the very tree.
void add_weakest_edge(report::Sheet& sheet, const TreeClass& trees, double delta, std::uint64_t n) {
  const double strongest = std::tanh(trees.beta);
  const auto at = [&](double crossover) {
    return learning::weakest_edge(trees.p, strongest, crossover, delta, static_cast<double>(n));
  };
  report::Section& section = sheet.section("weakest_edge", "The weakest edge");
  section.sentences.push_back(
      fmt::format("weakest correlation of an edge that {} samples tell, if none is stronger than "
                  "{:.4g}:",
                  format_count(n), strongest));
  section.data("samples", n);
  const auto tell = [&](const char* key, const learning::WeakestEdge& edge,
                        const std::string& label, const char* condition) {
    const auto text = [&](double correlation) {
      return correlation > strongest ? std::string("no edge is strong enough")
                                     : fmt::format("{:.4g}", correlation);
    };
    section.data(key, {{"derived", edge.derived}, {"published", edge.published}});
    section.show(label, text(edge.derived),
                 fmt::format("as published, condition {}: {}", condition, text(edge.published)));
  };
  tell("noisy", at(trees.crossover), fmt::format("at crossover {:.4g}", trees.crossover), "(41)");
  tell("noiseless", at(0), "without noise", "(40)");
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
      "learned")("symmetric-kl", po::value<double>()->value_name("NATS"),
                 "the whole distribution too: the symmetric KL divergence allowed between the true "
                 "and the learned one")(
      "samples", po::value<std::uint64_t>()->value_name("N"),
      "the reverse too: the weakest edge with which N samples suffice for the very tree");
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
  if (arguments.has("eta")) {
    const double eta = number(arguments, "eta");
    require(eta > 0 && eta <= 1, "eta", eta, "more than 0, at most 1");
    section.data("eta", eta);
    add_prediction(sheet, trees, delta, eta);
  }
  if (arguments.has("symmetric-kl")) {
    const double most = number(arguments, "symmetric-kl");
    require(most >= 1e-12 && most <= 1e12, "symmetric-kl", most, "nats, 1e-12 to 1e12");
    add_symmetric_kl(sheet, trees, delta, most);
  }
  if (!arguments.has("samples")) return;
  const auto n = arguments.get<std::uint64_t>("samples");
  if (n == 0) throw UsageError("--samples 0: at least one");
  add_weakest_edge(sheet, trees, delta, n);
}

}  // namespace orrery::sign_tree
