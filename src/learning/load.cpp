// Cost: the file is read once, by rank 0, or its parts by all ranks. Memory: one copy of the bits a
// host (and of the mask, if values are missing) and a block at rank 0. At 1,000 ranks the first
// thing to break is rank 0's reading, some GB/s.

#include "learning/load.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <span>
#include <utility>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "base/work_time.hpp"
#include "learning/learner.hpp"
#include "learning/row_slices.hpp"
#include "learning/sliced_moments.hpp"
#include "learning/stages.hpp"
#include "moments/counted_moments.hpp"
#include "orrery/base/error.hpp"
#include "store/store.hpp"

namespace orrery::learning {

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

namespace {

constexpr std::size_t cached_bytes = std::size_t{32} << 20U;
constexpr std::size_t most_sliced = 1024;
constexpr std::size_t usual_budget = std::size_t{32} << 20U;
/// What is counted ahead takes a quarter of what the rows leave (counted).
constexpr std::size_t budget_share = 4;

/// What a way to hold the samples takes, and what is left for the learner.
enum class Way { whole, whole_in_slices, dealt, read_again };
struct MemoryPlan {
  Way way = Way::whole;
  std::size_t left = 0;
};

/// Counting in slices keeps to the caches where whole columns do not; for many variables the counts
/// of a batch would be too many.
Way way_without_limit(std::size_t m, std::uint64_t n_samples) {
  const bool slices = m <= most_sliced && moments::projection_bytes(m, n_samples) > cached_bytes;
  return slices ? Way::whole_in_slices : Way::whole;
}

MemoryPlan plan_memory(const parallel::Team& team, int threads, const store::SampleHeader& header,
                       std::size_t limit, const std::string& path) {
  const std::size_t m = header.n_observed;
  const std::size_t layers = header.has_missing ? 2 : 1;  // values, mask
  const std::size_t projection = moments::projection_bytes(m, header.n_samples);
  if (limit == 0) return {way_without_limit(m, header.n_samples), 0};
  const std::size_t slice_rows = std::min<std::size_t>(header.n_samples, data::block_rows(m));
  const std::size_t bits = 8 * layers * data::BitPanels::words_needed(m, header.n_samples);
  const std::size_t slice = 8 * layers * data::BitPanels::words_needed(m, slice_rows);
  // The program, tables of pairs while they are counted (sums, and as much again while ranks add
  // them up; then a table of half the size), a block and its panels, the projections of each
  // thread.
  const std::size_t base =
      resident_bytes() + 20 * layers * m * m + (3 + 2 * static_cast<std::size_t>(threads)) * slice;
  constexpr std::size_t least_left = std::size_t{4} << 20U;
  if (base + least_left > limit) {
    throw UsageError(fmt::format(
        "--memory {}: {} ({} rows x {} columns) takes at least {} a rank with {} thread(s), even "
        "read in slices; allow that, or use fewer threads",
        format_bytes(static_cast<double>(limit)), path, format_count(header.n_samples), m,
        format_bytes(static_cast<double>(base + least_left)), threads));
  }
  const std::size_t room = limit - base;
  const auto n_ranks = static_cast<std::size_t>(team.size());
  const std::size_t share = (bits + n_ranks - 1) / n_ranks;
  const std::size_t projections = static_cast<std::size_t>(threads) * 2 * layers * projection;
  if (bits + projections <= room / 4 * 3 && projection <= cached_bytes) {
    return {Way::whole, room - bits - projections};
  }
  // What is counted ahead wants as much room as without a limit, and lists of the rank's rows take
  // a few times its share of the bits. With less, a rank is faster if it holds that share alone.
  const std::size_t enough_left = std::max(budget_share * usual_budget, 4 * share);
  const bool is_tight = room < bits + enough_left;
  if (n_ranks > 1 && is_tight && share <= room / 2) return {Way::dealt, room - share};
  if (bits + least_left <= room) return {Way::whole_in_slices, room - bits};
  if (share <= room / 2) return {Way::dealt, room - share};
  return {Way::read_again, room};
}

const char* describe(Way way) {
  switch (way) {
    case Way::whole:
      return "held in memory, one copy per host";
    case Way::whole_in_slices:
      return "held in memory, one copy per host, counted in slices of rows";
    case Way::dealt:
      return "dealt to the ranks in slices of rows";
    case Way::read_again:
      return "read from the file for every count";
  }
  return "";
}

}  // namespace

Samples::Samples() = default;
Samples::Samples(Samples&&) noexcept = default;
Samples& Samples::operator=(Samples&&) noexcept = default;
Samples::~Samples() = default;

namespace {

Samples held(const parallel::Team& team, int threads, data::SampleMatrix matrix) {
  Samples samples;
  samples.matrix = std::make_unique<data::SampleMatrix>(std::move(matrix));
  const data::BitPanels& values = samples.matrix->values;
  const data::BitPanels* missing = samples.matrix->missing ? &*samples.matrix->missing : nullptr;
  samples.names = samples.matrix->names;
  samples.digest = samples.matrix->digest;
  samples.slices = std::make_unique<RowSlices>(team, values, missing);
  samples.rows = std::make_unique<RowPass>(team, threads, values, missing);
  return samples;
}

}  // namespace

Samples load_rows(const parallel::Team& team, int threads, const std::string& path, Hold hold,
                  const Needs& needs, std::vector<Stage>& stages) {
  if (hold == Hold::whole) {
    const StageWatch watch(stages, "load");
    return held(team, threads, load_whole(team, threads, path, needs));
  }
  Samples samples;
  samples.slices = std::make_unique<RowSlices>(team, path, hold == Hold::dealt);
  const store::SampleHeader& header = samples.slices->reader()->header();
  require_columns(header.n_observed, path, needs);
  require_rows(header.n_samples, path, needs);
  samples.names = samples.slices->reader()->names();
  samples.digest = header.digest;
  samples.rows = std::make_unique<RowPass>(team, threads, *samples.slices, header.n_samples);
  return samples;
}

namespace {

Hold hold_of(Way way) {
  if (way == Way::dealt) return Hold::dealt;
  return way == Way::read_again ? Hold::read_again : Hold::whole;
}

SampleCounts count(const parallel::Team& team, int threads, const Samples& samples,
                   Checkpoints& checkpoints, std::vector<Stage>& stages) {
  if (!samples.matrix) {
    return count_sliced_pairs(team, threads, *samples.slices, samples.names.size(),
                              samples.rows->n_rows(), checkpoints, stages);
  }
  const auto& [values, missing, names, digest] = *samples.matrix;
  SampleCounts counts;
  counts.off = count_pairs(team, threads, values, checkpoints, stages);
  if (missing) {
    counts.observed = count_pairs(team, threads, *missing, checkpoints, stages, "observed_pair");
    counts.n_incomplete = count_incomplete_rows(*missing);
  }
  return counts;
}

/// Of the values, or of the mask.
std::unique_ptr<moments::MomentSource> moments_of(const parallel::Team& team, int threads,
                                                  const Samples& samples, Way way, Layer layer,
                                                  StoredCounts counts, std::size_t budget_bytes) {
  const data::BitPanels* whole = nullptr;
  if (samples.matrix) {
    whole = layer == values_of ? &samples.matrix->values : &*samples.matrix->missing;
  }
  if (way != Way::whole) {
    return std::make_unique<SlicedMoments>(team, threads, *samples.slices, layer, whole,
                                           counts.pairs, budget_bytes);
  }
  return std::make_unique<moments::CountedMoments>(*whole, counts.pairs, std::move(counts.triples));
}

/// With their pairs counted, and what is odd about them said.
Samples counted(const parallel::Team& team, int threads, Samples samples, const std::string& source,
                const MemoryPlan& plan, std::optional<StoredCounts> stored,
                Checkpoints& checkpoints, std::vector<Stage>& stages) {
  const auto [way, left] = plan;
  SampleCounts counts = stored ? SampleCounts{std::move(stored->pairs), std::nullopt, 0}
                               : count(team, threads, samples, checkpoints, stages);
  if (team.is_root()) {
    if (counts.observed) require_observed(*counts.observed, samples.names, source);
    warn_of_missing(counts, source);
    warn_of_odd_columns(counts, samples.names, source);
  }
  // Slabs of triples, and what is counted ahead, are kept of the values and of the mask.
  const std::size_t layers = counts.observed ? 2 : 1;
  const std::size_t budget = (left > 0 ? left / budget_share : usual_budget) / layers;
  samples.memory_left = left / layers / (way == Way::whole ? 1 : 2);
  samples.moments = moments_of(
      team, threads, samples, way, values_of,
      {std::move(counts.off), stored ? std::move(stored->triples) : moments::StoredTriples()},
      budget);
  if (counts.observed) {
    samples.moments = std::make_unique<moments::PairwiseDeleted>(
        std::move(samples.moments), moments_of(team, threads, samples, way, missing_of,
                                               {std::move(*counts.observed), {}}, budget));
  }
  return samples;
}

}  // namespace

Samples load_samples(const parallel::Team& team, int threads, const std::string& path,
                     std::size_t memory_bytes, std::optional<StoredCounts> stored,
                     Checkpoints& checkpoints, std::vector<Stage>& stages) {
  std::vector<MemoryPlan> plan(1);
  if (team.is_root()) {
    const store::SampleHeader header = store::read_sample_header(path);
    plan[0] = plan_memory(team, threads, header, memory_bytes, path);
    log::verbose("{}: {}", path, describe(plan[0].way));
  }
  team.broadcast(plan);
  return counted(team, threads, load_rows(team, threads, path, hold_of(plan[0].way), {}, stages),
                 path, plan[0], std::move(stored), checkpoints, stages);
}

Samples samples_in_memory(const parallel::Team& team, int threads, data::SampleMatrix matrix,
                          const std::string& source, Checkpoints& checkpoints,
                          std::vector<Stage>& stages) {
  require_columns(matrix.n_observed(), source);
  require_rows(matrix.n_samples(), source);
  if (matrix.missing) {  // see load_whole
    const std::span<std::uint64_t> values = matrix.values.words();
    const std::span<const std::uint64_t> missing = std::as_const(*matrix.missing).words();
    for (std::size_t i = 0; i < values.size(); ++i) values[i] |= missing[i];
  }
  const Way way = way_without_limit(matrix.n_observed(), matrix.n_samples());
  return counted(team, threads, held(team, threads, std::move(matrix)), source, {way, 0}, {},
                 checkpoints, stages);
}

namespace {

constexpr const char* source = "samples";

int threads_of(const learn::RunOptions& options) {
  if (options.threads < 0) {
    throw UsageError(fmt::format("threads = {}: 0 or more", options.threads));
  }
  return options.threads > 0 ? options.threads : omp_get_max_threads();
}

data::SampleMatrix checked(const data::SampleMatrix& samples) {
  data::require_consistent(samples, source);
  return samples;
}

}  // namespace

MemoryRun::MemoryRun(const data::SampleMatrix& samples, const learn::RunOptions& options)
    : threads_(threads_of(options)),
      seed_(options.seed),
      samples_(
          samples_in_memory(team_, threads_, checked(samples), source, checkpoints_, stages_)) {}

LearnContext MemoryRun::context() {
  return {team_,
          threads_,
          seed_,
          *samples_.moments,
          samples_.names,
          samples_.complete(),
          samples_.rows.get(),
          samples_.memory_left,
          stages_,
          checkpoints_};
}

// Samples in memory, one copy per host; read at rank 0.

namespace {

std::vector<std::byte> pack_names(const std::vector<std::string>& names) {
  std::vector<std::byte> bytes;
  for (const std::string& name : names) {
    for (const char c : name) bytes.push_back(static_cast<std::byte>(c));
    bytes.push_back(std::byte{0});
  }
  return bytes;
}

std::vector<std::string> unpack_names(const std::vector<std::byte>& bytes) {
  std::vector<std::string> names;
  std::string name;
  for (const std::byte byte : bytes) {
    if (byte == std::byte{0}) {
      names.push_back(std::exchange(name, {}));
    } else {
      name += static_cast<char>(byte);
    }
  }
  return names;
}

/// Nothing is to be kept yet: the run is simply given up.
void give_up_if_stopped(const parallel::Team& team) {
  if (!team.stop_requested()) return;
  throw Error(ExitCode::checkpointed, "stopped while reading; nothing is lost, run it again");
}

/// Of whole samples, at rank 0.
void fill(const parallel::Team& team, const store::SampleReader& reader,
          const data::ColumnUnions* unions, data::SampleMatrix& samples) {
  Progress progress("read", reader.header().n_samples, "rows");
  std::size_t row = 0;
  for (std::size_t block = 0; block < reader.n_blocks(); ++block) {
    give_up_if_stopped(team);
    store::SampleReader::Block rows = reader.read(block);
    set_missing_on(rows);
    samples.values.insert(row, unions == nullptr ? rows.values : data::unite(rows.values, *unions));
    if (samples.missing) samples.missing->insert(row, *rows.missing);
    row += rows.values.n_rows();
    progress.set(row);
  }
}

}  // namespace

data::BitPanels room_on_host(const parallel::Team& team, int threads, std::size_t n_columns,
                             std::size_t n_rows, std::uint64_t*& shared) {
  shared = team.host_words(data::BitPanels::words_needed(n_columns, n_rows));
  return shared == nullptr ? data::BitPanels(n_columns, n_rows, threads)
                           : data::BitPanels(n_columns, n_rows, shared);
}

std::vector<std::string> read_names(const parallel::Team& team, const std::string& path) {
  std::vector<std::byte> names;
  if (team.is_root()) names = pack_names(store::SampleReader(path).names());
  team.broadcast_bytes(names);
  return unpack_names(names);
}

data::SampleMatrix load_whole(const parallel::Team& team, int threads, const std::string& path,
                              const Needs& needs, const data::ColumnUnions* unions) {
  data::SampleMatrix samples;
  std::unique_ptr<store::SampleReader> reader;
  std::vector<std::uint64_t> shape(4);
  std::vector<std::byte> names;
  if (team.is_root()) {
    reader = std::make_unique<store::SampleReader>(path);
    const store::SampleHeader& header = reader->header();
    require_columns(header.n_observed, path, needs);
    require_rows(header.n_samples, path, needs);
    shape = {header.n_samples, header.n_observed, header.digest, header.has_missing ? 1U : 0U};
    names = pack_names(unions == nullptr ? reader->names() : unions->names);
    if (unions != nullptr) {
      shape[1] = unions->names.size();
      if (shape[3] != 0) throw InputError(path + ": values are missing, and unions take none");
    }
  }
  team.broadcast(shape);
  team.broadcast_bytes(names);
  samples.names = unpack_names(names);
  samples.digest = shape[2];
  std::uint64_t* shared_values = nullptr;
  std::uint64_t* shared_missing = nullptr;
  samples.values = room_on_host(team, threads, shape[1], shape[0], shared_values);
  if (shape[3] != 0)
    samples.missing = room_on_host(team, threads, shape[1], shape[0], shared_missing);
  if (team.is_root()) fill(team, *reader, unions, samples);
  const std::size_t n_words = samples.values.words().size();
  if (shared_values != nullptr) team.broadcast_to_hosts(shared_values, n_words);
  if (shared_missing != nullptr) team.broadcast_to_hosts(shared_missing, n_words);
  return samples;
}

}  // namespace orrery::learning
