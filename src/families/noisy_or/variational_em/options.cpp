#include "families/noisy_or/variational_em/options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <string>

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
  options.add_options()("causes", po::value<std::string>()->default_value("auto"),
                        "number of hidden causes; auto: the number that gives every tenth row, "
                        "held out while the others are learned from, the highest bound")(
      "restarts", po::value<std::uint64_t>()->default_value(defaults.restarts),
      "random starts; the one with the highest bound is kept")(
      "tolerance", po::value<double>()->default_value(defaults.fit.tolerance, "1e-5"),
      "a restart ends when an iteration raises its bound by less, in nats per row")(
      "max-iterations", po::value<std::uint64_t>()->default_value(defaults.fit.max_iterations),
      "a restart also ends after this many iterations")(
      "prune", po::value<double>()->default_value(defaults.prune, "0.9"),
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
  options.fit.tolerance = learning::positive_value(values, "tolerance", 1e6);
  options.prune = learning::positive_value(values, "prune", 1);
  return options;
}

}  // namespace orrery::variational_em
