// Cost: the rows are read once (by samples, and if they do not fit, once more for every batch of
// blocks) and their ones are counted, p N / 64 words.
#include "families/sign_tree/hidden_tree/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <set>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "learning/row_slices.hpp"
#include "learning/stages.hpp"
#include "moments/pair_counts.hpp"
#include "moments/tiles.hpp"
#include "orrery/base/error.hpp"
#include "store/store.hpp"

namespace orrery::hidden_tree {
namespace {

using data::panel_lanes;

constexpr std::size_t usual_batch_bytes = std::size_t{256} << 20U;
// Seconds a byte takes from host to host, about.
constexpr double byte_seconds = 1e-9;
constexpr learning::Needs needs{2, 2, "a tree", "to tell signs that vary from signs that do not"};

double layers(const Split& split) { return split.may_miss ? 4 : 1; }

/// Of all pairs, by one thread.
double counting_seconds(const Split& split) {
  const auto p = static_cast<double>(split.p);
  return layers(split) * p * p / 2 * static_cast<double>(split.n_rows) * moments::pair_seconds;
}

double bits_bytes(const Split& split) {
  const auto bytes = static_cast<double>(
      8 * data::BitPanels::words_needed(split.p, static_cast<std::size_t>(split.n_rows)));
  return split.may_miss ? 2 * bytes : bytes;
}

}  // namespace

double seconds_by_tiles(const Split& split) {
  const Blocks blocks(split.p);
  std::vector<double> weights;
  for (std::uint64_t unit = 0; unit < blocks.size(); ++unit) {
    weights.push_back(blocks.at(unit).diagonal() ? .5 : 1);
  }
  const std::size_t workers = split.ranks * split.threads;
  const double uneven = parallel::imbalance(parallel::hand_out(weights, workers));
  const double sent = split.hosts > 1 ? bits_bytes(split) : 0;
  return counting_seconds(split) * uneven / static_cast<double>(workers) + sent * byte_seconds;
}

double seconds_by_samples(const Split& split) {
  const auto ranks = static_cast<double>(split.ranks);
  const std::uint64_t rows = data::block_rows(split.p);
  const std::uint64_t n_blocks = (split.n_rows + rows - 1) / rows;
  const std::uint64_t most = (n_blocks + split.ranks - 1) / split.ranks;  // of a rank
  const double share = static_cast<double>(most) / static_cast<double>(n_blocks);
  // Counts are added up over ranks: each is sent and received.
  const auto p = static_cast<double>(split.p);
  const double sent = split.ranks > 1 ? 2 * 4 * layers(split) * p * p / 2 * (ranks - 1) / ranks : 0;
  return counting_seconds(split) * share / static_cast<double>(split.threads) + sent * byte_seconds;
}

std::size_t search_bytes(const Split& split) {
  const Blocks blocks(split.p);
  const std::size_t table = 4 * table_size(blocks.at(0), split.may_miss);
  // A forest holds what its blocks gave; one that is being reduced is there twice, once with its
  // weights (32 bytes).
  const std::size_t of_blocks = static_cast<std::size_t>(blocks.size()) * 2 * blocks.side();
  const std::size_t edges =
      std::min(of_blocks, Forest<UniformWeights>::most(split.p) + 2 * blocks.side());
  const std::size_t forest = edges * (sizeof(Edge) + 32);
  return split.threads * (table + forest) + 64 * split.p;
}

MemoryPlan plan_memory(const Split& split, std::size_t memory_bytes, std::size_t in_use,
                       const std::string& path) {
  // By samples tables are kept and brought together: worth it only if it is much faster.
  constexpr double worth = .75;
  const bool by_tiles = seconds_by_samples(split) > worth * seconds_by_tiles(split);
  const Way way = by_tiles ? Way::tiles : Way::samples;
  const learning::Hold hold =
      by_tiles || split.hosts == 1 ? learning::Hold::whole : learning::Hold::dealt;
  if (memory_bytes == 0) return {hold, way, usual_batch_bytes};
  const auto bits = static_cast<std::size_t>(bits_bytes(split));
  const std::uint64_t block = std::min<std::uint64_t>(split.n_rows, data::block_rows(split.p));
  // A block as it is read, and its panels.
  const std::size_t slice = 2 * 8 * (split.may_miss ? 2 : 1) *
                            data::BitPanels::words_needed(split.p, static_cast<std::size_t>(block));
  const std::size_t base = in_use + slice + search_bytes(split);
  const std::size_t least = 4 * table_size(Blocks(split.p).at(0), split.may_miss);
  if (base + least > memory_bytes) {
    throw UsageError(fmt::format(
        "--memory {}: {} ({} rows x {} columns) takes at least {} a rank with {} thread(s), even "
        "read in slices; allow that, or use fewer threads",
        format_bytes(static_cast<double>(memory_bytes)), path, format_count(split.n_rows), split.p,
        format_bytes(static_cast<double>(base + least)), split.threads));
  }
  const std::size_t room = memory_bytes - base;
  if (bits + least <= room) return {hold, way, room - bits};
  const std::size_t share = bits / split.ranks + slice;
  if (share + least <= room / 2) return {learning::Hold::dealt, Way::samples, room - share};
  return {learning::Hold::read_again, Way::samples, room};
}

namespace {

Singles count_singles(const parallel::Team& team, int threads, const learning::Samples& samples,
                      std::uint64_t n_rows) {
  const learning::RowSlices& slices = *samples.slices;
  const std::size_t p = samples.names.size();
  Singles singles{n_rows, std::vector<std::uint64_t>(p, 0), {}};
  const bool misses = slices.may_miss();
  if (misses) singles.missing.assign(p, 0);
  const auto count = [&](const data::BitPanels& bits, std::vector<std::uint64_t>& sums) {
#pragma omp parallel for num_threads(threads) default(shared)
    for (std::size_t panel = 0; panel < bits.n_panels(); ++panel) {
      std::array<std::uint64_t, panel_lanes> on{};
      const std::uint64_t* words = bits.panel(panel);
      for (std::size_t w = 0; w < panel_lanes * bits.n_words(); ++w) {
        on[w % panel_lanes] += static_cast<std::uint64_t>(std::popcount(words[w]));
      }
      const std::size_t first = panel_lanes * panel;
      for (std::size_t a = first; a < std::min(first + panel_lanes, p); ++a)
        sums[a] += on[a - first];
    }
  };
  slices.for_each([&](const learning::RowSlices::Slice& rows) {
    count(rows.values, singles.on);
    if (rows.missing) count(*rows.missing, singles.missing);
    return true;
  });
  team.sum_words(singles.on);
  if (!singles.missing.empty()) team.sum_words(singles.missing);
  return singles;
}

void require_variation(const Rows& rows, const std::string& path) {
  std::vector<std::string> constant;
  for (std::size_t a = 0; a < rows.n_variables(); ++a) {
    const std::uint64_t on = rows.singles.observed_on(a);
    if (on == 0 || on == rows.singles.observed(a)) constant.push_back(rows.samples.names[a]);
  }
  if (constant.empty()) return;
  throw InputError(fmt::format(
      "{}: {} constant column(s) ({}): a sign that never changes tells nothing of the others and "
      "belongs to no tree; leave them out with `orrery import --drop`",
      path, constant.size(), learning::list_names(constant)));
}

std::size_t count_hosts(const parallel::Team& team) {
  return std::set<std::string>(team.hosts().begin(), team.hosts().end()).size();
}

}  // namespace

void require_usable(const store::SampleHeader& header, const std::string& path) {
  learning::require_columns(header.n_observed, path, needs);
  learning::require_rows(header.n_samples, path, needs);
  if (header.n_samples <= std::numeric_limits<std::uint32_t>::max()) return;
  throw InputError(
      fmt::format("{}: {} rows, but a tree is learned from fewer than 2^32; give a part of them",
                  path, format_count(header.n_samples)));
}

Rows load(const learning::DataContext& context) {
  std::vector<MemoryPlan> plan(1);
  std::vector<std::uint64_t> n_rows(1);
  if (context.team.is_root()) {
    const store::SampleHeader header = store::read_sample_header(context.path);
    require_usable(header, context.path);
    const Split split{header.n_observed,
                      header.n_samples,
                      header.has_missing,
                      count_hosts(context.team),
                      static_cast<std::size_t>(context.team.size()),
                      static_cast<std::size_t>(context.threads)};
    plan[0] = plan_memory(split, context.memory_bytes, learning::resident_bytes(), context.path);
    n_rows[0] = header.n_samples;
    log::verbose("{}: {}, counted by {}", context.path,
                 plan[0].hold == learning::Hold::whole   ? "held in memory, one copy per host"
                 : plan[0].hold == learning::Hold::dealt ? "dealt to the ranks in slices of rows"
                                                         : "read from the file for every count",
                 plan[0].way == Way::tiles ? "blocks of pairs" : "samples");
  }
  context.team.broadcast(plan);
  context.team.broadcast(n_rows);
  Rows rows;
  rows.samples =
      load_rows(context.team, context.threads, context.path, plan[0].hold, needs, context.stages);
  rows.way = plan[0].way;
  rows.batch_bytes = plan[0].batch_bytes;
  const learning::StageWatch watch(context.stages, "singles");
  rows.singles = count_singles(context.team, context.threads, rows.samples, n_rows[0]);
  require_variation(rows, context.path);
  return rows;
}

// ---- pairs in blocks
//
// With missing values, of N rows, A the rows in which a variable is on or missing and M those in
// which it is missing, inclusion and exclusion give
//   both observed                  n     = N - |Ma| - |Mb| + |Ma Mb|
//   both observed and off          off   = N - |Aa| - |Ab| + |Aa Ab|
//   a off (so observed), b observed        N - |Aa| - |Mb| + |Aa Mb|
// Cost: one kernel count per pair, four with missing values.

namespace {

constexpr std::size_t least_side = 64;
constexpr std::size_t most_side = 256;
constexpr std::size_t wanted_ranges = 32;

std::size_t panels(std::size_t n) { return (n + panel_lanes - 1) / panel_lanes; }

std::size_t side_of(std::size_t p) {
  return std::clamp(panel_lanes * panels((p + wanted_ranges - 1) / wanted_ranges), least_side,
                    most_side);
}

}  // namespace

Blocks::Blocks(std::size_t p) : Blocks(p, side_of(p)) {}
Blocks::Blocks(std::size_t p, std::size_t side) : p_(p), side_(side), n_((p + side - 1) / side) {}

BlockShape Blocks::at(std::uint64_t unit) const noexcept {
  std::uint64_t range = 0;
  for (; unit >= n_ - range; ++range) unit -= n_ - range;
  const auto shape = [&](std::uint64_t number) {
    const std::size_t first = number * side_;
    return std::pair{static_cast<std::uint32_t>(first),
                     static_cast<std::uint32_t>(std::min(side_, p_ - first))};
  };
  const auto [first, n] = shape(range);
  const auto [other_first, other_n] = shape(range + unit);
  return {first, n, other_first, other_n};
}

std::size_t table_size(const BlockShape& block, bool may_miss) {
  return (may_miss ? 4 : 1) * panel_lanes * panels(block.n) * panel_lanes * panels(block.other_n);
}

void count_block(const data::BitPanels& values, const data::BitPanels* missing,
                 const BlockShape& block, std::size_t first_word, std::size_t n_words,
                 std::span<std::uint32_t> table) {
  const auto count = [&](const data::BitPanels& rows, const data::BitPanels& columns,
                         std::size_t layer) {
    const std::size_t size = table_size(block, false);
    moments::count_pair_block({rows, block.first / panel_lanes, panels(block.n)},
                              {columns, block.other_first / panel_lanes, panels(block.other_n)},
                              block.diagonal(), first_word, n_words,
                              table.subspan(layer * size, size));
  };
  count(values, values, 0);
  if (missing == nullptr) return;
  count(*missing, *missing, 1);
  count(values, *missing, 2);
  count(*missing, values, 3);
}

BlockCells::BlockCells(const Singles& singles, const BlockShape& block,
                       std::span<const std::uint32_t> table)
    : singles_(singles),
      block_(block),
      stride_(panel_lanes * panels(block.other_n)),
      layer_(table_size(block, false)),
      table_(table) {}

Cells BlockCells::operator()(std::uint32_t i, std::uint32_t j) const {
  const std::size_t a = block_.first + i;
  const std::size_t b = block_.other_first + j;
  const std::size_t place = i * stride_ + j;
  const auto narrow = [](std::uint64_t count) { return static_cast<std::uint32_t>(count); };
  const std::uint64_t n_rows = singles_.n_rows;
  if (singles_.missing.empty()) {
    return {narrow(n_rows), narrow(singles_.on[a]), narrow(singles_.on[b]), table_[place]};
  }
  const std::uint64_t n =
      n_rows + table_[layer_ + place] - singles_.missing[a] - singles_.missing[b];
  const std::uint64_t both_off = n_rows + table_[place] - singles_.on[a] - singles_.on[b];
  const std::uint64_t a_off =
      n_rows + table_[2 * layer_ + place] - singles_.on[a] - singles_.missing[b];
  const std::uint64_t b_off =
      n_rows + table_[3 * layer_ + place] - singles_.missing[a] - singles_.on[b];
  return {narrow(n), narrow(n - a_off), narrow(n - b_off), narrow(n + both_off - a_off - b_off)};
}

}  // namespace orrery::hidden_tree
