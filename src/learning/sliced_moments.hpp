// Moments of samples whose rows are dealt to the ranks, or read again from the file: every count is
// a sum over slices and ranks, made ahead of its use.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "base/work_time.hpp"
#include "data/row_lists.hpp"
#include "learning/learner.hpp"
#include "learning/row_slices.hpp"
#include "moments/moment_source.hpp"
#include "moments/tiled_moments.hpp"
#include "parallel/team.hpp"

namespace orrery::learning {

/// Tiles of some variables (or pairs), one after the other: the upper triangle of wanted panels.
struct TileStore {
  struct Entry {
    std::size_t first;                   ///< in counts
    std::vector<std::uint16_t> rank_of;  ///< by panel: its number among the wanted, from 1; 0: not
    std::size_t n_panels;                ///< wanted
  };
  std::map<std::pair<std::size_t, std::size_t>, Entry> entries;  ///< by (a, b); b = a: triples
  std::vector<std::uint32_t> counts;

  void clear();
  /// Makes room for the tiles of the panels that are marked (mark_panels).
  void add(std::size_t a, std::size_t b, std::span<const std::uint8_t> panels);
};

/// Which bits of a slice are counted: its values, or its mask.
using Layer = const data::BitPanels& (*)(const RowSlices::Slice& rows);
inline const data::BitPanels& values_of(const RowSlices::Slice& rows) { return rows.values; }
inline const data::BitPanels& missing_of(const RowSlices::Slice& rows) { return *rows.missing; }

class SlicedMoments final : public moments::TiledMoments, public moments::CountsAhead {
 public:
  /// `pairs` are those of all rows of the layer. `whole`: all of it if it is in memory (sets that
  /// were not prepared are then counted there), or null.
  SlicedMoments(const parallel::Team& team, int threads, const RowSlices& slices, Layer layer,
                const data::BitPanels* whole, const moments::PairCounts& pairs,
                std::size_t budget_bytes);

  void prepare(std::span<const std::array<std::uint32_t, 4>> sets) const override;
  void prepare_pairs(std::span<const std::array<std::uint32_t, 2>> pairs) const override;
  [[nodiscard]] std::vector<std::vector<double>> triples_of_pairs(
      std::span<const std::array<std::uint32_t, 2>> pairs, std::size_t first,
      std::size_t last) const override;
  /// Lists what is on in each slice, if slices are held.
  void prepare_many_pairs(int threads, std::size_t most_bytes) const override;
  void end_many_pairs() const override { lists_ = {}; }
  [[nodiscard]] bool lists_slices() const noexcept { return !lists_.empty(); }
  void prepare_on_with_pairs(std::span<const std::array<std::uint32_t, 2>> pairs,
                             const std::vector<std::size_t>& begins) const override;
  [[nodiscard]] std::vector<moments::OnWithPair> on_with_pairs(
      std::span<const std::array<std::uint32_t, 2>> pairs) const override;
  [[nodiscard]] moments::CountsAhead* counts_ahead() const override {
    return const_cast<SlicedMoments*>(this);  // what was counted ahead is no part of the value
  }
  bool count_triples(std::span<const moments::TripleRequest> requests) override;
  bool count_quartets(std::span<const moments::QuartetRequest> requests) override;
  [[nodiscard]] std::size_t budget_bytes() const override { return budget_bytes_; }

 private:
  class StoredTiles;
  class HalfCounts;
  [[nodiscard]] std::unique_ptr<moments::TileCounter> tiles() const override;
  [[nodiscard]] std::size_t tiles_bytes() const override { return 0; }
  [[nodiscard]] std::uint64_t count_off(std::span<const std::size_t> set) const override;
  /// m counts per pair, whose place is its number among those that were counted.
  struct PairCountsOfAll {
    std::map<std::array<std::uint32_t, 2>, std::size_t> places;
    std::vector<std::uint32_t> counts;
  };
  /// Adds the counts of up to eight pairs and first <= x < last in a slice to part[pair][x -
  /// first].
  using CountGroup = std::function<void(
      const RowSlices::Slice& rows, std::span<const std::array<std::uint32_t, 2>> group,
      std::size_t first, std::size_t last, std::vector<std::vector<std::uint32_t>>& part)>;
  /// Adds the counts of all pairs in a slice to on[pair][x], m words per pair.
  using CountSlice = std::function<void(const RowSlices::Slice& rows, std::span<std::uint32_t> on)>;
  /// All slices of this rank.
  void count_for_pairs(std::span<const std::array<std::uint32_t, 2>> pairs, const CountSlice& count,
                       PairCountsOfAll& into) const;
  /// In groups of pairs.
  void count_in_groups(const RowSlices::Slice& rows,
                       std::span<const std::array<std::uint32_t, 2>> pairs, const CountGroup& count,
                       std::span<std::uint32_t> on) const;
  /// What is on with them in this rank's rows.
  void count_on_with_pairs(std::span<const std::array<std::uint32_t, 2>> pairs,
                           HalfCounts& counts) const;
  [[nodiscard]] std::vector<unsigned> thinnings_of(
      std::span<const std::array<std::uint32_t, 2>> pairs) const;
  /// m counts.
  [[nodiscard]] std::span<const std::uint32_t> counted(
      const PairCountsOfAll& counts, const std::array<std::uint32_t, 2>& pair) const;
  /// As RowSlices::for_each; its time is a share of what all ranks do.
  bool for_each_slice(const std::function<bool(const RowSlices::Slice& rows)>& visit) const;
  /// Sums over ranks; false if one of them gave up.
  bool sum(bool whole, std::span<std::uint32_t> counts) const;

  const parallel::Team& team_;
  int threads_;
  const RowSlices& slices_;
  Layer layer_;
  const data::BitPanels* whole_;
  std::size_t budget_bytes_;
  TileStore triples_;
  TileStore quartets_;
  mutable std::vector<data::RowLists> lists_;  // of each slice, once many pairs are to be counted
  mutable std::map<std::array<std::uint32_t, 4>, std::uint32_t> off_counts_;  // of prepare
  mutable PairCountsOfAll on_beside_pairs_;                                   // of prepare_pairs
  mutable PairCountsOfAll on_with_pairs_;  // of prepare_on_with_pairs, this rank's
};

/// Counts of all pairs of m columns, over the slices of all ranks, n_rows rows; appends a stage of
/// this name. A pass over the rows is counted as a whole: a stop gives it up. Throws Stopped.
/// Collective.
SampleCounts count_sliced_pairs(const parallel::Team& team, int threads, const RowSlices& slices,
                                std::size_t m, std::uint64_t n_rows, Checkpoints& checkpoints,
                                std::vector<Stage>& stages, const std::string& stage = "pairs");

}  // namespace orrery::learning
