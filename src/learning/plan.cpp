// Measuring on a part of a run's input. Everything is measured in processor time, which other users
// of the machine disturb little, and turned into time by the share of the processors that was
// given.
#include "learning/plan.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "base/work_time.hpp"
#include "learning/learner.hpp"
#include "learning/load.hpp"
#include "learning/row_slices.hpp"
#include "moments/counted_moments.hpp"
#include "store/store.hpp"

namespace orrery::learning {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double reading_seconds = 0.2;
constexpr double counting_seconds = 0.2;
constexpr double pilot_bytes = 256 << 20;
// Code and heap that a run touches and a plan does not, and a thread's stack and arena.
constexpr double later_bytes = 3e6;
constexpr double thread_bytes = 3e5;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Since this process began, in clock ticks of 10 ms; 0 where /proc does not say.
double seconds_since_start() {
  std::ifstream stat("/proc/self/stat"), uptime("/proc/uptime");
  std::string line;
  std::getline(stat, line);
  std::istringstream fields(line.substr(line.rfind(')') + 1));  // after the name; the third field
  std::string skipped;
  for (int i = 3; i < 22; ++i) fields >> skipped;
  double ticks = 0, now = 0;
  if (!(fields >> ticks) || !(uptime >> now)) return 0;
  return std::max(0.0, now - ticks / static_cast<double>(::sysconf(_SC_CLK_TCK)));
}

/// A part of the file.
struct Part {
  data::BitPanels values;  ///< a missing one is on
  std::optional<data::BitPanels> missing;
  double seconds_of_all = 0;
};

/// Some blocks of the file, evenly spread, as many as can be read in time; all if they can.
Part read_part(const store::SampleReader& reader) {
  const auto begin = Clock::now();
  const std::size_t n_blocks = reader.n_blocks();
  std::vector<store::SampleReader::Block> blocks;
  std::size_t n_rows = 0;
  std::size_t n_read = std::min<std::size_t>(n_blocks, 1);  // of those wanted, the first is timed
  for (std::size_t i = 0; i < n_read; ++i) {
    blocks.push_back(reader.read(i * n_blocks / n_read));
    set_missing_on(blocks.back());
    n_rows += blocks.back().values.n_rows();
    if (i == 0) {
      const double fit = reading_seconds / std::max(since(begin), 1e-6);
      n_read = fit < static_cast<double>(n_blocks)
                   ? std::max<std::size_t>(1, static_cast<std::size_t>(fit))
                   : n_blocks;
    }
  }
  const std::size_t m = reader.header().n_observed;
  Part part{data::BitPanels(m, n_rows), std::nullopt, 0};
  if (reader.header().has_missing) part.missing.emplace(m, n_rows);
  std::size_t first = 0;
  for (const store::SampleReader::Block& block : blocks) {
    part.values.insert(first, block.values);
    if (part.missing) part.missing->insert(first, *block.missing);
    first += block.values.n_rows();
  }
  part.seconds_of_all = since(begin) * static_cast<double>(n_blocks) /
                        static_cast<double>(std::max<std::size_t>(1, n_read));
  return part;
}

/// The first `n_rows` rows, `times` times. n_rows is a multiple of 64 unless `times` is 1.
data::BitPanels repeat(const data::BitPanels& values, std::size_t n_rows, std::size_t times) {
  data::BitPanels repeated(values.n_columns(), n_rows * times);
  const std::size_t n_words = data::panel_lanes * ((n_rows + 63) / 64);
  for (std::size_t p = 0; p < values.n_panels(); ++p) {
    std::uint64_t* panel = repeated.words().data() + p * data::panel_lanes * repeated.n_words();
    for (std::size_t i = 0; i < times; ++i) {
      std::copy_n(values.panel(p), n_words, panel + i * n_words);
    }
  }
  return repeated;
}

/// Pair counts by all threads of this rank; adds their processor time.
moments::PairCounts count(const data::BitPanels& values, int threads, double& processor) {
  std::vector<std::uint64_t> both_on(values.n_columns() * values.n_columns(), 0);
  const moments::PairCounter counter(values);
  double sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  {
    const double begin = thread_seconds();
#pragma omp for schedule(dynamic) nowait
    for (std::size_t unit = 0; unit < counter.n_units(); ++unit) counter.count(unit, both_on);
    sum += thread_seconds() - begin;
  }
  processor += sum;
  return moments::pair_counts_from_on(values.n_columns(), values.n_rows(), std::move(both_on));
}

/// How many of the rows can be counted in time, by a first guess from a few of them.
std::size_t rows_to_count(const data::BitPanels& values, int threads) {
  constexpr std::size_t few_rows = 4096;
  if (values.n_rows() <= few_rows) return values.n_rows();
  const auto begin = Clock::now();
  double processor = 0;
  (void)count(repeat(values, few_rows, 1), threads, processor);
  const double fit = counting_seconds / std::max(since(begin), 1e-6);
  if (fit * few_rows >= static_cast<double>(values.n_rows())) return values.n_rows();
  return static_cast<std::size_t>(std::max(fit, 1.0)) * few_rows;
}

}  // namespace

