#include "families/noisy_or/network_argument.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/log.hpp"
#include "family/matched_columns.hpp"
#include "family/model_argument.hpp"
#include "family/table.hpp"

namespace orrery::noisy_or {

model::LearnedModel require_network(const family::AnyModel& loaded, const std::string& source) {
  return family::require<model::LearnedModel>(loaded, source, "a noisy-OR network is needed here");
}

model::LearnedModel require_independent(const family::AnyModel& loaded, const std::string& source) {
  model::LearnedModel learned = require_network(loaded, source);
  if (!learned.network.has_dependent_causes()) return learned;
  family::refuse(loaded, source, "a noisy-OR network of independent causes is needed here");
}

model::LearnedModel load_network(const std::string& argument, std::uint64_t seed) {
  return require_independent(family::load_model(argument, seed), argument);
}

model::LearnedModel load_network(const parallel::Team& team, const std::string& argument,
                                 std::uint64_t seed) {
  return team.root_first([&] { return load_network(argument, seed); });
}

std::vector<std::size_t> places_in_data(const model::NoisyOrNetwork& network,
                                        const std::vector<std::string>& names,
                                        const std::string& source, const std::string& data_source) {
  std::vector<std::string> wanted;
  for (const model::Observed& observed : network.observed()) wanted.push_back(observed.name);
  const auto places =
      family::columns_by_name(wanted, names, source, data_source, family::Use::learning);
  if (names.size() > wanted.size()) {
    log::warning(
        "{}: {} of its {} columns are no variables of {}: no known cause has edges to them",
        data_source, names.size() - wanted.size(), names.size(), source);
  }
  return places;
}

model::NoisyOrNetwork align_to_data(const model::NoisyOrNetwork& network,
                                    const std::vector<std::string>& names,
                                    const std::vector<std::size_t>& places) {
  std::vector<model::Observed> observed;
  for (const std::string& name : names) observed.push_back({name, 0});
  for (std::size_t x = 0; x < places.size(); ++x) {
    observed[places[x]].leak = network.observed()[x].leak;
  }
  std::vector<model::Edge> edges = network.edges();
  for (auto& edge : edges) edge.observed = static_cast<std::uint32_t>(places[edge.observed]);
  return {network.causes(), std::move(observed), std::move(edges)};
}

}  // namespace orrery::noisy_or
