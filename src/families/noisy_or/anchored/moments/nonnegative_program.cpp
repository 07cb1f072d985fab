#include "families/noisy_or/anchored/moments/nonnegative_program.hpp"

#include <algorithm>
#include <vector>

#include "linalg/decompositions.hpp"

namespace orrery::anchored {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class ActiveSet {
 public:
  ActiveSet(const MatrixXd& hessian, const VectorXd& gradient, const VectorXd& start)
      : hessian_(hessian),
        gradient_(gradient),
        start_(start),
        proximal_(1e-12 * hessian.diagonal().maxCoeff()),
        tolerance_(1e-14 * (1 + gradient.cwiseAbs().maxCoeff())),
        x_(start),
        free_(static_cast<std::size_t>(start.size())) {
    // All that wish to rise are let go at once; what then falls is held again in move().
    for (Index j = 0; j < start.size(); ++j) {
      free_[at(j)] = start[j] > 0 || gradient[j] < -tolerance_;
    }
  }

  VectorXd minimise() {
    const Index limit = 3 * x_.size() + 20;
    for (Index changes = 0; changes < limit; ++changes) {
      if (!move()) continue;
      if (!let_go()) break;
      factored_.clear();
    }
    return x_;
  }

 private:
  static std::size_t at(Index j) { return static_cast<std::size_t>(j); }

  [[nodiscard]] VectorXd derivative() const {
    const VectorXd step = x_ - start_;
    return gradient_ + hessian_.selfadjointView<Eigen::Lower>() * step + proximal_ * step;
  }

  /// Frees entries at 0 whose rise would gain; false where none would. All of them, until a step
  /// was stopped at once; from then on the one that gains most, which ends in finitely many steps.
  bool let_go() {
    const VectorXd slope = derivative();
    Index best = -1;
    for (Index j = 0; j < x_.size(); ++j) {
      if (free_[at(j)] != 0 || slope[j] >= -tolerance_) continue;
      if (best < 0 || slope[j] < slope[best]) best = j;
      if (!one_by_one_) free_[at(j)] = 1;
    }
    if (best < 0) return false;
    free_[at(best)] = 1;
    return true;
  }

  /// Factors the Hessian of the free entries. Those held later are kept out of a step by one more
  /// solution each, not by another factor.
  void factor() {
    factored_.clear();
    for (Index j = 0; j < x_.size(); ++j) {
      if (free_[at(j)] != 0) factored_.push_back(j);
    }
    const auto n = static_cast<Index>(factored_.size());
    held_.clear();
    solutions_.resize(n, most_held);
    const double most = hessian_.diagonal().maxCoeff();
    for (double ridge = proximal_; ridge <= 1e3 * most; ridge *= 100) {
      MatrixXd part(n, n);
      for (Index j = 0; j < n; ++j) {  // factored_ rises: the lower triangle stays the lower one
        for (Index i = j; i < n; ++i) part(i, j) = hessian_(factored_[at(i)], factored_[at(j)]);
        part(j, j) += ridge;
      }
      factor_ = linalg::Cholesky(part);
      if (factor_.is_positive_definite()) return;
    }
  }

  void hold(Index place) {
    free_[at(factored_[at(place)])] = 0;
    if (held_.size() < most_held) {
      solutions_.col(static_cast<Index>(held_.size())) =
          factor_.solve(VectorXd(VectorXd::Unit(static_cast<Index>(factored_.size()), place)));
    }
    held_.push_back(place);
  }

  /// The step to the minimum over the free entries, which may leave the orthant; 0 for those held.
  [[nodiscard]] VectorXd aim() const {
    const VectorXd slope = derivative();
    VectorXd step = factor_.solve(VectorXd(-slope(factored_)));
    const auto n = static_cast<Index>(held_.size());
    if (n == 0) return step;
    const MatrixXd among = solutions_(held_, Eigen::seqN(0, n));
    const VectorXd forces = linalg::Ldlt(among).solve(step(held_));
    step -= solutions_.leftCols(n) * forces;
    step(held_).setZero();
    return step;
  }

  /// Towards the minimum over the free entries; false if some had to be held at 0 on the way.
  bool move() {
    if (factored_.empty() || held_.size() > most_held) factor();
    if (factored_.empty()) return true;
    const VectorXd step = aim();
    double share = 1;
    for (Index i = 0; i < step.size(); ++i) {
      const double from = x_[factored_[at(i)]];
      if (from + step[i] < 0) share = std::min(share, from / -step[i]);
    }
    if (share == 0) one_by_one_ = true;
    for (Index i = 0; i < step.size(); ++i) {
      double& entry = x_[factored_[at(i)]];
      if (free_[at(factored_[at(i)])] == 0) continue;
      const bool blocks = entry + step[i] < 0 && entry / -step[i] <= share;
      entry = blocks ? 0 : std::max(0.0, entry + share * step[i]);
      if (blocks) hold(i);
    }
    return share == 1;
  }

  static constexpr std::size_t most_held = 64;

  const MatrixXd& hessian_;
  const VectorXd& gradient_;
  const VectorXd& start_;
  double proximal_;
  double tolerance_;
  VectorXd x_;
  std::vector<char> free_;
  bool one_by_one_ = false;
  std::vector<Index> factored_;  // entries that the factor is of, rising
  std::vector<Index> held_;      // places among them, held since
  linalg::Cholesky factor_;
  MatrixXd solutions_;  // of the factor, for the unit vector of each held one
};

}  // namespace

VectorXd nonnegative_minimum(const MatrixXd& hessian, const VectorXd& gradient,
                             const VectorXd& start) {
  return ActiveSet(hessian, gradient, start).minimise();
}

}  // namespace orrery::anchored