Resources resources_of(const parallel::Team& team, int threads) {
  const std::string& own = team.hosts()[static_cast<std::size_t>(team.rank())];
  return {team.size(), static_cast<int>(std::ranges::count(team.hosts(), own)), threads,
          static_cast<double>(resident_bytes()), seconds_since_start()};
}

void Timing::gave(double processor, double elapsed, int threads) {
  processor_ += processor;
  offered_ += elapsed * threads;
}

double Timing::share() const {
  return offered_ > 0 ? std::clamp(processor_ / offered_, 0.01, 1.0) : 1;
}

Timing::Entry& Timing::entry(const std::string& stage) {
  const auto found = std::ranges::find(entries_, stage, &Entry::stage);
  return found != entries_.end() ? *found : entries_.emplace_back(Entry{stage, 0, 0, 0});
}

void Timing::alone(const std::string& stage, double processor) { entry(stage).alone += processor; }
void Timing::shared(const std::string& stage, double processor) {
  entry(stage).shared += processor;
}
void Timing::waits(const std::string& stage, double seconds) { entry(stage).waited += seconds; }

void Timing::into(Plan& plan) const {
  const double given = share();
  const auto workers = static_cast<double>(resources_.ranks) * resources_.threads;
  const auto cores = static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN));
  const double room =
      std::min(1.0, cores / (static_cast<double>(resources_.ranks_on_host) * resources_.threads));
  double total = plan.seconds.value_or(0);
  for (const Entry& entry : entries_) {
    const double seconds =
        entry.alone / given + entry.shared / workers / std::min(given, room) + entry.waited;
    plan.stages.emplace_back(entry.stage, seconds);
    plan.costs.push_back({.stage = entry.stage,
                          .alone = entry.alone / given,
                          .shared = entry.shared / given,
                          .waited = entry.waited});
    total += seconds;
    plan.processor_seconds += entry.alone * resources_.ranks + entry.shared;
  }
  plan.seconds = total;
}

namespace {

/// The first `rows` rows, `times` times, and their moments. Adds the time to count them.
std::unique_ptr<moments::CountedMoments> stand_in(data::BitPanels& bits, std::size_t rows,
                                                  std::size_t times, const Pilot& pilot,
                                                  const Resources& resources, Timing& timing) {
  if (rows < bits.n_rows()) bits = repeat(bits, rows, 1);
  const auto counting = Clock::now();
  double processor = 0;
  const double before = thread_seconds();
  moments::PairCounts counts = count(bits, resources.threads, processor);
  timing.gave(processor, since(counting), resources.threads);
  // Many rows may be counted in another way than few.
  const moments::PairCounter counter(bits);
  timing.shared("pairs", processor * counter.expected_seconds(pilot.n_samples) /
                             counter.expected_seconds(rows));
  timing.alone("pairs", std::max(0.0, thread_seconds() - before - processor / resources.threads));
  if (times > 1) bits = repeat(bits, rows, times);
  counts.n_samples *= times;
  for (std::uint64_t& off : counts.off) off *= times;
  const double tables = thread_seconds();
  auto moments = std::make_unique<moments::CountedMoments>(bits, std::move(counts));
  timing.alone("pairs", thread_seconds() - tables);
  return moments;
}

}  // namespace

