/// The fields of a noisy-OR network's causes: names, priors, the tables of those that depend on one
/// another, and what a learner says of each; their anchors with the anchors' rates; their moments.
///
/// Cost: O(n + anchors + cells of the tables and of the moments) time and memory for n causes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "orrery/model/learned_model.hpp"
#include "store/archive.hpp"

namespace orrery::noisy_or {

/// Of a cause or a variable, in a file.
inline constexpr std::int64_t largest_index = std::numeric_limits<std::uint32_t>::max();

/// One field of all entries, in their order: a file keeps a list as columns, one per field.
template <class Value, class Entry>
std::vector<Value> column(const std::vector<Entry>& entries, Value Entry::*member) {
  std::vector<Value> values;
  values.reserve(entries.size());
  for (const Entry& entry : entries) values.push_back(entry.*member);
  return values;
}

/// Values in the file's order, in another.
template <class Value>
std::vector<Value> in_order(const std::vector<Value>& values,
                            const std::vector<std::size_t>& places) {
  std::vector<Value> ordered;
  for (const std::size_t place : places) ordered.push_back(values[place]);
  return ordered;
}

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

/// The network's anchors; their rates are read into `learned`, in a network's order. `needed`: a
/// file without anchors is refused.
/// @throws as `Archive` does
std::vector<model::Anchor> anchors(store::Archive& archive, bool needed,
                                   model::LearnedModel& learned);

/// The causes' moments, as recovered: JSON names each set before its table.
/// @throws as `Archive` does
void cause_moments(store::Archive& archive, std::size_t n_causes, model::SubsetTables& moments);

}  // namespace orrery::noisy_or
