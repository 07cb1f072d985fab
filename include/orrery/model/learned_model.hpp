// What a learner returns: a network and where each cause came from.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "orrery/model/network.hpp"
#include "orrery/model/origin.hpp"
#include "orrery/model/subset_tables.hpp"

namespace orrery::model {

/// Evidence for one learned cause.
struct Provenance {
  std::int32_t depth = -1;  ///< subtract-off rounds before it was learned; -1: not applicable
  /// The singly-coupled quartet it was learned from (observed indices); a triplet of `params` has
  /// -1 as its fourth.
  std::array<std::int32_t, 4> quartet{-1, -1, -1, -1};
  double statistic = -1;       ///< of the learner's test (quartet rank test: third singular value)
  double statistic_error = 0;  ///< standard error of it; 0: not known, or exact
  std::uint64_t support = 0;   ///< accepted quartets that imply this cause; 0: not applicable
  bool operator==(const Provenance&) const = default;
};

/// Standard errors of the parameters; NaN where one is not known (at the edge of its range, say).
struct StandardErrors {
  std::vector<double> prior;    ///< a cause
  std::vector<double> leak;     ///< an observed variable
  std::vector<double> failure;  ///< an edge, in the order of NoisyOrNetwork::edges
  [[nodiscard]] bool empty() const noexcept { return prior.empty() && leak.empty(); }
  bool operator==(const StandardErrors&) const = default;
};

/// How often what was learned is learned again from rows drawn anew, with replacement (bootstrap).
struct Stability {
  std::uint32_t resamples = 0;  ///< 0: not measured
  std::vector<double> cause;    ///< share of resamples with this cause
  std::vector<double> edge;     ///< and with this edge, in the order of NoisyOrNetwork::edges
  bool operator==(const Stability&) const = default;
};

/// How a network fits the rows that it was learned from, as its learner found; NaN: not looked at.
struct Fit {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  /// Share of the pairs of variables that are on together more often or more rarely than the
  /// network expects, by more than 3 standard errors; chance makes it 0.0027.
  double misfit = unknown;
  /// Rows that set no parameter while they were predicted; 0: none. Mean log P(row) over them, in
  /// nats: of the network, of the best tree over the variables, of independent variables, and of a
  /// mixture of so many kinds of rows.
  std::uint64_t n_held_out = 0;
  double network = unknown, tree = unknown, independent = unknown, mixture = unknown;
  std::uint32_t n_kinds = 0;
  [[nodiscard]] bool empty() const noexcept { return misfit != misfit; }
};

/// An anchor's noise, as it was given or estimated.
struct AnchorRates {
  double off = 0;        ///< P(A = 1 | Y = 0)
  double on = 0;         ///< P(A = 1 | Y = 1)
  double off_error = 0;  ///< standard error; 0: given
  double on_error = 0;
  std::string source;  ///< "given", "two anchors", "labels", "positive only"
  bool operator==(const AnchorRates&) const = default;
};

struct LearnedModel : Origin {
  NoisyOrNetwork network;
  std::vector<Provenance> provenance;  ///< one per cause, or empty (not learned)
  StandardErrors errors;               ///< empty: not known
  Stability stability;
  Fit fit;
  std::vector<AnchorRates> rates;  ///< one per anchor, or empty: not known
  SubsetTables moments;            ///< of the causes, as recovered; empty: they were not
};

}  // namespace orrery::model
