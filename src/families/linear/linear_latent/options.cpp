#include "families/linear/linear_latent/options.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <utility>

#include "learning/option_values.hpp"
#include "orrery/base/error.hpp"

namespace orrery::linear_latent {
namespace {

namespace po = boost::program_options;

std::optional<std::uint32_t> read_causes(const std::string& text) {
  if (text == "auto") return std::nullopt;
  std::uint32_t k = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), k);
  if (error != std::errc() || end != text.data() + text.size() || k == 0) {
    throw UsageError(
        fmt::format("--causes {}: auto, or how many, from 1 to a third of the columns", text));
  }
  return k;
}

constexpr std::array model_words{std::pair{"bipartite", Structure::bipartite},
                                 std::pair{"multilevel", Structure::multilevel},
                                 std::pair{"effective-depth-one", Structure::effective_depth_one}};
constexpr std::array noise_words{std::pair{"likelihood", true}, std::pair{"blocks", false}};
constexpr std::array sparsity_words{std::pair{"polished", true}, std::pair{"programs", false}};
constexpr std::array standardize_words{std::pair{"yes", true}, std::pair{"no", false}};

}  // namespace

void add_options(po::options_description& options) {
  options.add_options()("causes", po::value<std::string>()->default_value("auto"),
                        "how many hidden causes; auto: the fewest that the rank test does not "
                        "reject. At most a third of the columns")(
      "model", po::value<std::string>()->default_value("bipartite"),
      "bipartite: causes above the observed variables, however they depend on each other; "
      "multilevel: causes of causes too, level by level; effective-depth-one: causes that drive "
      "one another (h = Lambda h + eta), found from skewness")(
      "noise", po::value<std::string>()->default_value("likelihood"),
      "how noise is told from causes: blocks (the paper's SUBROUTINE), or likelihood (maximum "
      "likelihood, which starts there)")(
      "sparsity", po::value<std::string>()->default_value("polished"),
      "polished: solutions of the linear programs are made as sparse as they get, and more are "
      "tried; programs: the paper's n programs alone")(
      "alpha", po::value<double>()->default_value(.01)->value_name("A"),
      "a loading is kept if it is not 0 at this level, two-sided, corrected for all loadings")(
      "partitions", po::value<std::uint32_t>()->default_value(32)->value_name("N"),
      "random partitions into three blocks that are tried; the best-conditioned is kept; where "
      "none "
      "will do, up to 10,000 are tried")(
      "standardize", po::value<std::string>()->default_value("yes"),
      "yes: programs see columns of variance 1, so that no variable's unit matters; no: as they "
      "are. Loadings come in the data's units either way");
}

Options read_options(const po::variables_map& values) {
  Options options;
  options.causes = read_causes(values["causes"].as<std::string>());
  options.structure = learning::value_of_word(values, "model", model_words);
  options.maximum_likelihood = learning::value_of_word(values, "noise", noise_words);
  options.polish = learning::value_of_word(values, "sparsity", sparsity_words);
  options.standardize = learning::value_of_word(values, "standardize", standardize_words);
  options.alpha = learning::level_value(values, "alpha");
  options.partitions = learning::value_within<std::uint32_t>(values, "partitions", 1, 100'000);
  return options;
}

}  // namespace orrery::linear_latent
