#include "families/noisy_or/quartet/refine/cause_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace orrery::quartet {

std::string CauseNames::fresh(const char* origin) {
  std::string name;
  do name = fmt::format("{}{}", origin, n_named_++);
  while (rules_.is_known_name(name));
  return name;
}

model::Cause CauseNames::name(const Elected& elected, int depth) {
  const std::string name = fresh("new");
  model::Provenance& origin = origin_[name];
  origin.depth = depth;
  origin.statistic = elected.statistic;
  origin.support = elected.support;
  for (std::size_t i = 0; i < 4; ++i)
    origin.quartet[i] = static_cast<std::int32_t>(elected.quartet[i]);
  return {name, std::clamp(elected.prior, 1e-4, .6)};
}

std::vector<model::Provenance> CauseNames::provenance(
    const std::vector<model::Cause>& causes) const {
  std::vector<model::Provenance> provenance;
  for (const model::Cause& cause : causes) {
    const auto found = origin_.find(cause.name);
    provenance.push_back(found == origin_.end() ? model::Provenance{} : found->second);
  }
  return provenance;
}

std::vector<model::Cause> CauseNames::numbered(std::vector<model::Cause> causes) const {
  std::size_t number = 0;
  for (model::Cause& cause : causes) {
    if (rules_.is_known_name(cause.name)) continue;
    while (rules_.is_known_name(fmt::format("cause{}", number))) ++number;
    cause.name = fmt::format("cause{}", number++);
  }
  return causes;
}

}  // namespace orrery::quartet
