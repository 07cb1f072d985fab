// The formats of graphs and of networks of tables, a file each. A new one is a file, and a line
// here.
#include "report/discrete.hpp"
#include "report/graph.hpp"

namespace orrery::report {

const std::vector<GraphFormat>& graph_formats() {
  static const std::vector<GraphFormat> formats{{"dot", to_dot}, {"graphml", to_graphml}};
  return formats;
}

const std::vector<DiscreteFormat>& discrete_formats() {
  static const std::vector<DiscreteFormat> formats{{"bif", to_bif}};
  return formats;
}

}  // namespace orrery::report
