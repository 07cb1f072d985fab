// Anchored discrete factor analysis: hidden causes that depend on one another, noisy-OR below them,
// and for each cause an observed variable that it alone switches on (Halpern, Horng, Sontag 2015).
//
//   paper        code                     range
//   Y_i, P(Y)    causes()                 a Bayesian network of binary causes
//   X_j          loadings().observed()    all observed columns, anchors among them
//   f_{i,j}      loadings().edges()       [0, 1); no edge means f = 1
//   l_j          leak                     [0, 1)
//   A_i          anchors()
//
// An anchor's noise is its leak, P(A=1|Y=0), and its one failure: P(A=0|Y=1) = (1 - leak) failure.
// An anchor with further edges breaks the assumption (Definition 1); generators make such.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "orrery/model/cause_network.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/model/network.hpp"
#include "orrery/model/origin.hpp"
#include "orrery/model/subset_tables.hpp"

namespace orrery::model {

struct Anchor {
  std::uint32_t cause = 0;
  std::uint32_t observed = 0;
  /// The columns of which the observed variable is the union; one or none: itself.
  std::vector<std::string> columns{};
  bool operator==(const Anchor&) const = default;
};

class AnchoredNetwork {
 public:
  AnchoredNetwork() = default;
  /// A prior of `loadings` becomes P(Y_i = 1) of `causes` where elimination is feasible; else it
  /// stays. Anchors are kept sorted by (cause, observed). Throws InputError naming the entry:
  /// numbers of causes that differ, an anchor out of range or of two causes, a column in two
  /// unions. A cause without an anchor is allowed.
  AnchoredNetwork(NoisyOrNetwork loadings, CauseNetwork causes, std::vector<Anchor> anchors);

  [[nodiscard]] std::size_t n_causes() const noexcept { return loadings_.n_causes(); }
  [[nodiscard]] std::size_t n_observed() const noexcept { return loadings_.n_observed(); }
  [[nodiscard]] const NoisyOrNetwork& loadings() const noexcept { return loadings_; }
  [[nodiscard]] const CauseNetwork& causes() const noexcept { return causes_; }
  [[nodiscard]] const std::vector<Anchor>& anchors() const noexcept { return anchors_; }
  /// P(A = 1 | Y = 0) and P(A = 1 | Y = 1) of anchor number `anchor`, by leak and failure.
  [[nodiscard]] std::pair<double, double> rates(std::size_t anchor) const;

 private:
  NoisyOrNetwork loadings_;
  CauseNetwork causes_;
  std::vector<Anchor> anchors_;
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

/// What `learn anchored` returns.
struct LearnedAnchored : Origin {
  AnchoredNetwork network;
  // Each may be empty: not known.
  StandardErrors errors;           ///< of loadings(): priors, leaks, failures
  std::vector<AnchorRates> rates;  ///< one an anchor
  SubsetTables moments;            ///< of the causes, as recovered
};

/// A noisy-OR network, of dependent or independent causes, as an anchored one without anchors.
LearnedAnchored as_anchored(const LearnedModel& model);
/// The reverse, without the anchors.
LearnedModel as_network(const LearnedAnchored& anchored);

}  // namespace orrery::model
