#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/progress.hpp"
#include "cli/printing.hpp"
#include "families/linear/commands.hpp"

namespace orrery::linear {
namespace {

using model::LearnedLinear;
using model::LinearNetwork;

std::size_t n_children(const LinearNetwork& network, std::size_t cause) {
  const auto column = network.loadings().col(static_cast<Eigen::Index>(cause));
  return static_cast<std::size_t>((column.array() != 0).count());
}

std::size_t n_couplings(const LinearNetwork& network) {
  return static_cast<std::size_t>((network.coupling().array() != 0).count());
}

/// ", 7 edges among causes", ", levels of 3 and 1 above them"
std::string describe_above(const LinearNetwork& network) {
  if (network.has_coupling()) return fmt::format(", {} edges among causes", n_couplings(network));
  std::string sizes;
  for (const model::UpperLevel& level : network.upper()) {
    sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", level.names.size());
  }
  return sizes.empty() ? "" : fmt::format(", levels above them of {}", sizes);
}

std::string describe_linear(const LearnedLinear& learned, const std::string& output,
                            double seconds) {
  const LinearNetwork& network = learned.network;
  std::string text = fmt::format("{} cause{} of {} variables with {} edges{} from {} in {}\n",
                                 network.n_causes(), network.n_causes() == 1 ? "" : "s",
                                 network.n_observed(), network.n_edges(), describe_above(network),
                                 learned.n_samples == 0
                                     ? "exact moments"
                                     : fmt::format("{} samples", format_count(learned.n_samples)),
                                 format_duration(seconds));
  for (std::size_t j = 0; j < network.n_causes(); ++j) {
    text +=
        fmt::format("  {:12} {:4} children\n", network.cause_names()[j], n_children(network, j));
  }
  for (const std::string& remark : learned.remarks) text += fmt::format("  {}\n", remark);
  return text +
         fmt::format("written to {}; see it with: orrery report {} -o report.html", output, output);
}

}  // namespace

void print_learned(const LearnedLinear& learned, const Arguments& arguments,
                   const std::string& output, double seconds) {
  const LinearNetwork& network = learned.network;
  nlohmann::json causes = nlohmann::json::array();
  for (std::size_t j = 0; j < network.n_causes(); ++j) {
    causes.push_back({{"name", network.cause_names()[j]}, {"children", n_children(network, j)}});
  }
  nlohmann::json levels = nlohmann::json::array();
  for (const model::UpperLevel& level : network.upper()) levels.push_back(level.names.size());
  cli::print_done(arguments,
                  {{"causes", std::move(causes)},
                   {"n_observed", network.n_observed()},
                   {"n_edges", network.n_edges()},
                   {"n_couplings", n_couplings(network)},
                   {"levels", std::move(levels)},
                   {"remarks", learned.remarks},
                   {"n_samples", learned.n_samples},
                   {"output", output},
                   {"seconds", seconds}},
                  describe_linear(learned, output, seconds));
}

}  // namespace orrery::linear
