// What rows say of the structure of a network, beside what EM needs: which edges and causes are not
// needed, and which edges are missing.
//
// Cost: for each variable that is on and each cause that may be present in a row three additions to
// a table of 24 n m bytes per thread. The table is far larger than caches, and a row would change
// it in a hundred places: what rows say of a cause waits until it is a thousand additions to the
// same part of the table (4 n m bytes more at most). All of the table leaves a rank, which receives
// the sums of some causes: the first to break at 1,000 ranks.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/refine/expectation.hpp"
#include "families/noisy_or/quartet/signatures/fixed_sums.hpp"
#include "model/sparse_posterior.hpp"
#include "orrery/model/network.hpp"
#include "parallel/team.hpp"

namespace orrery::quartet {

/// An edge that is not there and what it would gain, nats.
struct MissingEdge {
  model::Edge edge;
  double gain = 0;
};

/// Natural logarithm of a positive normal number to within 1e-8: three times as fast as the exact
/// one.
[[nodiscard]] double quick_log(double x);

/// Of some rows; several are joined to those of all.
class StructureSums {
 public:
  explicit StructureSums(const model::NoisyOrNetwork& network);

  /// The row that `row` has just evaluated with `prepared`; for_each_missing(visit) calls visit(a)
  /// for its missing variables.
  template <class ForEachMissing>
  void add(const model::SparsePosterior& row, const model::SparseNetwork& prepared,
           const ForEachMissing& for_each_missing) {
    for (const auto& candidate : row.candidates()) {
      if (candidate.posterior < negligible) continue;
      add_edges(row, candidate);
      if (candidate.posterior < constants::signatures::least_posterior) continue;
      add_together(row, candidate);
      add_evidence(row, prepared, candidate, for_each_missing);
    }
  }
  /// Adds those of another thread, which are empty then.
  void join(StructureSums& other);
  /// Adds those of the other ranks, of missing edges those of this rank's causes alone. Collective.
  void sum(const parallel::Team& team);

  /// sum_r P(U | row) P(V | row), n x n.
  [[nodiscard]] std::vector<double> together() const;
  /// By edge: sum of P(U | row) over rows with the variable on.
  [[nodiscard]] std::vector<double> on_with() const;
  /// By cause: log-likelihood ratio without the cause, the rest as it is.
  [[nodiscard]] std::vector<double> without_cause() const;
  /// Those that gain more than `least_gain`, and more than that the weaker they are
  /// (weakness_cost), by variable, the most promising first. `present`: expected rows of each
  /// cause, of `n_rows`. Collective, after sum().
  [[nodiscard]] std::vector<MissingEdge> missing_edges(const parallel::Team& team,
                                                       const model::NoisyOrNetwork& network,
                                                       const std::vector<double>& present,
                                                       double n_rows, double least_gain) const;

 private:
  /// Words of a cause and a variable without an edge: of rows with the variable on, beside what a
  /// row with it off says.
  enum Evidence : std::size_t {
    slope,
    square,  // of the slope
    ratio,   // log-likelihood ratio of the tried failure
    n_evidence
  };
  /// What rows say of one cause and the variables without an edge to it.
  struct Waiting {
    struct Row {
      double posterior, if_off;
    };
    struct Said {
      double shared;
      std::uint32_t variable;
      std::uint32_t row;  // in `rows`
    };
    std::vector<Row> rows;
    std::vector<Said> said;
  };
  using Candidate = model::SparsePosterior::Candidate;
  static constexpr double step = 1 - constants::signatures::tried_failure;

  void add_edges(const model::SparsePosterior& row, const Candidate& candidate) {
    add_fixed(words_[without_cause_ + candidate.cause],
              std::log1p(-std::min(candidate.posterior, 1 - 1e-15)), fine);
    for (const auto& link : row.links(candidate)) {
      add_fixed(words_[on_with_ + link.edge], candidate.posterior, fine);
    }
  }
  void add_together(const model::SparsePosterior& row, const Candidate& candidate) {
    for (const auto& other : row.candidates()) {
      if (other.posterior < constants::signatures::least_posterior) continue;
      add_fixed(together_[candidate.cause * n_ + other.cause],
                candidate.posterior * other.posterior, fine);
    }
  }
  // A variable that is on has the slope shared - posterior, one that is off -posterior; with the
  // edge the row's likelihood is multiplied by 1 + (1 - f) slope. One that is missing has the slope
  // 0: as if it were on and shared = posterior.
  template <class ForEachMissing>
  void add_evidence(const model::SparsePosterior& row, const model::SparseNetwork& prepared,
                    const Candidate& candidate, const ForEachMissing& for_each_missing) {
    const double p = candidate.posterior;
    const double if_off = std::log1p(-step * p);
    add_fixed(words_[square_ + candidate.cause], p * p, fine);
    add_fixed(words_[if_off_ + candidate.cause], if_off, fine);
    Waiting& waiting = waiting_[candidate.cause];
    const auto number = static_cast<std::uint32_t>(waiting.rows.size());
    waiting.rows.push_back({p, if_off});
    const auto add_shared = [&](std::size_t a, double value) {
      waiting.said.push_back({std::min(value, constants::signatures::most_shared),
                              static_cast<std::uint32_t>(a), number});
    };
    row.for_each_unlinked(candidate, add_shared);
    for (const std::uint32_t a : row.alone()) add_shared(a, p / (1 - prepared.quiet(a)));
    for_each_missing([&](std::size_t a) { add_shared(a, p); });
    if (waiting.said.size() >= most_waiting_) write_down(candidate.cause);
  }
  /// Adds what waits of the cause to the table, and of all causes.
  void write_down(std::size_t cause);
  void write_down();

  std::size_t n_, m_;
  std::size_t square_, if_off_, without_cause_, on_with_;  // where they begin in words_
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> evidence_;  // n x m x n_evidence
  std::vector<std::uint64_t> together_;  // n x n
  std::size_t most_waiting_;             // of one cause, before they are written down
  std::vector<Waiting> waiting_;         // by cause
};

}  // namespace orrery::quartet
