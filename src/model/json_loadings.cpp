#include "model/json_loadings.hpp"

#include <fmt/format.h>

#include <limits>

#include "model/json_layout.hpp"
#include "model/json_uncertainty.hpp"

namespace orrery::model {

std::vector<Observed> read_observed(const JsonEntry& list) {
  std::vector<Observed> observed;
  JsonNames names;
  if (list.size() == 0) list.refuse("at least one observed variable is needed");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonEntry entry = list.element(i);
    observed.push_back({names.read(entry, "x", i), entry.member("leak").probability()});
  }
  return observed;
}

std::vector<Edge> read_edges(const JsonEntry& list) {
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonEntry entry = list.element(i);
    if (entry.size() != 3) entry.refuse("[cause, observed, failure] is needed");
    const auto index = [&](std::size_t field) { return read_index(entry.element(field)); };
    edges.push_back({index(0), index(1), entry.element(2).probability()});
  }
  return edges;
}

std::vector<std::string> observed_items(const NoisyOrNetwork& network,
                                        const StandardErrors& errors) {
  std::vector<std::string> items;
  for (std::size_t a = 0; a < network.n_observed(); ++a) {
    const Observed& variable = network.observed()[a];
    items.push_back(fmt::format("{{\"name\": {}, \"leak\": {}{}}}", json_text(variable.name),
                                variable.leak, optional_field("leak_error", errors.leak, a)));
  }
  return items;
}

std::vector<std::string> edge_items(const NoisyOrNetwork& network) {
  std::vector<std::string> items;
  for (const Edge& edge : network.edges()) {
    items.push_back(fmt::format("[{}, {}, {}]", edge.cause, edge.observed, edge.failure));
  }
  return items;
}

}  // namespace orrery::model
