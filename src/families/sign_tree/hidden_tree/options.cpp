#include "families/sign_tree/hidden_tree/options.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string>
#include <utility>

#include "learning/option_values.hpp"
#include "orrery/base/error.hpp"

namespace orrery::hidden_tree {
namespace {

namespace po = boost::program_options;

std::optional<double> read_crossover(const std::string& text) {
  if (text == "auto") return std::nullopt;
  double q = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), q);
  if (error != std::errc() || end != text.data() + text.size() || !(q >= 0 && q < .5)) {
    throw UsageError(
        fmt::format("--crossover {}: auto or a probability in [0, 0.5); at 0.5 the observed signs "
                    "say nothing of "
                    "the hidden ones, and above it they are the other way round",
                    text));
  }
  return q;
}

constexpr std::array marginals_words{std::pair{"uniform", Marginals::uniform},
                                     std::pair{"free", Marginals::free}};

}  // namespace

void add_options(po::options_description& options) {
  options.add_options()("crossover", po::value<std::string>()->default_value("0"),
                        "probability that an observed sign is the hidden one's opposite, in "
                        "[0, 0.5); auto: estimated (three variables and more)")(
      "alpha", po::value<double>()->value_name("A"),
      "learn a forest: an edge is kept if its correlation is not 0 at this level, two-sided, "
      "corrected for all pairs that it was chosen from (default: a tree)")(
      "marginals", po::value<std::string>()->default_value("uniform"),
      "uniform: signs are + as often as -, correlations decide (Chow-Liu-CC); free: any share of "
      "+, the mutual information of the hidden signs decides");
}

Options read_options(const po::variables_map& values, bool exact_moments) {
  if (exact_moments) {
    throw UsageError(
        "learn tree counts the pairs of samples, and a NETWORK holds none: give DATA (draw some "
        "from the network with `orrery sample`)");
  }
  Options options;
  options.crossover = read_crossover(values["crossover"].as<std::string>());
  if (values.count("alpha") > 0) {
    options.alpha = learning::level_value(values, "alpha");
  }
  options.marginals = learning::value_of_word(values, "marginals", marginals_words);
  return options;
}

}  // namespace orrery::hidden_tree
