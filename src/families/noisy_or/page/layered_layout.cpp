#include "families/noisy_or/page/layered_layout.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace orrery::noisy_or {
namespace {

constexpr double layer_margin = 16;
constexpr double neighbour_gap = 18;  // between neighbours of a layer
constexpr double passage = 10;        // width of a place that an edge takes
constexpr double port_gap = 12;       // between ends of edges at a node
constexpr int order_sweeps = 24;
constexpr int place_sweeps = 40;

/// A node, or a place of an edge in a layer that it crosses.
struct Place {
  std::size_t layer = 0;
  double width = 0;
  double x = 0;
  std::vector<std::size_t> above;
  std::vector<std::size_t> below;
};

struct Chains {
  std::vector<Place> places;                    // the nodes first
  std::vector<std::vector<std::size_t>> paths;  // of each edge, from its first node to its last
  std::vector<std::vector<std::size_t>> layers;
};

/// The longest way from above; then what nothing points at goes down to just above what it points
/// at.
std::vector<std::size_t> layers_of(const LayeredGraph& graph) {
  const std::size_t n = graph.widths.size();
  std::vector<std::vector<std::size_t>> children(n);
  std::vector<bool> has_parent(n, false);
  for (const auto& edge : graph.edges) {
    children[edge.from].push_back(edge.to);
    has_parent[edge.to] = true;
  }
  std::vector<std::size_t> layer(n, 0);
  for (std::size_t v = 0; v < n; ++v) {
    for (const std::size_t child : children[v]) layer[child] = std::max(layer[child], layer[v] + 1);
  }
  for (std::size_t v = 0; v < n; ++v) {
    if (has_parent[v] || children[v].empty()) continue;
    std::size_t highest = std::numeric_limits<std::size_t>::max();
    for (const std::size_t child : children[v]) highest = std::min(highest, layer[child]);
    layer[v] = highest - 1;
  }
  return layer;
}

Chains chains_of(const LayeredGraph& graph, const std::vector<bool>& joined) {
  Chains chains;
  const std::vector<std::size_t> layer = layers_of(graph);
  for (std::size_t v = 0; v < graph.widths.size(); ++v) {
    chains.places.push_back({layer[v], graph.widths[v], 0, {}, {}});
  }
  for (const auto& edge : graph.edges) {
    std::vector<std::size_t> path{edge.from};
    for (std::size_t l = layer[edge.from] + 1; l < layer[edge.to]; ++l) {
      path.push_back(chains.places.size());
      chains.places.push_back({l, passage, 0, {}, {}});
    }
    path.push_back(edge.to);
    for (std::size_t i = 1; i < path.size(); ++i) {
      chains.places[path[i]].above.push_back(path[i - 1]);
      chains.places[path[i - 1]].below.push_back(path[i]);
    }
    chains.paths.push_back(std::move(path));
  }
  for (std::size_t p = 0; p < chains.places.size(); ++p) {
    if (p < joined.size() && !joined[p]) continue;
    const std::size_t l = chains.places[p].layer;
    if (chains.layers.size() <= l) chains.layers.resize(l + 1);
    chains.layers[l].push_back(p);
  }
  return chains;
}

std::vector<double> positions_of(const Chains& chains) {
  std::vector<double> position(chains.places.size(), 0);
  for (const auto& layer : chains.layers) {
    for (std::size_t i = 0; i < layer.size(); ++i) position[layer[i]] = static_cast<double>(i);
  }
  return position;
}

std::size_t count_crossings(const Chains& chains) {
  const std::vector<double> position = positions_of(chains);
  std::size_t crossings = 0;
  for (const auto& layer : chains.layers) {
    std::vector<std::pair<double, double>> lines;
    for (const std::size_t p : layer) {
      for (const std::size_t q : chains.places[p].below) {
        lines.emplace_back(position[p], position[q]);
      }
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if ((lines[i].first - lines[j].first) * (lines[i].second - lines[j].second) < 0) {
          ++crossings;
        }
      }
    }
  }
  return crossings;
}

