// What Frank-Wolfe (frank_wolfe.hpp) shares over ranks and threads: the search for states, and the
// Hessians of its quadratic programs.
//
// Rank 0 leads, and the other ranks serve: they do their units of what rank 0 asks for. Rank 0
// alone decides, since linear programs go on from what they found before, and since ranks that each
// decided when to end would wait for one another for ever where the last digits of a logarithm
// differ.
//
// Cost of a Hessian of m points: cells m^2 / 2 over all ranks and threads, and m^2 numbers that are
// summed over the ranks; a point is sent once. Memory per rank: (cells + coordinates) m numbers, as
// at rank 0. Units are 64 points or 10 starts, so that beyond some 20 threads there is nothing to
// share out; at 1,000 ranks the sums of m^2 numbers come first.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "families/noisy_or/anchored/moments/frank_wolfe.hpp"
#include "families/noisy_or/anchored/moments/objective.hpp"
#include "families/noisy_or/anchored/moments/product_basis.hpp"
#include "parallel/team.hpp"

namespace orrery::anchored {

/// Points of the polytope, each a component of a mixture (mixture_weights.hpp): what it gives the
/// cells whose counts are not 0, those observed and, with a regulariser, those of the independent
/// tables. References must outlive it.
class HullPoints {
 public:
  HullPoints(const Objective& objective, const ProductBasis& basis);

  void add(const Eigen::VectorXd& products);
  /// Drops all points but these, which rise.
  void keep(const std::vector<Eigen::Index>& kept);

  [[nodiscard]] Eigen::Index size() const { return static_cast<Eigen::Index>(sent_as_.size()); }
  [[nodiscard]] const Eigen::VectorXd& counts() const { return counts_; }
  [[nodiscard]] auto components() const { return components_.leftCols(size()); }
  [[nodiscard]] auto points() const { return points_.leftCols(size()); }

  /// Columns first to end - 1 of the Hessian of - sum_a counts_a log mean_a, from its diagonal
  /// down: rows `first` to size() - 1, column by column.
  void hessian_columns(const Eigen::VectorXd& mean, Eigen::Index first, Eigen::Index end,
                       std::span<double> columns) const;

  /// Which of the points that there were at the last call are still here. Later points follow them.
  std::vector<std::uint64_t> kept_since_last_call();

 private:
  [[nodiscard]] Eigen::VectorXd cells_of(const Eigen::VectorXd& products) const;

  const Objective& objective_;
  const ProductBasis& basis_;
  std::vector<std::size_t> observed_cells_;
  std::vector<std::size_t> regularised_cells_;
  Eigen::VectorXd counts_;
  // Columns beyond size() are room to grow.
  Eigen::MatrixXd components_;
  Eigen::MatrixXd points_;
  std::vector<Eigen::Index> sent_as_;  // each point's place at kept_since_last_call(), or -1
};

class SharedSteps {
 public:
  /// References must outlive it. The same at every rank.
  SharedSteps(const parallel::Team& team, int threads, const Objective& objective,
              const ProductBasis& basis);

  // ---- at rank 0

  /// The best states found from all starts of a round (search_from_start, best_states).
  std::vector<FoundState> search(const LinearForm& form, std::span<const double> on,
                                 std::uint64_t round);
  /// The Hessian at a mixture's mean, its lower triangle. The other ranks keep what they are told
  /// of the points until the next call.
  Eigen::MatrixXd hessian(HullPoints& points, const Eigen::VectorXd& mean);
  /// The other ranks return from serve().
  void end();

  // ---- at the other ranks

  /// Does units of what rank 0 asks for, until end().
  void serve();

  // ---- at every rank, of what was done so far

  [[nodiscard]] double busy_seconds() const { return busy_seconds_; }
  [[nodiscard]] std::uint64_t n_units() const { return n_units_; }

 private:
  /// Tells the other ranks what is done next.
  void order(std::vector<std::uint64_t> task, std::vector<double> numbers) const;
  std::vector<double> states(const LinearForm& form, std::span<const double> on,
                             std::uint64_t round);
  std::vector<double> columns(const HullPoints& points, const Eigen::VectorXd& mean);
  /// What each unit gives, `size` numbers, at every rank. Collective.
  std::vector<double> shared(std::uint64_t n_units, std::size_t size,
                             const std::function<void(std::uint64_t, std::span<double>)>& work);
  void update_copy(std::span<const std::uint64_t> kept, std::span<const double> added);

  const parallel::Team& team_;
  int threads_;
  const ProductBasis& basis_;
  HullPoints copy_;  // at the other ranks: rank 0's points
  double busy_seconds_ = 0;
  std::uint64_t n_units_ = 0;
};

}  // namespace orrery::anchored
