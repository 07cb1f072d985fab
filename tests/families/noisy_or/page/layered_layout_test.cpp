// Graphs in layers: boxes do not overlap, edges go down and around what is in their way.
#include "families/noisy_or/page/layered_layout.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "base/random.hpp"

namespace orrery::noisy_or {
namespace {

constexpr double node_height = 20;
constexpr double layer_gap = 70;

LayeredLayout laid_out(const LayeredGraph& graph) {
  return lay_out_layers(graph, node_height, layer_gap, 600);
}

/// Each node has up to `parents` among those before it; some have none, and no child either.
LayeredGraph random_graph(std::size_t n, std::size_t parents, std::uint64_t seed) {
  LayeredGraph graph;
  RowRandom random(seed, Stream::check, n);
  for (std::size_t v = 0; v < n; ++v) {
    graph.widths.push_back(30 + 60 * random.uniform());
    for (std::size_t i = 0; v > 0 && i < parents; ++i) {
      const std::size_t from = random.below(v);
      const bool there =
          !graph.edges.empty() && graph.edges.back().to == v && graph.edges.back().from == from;
      if (!there && random.bernoulli(.8)) graph.edges.push_back({from, v});
    }
  }
  return graph;
}

void expect_apart(const LayeredGraph& graph, const LayeredLayout& layout) {
  for (std::size_t a = 0; a < graph.widths.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const double across = std::abs(layout.nodes[a].x - layout.nodes[b].x);
      const double down = std::abs(layout.nodes[a].y - layout.nodes[b].y);
      EXPECT_TRUE(down >= node_height || across >= (graph.widths[a] + graph.widths[b]) / 2)
          << a << " and " << b;
    }
  }
}

void expect_inside(const LayeredGraph& graph, const LayeredLayout& layout) {
  for (std::size_t v = 0; v < graph.widths.size(); ++v) {
    EXPECT_GE(layout.nodes[v].x - graph.widths[v] / 2, 0);
    EXPECT_LE(layout.nodes[v].x + graph.widths[v] / 2, layout.width);
    EXPECT_GE(layout.nodes[v].y - node_height / 2, 0);
    EXPECT_LE(layout.nodes[v].y + node_height / 2, layout.height);
  }
}

/// Where an edge crosses a layer, no box of that layer is.
void expect_free_ways(const LayeredGraph& graph, const LayeredLayout& layout) {
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const auto& route = layout.routes[e];
    for (std::size_t i = 1; i < route.size(); ++i) EXPECT_GT(route[i].y, route[i - 1].y);
    for (std::size_t i = 1; i + 1 < route.size(); ++i) {
      for (std::size_t v = 0; v < graph.widths.size(); ++v) {
        if (std::abs(route[i].y - layout.nodes[v].y) >= node_height / 2) continue;
        EXPECT_GT(std::abs(route[i].x - layout.nodes[v].x), graph.widths[v] / 2)
            << "edge " << e << ", node " << v;
      }
    }
    const auto ends_at = [&](const LayoutPoint& end, std::size_t v, double side) {
      EXPECT_DOUBLE_EQ(end.y, layout.nodes[v].y + side * node_height / 2);
      EXPECT_LE(std::abs(end.x - layout.nodes[v].x), graph.widths[v] / 2);
    };
    ends_at(route.front(), graph.edges[e].from, 1);
    ends_at(route.back(), graph.edges[e].to, -1);
  }
}

TEST(LayeredLayout, boxes_do_not_overlap_and_edges_go_around_them) {
  for (const std::size_t n : {2U, 10U, 23U, 50U}) {
    for (const std::size_t parents : {1U, 2U, 3U}) {
      const LayeredGraph graph = random_graph(n, parents, 7 * n + parents);
      const LayeredLayout layout = laid_out(graph);
      ASSERT_EQ(layout.nodes.size(), n);
      ASSERT_EQ(layout.routes.size(), graph.edges.size());
      expect_apart(graph, layout);
      expect_inside(graph, layout);
      expect_free_ways(graph, layout);
    }
  }
}

TEST(LayeredLayout, a_tree_is_drawn_without_crossings) {
  // Each node hangs from the one at half its number, but numbers within a layer are mirrored, so
  // that as given all edges cross.
  LayeredGraph graph;
  graph.widths.assign(15, 40);
  for (std::size_t v = 1; v < 15; ++v) {
    const std::size_t first = v < 3 ? 1 : v < 7 ? 3 : 7;  // of its layer
    const std::size_t mirrored = 3 * first - v;
    graph.edges.push_back({(mirrored - 1) / 2, v});
  }
  const LayeredLayout layout = laid_out(graph);
  for (std::size_t a = 0; a < graph.edges.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const auto& one = layout.routes[a];
      const auto& other = layout.routes[b];
      for (std::size_t i = 1; i < one.size(); ++i) {
        for (std::size_t j = 1; j < other.size(); ++j) {
          if (one[i].y != other[j].y || one[i - 1].y != other[j - 1].y) continue;
          EXPECT_GE((one[i].x - other[j].x) * (one[i - 1].x - other[j - 1].x), 0);
        }
      }
    }
  }
}

TEST(LayeredLayout, nodes_without_an_edge_stand_in_rows_below) {
  LayeredGraph graph;
  graph.widths.assign(30, 100);
  graph.edges = {{3, 4}};
  const LayeredLayout layout = laid_out(graph);
  expect_apart(graph, layout);
  expect_inside(graph, layout);
  EXPECT_LT(layout.width, 700);
  for (std::size_t v = 0; v < 30; ++v) {
    if (v == 3 || v == 4) continue;
    EXPECT_GT(layout.nodes[v].y, layout.nodes[4].y + node_height);
  }
}

TEST(LayeredLayout, of_nothing_is_nothing) {
  const LayeredLayout layout = laid_out({});
  EXPECT_TRUE(layout.nodes.empty());
  EXPECT_TRUE(std::isfinite(layout.width) && std::isfinite(layout.height));
}

}  // namespace
}  // namespace orrery::noisy_or
