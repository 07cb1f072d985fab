// Linear Bayesian networks with hidden variables: x = A h + eps (Anandkumar, Hsu, Javanmard, Kakade
// 2013, "Learning linear Bayesian networks with latent variables").
//
//   paper              code               shape   range
//   n, k               n_observed, n_causes
//   A                  loadings           n x k   any; a_ij = 0: no edge from cause j to i
//   sigma^2_eps        noise              n       variances, 0 or more
//   E[h h^T]           covariance         k x k   positive definite
//   Lambda, Eq. (6)    coupling           k x k   h = Lambda h + eta; acyclic
//   sigma^2_eta        innovation         k       variances, more than 0
//   A_i, Theorem 3.4   upper              levels  above the causes, from below upwards
//
// Canonical form (Definition 2.2): every hidden variable has variance 1.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "orrery/model/origin.hpp"

namespace orrery::model {

/// What independent causes (their innovations, where they have such) are drawn from, scaled to
/// their variance: normal; exponential less its mean (skewness 2); Student's t with 5 degrees of
/// freedom (no skewness, excess kurtosis 6). Noise is normal always.
enum class CauseLaw : std::uint8_t { gaussian, skewed, heavy_tailed };

/// A level of hidden variables above another: those below are h = B g + eta.
struct UpperLevel {
  Eigen::MatrixXd loadings;  ///< B: the level below x this level
  Eigen::VectorXd noise;     ///< variances of eta, a variable of the level below
  std::vector<std::string> names;
};

/// What a network is made of. Empty: not there, or as said.
struct LinearParts {
  std::vector<std::string> names;  ///< of the observed variables
  Eigen::VectorXd means;           ///< of the observed variables; empty: 0
  Eigen::MatrixXd loadings;
  Eigen::VectorXd noise;
  std::vector<std::string> cause_names;
  /// Of the causes; of the highest level, if there are upper ones. Empty: the identity. With a
  /// coupling it is derived and must be empty.
  Eigen::MatrixXd covariance;
  Eigen::MatrixXd coupling;    ///< without upper levels only
  Eigen::VectorXd innovation;  ///< with a coupling only; empty: such that causes have variance 1
  std::vector<UpperLevel> upper;
  CauseLaw law = CauseLaw::gaussian;
};

class LinearNetwork {
 public:
  LinearNetwork() = default;
  /// Throws InputError naming the entry, the value and the need: shapes that do not fit, numbers
  /// that are not finite (or give no finite variance), a negative variance, names that are empty or
  /// repeat, a hidden variable of variance 0, a covariance that is not symmetric (beyond rounding)
  /// or not positive definite, a coupling with a cycle (which is named), innovations that cannot
  /// give variance 1, a matrix of more than 2^26 entries. No cause, or no observed variable, is
  /// allowed.
  explicit LinearNetwork(LinearParts parts);

  [[nodiscard]] std::size_t n_observed() const noexcept { return parts_.names.size(); }
  [[nodiscard]] std::size_t n_causes() const noexcept { return parts_.cause_names.size(); }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return parts_.names; }
  [[nodiscard]] const std::vector<std::string>& cause_names() const noexcept {
    return parts_.cause_names;
  }
  [[nodiscard]] const Eigen::VectorXd& means() const noexcept { return parts_.means; }
  [[nodiscard]] const Eigen::MatrixXd& loadings() const noexcept { return parts_.loadings; }
  [[nodiscard]] const Eigen::VectorXd& noise() const noexcept { return parts_.noise; }
  /// E[h h^T] of the causes next to the observed variables, derived where there is more above.
  [[nodiscard]] const Eigen::MatrixXd& covariance() const noexcept { return covariance_; }
  [[nodiscard]] bool has_coupling() const noexcept { return parts_.coupling.size() > 0; }
  [[nodiscard]] const Eigen::MatrixXd& coupling() const noexcept { return parts_.coupling; }
  [[nodiscard]] const Eigen::VectorXd& innovation() const noexcept { return parts_.innovation; }
  [[nodiscard]] const std::vector<UpperLevel>& upper() const noexcept { return parts_.upper; }
  [[nodiscard]] CauseLaw law() const noexcept { return parts_.law; }
  /// With `means` and `innovation` filled in; `covariance` as given (of the highest level).
  [[nodiscard]] const LinearParts& parts() const noexcept { return parts_; }
  /// Loadings other than 0.
  [[nodiscard]] std::size_t n_edges() const noexcept;
  /// Causes in an order in which each comes after those it depends on (coupling).
  [[nodiscard]] std::vector<std::size_t> causal_order() const;

  /// The same distribution of x with every hidden variable scaled to variance 1, at every level.
  [[nodiscard]] LinearNetwork canonical() const;

 private:
  LinearParts parts_;
  Eigen::MatrixXd covariance_;
};

/// A step of the rank test that chose the number of causes.
struct RankStep {
  std::uint32_t rank = 0;  ///< the hypothesis
  double statistic = 0;    ///< squared size of what a matrix of this rank leaves
  double expected = 0;     ///< of it, if the hypothesis holds
  double error = 0;        ///< its standard error then
  bool operator==(const RankStep&) const = default;
};

/// What `learn linear` returns. The network is canonical; its loadings are 0 where they are not
/// significant.
struct LearnedLinear : Origin {
  LinearNetwork network;
  // Each may be empty: not known.
  Eigen::MatrixXd estimates;          ///< n x k, loadings before those were set to 0
  Eigen::MatrixXd loading_errors;     ///< n x k, standard errors of the estimates
  Eigen::VectorXd noise_errors;       ///< n
  Eigen::MatrixXd covariance_errors;  ///< k x k
  Eigen::MatrixXd coupling_errors;    ///< k x k
  std::vector<RankStep> rank_test;
};

}  // namespace orrery::model
