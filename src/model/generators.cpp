// Purpose: the built-in networks by name, and those that are defined by a picture.
// Source: Jernite, Halpern, Sontag 2013, Fig. 3 (img); Foldiak 1990 (bars); Buhai et al. 2020 (the
//         combination of img and unif).
// Cost: O(causes * observed).
#include "orrery/model/generators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "model/generator_spec.hpp"
#include "model/qmr_network.hpp"
#include "model/random_networks.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

constexpr double grid_failure = 0.1;
constexpr double grid_leak = 0.001;
constexpr std::uint32_t image_side = 8;
constexpr std::uint32_t image_pixels = image_side * image_side;

// Twice the distance of a row or column from the centre line of the image: 1, 3, 5 or 7.
constexpr int off_centre(int i) { return i < 4 ? 7 - 2 * i : 2 * i - 7; }
constexpr bool on_ring(int row, int col, int distance) {
  return std::max(off_centre(row), off_centre(col)) == distance;
}

struct Image {
  const char* name;
  bool (*on)(int row, int col);
};
constexpr std::array<Image, 8> images{{
    {"circle", [](int row, int col) { return off_centre(row) + off_centre(col) == 8; }},
    // A pinwheel of four arms that meet in the middle four pixels.
    {"cross",
     [](int row, int col) {
       return (col == 3 && row <= 3) || (col == 4 && row >= 4) || (row == 3 && col >= 3) ||
              (row == 4 && col <= 4);
     }},
    {"frame", [](int row, int col) { return on_ring(row, col, 7); }},
    {"diagonal", [](int row, int col) { return row == col; }},
    {"antidiagonal", [](int row, int col) { return row + col == 7; }},
    {"ring6", [](int row, int col) { return on_ring(row, col, 5); }},
    {"ring4", [](int row, int col) { return on_ring(row, col, 3); }},
    {"block", [](int row, int col) { return row >= 4 && row <= 6 && col >= 1 && col <= 3; }},
}};

NoisyOrNetwork image_network() {
  std::vector<Cause> causes;
  std::vector<Edge> edges;
  for (std::uint32_t c = 0; c < images.size(); ++c) {
    causes.push_back({images[c].name, 0.25});
    for (std::uint32_t pixel = 0; pixel < image_pixels; ++pixel) {
      const int row = static_cast<int>(pixel / image_side);
      const int col = static_cast<int>(pixel % image_side);
      if (images[c].on(row, col)) edges.push_back({c, pixel, grid_failure});
    }
  }
  return {std::move(causes), default_observed(image_pixels, grid_leak), std::move(edges)};
}

// The images beside eight causes of `unif`, which are rarer.
NoisyOrNetwork image_and_uniform_network(std::uint64_t seed) {
  constexpr double uniform_prior = 0.05;
  const NoisyOrNetwork image = image_network();
  const NoisyOrNetwork uniform = uniform_network(seed);
  std::vector<Cause> causes = image.causes();
  std::vector<Edge> edges = image.edges();
  const auto first = static_cast<std::uint32_t>(causes.size());
  for (std::uint32_t c = 0; c < uniform.n_causes(); ++c) {
    causes.push_back({fmt::format("unif{}", c), uniform_prior});
  }
  for (const Edge& edge : uniform.edges()) {
    edges.push_back({first + edge.cause, edge.observed, edge.failure});
  }
  return {std::move(causes), image.observed(), std::move(edges)};
}

// Causes 0 .. side - 1 are the rows, the others the columns.
NoisyOrNetwork bars_network(std::uint32_t side) {
  std::vector<Edge> edges;
  for (std::uint32_t bar = 0; bar < side; ++bar) {
    for (std::uint32_t i = 0; i < side; ++i) {
      edges.push_back({bar, side * bar + i, grid_failure});
      edges.push_back({side + bar, side * i + bar, grid_failure});
    }
  }
  return {default_causes(2 * side, std::min(0.25, 1.0 / side)),
          default_observed(side * side, grid_leak), std::move(edges)};
}

// Those that take no argument.
constexpr std::array<std::pair<std::string_view, NoisyOrNetwork (*)(std::uint64_t)>, 4>
    named_networks{{{"img", [](std::uint64_t) { return image_network(); }},
                    {"img-unif", image_and_uniform_network},
                    {"unif", uniform_network},
                    {"plnt", plant_network}}};

void require_no_argument(std::string_view name, std::string_view spec) {
  if (spec == name) return;
  throw UsageError(fmt::format("{} takes no argument, got \"{}\"; write {}", name,
                               spec.substr(name.size() + 1), name));
}

}  // namespace

std::optional<NoisyOrNetwork> generate_network(const std::string& spec, std::uint64_t seed) {
  const std::string_view text = spec;
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const std::string_view argument =
      colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
  if (name == "con") return constant_degree_network(argument, seed);
  if (name == "qmr") return qmr_network(text, seed);
  if (name == "bars") return bars_network(parse_whole("bars:H", argument, 2, 64));
  if (name == "independent") {
    return independent_network(parse_whole("independent:M", argument, 1, 10000), seed);
  }
  for (const auto& [fixed, make] : named_networks) {
    if (name != fixed) continue;
    require_no_argument(name, text);
    return make(seed);
  }
  return std::nullopt;
}

std::string generator_help() {
  return "img (8 images on an 8x8 grid), con:L (8 causes of L random children of 64; "
         "con:8-24,causes=4-16,prior=0.3-0.45,leak=0.001-0.1,failure=0.1,observed=64: drawn from "
         "ranges), unif (8 causes, random edges and parameters), img-unif (both), plnt (8 causes "
         "like those of plants data), bars:H (rows and columns of an HxH grid), qmr (570 causes, "
         "4075 variables and 45470 edges like those of QMR-DT; qmr:60,400,2000: as many), "
         "independent:M (no cause)";
}

}  // namespace orrery::model
