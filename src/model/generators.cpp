// Purpose: the benchmark networks that are defined by a picture or by a distribution.
// Source: Jernite, Halpern, Sontag 2013, Fig. 3 (img); Buhai et al. 2020 (con, unif);
//         Foldiak 1990 (bars).
// Cost: O(causes * observed).
// Random structure and parameters of cause i are drawn from row i of their own streams, so that
// they depend on the seed alone.
#include "orrery/model/generators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/error.hpp"
#include "orrery/base/random.hpp"

namespace orrery::model {
namespace {

constexpr double grid_failure = 0.1;
constexpr double grid_leak = 0.001;
constexpr std::uint32_t image_side = 8;
constexpr std::uint32_t image_pixels = image_side * image_side;
constexpr std::uint32_t random_causes = 8;

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

std::vector<Observed> default_observed(std::uint32_t n) {
  std::vector<Observed> observed(n);
  for (std::uint32_t a = 0; a < n; ++a) observed[a] = {fmt::format("x{}", a), grid_leak};
  return observed;
}

std::vector<Cause> default_causes(std::uint32_t n, double prior) {
  std::vector<Cause> causes(n);
  for (std::uint32_t c = 0; c < n; ++c) causes[c] = {fmt::format("cause{}", c), prior};
  return causes;
}

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
  return {std::move(causes), default_observed(image_pixels), std::move(edges)};
}

// `n_children` distinct children a cause: the head of a partial Fisher-Yates shuffle.
NoisyOrNetwork constant_degree_network(std::uint32_t n_children, std::uint64_t seed) {
  std::vector<Edge> edges;
  for (std::uint32_t c = 0; c < random_causes; ++c) {
    RowRandom random(seed, Stream::structure, c);
    std::array<std::uint32_t, image_pixels> pixels{};
    std::iota(pixels.begin(), pixels.end(), 0U);
    for (std::uint32_t i = 0; i < n_children; ++i) {
      std::swap(pixels[i], pixels[i + random.below(image_pixels - i)]);
      edges.push_back({c, pixels[i], grid_failure});
    }
  }
  return {default_causes(random_causes, 1.0 / 8), default_observed(image_pixels), std::move(edges)};
}

NoisyOrNetwork uniform_network(std::uint64_t seed) {
  std::vector<Cause> causes = default_causes(random_causes, 0);
  std::vector<Edge> edges;
  for (std::uint32_t c = 0; c < random_causes; ++c) {
    RowRandom structure(seed, Stream::structure, c);
    RowRandom parameters(seed, Stream::parameters, c);
    causes[c].prior = 0.1 + 0.2 * parameters.uniform();
    for (std::uint32_t a = 0; a < image_pixels; ++a) {
      if (!structure.bernoulli(0.25)) continue;
      edges.push_back({c, a, 1 - (0.8 + 0.15 * parameters.uniform())});
    }
  }
  return {std::move(causes), default_observed(image_pixels), std::move(edges)};
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
  return {default_causes(2 * side, std::min(0.25, 1.0 / side)), default_observed(side * side),
          std::move(edges)};
}

std::uint32_t parse_argument(std::string_view form, std::string_view argument, std::uint32_t low,
                             std::uint32_t high) {
  std::uint32_t value = 0;
  const char* const end = argument.data() + argument.size();
  const auto [stop, error] = std::from_chars(argument.data(), end, value);
  if (error != std::errc{} || stop != end || value < low || value > high) {
    throw UsageError(
        fmt::format("{} needs a whole number {} to {}, got \"{}\"", form, low, high, argument));
  }
  return value;
}

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
  if (name == "img") {
    require_no_argument(name, text);
    return image_network();
  }
  if (name == "unif") {
    require_no_argument(name, text);
    return uniform_network(seed);
  }
  if (name == "con") {
    return constant_degree_network(parse_argument("con:L", argument, 1, image_pixels), seed);
  }
  if (name == "bars") return bars_network(parse_argument("bars:H", argument, 2, 64));
  return std::nullopt;
}

std::string generator_help() {
  return "img (8 images on an 8x8 grid), con:L (8 causes of L random children of 64), unif (8 "
         "causes, random edges and parameters), bars:H (rows and columns of an HxH grid)";
}

}  // namespace orrery::model
