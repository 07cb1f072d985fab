// The E-step of a row for sixteen restarts at a time: a lane a restart.
//
// Lanes never meet, so a restart's numbers do not depend on which others stand beside it, nor on
// the width of the processor's vectors.
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
  /// All lanes beyond restarts.size() (1 to `lanes`) repeat the first.
  explicit Tables(std::span<const Parameters* const> restarts);
  [[nodiscard]] const LaneTables& view() const { return view_; }
  [[nodiscard]] static std::size_t bytes(std::size_t n_causes, std::size_t n_observed);

 private:
  data::AlignedVector<double> doubles_;
  data::AlignedVector<float> floats_;
  LaneTables view_;
};

/// What a pass adds up for sixteen restarts; `lanes` values each.
class SumLayout {
 public:
  SumLayout(std::size_t n_causes, std::size_t n_observed) : n_(n_causes), m_(n_observed) {}
  /// Of q(U_k), over the rows learned from.
  [[nodiscard]] std::size_t mass(std::size_t k) const { return sum_mass + k * lanes; }
  [[nodiscard]] std::size_t credit(std::size_t a, std::size_t k) const {
    return sum_mass + (n_ + 2 * (a * n_ + k)) * lanes;
  }
  [[nodiscard]] std::size_t excuse(std::size_t a, std::size_t k) const {
    return credit(a, k) + lanes;
  }
  [[nodiscard]] std::size_t size() const { return sum_mass + (n_ + 2 * m_ * n_) * lanes; }

 private:
  std::size_t n_;
  std::size_t m_;
};

/// A thread's own memory.
class EStep {
 public:
  /// Adds what the rows of a block contribute for the restarts of `tables`; see SumLayout.
  void add_rows(const LaneTables& tables, const EStepSettings& settings,
                const learning::RowBlock& block, double* sums);
  [[nodiscard]] static std::size_t bytes(std::size_t n_causes, std::size_t n_observed);

 private:
  std::vector<std::size_t> on_;
  std::vector<std::size_t> missing_;
  data::AlignedVector<float> floats_;
  data::AlignedVector<double> doubles_;
};

}  // namespace orrery::variational_em
