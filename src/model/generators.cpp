// Purpose: the built-in networks by name: those that are defined by a picture, and those that are
//         defined by a distribution.
// Source: Jernite, Halpern, Sontag 2013, Fig. 3 (img); Foldiak 1990 (bars); Buhai et al. 2020 (con,
//         unif, the combination of img and unif; plnt resembles their PLNT).
// Cost: O(causes * observed).
// Of a random network cause i is drawn from row i of the streams `structure` and `parameters`; what
// belongs to the whole network, or to a variable, from rows that no cause has. A part that is no
// range takes its draw too, so that a range in its place leaves the rest of the network as it was.
#include "orrery/model/generators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "model/generator_spec.hpp"
#include "model/qmr_network.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

constexpr std::uint32_t random_causes = 8;
constexpr std::uint32_t random_observed = 64;
constexpr double default_leak = 0.001;
constexpr std::uint32_t max_size = 100000;  // causes, or variables

double draw(const RealRange& range, RowRandom& random) {
  return range.low + (range.high - range.low) * random.uniform();
}

std::uint32_t draw(const WholeRange& range, RowRandom& random) {
  return range.low + static_cast<std::uint32_t>(random.below(range.high - range.low + 1));
}

double leak_within(const RealRange& range, std::uint64_t seed, std::uint32_t observed) {
  RowRandom random(seed, Stream::parameters, first_observed_row + observed);
  return draw(range, random);
}

// What con:L,key=... says.
struct Family {
  WholeRange n_children;
  WholeRange n_causes{random_causes, random_causes};
  RealRange prior{1.0 / 8, 1.0 / 8};
  RealRange leak{default_leak, default_leak};
  RealRange failure{0.1, 0.1};
  std::uint32_t n_observed = random_observed;
};

Family parse_family(std::string_view argument) {
  const std::vector<SpecPart> parts = split_spec(argument);
  Family family;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto& [key, value] = parts[i];
    if (key == "causes") {
      family.n_causes = parse_whole_range("con: causes=N", value, 1, max_size);
    } else if (key == "prior") {
      family.prior = parse_real_range("con: prior=P", value, 1);
    } else if (key == "leak") {
      family.leak = parse_real_range("con: leak=P", value, 1);
    } else if (key == "failure") {
      family.failure = parse_real_range("con: failure=P", value, 1);
    } else if (key == "observed") {
      family.n_observed = parse_whole("con: observed=M", value, 1, max_size);
    } else {
      throw UsageError(fmt::format(
          "con:L takes causes=, prior=, leak=, failure= and observed= after L, got \"{}{}{}\"", key,
          key.empty() ? "" : "=", value));
    }
    for (std::size_t j = 1; j < i; ++j) {
      if (parts[j].key == key)
        throw UsageError(fmt::format("con: a second {}=; one is enough", key));
    }
  }
  const SpecPart& first = parts.front();
  if (!first.key.empty()) {
    throw UsageError(fmt::format("con:L begins with L, a cause's number of children, got \"{}={}\"",
                                 first.key, first.value));
  }
  family.n_children = parse_whole_range("con:L", first.value, 1, family.n_observed);
  return family;
}

// Variables 0 .. m - 1 with the first `n` shuffled: the head of a Fisher-Yates shuffle.
void shuffle_head(std::vector<std::uint32_t>& variables, std::uint32_t n, RowRandom& random) {
  const auto m = static_cast<std::uint32_t>(variables.size());
  std::iota(variables.begin(), variables.end(), 0U);
  for (std::uint32_t i = 0; i < n; ++i) std::swap(variables[i], variables[i + random.below(m - i)]);
}

