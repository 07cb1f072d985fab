#include "model/json_cause_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "model/json_layout.hpp"
#include "orrery/model/cause_elimination.hpp"

namespace orrery::model {
namespace {

// What another order of sums may differ by.
constexpr double prior_tolerance = 1e-9;

}  // namespace

std::vector<CauseTable> read_cause_tables(const JsonEntry& list) {
  std::vector<CauseTable> tables;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonEntry entry = list.element(i);
    tables.push_back({read_indices(entry.member("parents")), entry.member("on").probabilities()});
  }
  return tables;
}

void fill_priors(const JsonEntry& list, const CauseNetwork& tables, std::vector<Cause>& causes) {
  const auto without =
      std::ranges::find_if(causes, [](const Cause& cause) { return std::isnan(cause.prior); });
  if (without == causes.end()) return;
  if (!CauseElimination(tables).is_feasible()) {
    (void)list.element(static_cast<std::size_t>(without - causes.begin())).member("prior");
  }
  for (Cause& cause : causes) {
    if (std::isnan(cause.prior)) cause.prior = 0;  // until the network takes it from the tables
  }
}

void require_priors(const JsonEntry& list, const std::vector<Cause>& listed,
                    const NoisyOrNetwork& network) {
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const double prior = network.causes()[i].prior;
    if (std::isnan(listed[i].prior) || std::abs(listed[i].prior - prior) <= prior_tolerance)
      continue;
    list.element(i).member("prior").refuse(
        fmt::format("{:.6g} is what the tables of the causes say; leave the prior out", prior));
  }
}

std::vector<std::string> json_cause_tables(const CauseNetwork& causes) {
  std::vector<std::string> items;
  for (const CauseTable& table : causes.tables()) {
    items.push_back(fmt::format("{{\"parents\": [{}], \"on\": [{}]}}",
                                fmt::join(table.parents, ", "), fmt::join(table.on, ", ")));
  }
  return items;
}

}  // namespace orrery::model
