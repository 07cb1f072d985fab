// The messages of structural expectation propagation (section 4, Eqs. 17-28), and their update in
// one row; and the parent sets that a structure variable can take.
//
//   paper              code                         of
//   gamma_ni(G_i)      RowMessages::structure       row n, variable i: a number a parent set
//   nu_nik(u_k)        RowMessages::states          row n, variable i: a number per state of a set
//   rho_nij(theta_ij)  RowMessages::counts          row n, variable i: counts, n_rows x L_i
//   I_nk -> z_l        RowMessages::causes          row n: logs, of each set to each of its causes
//   q(G_i)             Posterior::structure         D x sets, normalised
//   lambda_ij          Posterior::counts            D x (n_rows x L_i)
//
// Rows' messages are updated one variable after the other, with q(G) and q(theta) of the last sweep
// (each message's own contribution taken out, as Eqs. 18-26 want); after the sweep the messages of
// all rows are multiplied into the new q(G) and q(theta). So rows may be shared in any way.
//
// A sweep takes eight rows at once (group_update.hpp), which changes no byte. Cost of a row: D S
// operations, S the states of all parent sets (2 K with one parent, 2 K + 2 K
// (K - 1) with two), and D n_rows projections (dirichlet.hpp); where the parents are certain, S is
// the states of one set. Memory: 8 D (S + sets + n_rows L)
// bytes per row, on the rank that has the row: with D = 1,000 and some 100 numbers per value that
// is 800 kB a row. At 1,000 ranks nothing but the sums after a sweep (48 bytes per entry of q)
// grows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "families/categorical/structural_ep/dirichlet.hpp"
#include "families/categorical/structural_ep/row_lanes.hpp"
#include "orrery/data/categorical_table.hpp"
#include "orrery/data/sample_matrix.hpp"

namespace orrery::structural_ep {

// ---- parent sets

// The values that a structure variable G_i can take: which causes are the parents of X_i.
//
// With one parent a value k is the cause k. With up to two, each pair of causes is a value as well:
// its "product cause" U_k, whose state stands for both (section 4.4, Figure 3). Rows of the
// parameters theta_ij are shared between values, as in Eqs. (13)-(16): U_k = j uses row j whatever
// k is. Sets of one parent and of two have rows of their own, which the paper leaves open: were
// they shared, a pair would find its rows learned by one of its causes, be as good as that cause
// alone, and take turns with it for ever.

/// Most states of a cause, and of a product cause.
inline constexpr std::size_t max_cardinality = 8;
inline constexpr std::size_t max_states = max_cardinality * max_cardinality;
/// Most causes of a set: of two states each.
inline constexpr std::size_t max_causes_of_set = 6;

struct ParentSet {
  std::vector<std::uint32_t> causes;  ///< rising
  std::size_t n_states = 0;           ///< J^|causes|; the first cause's state changes fastest
  std::size_t first_state = 0;        ///< of the states of all sets, one set after the other
  std::size_t first_row = 0;          ///< of theta_i's rows: 0, or J for pairs

  [[nodiscard]] std::size_t end_state() const noexcept { return first_state + n_states; }
};

/// Shapes of all that is learned of D variables and K causes of J states.
struct Shape {
  std::size_t n_causes = 0;     ///< K
  std::size_t cardinality = 2;  ///< J
  std::size_t max_parents = 1;  ///< P: 1 or 2; of a structure that is given, 2 to 6
  std::vector<ParentSet> sets;  ///< K singles, then pairs (0, 1), (0, 2), ..., (1, 2), ...
  std::size_t n_states = 0;     ///< of all sets
  std::size_t n_rows = 0;       ///< of theta_i: J, and J^2 more with two parents
  std::vector<std::size_t> n_categories;  ///< L_i, D of them
  std::vector<std::size_t> first_count;   ///< D + 1: theta_i's entries, n_rows x L_i by rows

