// What a run would take, without running it (--dry-run): memory from what it allocates and, for
// commands whose runs may be long, time from a measurement of about a second on a part of their own
// work.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/work_time.hpp"
#include "learning/scaling.hpp"
#include "moments/moment_source.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "parallel/team.hpp"

namespace orrery::learning {

using Parts = std::vector<std::pair<std::string, double>>;

struct Plan {
  double memory_bytes = 0;  ///< of a rank, resident, at its peak; the bits that a host shares too
  std::uint64_t units = 0;
  std::string unit;  ///< "blocks of pairs"
  /// On these ranks and threads, on the machine as it is now. Commands whose runs are short
  /// forecast no time.
  std::optional<double> seconds{};
  double processor_seconds = 0;    ///< of all threads of all ranks; 0: not measured
  Parts memory{};                  ///< bytes, what memory_bytes consists of
  Parts stages{};                  ///< seconds, what `seconds` consists of
  std::string not_forecast{};      ///< a stage that is not in `seconds`: it depends on the data
  std::vector<StageCost> costs{};  ///< of which `stages` are the times
};

/// What the run is predicted for, and what it has taken before it began.
struct Resources {
  int ranks = 1;
  int ranks_on_host = 1;
  int threads = 1;           ///< a rank
  double program_bytes = 0;  ///< resident now
  double start_seconds = 0;  ///< since the process began
};
[[nodiscard]] Resources resources_of(const parallel::Team& team, int threads);

/// Adds up processor time and turns it into time. The share of the processors that this process was
/// given while it measured stands for the share that the run will be given.
class Timing {
 public:
  explicit Timing(const Resources& resources) : resources_(resources) {}

  /// `threads` threads were given `processor` seconds in `elapsed` seconds.
  void gave(double processor, double elapsed, int threads);
  /// The share of the processors that it was given so far; 1 if nothing was measured.
  [[nodiscard]] double share() const;
  /// Processor seconds of a call of `work` by this thread, on average over some `seconds`.
  template <class Work>
  double measure(double seconds, const Work& work) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const double before = thread_seconds();
    std::size_t n = 0;
    double elapsed = 0;
    do {
      work();
      ++n;
      elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    } while (elapsed < seconds);
    const double processor = thread_seconds() - before;
    gave(processor, elapsed, 1);
    return processor / static_cast<double>(n);
  }
  /// Work that every rank does alone.
  void alone(const std::string& stage, double processor);
  /// Work that all threads of all ranks share.
  void shared(const std::string& stage, double processor);
  /// Time that is no work.
  void waits(const std::string& stage, double seconds);

  void into(Plan& plan) const;

 private:
  struct Entry {
    std::string stage;
    double alone, shared, waited;
  };
  Entry& entry(const std::string& stage);

  Resources resources_;
  double processor_ = 0;  // given, of offered_
  double offered_ = 0;
  std::vector<Entry> entries_;
};

/// Rows that stand in for all rows of a file: as many as can be read and have their pairs counted
/// in a third of a second, repeated until they are as many as the file's (or 256 MiB of bits). So
/// work on them takes the time that it will take, and finds nearly what it will find.
struct Pilot {
  std::unique_ptr<data::BitPanels> values;   ///< `moments` refers to them; a missing one is on
  std::unique_ptr<data::BitPanels> missing;  ///< and to these; null if none is
  std::unique_ptr<moments::MomentSource> moments;
  std::uint64_t n_samples = 0;  ///< rows of the file
  double scale = 1;             ///< of them for a row of the values
  double bits_bytes = 0;        ///< of all rows
  double block_bytes = 0;       ///< of a block while it is read
};

/// Throws as a run would for a file that cannot be used, as far as the rows read show it.
Pilot load_pilot(const std::filesystem::path& path, const Resources& resources, Timing& timing);

/// The process itself.
Parts memory_of_program(const Resources& resources);
/// With it, the larger of the two is what a run needs before it tests anything.
Parts memory_to_load(const Pilot& pilot, const Resources& resources);
Parts memory_to_count_pairs(const Pilot& pilot, const Resources& resources);
/// Bytes of a rank's tables of pairs while it learns: counts in 4 bytes, or exact moments in 8.
[[nodiscard]] double pair_table_bytes(const moments::MomentSource& moments);
double total(const Parts& parts);
/// Sets the parts if they are more than the plan has.
void raise_memory(Plan& plan, Parts parts);

}  // namespace orrery::learning
