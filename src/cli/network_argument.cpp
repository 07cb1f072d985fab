#include "cli/network_argument.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/model_argument.hpp"
#include "orrery/base/error.hpp"
#include "orrery/evaluate/match.hpp"

namespace orrery::cli {
model::LearnedModel load_network(const std::string& argument, std::uint64_t seed) {
  return require_network(load_model(argument, seed), argument);
}

model::LearnedModel load_network(const parallel::Team& team, const std::string& argument,
                                 std::uint64_t seed) {
  return team.root_first([&] { return load_network(argument, seed); });
}

std::string network_file(const std::string& argument) { return model_file(argument); }

std::vector<std::size_t> places_in_data(const model::NoisyOrNetwork& network,
                                        const std::vector<std::string>& names,
                                        const std::string& source) {
  if (network.n_observed() != names.size()) {
    throw InputError(
        fmt::format("{}: {} observed variables, but the data have {}; give a network of these data",
                    source, network.n_observed(), names.size()));
  }
  std::vector<model::Observed> of_data;
  for (const std::string& name : names) of_data.push_back({name, 0});
  return evaluate::align_observed(network, {{}, std::move(of_data), {}});
}

model::NoisyOrNetwork align_to_data(const model::NoisyOrNetwork& network,
                                    const std::vector<std::string>& names,
                                    const std::string& source) {
  const std::vector<std::size_t> places = places_in_data(network, names, source);
  std::vector<model::Observed> observed(names.size());
  for (std::size_t x = 0; x < names.size(); ++x) {
    observed[places[x]] = {names[places[x]], network.observed()[x].leak};
  }
  std::vector<model::Edge> edges = network.edges();
  for (auto& edge : edges) edge.observed = static_cast<std::uint32_t>(places[edge.observed]);
  return {network.causes(), std::move(observed), std::move(edges)};
}

}  // namespace orrery::cli
