// A sweep's work on eight rows: beliefs gathered, messages updated (row_update.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "families/categorical/structural_ep/messages.hpp"
#include "families/categorical/structural_ep/row_update.hpp"
#include "orrery/data/sample_matrix.hpp"

namespace orrery::structural_ep {

/// Room to work in; one per thread. Memory: 8 (D + 2 S) numbers, and a few of each set.
class GroupUpdate {
 public:
  GroupUpdate(const Shape& shape, const RowUpdate& update);

  /// What RowBeliefs::update does for each row of a group, from its first one on, with the same
  /// bytes. `weights`: one each. Returns how many values were passed over.
  std::size_t update(std::span<const RowView> rows, std::span<const double> weights,
                     const Posterior& posterior, const SweepOptions& options, const SweepSums& sums,
                     RowBeliefs& beliefs);

  /// What StructureBounds wants of each row of a group, from its first one on: values shared among
  /// the states of every set, added to `counts`; logs of what they were predicted with, to
  /// `scores`. `belief`: q(u) of the group, S x 8.
  void share(std::span<const RowView> rows, std::span<const double> weights, const double* belief,
             std::span<const double> expectations, std::span<const std::size_t> first_expectation,
             std::span<double> counts, std::span<double> scores);

 private:
  [[nodiscard]] SweepArrays arrays(std::span<const std::uint32_t> held_sets,
                                   const Posterior& posterior, const SweepOptions& options) const;
  /// Returns whether a value is missing.
  bool take_codes(std::span<const RowView> rows);
  void gather(std::span<const RowView> rows, const SweepArrays& sweep, bool misses,
              RowBeliefs& beliefs);

  const Shape& shape_;
  RowUpdate update_;
  std::vector<SetPlace> sets_;
  data::AlignedVector<double> codes_;
  data::AlignedVector<double> logs_;
  data::AlignedVector<double> products_;
  data::AlignedVector<double> belief_;
  data::AlignedVector<double> room_;
};

}  // namespace orrery::structural_ep
