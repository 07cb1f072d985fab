// The ranks of a run, and the numbered units of work that they share. Every MPI call of orrery is
// behind this page; without MPI, or without mpirun, a team is one rank and every call is local.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/progress.hpp"

namespace orrery::parallel {

// Numbered units of work: how far a stage is, and how evenly a plan can be shared out.

/// A stage's units and how far it is. All that a checkpoint needs of it, for any number of ranks:
/// units are handed out in rising order, so the finished ones are those below `next`, except
/// `returned`.
struct Units {
  std::uint64_t total = 0;
  std::uint64_t next = 0;
  std::vector<std::uint64_t> returned;  ///< begun and given back, rising

  [[nodiscard]] bool done() const noexcept { return left() == 0; }
  [[nodiscard]] std::uint64_t left() const noexcept { return total - next + returned.size(); }
  /// The i-th unit to be handed out from here: the returned ones come first. i < left().
  [[nodiscard]] std::uint64_t at(std::uint64_t i) const noexcept {
    return i < returned.size() ? returned[i] : next + (i - returned.size());
  }
  /// `n` units were handed out from here; all are finished but `given_back` (any order).
  void advance(std::uint64_t n, std::vector<std::uint64_t> given_back);
};

/// Work of each rank if units of these weights are handed out in order, each to the rank that is
/// the first to be free: what the shared counter does. O(units * log ranks).
[[nodiscard]] std::vector<double> hand_out(std::span<const double> weights, std::size_t ranks);
/// The rank of each unit if all are known to all ranks before they begin: the heaviest first, each
/// to the rank that has least (the lowest of these). O(units * log(units * ranks)).
[[nodiscard]] std::vector<std::size_t> share_out(std::span<const std::uint64_t> weights,
                                                 std::size_t ranks);
/// The largest over the mean; 1 is even. 0 for no work.
[[nodiscard]] double imbalance(std::span<const double> loads);

class Team {
 public:
  /// A thousand ranks come up within a minute or two.
  static constexpr double usual_patience_seconds = 180;

  /// Joins the job that mpirun or srun started; a lone process stays alone (MPI is not started).
  /// Ends the process (exit code 4) if the other ranks have not come up after so many seconds; 0:
  /// never.
  Team(int* argc, char*** argv, double patience_seconds = usual_patience_seconds);
  /// A team of this process alone, whatever started it.
  Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team();

  [[nodiscard]] int rank() const noexcept;
  [[nodiscard]] int size() const noexcept;
  [[nodiscard]] bool is_root() const noexcept { return rank() == 0; }

  /// Root's bytes to all; other ranks' buffers are resized.
  void broadcast_bytes(std::vector<std::byte>& bytes) const;
  /// Root's words to all, in pieces (more than 2^31 words are fine). Sizes must agree already.
  void broadcast_words(std::uint64_t* words, std::size_t n) const;
  /// Element sums over ranks, at every rank. Integers: the order of ranks does not matter.
  void sum_words(std::vector<std::uint64_t>& words) const;
  void sum_counts(std::span<std::uint32_t> counts) const;
  /// Of n things, those of this rank: each rank has a part of them, side by side.
  struct Part {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  [[nodiscard]] Part part_of(std::size_t n) const;
  /// Sums that each rank needs for its part alone, at half the price: those of rank r are from
  /// begins[r] on, before begins[r + 1]. The other values are unspecified afterwards. Collective.
  void sum_parts(std::span<std::uint32_t> values, const std::vector<std::size_t>& begins) const;
  /// The same of things with `width` values each, of which rank r has part_of() them.
  void sum_parts(std::span<std::uint64_t> values, std::size_t width) const;
  /// Values of which each was found by one rank, and left 0 by the others: all at every rank.
  void share_values(std::vector<double>& values) const;

  /// Words that the ranks of a host share: one copy per host. Null if this rank is alone on its
  /// host: it then uses memory of its own. They live as long as the team. Collective.
  [[nodiscard]] std::uint64_t* host_words(std::size_t n) const;
  /// True at one rank of each host: it writes what host_words gave.
  [[nodiscard]] bool leads_host() const;
  /// Root's words to the leaders of all hosts; every rank may read its host's copy afterwards.
  /// Collective.
  void broadcast_to_hosts(std::uint64_t* words, std::size_t n) const;
  /// The host of each rank.
  [[nodiscard]] const std::vector<std::string>& hosts() const;

  /// Every rank's bytes at root, by rank (empty elsewhere).
  [[nodiscard]] std::vector<std::vector<std::byte>> gather_bytes(
      const std::vector<std::byte>& bytes) const;

