// P(A | Y) of every anchor (Halpern, Horng, Sontag 2015, Sec. 3.3): as given, else from labelled
// rows, else from two anchors of the cause, else from a classifier (--positive-only,
// --mutually-irreducible).
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "families/noisy_or/anchored/observations.hpp"
#include "learning/stages.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::anchored {

struct NoiseRates {
  /// P(A = 1 | Y = 0), P(A = 1 | Y = 1) by view of the rows and anchor.
  std::vector<std::vector<std::array<double, 2>>> views;
  std::vector<model::AnchorRates> rates;  ///< an anchor, with errors and where they come from
  std::vector<std::string> remarks;       ///< what speaks against the assumption
};

/// Same result at every rank. Throws InputError naming the anchor: rates that nothing tells, that
/// are reversed or equal, labels that contradict the anchor or its rates. Collective.
NoiseRates find_noise_rates(const learning::Workers& workers, const Observations& observed,
                            const Options& options);

/// Of each cause the anchor that tells most of it: (on - off)^2 / variance is largest.
std::vector<std::size_t> main_anchors(const Observations& observed, const NoiseRates& noise);

/// "'a' of 'y'"
std::string name_of(const Observations& observed, std::size_t anchor);

// ---- what the data say of the anchors before anything is learned from them (anchor_checks.cpp)

/// Throws InputError naming an anchor that is constant, or that goes with no other column (no
/// covariance is significant, Bonferroni): nothing can be learned through it. Cost: a count of
/// every anchor and column. Collective.
void require_telling_anchors(const learning::Workers& workers, const Observations& observed);

/// Sentences. P(y, x) of a cause and a column, with the anchor's noise undone, has no negative
/// cells if the anchor depends on its cause alone (Definition 1) and its rates are right; an anchor
/// for which one is negative beyond its error is named, with the worst column. Throws InputError
/// naming an anchor that is on less often than `off` or more often than `on`. Collective.
std::vector<std::string> find_contradictions(const learning::Workers& workers,
                                             const Observations& observed, const NoiseRates& noise);

}  // namespace orrery::anchored
