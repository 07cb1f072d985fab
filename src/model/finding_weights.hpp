// Which findings of a row speak for a cause, and which against it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/cause_posterior.hpp"
#include "orrery/model/inference.hpp"

namespace orrery::model {

/// log(P(cause | row) / P(not cause | row)) minus the same if nobody had looked at the finding, in
/// nats. Weights add up to the change from the prior only where findings share no causes: two that
/// say the same weigh little each.
struct FindingWeight {
  std::uint32_t observed = 0;
  bool positive = false;
  double weight = 0;
};

struct CauseEvidence {
  double prior_log_odds = 0;
  double log_odds = 0;                  ///< given the row; within +-700
  std::vector<FindingWeight> findings;  ///< the most for the cause first, the most against it last
};

/// Of the row's positive findings and the cause's negative ones; those that weigh nothing (less
/// than 1e-9) are left out. One evaluation each; `inference` keeps the last one's result. The row
/// must be possible.
CauseEvidence weigh_findings(const NoisyOrNetwork& network, RowInference& inference,
                             std::uint64_t row, std::span<const std::uint64_t> values,
                             std::span<const std::uint64_t> missing, std::size_t cause);

/// The same of causes that depend on one another: of all findings, as those of its neighbours speak
/// for a cause too. Where rows are sampled, weights are no more exact than posteriors.
CauseEvidence weigh_findings(const NoisyOrNetwork& network, CausePosterior& posterior,
                             std::uint64_t row, std::span<const std::uint64_t> values,
                             std::span<const std::uint64_t> missing, std::size_t cause);

}  // namespace orrery::model
