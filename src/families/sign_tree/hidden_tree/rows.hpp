// The samples of a run of this learner, how they are held, and which way their pairs are counted.
#pragma once

#include <cstdint>

#include "families/sign_tree/hidden_tree/blocks.hpp"
#include "learning/learner.hpp"
#include "learning/load.hpp"
#include "store/store.hpp"

namespace orrery::hidden_tree {

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
