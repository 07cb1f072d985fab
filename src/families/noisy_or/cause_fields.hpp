/// The fields of a noisy-OR network's causes: names, priors, the tables of those that depend on one
/// another, and what a learner says of each.
///
/// Cost: O(n + cells of the tables) time and memory for n causes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "orrery/model/learned_model.hpp"
#include "store/archive.hpp"

namespace orrery::noisy_or {

/// What a learner says of the causes, a list per field; empty: nothing.
struct ProvenanceFields {
  std::vector<std::int32_t> depth;
  std::vector<std::int32_t> quartet;  ///< four per cause
  std::vector<double> statistic;
  std::vector<double> statistic_error;
  std::vector<std::uint64_t> support;

  explicit ProvenanceFields(const std::vector<model::Provenance>& provenance);
  [[nodiscard]] std::vector<model::Provenance> joined(std::size_t n_causes) const;
};

struct CauseFields {
  std::vector<std::string> names;
  std::vector<double> priors;  ///< NaN, or empty: to be taken from the tables
  ProvenanceFields provenance;
  bool has_errors = false;
};

/// Writes or reads the causes, with the errors and the stability of `learned`. `stem`: of the names
/// that a file leaves out.
/// @throws as `Archive` does
void causes(store::Archive& archive, bool has_tables, const std::string& stem,
            std::size_t n_observed, model::LearnedModel& learned, CauseFields& fields);

/// How the causes depend on one another; nothing: they do not.
/// @throws as `Archive` does
model::CauseNetwork cause_tables(store::Archive& archive, const model::CauseNetwork& network,
                                 bool has_tables, std::size_t n_causes);

/// Priors that are left out follow from the tables, where sums over them can be had.
/// @throws as `Archive` does, where they cannot
std::vector<model::Cause> with_priors(const store::Archive& archive, const CauseFields& fields,
                                      const model::CauseNetwork& tables);

/// Priors beside tables are those that follow from the tables.
/// @throws as `Archive` does
void require_priors(const store::Archive& archive, const std::vector<double>& listed,
                    const model::NoisyOrNetwork& network);

}  // namespace orrery::noisy_or