Pilot load_pilot(const std::filesystem::path& path, const Resources& resources, Timing& timing) {
  const store::SampleReader reader(path);
  const store::SampleHeader& header = reader.header();
  require_columns(header.n_observed, path.string());
  require_rows(header.n_samples, path.string());
  Part part = read_part(reader);
  timing.waits("load", part.seconds_of_all);

  Pilot pilot;
  pilot.n_samples = header.n_samples;
  const auto n = static_cast<double>(pilot.n_samples);
  const auto m = static_cast<double>(header.n_observed);
  const double layers = header.has_missing ? 2 : 1;  // values, mask
  pilot.bits_bytes =
      8 * layers *
      static_cast<double>(data::BitPanels::words_needed(header.n_observed, pilot.n_samples));
  pilot.block_bytes = m / 8 * static_cast<double>(reader.rows_of(0)) * layers;

  std::size_t rows = rows_to_count(part.values, resources.threads);
  if (rows < pilot.n_samples && rows >= 64) rows = rows / 64 * 64;
  const double most =
      rows % 64 == 0 ? std::max(1.0, pilot_bytes * 8 / m / static_cast<double>(rows)) : 1;
  const auto times = static_cast<std::size_t>(
      std::max(1.0, std::min(std::round(n / static_cast<double>(rows)), std::floor(most))));
  pilot.scale = n / static_cast<double>(rows * times);
  pilot.values = std::make_unique<data::BitPanels>(std::move(part.values));
  pilot.moments = stand_in(*pilot.values, rows, times, pilot, resources, timing);
  if (!part.missing) return pilot;
  pilot.missing = std::make_unique<data::BitPanels>(std::move(*part.missing));
  auto observed = stand_in(*pilot.missing, rows, times, pilot, resources, timing);
  if (rows == header.n_samples) require_observed(observed->counts(), reader.names(), path.string());
  pilot.moments =
      std::make_unique<moments::PairwiseDeleted>(std::move(pilot.moments), std::move(observed));
  return pilot;
}

Parts memory_of_program(const Resources& resources) {
  return {{"program", resources.program_bytes + later_bytes + thread_bytes * resources.threads}};
}

Parts memory_to_load(const Pilot& pilot, const Resources& resources) {
  Parts parts = memory_of_program(resources);
  parts.emplace_back("bits", pilot.bits_bytes);
  parts.emplace_back("block", pilot.block_bytes);
  return parts;
}

Parts memory_to_count_pairs(const Pilot& pilot, const Resources& resources) {
  const auto m = static_cast<double>(pilot.moments->n_observed());
  Parts parts = memory_of_program(resources);
  parts.emplace_back("bits", pilot.bits_bytes);
  // Counts of 8 bytes, and the table of 4 that they are packed into. The mask's are counted when
  // the values' table is there already; shares of pairs follow.
  parts.emplace_back("pair_tables", (pilot.missing ? 20 : 12) * m * m);
  return parts;
}

double pair_table_bytes(const moments::MomentSource& moments) {
  const auto m = static_cast<double>(moments.n_observed());
  const auto stride = static_cast<double>(moments::row_stride(moments.n_observed()));
  if (moments.n_samples() == 0) return 8 * m * m;
  // Of missing values two tables of counts, and shares of pairs.
  return is_complete(moments) ? 4 * m * stride : 2 * 4 * m * stride + 8 * m * m;
}

double total(const Parts& parts) {
  double sum = 0;
  for (const auto& [name, value] : parts) sum += value;
  return sum;
}

void raise_memory(Plan& plan, Parts parts) {
  const double bytes = total(parts);
  if (bytes <= plan.memory_bytes) return;
  plan.memory_bytes = bytes;
  plan.memory = std::move(parts);
}

}  // namespace orrery::learning
