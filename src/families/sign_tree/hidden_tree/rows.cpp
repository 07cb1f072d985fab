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

}  // namespace orrery::hidden_tree
