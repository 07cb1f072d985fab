// Rows of a data file against a network, shared by ranks and threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "families/noisy_or/row_family.hpp"
#include "family/kept_batches.hpp"
#include "family/matched_rows.hpp"
#include "parallel/team.hpp"
#include "store/posterior.hpp"
#include "store/sample_reader.hpp"

namespace orrery::noisy_or {

/// A row that the model calls impossible.
struct ImpossibleRow {
  std::uint64_t row;
  RowContradiction why;
};

/// Adds the row seen last. Listed: posteriors of at least `min_posterior`, by cause.
void append_row(const RowAnswer& answer, double min_posterior, std::uint32_t top,
                store::PosteriorRows& rows);

/// Calls take(rows, impossible) at root for some thousand rows at a time, in order. The same rows
/// for any number of ranks and threads. Memory: a block of the file and the rows at hand. Throws
/// learning::Stopped, see KeptBatches. Collective.
using TakeRows = std::function<void(const store::PosteriorRows& rows,
                                    const std::vector<ImpossibleRow>& impossible)>;
void infer_rows(const parallel::Team& team, int threads, const RowFamily& family, std::uint32_t top,
                double min_posterior, const store::SampleReader& reader,
                const family::MatchedRows& matched, family::KeptBatches& batches,
                const TakeRows& take);

}  // namespace orrery::noisy_or
