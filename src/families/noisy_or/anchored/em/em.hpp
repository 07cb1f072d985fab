// Loadings by maximum likelihood, P(Y) held fixed (Halpern, Horng, Sontag 2015, App. F.3).
//
//   paper                 code
//   q(y)                  draws from P(Y | row): exact where the row's sum is cheap, else Gibbs
//   outer E-step          n_draws states per row, in each step anew (a chain goes on from the state
//                         where the last step left it)
//   A_j, Eq. (24)         the first cause, the leak before all, that switches x_j on
//   Eq. (25)              f = 1 - successes / tries (complete_data.hpp: departures)
//
// What a step tells. F.3 bounds log P(X) by E_q[log P(x, y)] + H(q) (as printed, "- log P(y)" where
// - log q(y) is meant). Draws tell the first term, not the entropy. Where every row's sum is exact
// its log-likelihood is known, and told: no bound is needed. Otherwise E_q[log P(x | y)] is told
// under that name: how well the causes drawn account for the findings. It is not the likelihood,
// nor a bound of it, and may fall while that rises.
//
// Cost of a step: of a row, n_draws (edges to its positive findings, and a sweep); sums of two
// numbers per edge, 48 bytes each a thread. Memory beside: n / 8 bytes per row, of the chains'
// states. At 1,000 ranks the sharing of states and sums comes to matter first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learning/stages.hpp"
#include "model/cause_posterior.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::anchored {

// What EM changes, failures and leaks, and the sums over draws that its M-step takes: Eqs. (24) and
// (25).

/// Where the sums of a step stand. An edge is one of the start's loadings, in their order.
struct EmPlaces {
  std::size_t n, m, n_edges;

  [[nodiscard]] std::size_t cause_on(std::size_t i) const { return i; }
  [[nodiscard]] std::size_t succeeded(std::size_t edge) const { return n + 2 * edge; }
  /// Draws in which the cause is on, but another has succeeded before.
  [[nodiscard]] std::size_t not_tried(std::size_t edge) const { return n + 2 * edge + 1; }
  [[nodiscard]] std::size_t leaked(std::size_t j) const { return n + 2 * n_edges + j; }
  [[nodiscard]] std::size_t draws() const { return n + 2 * n_edges + m; }
  [[nodiscard]] std::size_t fit() const { return draws() + 1; }
  [[nodiscard]] std::size_t log_likelihood() const { return draws() + 2; }
  [[nodiscard]] std::size_t exact() const { return draws() + 3; }
  [[nodiscard]] std::size_t impossible() const { return draws() + 4; }
  [[nodiscard]] std::size_t size() const { return draws() + 5; }
};

class EmParameters {
 public:
  struct Link {
    std::uint32_t cause;
    std::uint32_t edge;
  };

  /// Of the loadings of `start`, inside (0, 1). `start` must outlive it.
  explicit EmParameters(const model::NoisyOrNetwork& start);

  [[nodiscard]] const EmPlaces& places() const noexcept { return places_; }
  [[nodiscard]] double failure(std::size_t edge) const { return values_[edge]; }
  [[nodiscard]] double leak(std::size_t j) const { return values_[places_.n_edges + j]; }
  [[nodiscard]] std::span<const Link> parents(std::size_t j) const { return parents_[j]; }
  /// The start with these failures and leaks.
  [[nodiscard]] model::NoisyOrNetwork network() const;

  /// Eq. (25). `pseudo`: failures added to each edge, and to the leak, with a success. Returns the
  /// largest change.
  double maximise(std::span<const double> sums, double pseudo);

  /// All failures, then all leaks.
  [[nodiscard]] const std::vector<double>& values() const noexcept { return values_; }
  void set_values(std::span<const double> values) { values_.assign(values.begin(), values.end()); }

 private:
  const model::NoisyOrNetwork& start_;
  EmPlaces places_;
  std::vector<double> values_;
  std::vector<std::vector<Link>> parents_;
};

/// One thread's: adds draws of a row to the sums.
class EmCounter {
 public:
  /// `prepared`: of parameters.network(). `parameters` must outlive it, and stay as they are.
  EmCounter(const EmParameters& parameters, const model::PreparedAnchored& prepared);

  /// `state`: of the causes; `values`: the row's bits.
  void count(std::span<const std::uint8_t> state, std::span<const std::uint64_t> values,
             double weight, std::span<double> sums);

 private:
  double count_positive(std::span<const std::uint8_t> state, std::size_t j, double weight,
                        std::span<double> sums);

  const EmParameters& parameters_;
  // log P(x = 0) of all variables by leaks alone, and what each cause adds to it if it is on.
  double log_quiet_ = 0;
  std::vector<double> log_silent_;
  std::vector<double> first_;
};

/// Labels, a column per cause; each pointer may be null.
struct KnownCauses {
  const data::BitPanels* values = nullptr;
  const data::BitPanels* known = nullptr;  ///< where there is a label; null: everywhere
};

struct EmOptions {
  std::uint32_t n_steps = 10;
  std::uint32_t n_draws = 8;   ///< states of the causes a row and step
  std::uint32_t burn_in = 60;  ///< sweeps of a chain that begins
  double exact_work = 0x1p14;  ///< multiply-adds of a row's sum that count as cheap; 0: Gibbs alone
  double pseudo_rows = .5;     ///< failures added to each edge, and to the leak, with a success
  std::uint64_t seed = 1;
};

/// Of the parameters that a step began with; the last entry is of the result.
struct EmStep {
  double log_likelihood = 0;  ///< nats per row; NaN unless all possible rows were exact
  double fit = 0;             ///< E_q[log P(x | y)], nats per row
  std::uint64_t n_exact = 0;  ///< rows
  std::uint64_t n_impossible = 0;
  double change = 0;  ///< largest change of a failure or leak that the step then made
};

struct EmResult {
  model::NoisyOrNetwork loadings;  ///< edges of the start; those that came to fail always are gone
  std::vector<EmStep> steps;       ///< n_steps + 1
};

/// From the loadings of `start`. Known causes stay as they are. Rows without a missing value, the
/// columns of start. Logs each step (verbose). Same result at every rank. Collective.
EmResult run_em(const learning::Workers& workers, const model::NoisyOrNetwork& start,
                const data::BitPanels& rows, const KnownCauses& known, const EmOptions& options);

}  // namespace orrery::anchored