// con:L and its ranges; `argument` is what follows "con:".
NoisyOrNetwork constant_degree_network(std::string_view argument, std::uint64_t seed) {
  const Family family = parse_family(argument);
  RowRandom of_network(seed, Stream::parameters, network_row);
  std::vector<Cause> causes = default_causes(draw(family.n_causes, of_network), 0);
  std::vector<Observed> observed = default_observed(family.n_observed, 0);
  for (std::uint32_t a = 0; a < family.n_observed; ++a) {
    observed[a].leak = leak_within(family.leak, seed, a);
  }
  std::vector<Edge> edges;
  std::vector<std::uint32_t> variables(family.n_observed);
  for (std::uint32_t c = 0; c < causes.size(); ++c) {
    RowRandom structure(seed, Stream::structure, c);
    RowRandom parameters(seed, Stream::parameters, c);
    const std::uint32_t n_children = draw(family.n_children, parameters);
    causes[c].prior = draw(family.prior, parameters);
    shuffle_head(variables, n_children, structure);
    for (std::uint32_t i = 0; i < n_children; ++i) {
      edges.push_back({c, variables[i], draw(family.failure, parameters)});
    }
  }
  return {std::move(causes), std::move(observed), std::move(edges)};
}

// 64 variables, 8 causes, an edge with probability 0.25.
NoisyOrNetwork uniform_network(std::uint64_t seed) {
  std::vector<Cause> causes = default_causes(random_causes, 0);
  std::vector<Edge> edges;
  for (std::uint32_t c = 0; c < random_causes; ++c) {
    RowRandom structure(seed, Stream::structure, c);
    RowRandom parameters(seed, Stream::parameters, c);
    causes[c].prior = 0.1 + 0.2 * parameters.uniform();
    for (std::uint32_t a = 0; a < random_observed; ++a) {
      if (!structure.bernoulli(0.25)) continue;
      edges.push_back({c, a, 1 - (0.8 + 0.15 * parameters.uniform())});
    }
  }
  return {std::move(causes), default_observed(random_observed, default_leak), std::move(edges)};
}

// 70 variables, 8 causes, resembling the network that Buhai et al. (2020) learned from Plants.
// Of PLNT come the numbers of children, of which each has but few that are shared (62 of the 70
// variables have a parent, 46 one alone), and the ranges of the parameters.
NoisyOrNetwork plant_network(std::uint64_t seed) {
  constexpr std::array<std::uint32_t, 8> n_children{21, 17, 12, 10, 9, 4, 3, 3};
  constexpr std::uint32_t n_observed = 70;
  constexpr double fresh_share = 0.7;  // of the children that no earlier cause has
  std::vector<Cause> causes = default_causes(n_children.size(), 0);
  std::vector<Observed> observed = default_observed(n_observed, 0);
  for (std::uint32_t a = 0; a < n_observed; ++a) {
    observed[a].leak = std::exp(leak_within(RealRange{std::log(0.0005), std::log(0.25)}, seed, a));
  }
  RowRandom of_network(seed, Stream::structure, network_row);
  std::vector<std::uint32_t> fresh(n_observed);
  shuffle_head(fresh, n_observed, of_network);
  std::vector<Edge> edges;
  for (std::uint32_t c = 0; c < n_children.size(); ++c) {
    RowRandom structure(seed, Stream::structure, c);
    RowRandom parameters(seed, Stream::parameters, c);
    causes[c].prior = draw(RealRange{0.066, 0.175}, parameters);
    std::vector<bool> has(n_observed, false);
    for (std::uint32_t i = 0; i < n_children[c];) {
      auto child = static_cast<std::uint32_t>(structure.below(n_observed));
      if (structure.bernoulli(fresh_share) && !fresh.empty()) {
        child = fresh.back();
        fresh.pop_back();
      }
      if (has[child]) continue;
      has[child] = true;
      edges.push_back({c, child, draw(RealRange{0.02, 0.5}, parameters)});
      ++i;
    }
  }
  return {std::move(causes), std::move(observed), std::move(edges)};
}

// `n` independent variables, no cause.
NoisyOrNetwork independent_network(std::uint32_t n, std::uint64_t seed) {
  std::vector<Observed> observed = default_observed(n, 0);
  for (std::uint32_t a = 0; a < n; ++a)
    observed[a].leak = leak_within(RealRange{0.05, 0.5}, seed, a);
  return {{}, std::move(observed), {}};
}

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
