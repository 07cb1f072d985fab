// How a learned linear network compares with the true one, how likely rows are under it, and what
// is told of both: sections of a sheet.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/model/linear_network.hpp"
#include "report/sheet.hpp"

namespace orrery::linear {

/// The network with its observed variables in the order of `names`, matched by name if both have
/// the same set, else by position. Throws InputError naming `source` if the numbers differ.
model::LearnedLinear aligned(const model::LearnedLinear& learned,
                             const std::vector<std::string>& names, const std::string& source);

/// Every hidden variable scaled to variance 1; estimates and standard errors follow.
model::LearnedLinear canonical(const model::LearnedLinear& learned);

/// Of each cause: what it is called where people read of it, by the variables that it moves most in
/// their own standard deviations.
std::vector<std::string> titles_of_causes(const model::LinearNetwork& network);

/// Of canonical forms; causes are matched one to one such that the sum of |cosine| of their columns
/// is largest, up to sign and order.
struct LinearScores {
  std::size_t n_true_causes = 0;
  std::size_t n_learned_causes = 0;
  std::vector<std::int64_t> partner;  ///< of each true cause the learned one, -1: none
  std::vector<double> sign;           ///< of each true cause +1 or -1: learned = sign * true
  std::vector<double> cosine;         ///< of each true cause, of the two columns; 0: no partner
  // Edges: loadings other than 0, over all matched columns; of an unmatched cause all are missed,
  // or wrong.
  std::size_t n_true_edges = 0;
  std::size_t n_learned_edges = 0;
  std::size_t n_common_edges = 0;
  double precision = 0;
  double recall = 0;
  double f1 = 0;
  double loading_error = 0;  ///< |A' - A|_F / |A|_F after matching; a missing column is 0
  double largest_error = 0;  ///< max |a'_ij - a_ij|
  double covariance_error =
      0;                   ///< largest |difference| of the entries of E[hh^T] of matched causes
  double noise_error = 0;  ///< largest |difference| of the noise variances
  /// True loadings (0 too) of matched causes within 1.96 standard errors of the estimates; of none
  /// if no errors are known.
  std::size_t n_covered = 0;
  std::size_t n_with_error = 0;
  // Lambda, if both have one.
  bool has_coupling = false;
  double coupling_error = 0;  ///< largest |difference| over pairs of matched causes
  std::size_t n_true_couplings = 0;
  std::size_t n_learned_couplings = 0;
  std::size_t n_common_couplings = 0;
  /// Upper levels that both have: the largest difference of loadings after matching, a level.
  std::vector<double> level_errors;

  /// Every edge and no other.
  [[nodiscard]] bool same_support() const noexcept {
    return n_true_edges == n_common_edges && n_learned_edges == n_common_edges;
  }
};
/// Variables are taken in their order (aligned).
LinearScores score_linear(const model::LearnedLinear& learned, const model::LinearNetwork& truth);

/// How likely rows of numbers are under a linear network, as if all that is hidden were normal.
class LinearDensity {
 public:
  /// Throws InputError if the covariance of the observed variables is singular (noise variances of
  /// 0), which leaves no density, or too large for a double.
  explicit LinearDensity(const model::LinearNetwork& network);
  LinearDensity(const LinearDensity&) = delete;
  LinearDensity& operator=(const LinearDensity&) = delete;
  ~LinearDensity();

  /// Log density in nats of each of densities.size() rows of n_observed values, of those that are
  /// not NaN; 0 for a row of none. A function of the rows alone, not of the number of threads.
  void log_densities(const double* rows, std::span<double> densities) const;

 private:
  struct Model;
  std::unique_ptr<const Model> model_;
};

/// The network's means and variances without its dependences.
model::LinearNetwork without_causes(const model::LinearNetwork& network);

// ---- what is told of a linear network: of itself, beside the true one, and of data; sections of a
// sheet, for `evaluate` and the page

/// What of a matrix is worth naming first.
struct Entry {
  Eigen::Index row = 0;
  Eigen::Index column = 0;
  double value = 0;
};
/// Entries other than 0, those of the largest size first (equal ones: column after column).
std::vector<Entry> strongest(const Eigen::MatrixXd& matrix);

/// Causes with their strongest edges, dependence of causes, levels, the rank test. For JSON alone
/// unless `shown`.
void add_model(report::Section& section, const model::LearnedLinear& learned, bool shown);

void add_truth(report::Sheet& sheet, const LinearScores& scores, const model::LinearNetwork& truth,
               const model::LinearNetwork& learned);

/// Mean log-likelihoods per row, nats, of what is there of it.
struct LinearDataScores {
  std::uint64_t n_rows = 0;
  std::uint64_t n_missing = 0;  ///< values
  bool held_out = true;         ///< false: the very samples that the model was learned from
  double model = 0;
  double independent = 0;  ///< the model's means and variances alone
  std::optional<double> truth;
};
void add_data(report::Sheet& sheet, const LinearDataScores& scores);

}  // namespace orrery::linear
