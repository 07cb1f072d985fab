#include "report/graph.hpp"

#include <fmt/format.h>

#include <cmath>

namespace orrery::report {

void add_attribute(std::vector<Attribute>& attributes, const std::string& key,
                   const std::string& dot, double value) {
  if (std::isfinite(value)) attributes.push_back({key, dot, fmt::format("{}", value)});
}

}  // namespace orrery::report
