#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "base/progress.hpp"
#include "families/linear/commands.hpp"
#include "families/linear/network/generators.hpp"

namespace orrery::linear {

using nlohmann::json;

json info_json(const model::LearnedLinear& learned) {
  const model::LinearNetwork& network = learned.network;
  return {{"learner", learned.learner},
          {"n_causes", network.n_causes()},
          {"n_observed", network.n_observed()},
          {"n_edges", network.n_edges()},
          {"upper_levels", network.upper().size()},
          {"coupled", network.has_coupling()},
          {"cause_law", model::cause_law_name(network.law())},
          {"n_samples", learned.n_samples},
          {"data_digest", fmt::format("{:016x}", learned.data_digest)},
          {"standard_errors", learned.loading_errors.size() > 0}};
}

std::string describe_info(const json& info) {
  const auto number = [&](const char* member, const char* noun) {
    const auto n = info.at(member).get<std::uint64_t>();
    return fmt::format("{} {}{}", format_count(n), noun, n == 1 ? "" : "s");
  };
  const auto learner = info.at("learner").get<std::string>();
  const bool upper = info.at("upper_levels").get<std::size_t>() > 0;
  return fmt::format("linear network: {} of {}, {}{}{}{}{}\n", number("n_causes", "cause"),
                     number("n_observed", "variable"), number("n_edges", "edge"),
                     upper ? ", " + number("upper_levels", "level") + " above the causes" : "",
                     info.at("coupled").get<bool>() ? ", causes coupled" : "",
                     learner.empty() ? "" : ", learned by " + learner,
                     info.at("standard_errors").get<bool>() ? ", with standard errors" : "");
}

}  // namespace orrery::linear
