#include "learners/structural_em/options.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "orrery/base/error.hpp"

namespace orrery::structural_em {
namespace {

namespace po = boost::program_options;

std::uint64_t read_number(const po::variables_map& values, const char* name, std::uint64_t least,
                          std::uint64_t most) {
  const auto value = values[name].as<std::uint64_t>();
  if (value < least || value > most) {
    throw UsageError(fmt::format("--{} {}: {} to {}", name, value, least, most));
  }
  return value;
}

double read_positive(const po::variables_map& values, const char* name, double most) {
  const auto value = values[name].as<double>();
  if (!(value > 0 && value <= most)) {
    throw UsageError(
        fmt::format("--{} {}: a number above 0, up to {}, is needed", name, value, most));
  }
  return value;
}

StartKind read_start(const std::string& text) {
  if (text == "products") return StartKind::products;
  if (text == "rows") return StartKind::rows;
  throw UsageError(fmt::format("--start {}: products or rows", text));
}

ScoreKind read_score(const std::string& text) {
  if (text == "cheeseman-stutz") return ScoreKind::cheeseman_stutz;
  if (text == "bic") return ScoreKind::bic;
  throw UsageError(fmt::format("--score {}: cheeseman-stutz or bic", text));
}

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
      "at most so many passes of EM for each structure after that")(
      "tolerance", po::value<double>()->default_value(defaults.fit.tolerance, "1e-6"),
      "EM ends when a pass gains less, in nats a row; so does the search")(
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
  options.causes = read_number(values, "causes", 1, 1'000'000);
  options.cardinality = read_number(values, "cardinality", 2, 64);
  options.restarts = read_number(values, "restarts", 1, 10'000);
  options.start = read_start(values["start"].as<std::string>());
  options.early_passes = read_number(values, "early-iterations", 0, 1'000'000'000);
  options.fit.max_passes = read_number(values, "iterations", 1, 1'000'000'000);
  options.fit.tolerance = read_positive(values, "tolerance", 1);
  options.fit.score.alpha = read_positive(values, "alpha", 1e6);
  options.fit.score.kind = read_score(values["score"].as<std::string>());
  return options;
}

}  // namespace orrery::structural_em
