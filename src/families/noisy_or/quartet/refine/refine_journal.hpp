// What the steps of a refinement came to, so that a run that goes on from a checkpoint takes the
// same steps without their EM.
//
// A refinement is a chain of decisions, each from EM on the rows. The journal has, in their order,
// what each EM ended with, and in the place of a trial and all EM inside it the verdict alone. A
// resumed run makes every decision again and is handed the outcomes; the EM that was under way goes
// on from its last search of the rows (em.hpp). So nothing but single passes over the rows is done
// twice: those since that search, and a test of the edges for each network that was accepted.
//
// Memory: 8 (n + m + 2 e) bytes for each accepted trial and each EM outside of trials, some
// hundreds of a round.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "families/noisy_or/quartet/refine/em.hpp"
#include "parallel/team.hpp"
#include "store/run.hpp"

namespace orrery::quartet {

class Journal {
 public:
  /// `run(begun)` is EM; `begun`: how far it came before, or null. Returns what it ended with.
  template <class Run>
  Fit fit(const Run& run) {
    if (const auto done = next(Kind::fitted)) return *done;
    const std::optional<Fit> begun = next(Kind::begun);
    Fit result = run(begun ? &*begun : nullptr);
    running_.reset();
    add(Kind::fitted, result, result.n_states);
    return result;
  }
  /// `run()` is a trial: the better fit, or none.
  template <class Run>
  std::optional<Fit> trial(const Run& run) {
    if (next(Kind::rejected)) return std::nullopt;
    if (auto accepted = next(Kind::accepted)) return accepted;
    const std::size_t first = next_;
    std::optional<Fit> better = run();
    double n_states = 0;
    for (std::size_t i = first; i < entries_.size(); ++i) n_states += entries_[i].n_states;
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(first), entries_.end());
    next_ = first;
    add(better ? Kind::accepted : Kind::rejected, better ? *better : Fit{}, n_states);
    return better;
  }

  /// The EM that is under way has come so far.
  void set_running(const Fit& so_far) { running_ = so_far; }
  /// What EM has, if one is under way; it is better than what it began with.
  [[nodiscard]] const std::optional<Fit>& running() const { return running_; }
  /// States of the causes that all EM has looked at so far: what the refinement took.
  [[nodiscard]] double n_states() const;
  /// A new refinement begins.
  void clear() { *this = {}; }
  /// A refinement that was left in the middle begins anew, with all that it came to.
  void rewind();

  /// Everything, with the EM that is under way.
  void save(store::Checkpoint& checkpoint) const;
  /// The reverse; `names`: of the observed variables. Throws InputError unless all fits.
  static Journal load(const std::vector<std::uint64_t>& words, const std::vector<double>& reals,
                      const std::vector<std::string>& names);
  /// What root's checkpoint has of a refinement, at every rank. Collective.
  static Journal restore(const parallel::Team& team, const store::Checkpoint& checkpoint,
                         const std::vector<std::string>& names);

 private:
  enum class Kind : std::uint8_t { rejected, accepted, fitted, begun };
  struct Entry {
    Kind kind;
    Fit fit;  // without a network if it was rejected
    double n_states = 0;
  };

  /// The next entry of a resumed run, if it is of this kind.
  std::optional<Fit> next(Kind kind);
  void add(Kind kind, const Fit& fit, double n_states);
  void push(Kind kind, const Fit& fit, double n_states);

  std::vector<Entry> entries_;
  std::size_t next_ = 0;  // of entries_: those before it have been handed out or added
  std::optional<Fit> running_;
};

}  // namespace orrery::quartet
