// The ranks of a run. Every MPI call of orrery is behind this page; without MPI, or without mpirun,
// a team is one rank and every call is local.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "orrery/base/progress.hpp"

namespace orrery::parallel {

class Team {
 public:
  /// Joins the job that mpirun or srun started; a lone process stays alone (MPI is not started).
  Team(int* argc, char*** argv);
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

  /// Work on unit `unit` by thread `thread` of this rank.
  using Work = std::function<void(std::size_t unit, int thread)>;
  /// Hands out units 0 .. n_units - 1, each once over all ranks and their OpenMP threads, in rising
  /// order from one shared counter. Collective. An exception in `work` stops this rank's threads
  /// and is rethrown here.
  void for_each_unit(std::size_t n_units, int n_threads, Progress& progress,
                     const Work& work) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orrery::parallel