  [[nodiscard]] std::size_t n_observed() const noexcept { return n_categories.size(); }
  [[nodiscard]] std::size_t n_sets() const noexcept { return sets.size(); }
  [[nodiscard]] std::size_t n_counts() const noexcept { return first_count.back(); }
};

/// `max_parents` is 1, or 2 with two causes or more.
[[nodiscard]] Shape make_shape(std::size_t n_causes, std::size_t cardinality,
                               std::size_t max_parents, std::vector<std::size_t> n_categories);

/// Of a network of that many causes for a table; a single cause is the only parent of a variable.
[[nodiscard]] Shape shape_of(const data::CategoricalTable& table, std::size_t n_causes,
                             std::size_t cardinality, std::size_t max_parents);

/// Of sets that are named one by one, as a structure that is given has them: each of causes that
/// rise, or of none. `max_parents` is 2 or more; all sets begin with row 0.
[[nodiscard]] Shape shape_of_sets(std::size_t n_causes, std::size_t cardinality,
                                  std::size_t max_parents,
                                  std::vector<std::vector<std::uint32_t>> sets,
                                  std::vector<std::size_t> n_categories);

/// State of the `a`-th cause of a set in the set's state `state`; `cardinality` is 2 or more.
[[nodiscard]] inline std::size_t state_of(std::size_t state, std::size_t a,
                                          std::size_t cardinality) noexcept {
  for (; a > 0; --a) state /= cardinality;
  return state % cardinality;
}

// ---- messages

// Discrete distributions as messages have them: numbers, or logs.

/// Probabilities are kept above this: a state that is out is out by any message, and q can be
/// divided by one.
inline constexpr double least_probability = 1e-280;

inline double log_sum(std::span<const double> logs) noexcept {
  const double largest = std::ranges::max(logs);
  double total = 0;
  for (const double value : logs) total += std::exp(value - largest);
  return largest + std::log(total);
}

inline void normalise(std::span<double> values) noexcept {
  const double share = 1 / std::accumulate(values.begin(), values.end(), 0.0);
  for (double& value : values) value = std::max(value * share, least_probability);
}

inline void from_logs(std::span<const double> logs, std::span<double> probabilities) noexcept {
  const double largest = std::ranges::max(logs);
  for (std::size_t j = 0; j < logs.size(); ++j) probabilities[j] = std::exp(logs[j] - largest);
  normalise(probabilities);
}

/// What all rows share. Both priors are uniform in the paper: q(G_i) begins as one, rows of theta
/// have Dirichlet(prior, ..., prior).
struct Posterior {
  std::vector<double> structure;  ///< D x sets; rows sum to 1
  std::vector<double> counts;     ///< as Shape::first_count says
};

/// Of n rows. Discrete messages are linear, and scaled as it comes; counts are added to a
/// Dirichlet's. A value that is missing sends none (section 4.5): 1, 1, 0.
struct RowMessages {
  // In groups of eight rows (row_lanes.hpp):
  data::AlignedVector<double> structure;
  data::AlignedVector<double> states;
  data::AlignedVector<double> counts;
  // Row after row:
  std::vector<double> causes;  ///< rows x sets x P x J; only with two parents
  /// rows x K: the state a cause is held in (section 5), or `free_state`.
  std::vector<std::uint8_t> held;

  RowMessages(const Shape& shape, std::size_t n_rows);
  /// As they were at first.
  void clear() noexcept;
};
inline constexpr std::uint8_t free_state = 255;

/// Views of one row.
struct RowView {
  std::span<const std::uint8_t> codes;  ///< D
  /// D parent sets that are certain: others' messages stay 1, rows of parameters that belong to
  /// others have none. Empty: none is certain.
  std::span<const std::uint32_t> sets;
  LaneSpan structure;
  LaneSpan states;
  LaneSpan counts;
  std::span<double> causes;
  std::span<const std::uint8_t> held;
};
[[nodiscard]] RowView row_view(const Shape& shape, RowMessages& messages, std::size_t row,
                               std::span<const std::uint8_t> codes,
                               std::span<const std::uint32_t> sets = {});

/// The sum of a sweep: logs of the structure messages, and counts.
struct SweepSums {
  std::span<double> log_structure;  ///< D x sets
  std::span<double> counts;
  double weight = 1;  ///< rows that the row stands for
};

struct SweepOptions {
  Projection projection = Projection::mean_log;
  double damping = .5;  ///< share of the new counts in a message; 1: no damping
  /// q(G) is held: rows send no messages to it.
  bool hold_structure = false;
};

/// Beliefs of one row, and room to compute them in; one per thread.
class RowBeliefs {
 public:
  explicit RowBeliefs(const Shape& shape);

