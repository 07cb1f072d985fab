// Growth: causes from what is left unexplained, for tables that are no noisy-OR network of
// independent causes.
//
// A pair of variables that come together more often than the network explains proposes a cause;
// the up to five strongest disjoint pairs are tried on some thousand rows (trials.cpp), the best is
// fitted to all rows and stays if the likelihood gains more than its edges, its prior and its tie
// cost (BIC), and a small share of what was gained so far. Causes that are worth too little at the
// end go, and causes that stand for "one of these others", if the likelihood gains when their
// children are left to the others. With every step the forest of the causes is learned anew
// (cause_graph.hpp). Growth ends when proposals have been refused three times in a row; then causes
// may get second parents, and leaks are set so that each variable is expected in as many rows as it
// is on.
//
// Cost: a cause some 20 passes over `trial_rows` rows and 10 over all (grown_em.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/growth/grown_em.hpp"
#include "families/noisy_or/quartet/growth/residual_pairs.hpp"
#include "learning/row_sums.hpp"
#include "moments/moment_source.hpp"

namespace orrery::quartet {

struct GrowthOptions {
  std::uint64_t trial_rows = constants::growth::trial_rows;
  std::size_t trial_parts = constants::growth::trial_parts;
  int trial_passes = constants::growth::trial_passes;
  int full_passes = constants::growth::full_passes;
  std::size_t n_proposals = constants::growth::n_proposals;
  int patience = constants::growth::patience;
  model::BeamOptions beam{.most_opened = constants::growth::most_opened};
  model::BeamOptions trial_beam{.most_opened = constants::growth::most_opened_in_trial,
                                .most_kept = constants::growth::most_kept_in_trial};
  model::BeamOptions settle_beam;
  /// Called where the work may be given up, by an exception; state() is whole then.
  std::function<void()> pause;
};

/// How far growth is; a checkpoint keeps it.
struct GrowthState {
  enum class Stage : std::uint8_t { begin, grow, settle, prune, dissolve, finish, match, done };
  Stage stage = Stage::begin;
  /// Of the stage; of growing: rounds of proposals refused in a row; of dissolving: the cause.
  int step = 0;
  GrownFit fit;
  double independent = 0;  ///< log likelihood of independent variables
  std::vector<double> z;   ///< of the pair that each cause was grown from
  std::set<std::pair<std::uint32_t, std::uint32_t>> refused;

  [[nodiscard]] std::vector<double> pack() const;
  /// The reverse. Throws InputError unless `packed` is that of `n_observed` variables.
  static GrowthState unpack(const std::vector<double>& packed, std::size_t n_observed);
};

class Growth {
 public:
  /// Goes on from `state`. Collective, as all that follows.
  Growth(const learning::RowPass& rows, const moments::MomentSource& moments,
         const GrowthOptions& options, GrowthState state = {});
  /// Grows, and settles what has grown, to the end.
  void run();
  [[nodiscard]] const GrowthState& state() const noexcept { return state_; }
  /// Log likelihood less half a logarithm of the rows for each parameter (BIC); -infinity until all
  /// rows were seen.
  [[nodiscard]] double score() const { return score(state_.fit, n_rows_); }

 private:
  struct Proposal {
    std::uint32_t a, b;
    double z;
  };
  [[nodiscard]] double score(const GrownFit& fit, double n_rows) const;
  [[nodiscard]] GrownFitOptions fit_options(int passes, double n_rows) const;
  [[nodiscard]] std::vector<GrownFit> fit_trials(const std::vector<Grown>& starts) const;
  [[nodiscard]] std::vector<Proposal> proposals(const ResidualPairs& pairs) const;
  [[nodiscard]] Grown with(const Grown& grown, const Proposal& proposal,
                           const ResidualPairs& pairs) const;
  void next_stage(GrowthState::Stage stage);
  bool grow_one();
  bool settle_step();
  [[nodiscard]] bool drop_edges(const SumPlaces& at, const std::vector<double>& sums,
                                Grown& fewer) const;
  [[nodiscard]] std::optional<std::size_t> weakest(const SumPlaces& at,
                                                   const std::vector<double>& sums,
                                                   const Grown& grown) const;
  bool prune_step();
  bool dissolve_step();
  void match_shares();

  const learning::RowPass& pass_;
  AllRows rows_;
  TrialRows trial_rows_;
  const moments::MomentSource& moments_;
  GrowthOptions options_;
  double n_rows_;
  GrowthState state_;
};

}  // namespace orrery::quartet