double mean_of(const std::vector<std::size_t>& members, const std::vector<double>& values,
               double otherwise) {
  if (members.empty()) return otherwise;
  double sum = 0;
  for (const std::size_t member : members) sum += values[member];
  return sum / static_cast<double>(members.size());
}

/// Each layer in the order of the mean places of its neighbours above, downwards, then of those
/// below, upwards; the order with the fewest crossings that was seen stays.
void order_layers(Chains& chains) {
  auto best = chains.layers;
  std::size_t fewest = count_crossings(chains);
  for (int sweep = 0; sweep < order_sweeps && fewest > 0; ++sweep) {
    const bool down = sweep % 2 == 0;
    const std::size_t n = chains.layers.size();
    for (std::size_t i = 1; i < n; ++i) {
      auto& layer = chains.layers[down ? i : n - 1 - i];
      const std::vector<double> position = positions_of(chains);
      std::vector<double> centre(chains.places.size(), 0);
      for (const std::size_t p : layer) {
        const Place& place = chains.places[p];
        centre[p] = mean_of(down ? place.above : place.below, position, position[p]);
      }
      std::ranges::stable_sort(layer, {}, [&](std::size_t p) { return centre[p]; });
    }
    const std::size_t crossings = count_crossings(chains);
    if (crossings < fewest) {
      fewest = crossings;
      best = chains.layers;
    }
  }
  chains.layers = std::move(best);
}

/// The places nearest to where each wants to be, in the least squares' sense, that keep order and
/// distances: with each place's least offset taken off, a monotone regression (pool adjacent
/// violators).
void settle(const std::vector<std::size_t>& layer, const std::vector<double>& wanted,
            std::vector<Place>& places) {
  struct Block {
    double sum = 0;
    std::size_t n = 0;
  };
  std::vector<Block> blocks;
  std::vector<double> offset(layer.size(), 0);
  for (std::size_t i = 0; i < layer.size(); ++i) {
    if (i > 0) {
      offset[i] =
          offset[i - 1] + neighbour_gap + (places[layer[i - 1]].width + places[layer[i]].width) / 2;
    }
    blocks.push_back({wanted[i] - offset[i], 1});
    while (blocks.size() > 1) {
      const Block last = blocks.back();
      Block& before = blocks[blocks.size() - 2];
      if (before.sum * static_cast<double>(last.n) <= last.sum * static_cast<double>(before.n)) {
        break;
      }
      before.sum += last.sum;
      before.n += last.n;
      blocks.pop_back();
    }
  }
  std::size_t i = 0;
  for (const Block& block : blocks) {
    for (std::size_t k = 0; k < block.n; ++k, ++i) {
      places[layer[i]].x = block.sum / static_cast<double>(block.n) + offset[i];
    }
  }
}

void place_layers(Chains& chains) {
  for (const auto& layer : chains.layers) {
    settle(layer, std::vector<double>(layer.size(), 0), chains.places);
  }
  const std::size_t n = chains.layers.size();
  for (int sweep = 0; sweep < place_sweeps; ++sweep) {
    const bool down = sweep % 2 == 0;
    // At last, all neighbours draw.
    const bool both = sweep + 4 >= place_sweeps;
    for (std::size_t i = 0; i < n; ++i) {
      const auto& layer = chains.layers[down ? i : n - 1 - i];
      std::vector<double> x;
      for (const Place& place : chains.places) x.push_back(place.x);
      std::vector<double> wanted;
      for (const std::size_t p : layer) {
        const Place& place = chains.places[p];
        std::vector<std::size_t> neighbours = down ? place.above : place.below;
        const auto& others = down ? place.below : place.above;
        if (both || neighbours.empty()) {
          neighbours.insert(neighbours.end(), others.begin(), others.end());
        }
        wanted.push_back(mean_of(neighbours, x, place.x));
      }
      settle(layer, wanted, chains.places);
    }
  }
}