  /// Calls `load` at root, then, if that went well, at the other ranks: what is wrong with a file
  /// that all read is said once. Collective.
  template <class Load>
  [[nodiscard]] auto root_first(const Load& load) const {
    std::uint64_t go = 1;
    if (!is_root()) broadcast_words(&go, 1);
    auto loaded = load();
    if (is_root()) broadcast_words(&go, 1);
    return loaded;
  }

  /// True at one rank of all that call this, whichever is the first to be heard by rank 0: this
  /// rank says why the run ends, and the others are silent. Waits for rank 0's answer, 10 s at
  /// most.
  [[nodiscard]] bool claim_last_word() const;
  /// Ends the whole run at once (MPI_Abort) with this exit code.
  [[noreturn]] void abort(int exit_code) const;

  template <class T>
  void broadcast(std::vector<T>& values) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::copy_n(reinterpret_cast<const std::byte*>(values.data()), bytes.size(), bytes.data());
    broadcast_bytes(bytes);
    values.resize(bytes.size() / sizeof(T));
    std::copy_n(bytes.data(), bytes.size(), reinterpret_cast<std::byte*>(values.data()));
  }
  /// All ranks' values at root, in rank order (empty elsewhere).
  template <class T>
  [[nodiscard]] std::vector<T> gather(const std::vector<T>& values) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::copy_n(reinterpret_cast<const std::byte*>(values.data()), bytes.size(), bytes.data());
    std::vector<T> all;
    for (const auto& part : gather_bytes(bytes)) {
      const std::size_t old = all.size();
      all.resize(old + part.size() / sizeof(T));
      std::copy_n(part.data(), part.size(), reinterpret_cast<std::byte*>(all.data() + old));
    }
    return all;
  }

  /// All ranks' values at every rank, in rank order. Collective.
  template <class T>
  [[nodiscard]] std::vector<T> gather_everywhere(const std::vector<T>& values) const {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(std::uint64_t) == 0);
    if constexpr (std::is_same_v<T, std::uint64_t>) {
      return gather_words_everywhere(values);
    } else {
      constexpr std::size_t words_of_value = sizeof(T) / sizeof(std::uint64_t);
      std::vector<std::uint64_t> words(values.size() * words_of_value);
      std::copy_n(reinterpret_cast<const std::byte*>(values.data()), values.size() * sizeof(T),
                  reinterpret_cast<std::byte*>(words.data()));
      const std::vector<std::uint64_t> gathered = gather_words_everywhere(words);
      std::vector<T> all(gathered.size() / words_of_value);
      std::copy_n(reinterpret_cast<const std::byte*>(gathered.data()), all.size() * sizeof(T),
                  reinterpret_cast<std::byte*>(all.data()));
      return all;
    }
  }

  /// `to[r]` are this rank's values for rank r. Returns what each rank had for this one, by rank.
  /// Collective.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> exchange(
      const std::vector<std::vector<std::uint32_t>>& to) const;

  /// Work on unit `unit` by thread `thread` of this rank; false if it gave the unit back because
  /// stop_requested() became true in the middle of it.
  using Work = std::function<bool(std::uint64_t unit, int thread)>;
  enum class Pause { none, due, stop };
  struct Stretch {
    Pause pause = Pause::none;  ///< the same at every rank
    double busy_seconds = 0;    ///< of this rank's threads, in work
  };
  using Clock = std::chrono::steady_clock;
  /// No pause, not even if a rank is asked to stop.
  static constexpr Clock::time_point never = Clock::time_point::max();

  /// Hands out the units that are left, each once over all ranks and their OpenMP threads, from one
  /// shared counter; returns when all are done, when rank 0's clock is past `pause_at`, or (unless
  /// that is `never`) when a rank was asked to stop. `units` is the same at every rank, before and
  /// after. Collective. An exception in `work` stops this rank's threads and is rethrown here: end
  /// the run then.
  Stretch run_units(Units& units, int n_threads, Clock::time_point pause_at, Progress& progress,
                    const Work& work) const;
  /// All units 0 .. n_units - 1, without a pause.
  void for_each_unit(std::uint64_t n_units, int n_threads, Progress& progress,
                     const std::function<void(std::uint64_t unit, int thread)>& work) const;

  /// True once a rank was asked to stop (see stop.hpp); elsewhere a little later.
  [[nodiscard]] bool stop_requested() const;
  /// Ends the run, naming the rank, if one falls silent for this long. 0: never (the default).
  void set_watchdog(double seconds) const;

 private:
  [[nodiscard]] std::vector<std::uint64_t> gather_words_everywhere(
      const std::vector<std::uint64_t>& words) const;

  struct State;
  std::unique_ptr<State> state_;
};

/// Warns where exponentials and logarithms have other last digits on some ranks, because the C
/// library has other code for their processors (or was told to use it), and where the processors
/// are of different models, for which linear algebra has other code. Collective.
void warn_of_mixed_processors(const Team& team);

}  // namespace orrery::parallel
