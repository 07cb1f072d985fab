// A unit is a block of pairs (rows.hpp): it is counted into a small table and at once reduced to
// its own maximum spanning forest (forest.hpp). A checkpoint holds one forest, of all finished
// units.
//
// Cost: p^2 N / 2 bit operations to count (four times as many with missing values), 5 p^2 / 2
// comparisons. Memory: forest.hpp's edges and a table of at most 256^2 counts per thread; by
// samples the tables of a batch. At 1,000 ranks the gathering of forests at rank 0 (24 p bytes
// each) is what grows first.
#include "families/sign_tree/hidden_tree/search.hpp"

#include <algorithm>
#include <atomic>

#include "families/sign_tree/hidden_tree/forest.hpp"
#include "learning/row_slices.hpp"
#include "learning/stages.hpp"
#include "moments/pair_counts.hpp"

namespace orrery::hidden_tree {
namespace {

using parallel::Team;

// --- A checkpoint's part ---------------------------------------------------------------------

constexpr std::size_t words_of_edge = 3;

std::vector<std::uint64_t> pack(const std::vector<Edge>& edges) {
  std::vector<std::uint64_t> words;
  const auto join = [](std::uint32_t high, std::uint32_t low) {
    return std::uint64_t{high} << 32U | low;
  };
  for (const Edge& edge : edges) {
    words.push_back(join(edge.a, edge.b));
    words.push_back(join(edge.cells.n, edge.cells.a_on));
    words.push_back(join(edge.cells.b_on, edge.cells.both_on));
  }
  return words;
}

std::vector<Edge> unpack(const std::vector<std::uint64_t>& words) {
  std::vector<Edge> edges;
  const auto high = [](std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32U); };
  const auto low = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
  for (std::size_t i = 0; i + words_of_edge <= words.size(); i += words_of_edge) {
    edges.push_back(
        {high(words[i]),
         low(words[i]),
         {high(words[i + 1]), low(words[i + 1]), high(words[i + 2]), low(words[i + 2])}});
  }
  return edges;
}

bool fits(const Edge& edge, const Rows& rows) {
  const Cells& cells = edge.cells;
  return edge.a < edge.b && edge.b < rows.n_variables() && cells.n <= rows.singles.n_rows &&
         cells.a_on <= cells.n && cells.b_on <= cells.n &&
         cells.both_on <= std::min(cells.a_on, cells.b_on) &&
         std::uint64_t{cells.a_on} + cells.b_on <= std::uint64_t{cells.n} + cells.both_on;
}

// --- The search ------------------------------------------------------------------------------

template <class Weights>
class Search {
 public:
  Search(const learning::DataContext& context, const Rows& rows, const Weights& weights,
         const std::string& name)
      : context_(context),
        rows_(rows),
        name_(name),
        blocks_(rows.n_variables()),
        units_{blocks_.size(), 0, {}},
        forests_(static_cast<std::size_t>(context.threads),
                 Forest<Weights>(rows.n_variables(), weights)) {
    if (context.team.is_root()) take();
    std::vector<std::uint64_t> left = learning::pack(units_);
    context.team.broadcast(left);
    units_ = learning::unpack_units(left);
  }

  std::vector<Edge> run() {
    if (context_.stored != nullptr) {
      by_table(*context_.stored);
    } else if (rows_.way == Way::samples) {
      by_samples();
    } else if (!units_.done() && is_sparse()) {
      by_table(learning::count_pairs(context_.team, context_.threads, rows_.samples.matrix->values,
                                     context_.checkpoints, context_.stages));
    } else {
      by_tiles();
    }
    std::vector<Edge> edges;
    if (context_.team.is_root()) edges = forests_[0].edges();
    context_.team.broadcast(edges);
    return edges;
  }

 private:
  void take();
  [[nodiscard]] bool is_sparse() const;
  void by_tiles();
  void by_table(const moments::PairCounts& pairs);
  void by_samples();
  /// Counts this rank's rows of the units: their tables, one after the other. False if a rank was
  /// asked to stop.
  bool count_batch(const std::vector<std::uint64_t>& units, std::vector<std::uint32_t>& tables);
  /// Work on units until all are done, with pauses.
  void go(const std::function<void(std::uint64_t unit, Forest<Weights>& forest)>& work);
  /// Brings what all threads and ranks have found to root, and lets the checkpoint have it.
  void collect();