  /// Multiplies the row's messages into q(u) of every set, messages between causes and their
  /// product causes included (Eqs. 27, 28; `refresh` sends them anew, twice around).
  void gather(const RowView& row, bool refresh);
  /// The same, refreshed, where the logs of the messages to each state are added up already.
  void gather_from(const LaneSpan& log_messages, const RowView& row);
  /// Messages that gather() multiplies before it takes a logarithm: none is below 1e-12 or so (a
  /// count over a total).
  static constexpr std::size_t messages_a_logarithm = 16;
  /// q(u_k), n_states numbers per set, normalised.
  [[nodiscard]] std::span<const double> states() const noexcept { return belief_; }
  /// q(z_l): K x J, normalised.
  [[nodiscard]] std::span<const double> causes() const noexcept { return cause_belief_; }
  /// Eqs. (10)-(12): variables z and u, and the factors between them.
  [[nodiscard]] double log_normalizers(const RowView& row) const;

  /// q(u) of every set as it would be without value i, whose parents are held to be set `own`: each
  /// set normalised. Through the causes that it shares with others `own` has told them of value i
  /// too; that is taken back (one step far). After gather().
  std::span<const double> states_without(const RowView& row, std::size_t i, std::size_t own);

  /// Updates all messages of the row (Eqs. 18-26) and adds them to `sums`. Returns how many values
  /// were passed over because a cavity distribution was improper: their messages stay.
  std::size_t update(const RowView& row, const Posterior& posterior, const SweepOptions& options,
                     const SweepSums& sums);
  /// Eqs. (11), (12) for the factors h_ni of the row; `log_betas`: log_beta of each row of
  /// posterior.counts, D x n_rows.
  [[nodiscard]] double log_factors(const RowView& row, const Posterior& posterior,
                                   std::span<const double> log_betas);

 private:
  /// The parent sets, and rows of parameters, that a value has to do with.
  struct Reach {
    std::size_t first_set;
    std::size_t end_set;
    std::size_t first_row;
    std::size_t end_row;
  };
  [[nodiscard]] Reach reach(const RowView& row, std::size_t i) const noexcept {
    if (row.sets.empty()) return {0, shape_.n_sets(), 0, shape_.n_rows};
    const ParentSet& set = shape_.sets[row.sets[i]];
    return {row.sets[i], row.sets[i] + std::size_t{1}, set.first_row, set.first_row + set.n_states};
  }
  [[nodiscard]] LaneSpan counts_of(const RowView& row, std::size_t i) const noexcept {
    return row.counts.subspan(shape_.first_count[i],
                              shape_.first_count[i + 1] - shape_.first_count[i]);
  }
  void believe(const RowView& row, bool refresh);
  void sum_cause_messages(const RowView& row);
  double cause_cavity(const RowView& row, std::size_t k, std::size_t a,
                      std::span<double> logs) const;
  void send_between_causes(const RowView& row);
  void set_context(const RowView& row);
  bool leave_out(const RowView& row, const Posterior& posterior, std::size_t i);
  void send_states(const RowView& row, std::size_t i);
  void send_counts(const RowView& row, const SweepOptions& options, std::size_t i);

  const Shape& shape_;
  std::vector<double> belief_;
  std::vector<double> cause_belief_;
  std::vector<double> log_messages_;  // from observed variables to each state
  std::vector<double> log_context_;   // what causes say of it (mu, Eq. 28, of normalised marginals)
  std::vector<double> cause_logs_;    // K x J: sum of the messages to each cause
  std::vector<double> product_;
  // Of one value, its own messages taken out:
  std::vector<double> cavity_states_;
  std::vector<double> cavity_structure_;  // q\(G_i)
  std::vector<double> cavity_counts_;     // lambda\, n_rows x L
  std::vector<double> projected_;         // lambda
  std::vector<double> expected_;          // Eq. (19), a number per row of theta
  std::vector<double> evidence_;          // sum_j q\(u_k = j) E[theta_ij,x], a number per set
  std::vector<double> share_;             // probability that x was drawn from row j
  std::vector<double> taken_back_;        // factors on the causes' states: K x J
  double total_ = 0;                      // sum_k q\(G_i = k) evidence_k
};

}  // namespace orrery::structural_ep