/// Ends of edges spread over a node's side, in the order in which they come.
void spread_ports(const Chains& chains, std::size_t node, double width, bool at_top,
                  LayeredLayout& layout) {
  struct End {
    double from = 0;
    std::size_t edge = 0;
  };
  std::vector<End> ends;
  for (std::size_t e = 0; e < chains.paths.size(); ++e) {
    const auto& path = chains.paths[e];
    if (at_top && path.back() == node) ends.push_back({chains.places[path[path.size() - 2]].x, e});
    if (!at_top && path.front() == node) ends.push_back({chains.places[path[1]].x, e});
  }
  std::ranges::stable_sort(ends, {}, &End::from);
  if (ends.size() < 2) return;
  const auto last = static_cast<double>(ends.size() - 1);
  const double step = std::min(port_gap, std::max(width - 12, 0.) / last);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    auto& route = layout.routes[ends[i].edge];
    (at_top ? route.back() : route.front()).x += (static_cast<double>(i) - last / 2) * step;
  }
}

/// Nodes without an edge, in rows below the rest.
void place_alone(const LayeredGraph& graph, const std::vector<bool>& joined, double node_height,
                 double least_row, LayeredLayout& layout) {
  const double row = std::max(layout.width - 2 * layer_margin, least_row);
  double x = layer_margin;
  double y = layout.height;
  bool any = false;
  for (std::size_t v = 0; v < graph.widths.size(); ++v) {
    if (joined[v]) continue;
    if (x > layer_margin && x + graph.widths[v] > layer_margin + row) {
      x = layer_margin;
      y += node_height + neighbour_gap;
    }
    layout.nodes[v] = {x + graph.widths[v] / 2, y + node_height / 2};
    x += graph.widths[v] + neighbour_gap;
    layout.width = std::max(layout.width, x - neighbour_gap + layer_margin);
    any = true;
  }
  if (any) layout.height = y + node_height + layer_margin;
}

}  // namespace

LayeredLayout lay_out_layers(const LayeredGraph& graph, double node_height, double layer_gap,
                             double least_row) {
  std::vector<bool> joined(graph.widths.size(), false);
  for (const auto& edge : graph.edges) joined[edge.from] = joined[edge.to] = true;
  Chains chains = chains_of(graph, joined);
  order_layers(chains);
  place_layers(chains);
  double left = std::numeric_limits<double>::max();
  double right = std::numeric_limits<double>::lowest();
  for (const auto& layer : chains.layers) {
    for (const std::size_t p : layer) {
      left = std::min(left, chains.places[p].x - chains.places[p].width / 2);
      right = std::max(right, chains.places[p].x + chains.places[p].width / 2);
    }
  }
  const auto n_layers = static_cast<double>(chains.layers.size());
  LayeredLayout layout;
  layout.width = chains.layers.empty() ? 2 * layer_margin : right - left + 2 * layer_margin;
  layout.height =
      layer_margin +
      (chains.layers.empty() ? 0 : (n_layers - 1) * layer_gap + node_height + layer_margin);
  const auto point = [&](std::size_t p, double down) {
    const Place& place = chains.places[p];
    return LayoutPoint{
        place.x - left + layer_margin,
        layer_margin + node_height / 2 + down + layer_gap * static_cast<double>(place.layer)};
  };
  layout.nodes.resize(graph.widths.size());
  for (std::size_t v = 0; v < graph.widths.size(); ++v) {
    if (joined[v]) layout.nodes[v] = point(v, 0);
  }
  for (const auto& path : chains.paths) {
    std::vector<LayoutPoint> route{point(path.front(), node_height / 2)};
    for (std::size_t i = 1; i + 1 < path.size(); ++i) route.push_back(point(path[i], 0));
    route.push_back(point(path.back(), -node_height / 2));
    layout.routes.push_back(std::move(route));
  }
  for (std::size_t v = 0; v < graph.widths.size(); ++v) {
    spread_ports(chains, v, graph.widths[v], true, layout);
    spread_ports(chains, v, graph.widths[v], false, layout);
  }
  place_alone(graph, joined, node_height, least_row, layout);
  return layout;
}

}  // namespace orrery::noisy_or
