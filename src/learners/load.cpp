// Cost: the file is read once (by rank 0, or its parts by all ranks), twice if values are missing
// (first to count the usable rows). Memory: one copy of the bits a host and a block at rank 0. At
// 1,000 ranks the first thing to break is rank 0's reading, some GB/s.
#include "orrery/learners/load.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "learners/row_slices.hpp"
#include "learners/sliced_moments.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/log.hpp"
#include "orrery/base/progress.hpp"
#include "orrery/learners/learner.hpp"
#include "orrery/learners/stage_watch.hpp"
#include "orrery/store/store.hpp"

namespace orrery::learners {
namespace {

/// Bytes that this process has in memory now.
std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

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

std::uint64_t count_usable(const parallel::Team& team, const store::SampleReader& reader) {
  if (!reader.header().has_missing) return reader.header().n_samples;
  std::uint64_t n = 0;
  for (std::size_t block = 0; block < reader.n_blocks(); ++block) {
    give_up_if_stopped(team);
    n += complete_block(reader.read(block)).n_rows();
  }
  return n;
}

void fill(const parallel::Team& team, const store::SampleReader& reader, data::BitPanels& values) {
  Progress progress("read", reader.header().n_samples, "rows");
  std::size_t row = 0;
  for (std::size_t block = 0; block < reader.n_blocks(); ++block) {
    give_up_if_stopped(team);
    const data::BitColumns rows = complete_block(reader.read(block));
    values.append(row, rows);
    row += rows.n_rows();
    progress.set(row);
  }
}

constexpr std::size_t cached_bytes = std::size_t{32} << 20U;
constexpr std::size_t most_sliced = 1024;
constexpr std::size_t usual_budget = std::size_t{32} << 20U;

/// What a way to hold the samples takes, and what is left for the learner.
enum class Way { whole, whole_in_slices, dealt, read_again };
struct MemoryPlan {
  Way way = Way::whole;
  std::size_t left = 0;
};

MemoryPlan plan_memory(const parallel::Team& team, int threads, const store::SampleHeader& header,
                       std::size_t limit, const std::string& path) {
  const std::size_t m = header.n_observed;
  const std::size_t projection = moments::projection_bytes(m, header.n_samples);
  if (limit == 0) {
    // Counting in slices keeps to the caches where whole columns do not; for many variables the
    // counts of a batch would be too many.
    const bool slices = m <= most_sliced && projection > cached_bytes;
    return {slices ? Way::whole_in_slices : Way::whole, 0};
  }
  const std::size_t slice_rows = std::min<std::size_t>(header.n_samples, data::block_rows(m));
  const std::size_t bits = 8 * data::BitPanels::words_needed(m, header.n_samples);
  const std::size_t slice = 8 * data::BitPanels::words_needed(m, slice_rows);
  // The program, tables of pairs (counts, moments, adjusted moments), a block and its panels, the
  // projections of each thread.
  const std::size_t base =
      resident_bytes() + 40 * m * m + 3 * slice + static_cast<std::size_t>(threads) * 2 * slice;
  constexpr std::size_t least_left = std::size_t{4} << 20U;
  if (base + least_left > limit) {
    throw UsageError(fmt::format(
        "--memory {}: {} ({} rows x {} columns) takes at least {} a rank with {} thread(s), even "
        "read in slices; allow that, or use fewer threads",
        format_bytes(static_cast<double>(limit)), path, format_count(header.n_samples), m,
        format_bytes(static_cast<double>(base + least_left)), threads));
  }
  const std::size_t room = limit - base;
  const std::size_t share = bits / static_cast<std::size_t>(team.size()) + slice;
  const std::size_t projections = static_cast<std::size_t>(threads) * 2 * projection;
  if (bits + projections <= room / 4 * 3 && projection <= cached_bytes) {
    return {Way::whole, room - bits - projections};
  }
  if (bits + least_left <= room) return {Way::whole_in_slices, room - bits};
  if (share <= room / 2) return {Way::dealt, room - share};
  return {Way::read_again, room};
}

const char* describe(Way way) {
  switch (way) {
    case Way::whole:
      return "held in memory, one copy a host";
    case Way::whole_in_slices:
      return "held in memory, one copy a host, counted in slices of rows";
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

data::SampleMatrix load_whole(const parallel::Team& team, const std::string& path) {
  data::SampleMatrix samples;
  std::unique_ptr<store::SampleReader> reader;
  std::vector<std::uint64_t> shape(3);
  std::vector<std::byte> names;
  if (team.is_root()) {
    reader = std::make_unique<store::SampleReader>(path);
    require_columns(reader->header().n_observed, path);
    const std::uint64_t n_usable = count_usable(team, *reader);
    require_rows(n_usable, reader->header().n_samples, path);
    shape = {n_usable, reader->header().n_observed, reader->header().digest};
    names = pack_names(reader->names());
  }
  team.broadcast(shape);
  team.broadcast_bytes(names);
  samples.names = unpack_names(names);
  samples.digest = shape[2];
  const std::size_t n_words = data::BitPanels::words_needed(shape[1], shape[0]);
  std::uint64_t* shared = team.host_words(n_words);
  samples.values = shared == nullptr ? data::BitPanels(shape[1], shape[0])
                                     : data::BitPanels(shape[1], shape[0], shared);
  if (team.is_root()) fill(team, *reader, samples.values);
  if (shared != nullptr) team.broadcast_to_hosts(shared, n_words);
  return samples;
}

Samples load_samples(const parallel::Team& team, int threads, const std::string& path,
                     std::size_t memory_bytes, std::optional<StoredCounts> stored,
                     Checkpoints& checkpoints, std::vector<Stage>& stages) {
  Samples samples;
  std::vector<MemoryPlan> plan(1);
  if (team.is_root()) {
    const store::SampleHeader header = store::read_sample_header(path);
    plan[0] = plan_memory(team, threads, header, memory_bytes, path);
    log::verbose("{}: {}", path, describe(plan[0].way));
  }
  team.broadcast(plan);
  samples.memory_left = plan[0].left;
  moments::PairCounts pairs;
  const bool whole = plan[0].way == Way::whole || plan[0].way == Way::whole_in_slices;
  if (whole) {
    {
      const StageWatch watch(stages, "load");
      samples.matrix = std::make_unique<data::SampleMatrix>(load_whole(team, path));
    }
    samples.names = samples.matrix->names;
    samples.digest = samples.matrix->digest;
    pairs = stored ? std::move(stored->pairs)
                   : count_pairs(team, threads, samples.matrix->values, checkpoints, stages);
    samples.slices = std::make_unique<RowSlices>(team, samples.matrix->values);
  } else {
    samples.slices = std::make_unique<RowSlices>(team, path, plan[0].way == Way::dealt);
    require_columns(samples.slices->reader()->header().n_observed, path);
    samples.names = samples.slices->reader()->names();
    samples.digest = samples.slices->reader()->header().digest;
    pairs = stored ? std::move(stored->pairs)
                   : count_sliced_pairs(team, threads, *samples.slices, path, checkpoints, stages);
  }
  if (plan[0].way == Way::whole) {
    samples.moments = std::make_unique<moments::CountedMoments>(
        samples.matrix->values, std::move(pairs),
        stored ? std::move(stored->triples) : moments::StoredTriples());
  } else {
    const std::size_t budget = samples.memory_left > 0 ? samples.memory_left / 4 : usual_budget;
    samples.moments =
        std::make_unique<SlicedMoments>(team, threads, *samples.slices, std::move(pairs), budget);
    samples.memory_left /= 2;
  }
  samples.rows =
      whole ? std::make_unique<RowPass>(team, threads, samples.matrix->values, nullptr)
            : std::make_unique<RowPass>(team, threads, *samples.slices, samples.moments->n_samples());
  if (team.is_root()) warn_of_odd_columns(samples.moments->counts(), samples.names, path);
  return samples;
}

}  // namespace orrery::learners
