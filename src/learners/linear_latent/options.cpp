#include "learners/linear_latent/options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string>

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

Structure read_structure(const std::string& text) {
  if (text == "bipartite") return Structure::bipartite;
  if (text == "multilevel") return Structure::multilevel;
  if (text == "effective-depth-one") return Structure::effective_depth_one;
  throw UsageError(fmt::format("--model {}: bipartite, multilevel or effective-depth-one", text));
}

bool is_first(const po::variables_map& values, const char* option, const char* first,
              const char* second) {
  const auto& text = values[option].as<std::string>();
  if (text != first && text != second) {
    throw UsageError(fmt::format("--{} {}: {} or {}", option, text, first, second));
  }
  return text == first;
}

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
      "random partitions into three blocks that are tried; the best-conditioned is kept")(
      "standardize", po::value<std::string>()->default_value("yes"),
      "yes: programs see columns of variance 1, so that no variable's unit matters; no: as they "
      "are. Loadings come in the data's units either way");
}

Options read_options(const po::variables_map& values) {
  Options options;
  options.causes = read_causes(values["causes"].as<std::string>());
  options.structure = read_structure(values["model"].as<std::string>());
  options.maximum_likelihood = is_first(values, "noise", "likelihood", "blocks");
  options.polish = is_first(values, "sparsity", "polished", "programs");
  options.standardize = is_first(values, "standardize", "yes", "no");
  options.alpha = values["alpha"].as<double>();
  if (!(options.alpha > 0 && options.alpha < 1)) {
    throw UsageError(fmt::format("--alpha {}: more than 0, less than 1", options.alpha));
  }
  options.partitions = values["partitions"].as<std::uint32_t>();
  if (options.partitions < 1 || options.partitions > 100'000) {
    throw UsageError(fmt::format("--partitions {}: from 1 to 100000", options.partitions));
  }
  return options;
}

}  // namespace orrery::linear_latent
