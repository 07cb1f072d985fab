// Purpose: the benchmark networks that are defined by a distribution.
// Source: Buhai et al. 2020 (con, unif; plnt resembles their PLNT).
// Cost: O(causes * observed).
// Cause i is drawn from row i of the streams `structure` and `parameters`; what belongs to the
// whole network, or to a variable, from rows that no cause has. A part that is no range takes its
// draw too, so that a range in its place leaves the rest of the network as it was.
#include "model/random_networks.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/random.hpp"
#include "model/generator_spec.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

constexpr std::uint32_t random_causes = 8;
constexpr std::uint32_t random_observed = 64;
constexpr double default_leak = 0.001;
constexpr std::uint32_t max_size = 10000;  // causes, or variables

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

}  // namespace

std::vector<Observed> default_observed(std::uint32_t n, double leak) {
  std::vector<Observed> observed(n);
  for (std::uint32_t a = 0; a < n; ++a) observed[a] = {fmt::format("x{}", a), leak};
  return observed;
}

std::vector<Cause> default_causes(std::uint32_t n, double prior) {
  std::vector<Cause> causes(n);
  for (std::uint32_t c = 0; c < n; ++c) causes[c] = {fmt::format("cause{}", c), prior};
  return causes;
}

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

NoisyOrNetwork independent_network(std::uint32_t n, std::uint64_t seed) {
  std::vector<Observed> observed = default_observed(n, 0);
  for (std::uint32_t a = 0; a < n; ++a)
    observed[a].leak = leak_within(RealRange{0.05, 0.5}, seed, a);
  return {{}, std::move(observed), {}};
}

}  // namespace orrery::model
