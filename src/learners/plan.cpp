// Measuring on a part of a run's input. Everything is measured in processor time, which other users
// of the machine disturb little, and turned into time by the share of the processors that was
// given.
#include "orrery/learners/plan.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "learners/row_slices.hpp"
#include "orrery/base/processor_time.hpp"
#include "orrery/learners/learner.hpp"
#include "orrery/store/sample_reader.hpp"

namespace orrery::learners {
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

/// Resident bytes; 0 where /proc does not say.
double resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  double total = 0, resident = 0;
  statm >> total >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
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

/// Usable rows of a part of the file.
struct Part {
  data::BitPanels values;
  std::size_t n_read = 0;  ///< rows, usable or not
  double seconds_of_all = 0;
};

/// Some blocks of the file, evenly spread, as many as can be read in time; all if they can.
Part read_part(const store::SampleReader& reader) {
  const auto begin = Clock::now();
  const std::size_t n_blocks = reader.n_blocks();
  std::vector<data::BitColumns> blocks;
  Part part;
  std::size_t n_usable = 0;
  std::size_t n_read = std::min<std::size_t>(n_blocks, 1);  // of those wanted, the first is timed
  for (std::size_t i = 0; i < n_read; ++i) {
    const std::size_t block = i * n_blocks / n_read;
    blocks.push_back(complete_block(reader.read(block)));
    n_usable += blocks.back().n_rows();
    part.n_read += reader.rows_of(block);
    if (i == 0) {
      const double fit = reading_seconds / std::max(since(begin), 1e-6);
      n_read = fit < static_cast<double>(n_blocks)
                   ? std::max<std::size_t>(1, static_cast<std::size_t>(fit))
                   : n_blocks;
    }
  }
  part.values = data::BitPanels(reader.header().n_observed, n_usable);
  std::size_t first = 0;
  for (const data::BitColumns& block : blocks) {
    part.values.append(first, block);
    first += block.n_rows();
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
  double sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  {
    const double begin = thread_seconds();
#pragma omp for schedule(dynamic) nowait
    for (std::size_t unit = 0; unit < moments::n_pair_units(values); ++unit) {
      moments::accumulate_pair_unit(values, unit, both_on);
    }
    sum += thread_seconds() - begin;
  }
  processor += sum;
  return moments::pair_counts_from_on(values.n_columns(), values.n_rows(), both_on);
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

Means means_of(const parallel::Team& team, int threads) {
  const std::string& own = team.hosts()[static_cast<std::size_t>(team.rank())];
  return {team.size(), static_cast<int>(std::ranges::count(team.hosts(), own)), threads,
          resident_bytes(), seconds_since_start()};
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
  return found != entries_.end() ? *found : entries_.emplace_back(stage, 0, 0, 0);
}

void Timing::alone(const std::string& stage, double processor) { entry(stage).alone += processor; }
void Timing::shared(const std::string& stage, double processor) {
  entry(stage).shared += processor;
}
void Timing::waits(const std::string& stage, double seconds) { entry(stage).waited += seconds; }

void Timing::into(Plan& plan) const {
  const double given = share();
  const auto workers = static_cast<double>(means_.ranks) * means_.threads;
  const auto cores = static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN));
  const double room =
      std::min(1.0, cores / (static_cast<double>(means_.ranks_on_host) * means_.threads));
  for (const Entry& entry : entries_) {
    const double seconds =
        entry.alone / given + entry.shared / workers / std::min(given, room) + entry.waited;
    plan.stages.emplace_back(entry.stage, seconds);
    plan.seconds += seconds;
    plan.processor_seconds += entry.alone * means_.ranks + entry.shared;
  }
}

Pilot load_pilot(const std::filesystem::path& path, const Means& means, Timing& timing) {
  const store::SampleReader reader(path);
  const store::SampleHeader& header = reader.header();
  require_columns(header.n_observed, path.string());
  Part part = read_part(reader);
  timing.waits("load", part.seconds_of_all);
  const bool all = part.n_read == header.n_samples;
  if (all || part.values.n_rows() < 64) {  // too few to plan by are too few to learn from
    require_rows(part.values.n_rows(), part.n_read, path.string());
  }

  Pilot pilot;
  const double usable =
      static_cast<double>(part.values.n_rows()) / static_cast<double>(part.n_read);
  pilot.n_samples = all ? part.values.n_rows()
                        : static_cast<std::uint64_t>(
                              std::llround(usable * static_cast<double>(header.n_samples)));
  const auto n = static_cast<double>(pilot.n_samples);
  const auto m = static_cast<double>(header.n_observed);
  pilot.bits_bytes =
      8 * static_cast<double>(data::BitPanels::words_needed(header.n_observed, pilot.n_samples));
  pilot.block_bytes = m / 8 * static_cast<double>(reader.rows_of(0)) * (header.has_missing ? 2 : 1);

  std::size_t rows = rows_to_count(part.values, means.threads);
  const bool stands_in = rows < pilot.n_samples;
  if (stands_in && rows >= 64) rows = rows / 64 * 64;
  const double most =
      rows % 64 == 0 ? std::max(1.0, pilot_bytes * 8 / m / static_cast<double>(rows)) : 1;
  const auto times = static_cast<std::size_t>(
      std::max(1.0, std::min(std::round(n / static_cast<double>(rows)), std::floor(most))));
  if (rows < part.values.n_rows()) part.values = repeat(part.values, rows, 1);
  const auto counting = Clock::now();
  double processor = 0;
  const double before = thread_seconds();
  moments::PairCounts counts = count(part.values, means.threads, processor);
  timing.gave(processor, since(counting), means.threads);
  timing.shared("pairs", processor * n / static_cast<double>(rows));
  timing.alone("pairs", std::max(0.0, thread_seconds() - before - processor / means.threads));

  pilot.values = std::make_unique<data::BitPanels>(times > 1 ? repeat(part.values, rows, times)
                                                             : std::move(part.values));
  pilot.scale = n / static_cast<double>(pilot.values->n_rows());
  counts.n_samples *= times;
  for (std::uint64_t& off : counts.off) off *= times;
  const double tables = thread_seconds();
  pilot.moments = std::make_unique<moments::CountedMoments>(*pilot.values, std::move(counts));
  timing.alone("pairs", thread_seconds() - tables);
  return pilot;
}

Parts memory_of_program(const Means& means) {
  return {{"program", means.program_bytes + later_bytes + thread_bytes * means.threads}};
}

Parts memory_to_load(const Pilot& pilot, const Means& means) {
  Parts parts = memory_of_program(means);
  parts.emplace_back("bits", pilot.bits_bytes);
  parts.emplace_back("block", pilot.block_bytes);
  return parts;
}

Parts memory_to_count_pairs(const Pilot& pilot, const Means& means) {
  const auto m = static_cast<double>(pilot.moments->n_observed());
  Parts parts = memory_of_program(means);
  parts.emplace_back("bits", pilot.bits_bytes);
  parts.emplace_back("pair_tables", 20 * m * m);
  return parts;
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

}  // namespace orrery::learners