  const learning::DataContext& context_;
  const Rows& rows_;
  const std::string& name_;
  Blocks blocks_;
  parallel::Units units_;
  std::vector<Forest<Weights>> forests_;  // a thread
};

template <class Weights>
void Search<Weights>::take() {
  const auto& words = context_.checkpoints.state().words;
  const auto units = words.find(name_ + "_units");
  if (units == words.end()) return;
  const std::string array = name_ + "_edges";
  const std::vector<Edge> edges = unpack(learning::array(words, array.c_str()));
  const parallel::Units stored = learning::unpack_units(units->second);
  learning::require(stored.total == units_.total && edges.size() < rows_.n_variables() &&
                        words.at(array).size() == words_of_edge * edges.size() &&
                        std::ranges::all_of(edges, [&](const Edge& e) { return fits(e, rows_); }),
                    array.c_str());
  units_ = stored;
  forests_[0].add(edges);
}

template <class Weights>
void Search<Weights>::collect() {
  std::vector<Edge> own;
  for (Forest<Weights>& forest : forests_) {
    if (&forest == &forests_[0]) continue;
    forests_[0].add(forest.edges());
    forest.clear();
  }
  own = forests_[0].edges();
  if (!context_.team.is_root()) forests_[0].clear();
  const std::vector<Edge> all = context_.team.gather(own);
  if (!context_.team.is_root()) return;
  forests_[0].clear();
  forests_[0].add(all);
  if (context_.checkpoints.due() == Team::never) return;
  auto& words = context_.checkpoints.state().words;
  words[name_ + "_edges"] = pack(forests_[0].edges());
  words[name_ + "_units"] = learning::pack(units_);
}

template <class Weights>
void Search<Weights>::go(
    const std::function<void(std::uint64_t unit, Forest<Weights>& forest)>& work) {
  learning::StageWatch watch(context_.stages, name_);
  Progress progress(name_, units_.total, "blocks of pairs");
  auto pause = Team::Pause::none;
  do {
    const std::uint64_t before = units_.left();
    const auto stretch =
        context_.team.run_units(units_, context_.threads, context_.checkpoints.pause_at(), progress,
                                [&](std::uint64_t unit, int thread) {
                                  work(unit, forests_[static_cast<std::size_t>(thread)]);
                                  return true;
                                });
    watch.add(context_.team, stretch, before - units_.left());
    pause = stretch.pause;
    try {
      context_.checkpoints.between_steps(context_.team, pause, [&] { collect(); });
    } catch (const learning::TimeUp&) {
      pause = Team::Pause::none;
    }
  } while (pause != Team::Pause::none);
  collect();
}

template <class Weights>
void Search<Weights>::by_tiles() {
  const data::SampleMatrix& samples = *rows_.samples.matrix;
  const data::BitPanels* missing = samples.missing ? &*samples.missing : nullptr;
  go([&](std::uint64_t unit, Forest<Weights>& forest) {
    const BlockShape block = blocks_.at(unit);
    std::vector<std::uint32_t> table(table_size(block, missing != nullptr), 0);
    count_block(samples.values, missing, block, 0, samples.values.n_words(), table);
    forest.add_block(block, BlockCells(rows_.singles, block, table));
  });
}

/// Row by row (moments/pair_counts.hpp) beats the kernel where most columns are sparse; the table
/// of all pairs is then worth its memory, if that is not much.
template <class Weights>
bool Search<Weights>::is_sparse() const {
  constexpr double most_bytes = 512e6;
  const auto p = static_cast<double>(rows_.n_variables());
  if (rows_.may_miss() || context_.memory_bytes > 0 || 16 * p * p > most_bytes) return false;
  return moments::PairCounter(rows_.samples.matrix->values).expected_share_of_tiles() < .5;
}

template <class Weights>
void Search<Weights>::by_table(const moments::PairCounts& pairs) {
  const auto narrow = [](std::uint64_t count) { return static_cast<std::uint32_t>(count); };
  const std::uint64_t n = pairs.n_samples;
  go([&](std::uint64_t unit, Forest<Weights>& forest) {
    const BlockShape block = blocks_.at(unit);
    forest.add_block(block, [&](std::uint32_t i, std::uint32_t j) -> Cells {
      const std::size_t a = block.first + i;
      const std::size_t b = block.other_first + j;
      const std::uint64_t both_on = n + pairs.at(a, b) - pairs.single(a) - pairs.single(b);
      return {narrow(n), narrow(n - pairs.single(a)), narrow(n - pairs.single(b)), narrow(both_on)};
    });
  });
}

template <class Weights>
bool Search<Weights>::count_batch(const std::vector<std::uint64_t>& units,
                                  std::vector<std::uint32_t>& tables) {
  constexpr std::size_t chunk_words = 2048;
  const bool may_miss = rows_.may_miss();
  std::vector<std::size_t> first{0};
  for (const std::uint64_t unit : units) {
    first.push_back(first.back() + table_size(blocks_.at(unit), may_miss));
  }
  tables.assign(first.back(), 0);
  return rows_.samples.slices->for_each([&](const learning::RowSlices::Slice& rows) {
    const std::size_t n_words = rows.values.n_words();
    const std::size_t n_chunks = (n_words + chunk_words - 1) / chunk_words;
    const data::BitPanels* missing = rows.missing ? &*rows.missing : nullptr;
#pragma omp parallel for num_threads(context_.threads) schedule(dynamic) default(shared)
    for (std::size_t task = 0; task < units.size() * n_chunks; ++task) {
      const std::size_t u = task % units.size();
      const std::size_t word = task / units.size() * chunk_words;
      const BlockShape block = blocks_.at(units[u]);
      std::vector<std::uint32_t> table(first[u + 1] - first[u], 0);
      count_block(rows.values, missing, block, word, std::min(chunk_words, n_words - word), table);
      for (std::size_t i = 0; i < table.size(); ++i) {
        // Other threads may be adding other rows of the same pairs.
        std::atomic_ref(tables[first[u] + i]).fetch_add(table[i], std::memory_order_relaxed);
      }
    }
    return !context_.team.stop_requested();
  });
}

template <class Weights>
void Search<Weights>::by_samples() {
  learning::StageWatch watch(context_.stages, name_);
  Progress progress(name_, units_.total, "blocks of pairs");
  while (!units_.done()) {
    std::vector<std::uint64_t> batch;
    std::size_t bytes = 0;
    while (batch.size() < units_.left()) {
      const std::uint64_t unit = units_.at(batch.size());
      bytes += 4 * table_size(blocks_.at(unit), rows_.may_miss());
      if (!batch.empty() && bytes > rows_.batch_bytes) break;
      batch.push_back(unit);
    }
    std::vector<std::uint32_t> tables;
    std::vector<std::uint64_t> given_up{count_batch(batch, tables) ? 0U : 1U};
    context_.team.sum_words(given_up);
    if (given_up[0] > 0) {  // a pass over the rows is counted as a whole
      collect();
      context_.checkpoints.keep(context_.team, Team::Pause::stop);
    }
    context_.team.sum_counts(tables);
    std::vector<std::size_t> first{0};
    for (const std::uint64_t unit : batch) {
      first.push_back(first.back() + table_size(blocks_.at(unit), rows_.may_miss()));
    }
    Progress silent("", 0, "");
    context_.team.for_each_unit(
        batch.size(), context_.threads, silent, [&](std::uint64_t i, int thread) {
          const BlockShape block = blocks_.at(batch[i]);
          const std::span table(tables.data() + first[i], first[i + 1] - first[i]);
          forests_[static_cast<std::size_t>(thread)].add_block(
              block, BlockCells(rows_.singles, block, table));
        });
    units_.advance(batch.size(), {});
    watch.add(context_.team, {}, batch.size());
    progress.advance(batch.size());
    collect();
    if (units_.done()) break;
    try {
      context_.checkpoints.between_steps(context_.team, [] {});
    } catch (const learning::TimeUp&) {
      return;
    }
  }
}

template <class Weights>
std::vector<Edge> find(const learning::DataContext& context, const Rows& rows,
                       const Weights& weights, const std::string& name) {
  return Search<Weights>(context, rows, weights, name).run();
}

}  // namespace

std::vector<Edge> find_tree(const learning::DataContext& context, const Rows& rows,
                            const UniformWeights& weights, const std::string& name) {
  return find(context, rows, weights, name);
}

std::vector<Edge> find_tree(const learning::DataContext& context, const Rows& rows,
                            const FreeWeights& weights, const std::string& name) {
  return find(context, rows, weights, name);
}

}  // namespace orrery::hidden_tree
