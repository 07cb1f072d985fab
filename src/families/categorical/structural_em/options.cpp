#include "families/categorical/structural_em/options.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "learning/option_values.hpp"
#include "orrery/base/error.hpp"

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

}  // namespace orrery::structural_em
