// The samples of a run of this learner: their pairs in blocks, how they are held, and which way
// their pairs are counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "families/sign_tree/hidden_tree/forest.hpp"
#include "families/sign_tree/hidden_tree/sign_pair.hpp"
#include "learning/learner.hpp"
#include "learning/load.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "store/store.hpp"

namespace orrery::hidden_tree {

// ---- pairs in blocks

/// Pairs of variables in square blocks: the numbered units of work. They depend on the number of
/// variables alone.
///
/// Sides of 64 to 256 columns: 16 MB of columns and more are read for as many as B^2 pairs, which
/// keeps the kernel busy, and there are some 500 units to share out where p is in the thousands.
class Blocks {
 public:
  explicit Blocks(std::size_t p);
  /// Of this side, a multiple of 8 (tests).
  Blocks(std::size_t p, std::size_t side);

  [[nodiscard]] std::uint64_t size() const noexcept { return n_ * (n_ + 1) / 2; }
  [[nodiscard]] BlockShape at(std::uint64_t unit) const noexcept;
  [[nodiscard]] std::size_t side() const noexcept { return side_; }

 private:
  std::size_t p_;
  std::size_t side_;
  std::uint64_t n_;  // ranges
};

/// Of each variable. What is missing counts as on (learning::load_whole).
struct Singles {
  std::uint64_t n_rows = 0;
  std::vector<std::uint64_t> on;       ///< rows in which it is on or missing
  std::vector<std::uint64_t> missing;  ///< empty if nothing is

  [[nodiscard]] std::uint64_t observed(std::size_t a) const {
    return missing.empty() ? n_rows : n_rows - missing[a];
  }
  /// Rows in which it is on and observed.
  [[nodiscard]] std::uint64_t observed_on(std::size_t a) const {
    return missing.empty() ? on[a] : on[a] - missing[a];
  }
};

/// Counts of a block: both on; with missing values also both missing, the first on and the other
/// missing, and the reverse.
[[nodiscard]] std::size_t table_size(const BlockShape& block, bool may_miss);
/// Adds words [first_word, first_word + n_words) of the rows. `missing` may be null.
void count_block(const data::BitPanels& values, const data::BitPanels* missing,
                 const BlockShape& block, std::size_t first_word, std::size_t n_words,
                 std::span<std::uint32_t> table);

/// A block's counts as 2 x 2 tables.
class BlockCells {
 public:
  BlockCells(const Singles& singles, const BlockShape& block, std::span<const std::uint32_t> table);
  [[nodiscard]] Cells operator()(std::uint32_t i, std::uint32_t j) const;

 private:
  const Singles& singles_;
  BlockShape block_;
  std::size_t stride_;
  std::size_t layer_;  // counts of one kind
  std::span<const std::uint32_t> table_;
};

// ---- rows

/// How pairs are counted. All ways give the same counts.
enum class Way : std::uint8_t {
  tiles,    ///< every rank counts blocks of pairs over all rows
  samples,  ///< every rank counts all blocks of a batch over its rows, and these are added up
  table     ///< all pairs first: counted earlier, or sparse, where that is faster
};

/// What a way's cost depends on.
struct Split {
  std::size_t p = 0;
  std::uint64_t n_rows = 0;
  bool may_miss = false;
  std::size_t hosts = 1;
  std::size_t ranks = 1;
  std::size_t threads = 1;  ///< a rank
};
/// Seconds, about: to bring the data to where they are counted, to count, and to bring counts
/// together.
[[nodiscard]] double seconds_by_tiles(const Split& split);
[[nodiscard]] double seconds_by_samples(const Split& split);

/// How the rows are held, and what may be used beside them.
struct MemoryPlan {
  learning::Hold hold = learning::Hold::whole;
  Way way = Way::tiles;  ///< tiles or samples
  /// Bytes of counts at a time, by samples.
  std::size_t batch_bytes = 0;
};
/// Of the cheaper way that fits in `memory_bytes` a rank (0: no limit), of which `in_use` are gone.
/// Throws UsageError if none does.
[[nodiscard]] MemoryPlan plan_memory(const Split& split, std::size_t memory_bytes,
                                     std::size_t in_use, const std::string& path);
/// What a run holds beside the rows and the counts of a batch.
[[nodiscard]] std::size_t search_bytes(const Split& split);

struct Rows {
  learning::Samples samples;
  Singles singles;
  Way way = Way::tiles;
  std::size_t batch_bytes = 0;

  [[nodiscard]] std::size_t n_variables() const noexcept { return samples.names.size(); }
  [[nodiscard]] bool may_miss() const noexcept { return !singles.missing.empty(); }
};

/// Throws InputError for fewer than two columns or rows, and for 2^32 rows and more.
void require_usable(const store::SampleHeader& header, const std::string& path);
/// Also throws InputError for constant columns, which it names. Collective.
[[nodiscard]] Rows load(const learning::DataContext& context);

}  // namespace orrery::hidden_tree
