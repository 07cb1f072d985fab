// How far STRUCTURE-LEARN is: all that a checkpoint keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "families/noisy_or/quartet/calibrated/search.hpp"
#include "families/noisy_or/quartet/refine/refine_journal.hpp"
#include "families/noisy_or/quartet/scan/scan.hpp"
#include "moments/negative_moments.hpp"
#include "orrery/model/learned_model.hpp"
#include "parallel/team.hpp"
#include "store/run.hpp"

namespace orrery::quartet {

/// Failures stand apart, m values per cause.
struct LearnedCause {
  double prior;
  model::Provenance provenance;
  double prior_error = 0;
  int known = -1;  ///< number among the causes that were known beforehand
};

/// How far a search by seeds is (signatures/seed_search.cpp).
struct SeedPlace {
  std::size_t next = 0;                ///< the first seed that was never looked at
  std::vector<std::uint32_t> waiting;  ///< earlier ones that were put off, ascending
  std::vector<std::uint32_t> failed;   ///< m: seeds of a variable that were tried in vain
};

struct State {
  int depth = 0;                       ///< the round that is under way
  std::vector<LearnedCause> causes;    ///< in the order in which they were learned
  std::vector<double> failures;        ///< causes x m, 1 where there is no edge
  std::vector<double> failure_errors;  ///< standard errors; empty (--test rank, coherence): exact
  std::vector<double> leaks;           ///< m once causes were refined; empty before
  std::size_t n_before = 0;            ///< causes of earlier rounds: these are subtracted off
  ScanState scan;
  std::size_t next_candidate = 0;  ///< of scan.found, once the scan is done
  std::size_t n_before_last = 0;   ///< n_before of the round before
  std::size_t n_refined = 0;       ///< causes that have been through a refinement whole
  /// Log-likelihood of the network behind which the last refinement looked for hidden causes, less
  /// what its causes and edges cost, nats; before the second refinement: none.
  double refined_worth = -std::numeric_limits<double>::infinity();
  SeedPlace seeds;              ///< of the round (signature_rounds.cpp)
  Journal refinement;           ///< of the round (refined_rounds.cpp)
  std::vector<double> growth;   ///< GrowthState, packed; empty: none yet (grown_model.cpp)
  bool outdoes_growth = false;  ///< refinement came further than growth and takes what it takes
  int grown_in = -1;            ///< the round whose refinement begins with grown causes; -1: none

  /// Nothing is done yet.
  [[nodiscard]] bool is_new() const noexcept {
    return depth == 0 && causes.empty() && scan.units.next == 0 && growth.empty() &&
           seeds.failed.empty();
  }
  /// Causes are searched by pair signatures.
  [[nodiscard]] bool is_by_signatures() const noexcept { return !seeds.failed.empty(); }
  /// Begins the first round, or the one after this.
  void begin_round(int round, std::uint64_t n_units);
  /// A learned cause has most of these children: a Jaccard index of 0.5 or more.
  [[nodiscard]] bool knows(const Elected& cause) const;
  /// Learns a cause in this round.
  void add(const Elected& cause);
  /// Unlearns the causes of this round.
  void forget_round();
  /// Unlearns all but these causes (rising).
  void keep_only(const std::vector<std::size_t>& kept);
  [[nodiscard]] moments::Subtraction learned_before(std::size_t m) const;
  /// Shares two or more children with a cause learned in this round.
  [[nodiscard]] bool overlaps(const Candidate& candidate, std::size_t m) const;
};

/// Into the arrays of a checkpoint.
void save(const State& state, store::Checkpoint& checkpoint);
[[nodiscard]] bool holds_state(const store::Checkpoint& checkpoint);
/// The reverse. Throws InputError if the arrays do not fit m variables and each other.
[[nodiscard]] State load(const store::Checkpoint& checkpoint, std::size_t m);
/// Root's state to all, but for the candidates and the refinement. Collective.
void share(const parallel::Team& team, State& state);

}  // namespace orrery::quartet
