// The formats of graphs and of networks of tables, a file each. A new one is a file, and a line
// here.
#include "report/formats.hpp"

#include <fmt/format.h>

#include <cmath>

namespace orrery::report {

const std::vector<GraphFormat>& graph_formats() {
  static const std::vector<GraphFormat> formats{{"dot", to_dot}, {"graphml", to_graphml}};
  return formats;
}

const std::vector<DiscreteFormat>& discrete_formats() {
  static const std::vector<DiscreteFormat> formats{{"bif", to_bif}};
  return formats;
}

void add_attribute(std::vector<Attribute>& attributes, const std::string& key,
                   const std::string& dot, double value) {
  if (std::isfinite(value)) attributes.push_back({key, dot, fmt::format("{}", value)});
}

std::string csv_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

std::string csv_number(const std::vector<double>& values, std::size_t index) {
  return index < values.size() ? csv_number(values[index]) : "";
}

}  // namespace orrery::report
