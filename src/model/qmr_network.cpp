// Purpose: random networks with the size, degrees and learnability of aQMR-DT.
// Source: Shwe et al. 1991 (570 diseases, 4,075 findings, 45,470 edges, five classes of frequency);
//         Jernite, Halpern, Sontag 2013, Table 1 (depths); degrees as in the Health Knowledge Graph
//         (Rotmensch et al. 2017).
//
//   structure               qmr_structure.cpp
//   sensitivity 1-f         0.025, 0.2, 0.5, 0.8, 0.985 in shares of 20, 42, 22, 12, 4 %
//   prior                   log-normal, median 0.0015, sigma 1, within [0.0002, 0.06]
//   leak                    log-normal, median 0.001, sigma 1, within [0.0001, 0.02]
//
// Mean of seeds 1 to 20, causes at depth 0/1/2/3/never (aQMR-DT): quartets 469/89/7/1/4
// (469/82/13/2/4), triplets 526/41/0/0/2 (527/39/2/0/2).
#include "model/qmr_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "model/generator_spec.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

double log_normal_within(double median, double sigma, double low, double high, RowRandom& random) {
  while (true) {
    const double value = log_normal(median, sigma, random);
    if (value >= low && value <= high) return value;
  }
}

}  // namespace

std::size_t class_of_rank(double rank) {
  double until = 0;
  for (std::size_t i = 0; i + 1 < class_share.size(); ++i) {
    until += class_share[i];
    if (rank < until) return i;
  }
  return class_share.size() - 1;
}

double log_normal(double median, double sigma, RowRandom& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));  // Box and Muller
  const double normal = radius * std::cos(2 * std::numbers::pi * random.uniform());
  return median * std::exp(sigma * normal);
}

double draw_prior(RowRandom& random) { return log_normal_within(0.0015, 1, 0.0002, 0.06, random); }

double draw_leak(RowRandom& random) { return log_normal_within(0.001, 1, 0.0001, 0.02, random); }

RowRandom cause_parameters(std::uint64_t seed, std::uint32_t cause) {
  return {seed, Stream::parameters, cause};
}

RowRandom observed_parameters(std::uint64_t seed, std::uint32_t observed) {
  constexpr std::uint64_t first_row = std::uint64_t{1} << 41U;
  return {seed, Stream::parameters, first_row + observed};
}

namespace {

QmrSize parse_size(std::string_view spec) {
  constexpr std::string_view form = "qmr:causes,observed,edges";
  QmrSize size;
  if (spec == "qmr") return size;
  const std::string_view argument = spec.substr(std::string_view("qmr:").size());
  const std::vector<SpecPart> parts = split_spec(argument);
  if (parts.size() != 3 || !parts[0].key.empty() || !parts[1].key.empty() ||
      !parts[2].key.empty()) {
    throw UsageError(
        fmt::format("{} takes three numbers, as in qmr:60,400,2000, got \"{}\"", form, argument));
  }
  constexpr std::uint32_t most = 10000;
  size.causes = parse_whole(fmt::format("{}: causes", form), parts[0].value, 1, most);
  size.observed = parse_whole(fmt::format("{}: observed", form), parts[1].value,
                              2 * QmrSize::least_degree, most);
  const std::uint32_t fewest = std::max(size.observed, QmrSize::least_degree * size.causes);
  const std::uint32_t largest = size.causes * (size.observed / 2);
  if (fewest > largest) {
    throw UsageError(fmt::format(
        "{}: {} causes of at most {} children each leave some of {} variables without a parent; "
        "ask for more causes",
        form, size.causes, size.observed / 2, size.observed));
  }
  size.edges = parse_whole(fmt::format("{}: edges", form), parts[2].value, fewest, largest);
  return size;
}

}  // namespace

NoisyOrNetwork qmr_network(std::string_view spec, std::uint64_t seed) {
  const QmrSize size = parse_size(spec);
  const auto children = qmr_children(size, seed);
  std::vector<Cause> causes = default_causes(size.causes, 0);
  std::vector<Observed> observed = default_observed(size.observed, 0);
  std::vector<Edge> edges;
  for (std::uint32_t c = 0; c < size.causes; ++c) {
    RowRandom random = cause_parameters(seed, c);
    causes[c].prior = draw_prior(random);
    for (const std::uint32_t a : children[c]) {
      edges.push_back({c, a, 1 - class_sensitivity[class_of_rank(random.uniform())]});
    }
  }
  for (std::uint32_t a = 0; a < size.observed; ++a) {
    RowRandom random = observed_parameters(seed, a);
    observed[a].leak = draw_leak(random);
  }
  return {std::move(causes), std::move(observed), std::move(edges)};
}

}  // namespace orrery::model
