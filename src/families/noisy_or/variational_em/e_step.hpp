// The E-step of rows for up to sixteen restarts at a time: a lane is a pair of a row and a restart.
//
// Lanes never meet, and the rows of a block are added in one order, so a restart's numbers do not
// depend on which others stand beside it, nor on the width of the processor's vectors.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "families/noisy_or/variational_em/lane_tables.hpp"
#include "families/noisy_or/variational_em/start.hpp"
#include "learning/row_sums.hpp"
#include "orrery/data/sample_matrix.hpp"

namespace orrery::variational_em {

/// The tables' memory.
class Tables {
 public:
  /// Of 1 to `lanes` restarts.
  explicit Tables(std::span<const Parameters* const> restarts);
  [[nodiscard]] const LaneTables& view() const { return view_; }
  [[nodiscard]] static std::size_t bytes(std::size_t n_causes, std::size_t n_observed);

 private:
  template <class Real>
  struct Entries {
    Real** table;
    std::size_t n_entries;
  };
  /// Those of view_ that hold such numbers.
  template <class Real>
  [[nodiscard]] std::vector<Entries<Real>> tables_of();

  data::AlignedVector<double> doubles_;
  data::AlignedVector<float> floats_;
  LaneTables view_;
};

/// What a pass adds up for restarts that share tables: where an entry's values begin (see
/// LaneSums).
class SumLayout {
 public:
  SumLayout(std::size_t n_causes, std::size_t n_observed, std::size_t n_lanes)
      : n_(n_causes), m_(n_observed), lanes_(n_lanes) {}
  [[nodiscard]] static std::size_t bound() { return 0; }
  [[nodiscard]] std::size_t held_out() const { return lanes_; }
  [[nodiscard]] std::size_t mass(std::size_t k) const { return (2 + k) * lanes_; }
  [[nodiscard]] std::size_t credit(std::size_t a, std::size_t k) const {
    return (2 + n_ + a * n_ + k) * lanes_;
  }
  [[nodiscard]] std::size_t excuse(std::size_t a, std::size_t k) const { return credit(m_ + a, k); }
  [[nodiscard]] std::size_t size() const { return excuse(m_, 0); }
  [[nodiscard]] LaneSums at(double* sums) const {
    return {sums + bound(), sums + held_out(), sums + mass(0), sums + credit(0, 0),
            sums + excuse(0, 0)};
  }

 private:
  std::size_t n_, m_, lanes_;
};

/// A thread's own memory.
class EStep {
 public:
  /// Adds what the rows of a block contribute for the restarts of `tables`; see SumLayout.
  void add_rows(const LaneTables& tables, const EStepSettings& settings,
                const learning::RowBlock& block, double* sums);
  [[nodiscard]] static std::size_t bytes(std::size_t n_causes, std::size_t n_observed);

 private:
  /// The lists of a block's rows, by the number of variables that are on: neighbours in a vector
  /// take the same time.
  void list_rows(const learning::RowBlock& block, bool hold_out);

  std::vector<RowLists> rows_;
  std::vector<std::size_t> on_;
  std::vector<std::size_t> missing_;
  std::vector<std::size_t> places_;
  data::AlignedVector<float> floats_;
  data::AlignedVector<double> doubles_;
};

}  // namespace orrery::variational_em
