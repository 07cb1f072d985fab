// Networks like QMR-DT, the knowledge base of medical diagnosis that is not public: their
// parameters, their structure, and both together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "orrery/model/network.hpp"

namespace orrery::model {

// Parameters, where none are known or published: a function of the seed and of a number alone.

/// P(a present cause switches the variable on) of the five classes of frequency, 1 to 5.
constexpr std::array<double, 5> class_sensitivity{0.025, 0.2, 0.5, 0.8, 0.985};
/// Their shares of the edges.
constexpr std::array<double, 5> class_share{0.2, 0.42, 0.22, 0.12, 0.04};

/// The class, 0 to 4, that holds the quantile `rank` in [0, 1] of all edges, the rarest first.
std::size_t class_of_rank(double rank);

/// One draw with this median, and this standard deviation of the logarithm.
double log_normal(double median, double sigma, RowRandom& random);

/// Median 0.0015, sigma 1, within [0.0002, 0.06].
double draw_prior(RowRandom& random);
/// Median 0.001, sigma 1, within [0.0001, 0.02].
double draw_leak(RowRandom& random);

/// The draws of a cause, and of a variable.
RowRandom cause_parameters(std::uint64_t seed, std::uint32_t cause);
RowRandom observed_parameters(std::uint64_t seed, std::uint32_t observed);

/// Every cause has least_degree children or more, and at most half of the variables; each of these
/// has a parent. So edges >= observed, and edges are within causes times these two.
struct QmrSize {
  static constexpr std::uint32_t least_degree = 4;
  std::uint32_t causes = 570;
  std::uint32_t observed = 4075;
  std::uint32_t edges = 45470;
};

/// Of each cause its children, by rising index.
std::vector<std::vector<std::uint32_t>> qmr_children(const QmrSize& size, std::uint64_t seed);

/// `spec` is qmr:causes,observed,edges, or qmr for the size of aQMR-DT (570,4075,45470). Throws
/// UsageError for sizes that no such network has. src/model/qmr_network.cpp says how it is drawn.
NoisyOrNetwork qmr_network(std::string_view spec, std::uint64_t seed);

}  // namespace orrery::model
