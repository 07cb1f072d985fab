// A learned linear network beside the true one. Columns of A are known up to order and sign
// (Theorem 3.2 of Anandkumar et al. 2013), so hidden variables are matched first: by the assignment
// with the largest sum of |cosine| of their columns; levels above likewise, one after another, with
// the rows of each already matched. All else is compared entry by entry.
//
// Cost: O(n k k' + k^2 k') time for k true and k' learned causes, O(n k) memory. On one rank; at
// 1,000 ranks the model in memory would break first, not this.
#include "families/linear/scores/scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/assign.hpp"
#include "model/numbers.hpp"
#include "orrery/base/error.hpp"

namespace orrery::linear {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::LearnedLinear;
using model::LinearNetwork;

/// Of each true column the learned one (-1: none), and +1 or -1 and the cosine of the two.
struct Matching {
  std::vector<std::int64_t> partner;
  std::vector<double> sign;
  std::vector<double> cosine;

  [[nodiscard]] Index size() const { return static_cast<Index>(partner.size()); }
  [[nodiscard]] Index partner_of(Index j) const { return partner[static_cast<std::size_t>(j)]; }
  [[nodiscard]] double sign_of(Index j) const { return sign[static_cast<std::size_t>(j)]; }
};

/// Columns of length 1; those of 0 stay. Divided by their largest entry first: no size overflows.
MatrixXd unit_columns(const MatrixXd& matrix) {
  MatrixXd unit = matrix;
  for (Index j = 0; j < unit.cols(); ++j) {
    const double largest = unit.rows() == 0 ? 0 : unit.col(j).cwiseAbs().maxCoeff();
    if (largest > 0) unit.col(j) = (unit.col(j) / largest).normalized();
  }
  return unit;
}

/// Columns that share nothing are no partners.
Matching match_columns(const MatrixXd& truth, const MatrixXd& learned) {
  const MatrixXd cosines = unit_columns(truth).transpose() * unit_columns(learned);
  std::vector<double> cost;
  for (Index t = 0; t < cosines.rows(); ++t) {
    for (Index l = 0; l < cosines.cols(); ++l) cost.push_back(-std::abs(cosines(t, l)));
  }
  Matching matching;
  matching.partner = assign_partners(cost, static_cast<std::size_t>(cosines.rows()),
                                     static_cast<std::size_t>(cosines.cols()));
  for (std::size_t t = 0; t < matching.partner.size(); ++t) {
    std::int64_t& partner = matching.partner[t];
    const double cosine = partner < 0 ? 0 : cosines(static_cast<Index>(t), partner);
    if (cosine == 0) partner = -1;
    matching.cosine.push_back(std::abs(cosine));
    matching.sign.push_back(cosine < 0 ? -1 : 1);
  }
  return matching;
}

/// Learned columns in the order of the true ones and with their signs; 0 for those without partner.
MatrixXd matched_columns(const MatrixXd& learned, const Matching& matching) {
  MatrixXd matched = MatrixXd::Zero(learned.rows(), matching.size());
  for (Index t = 0; t < matching.size(); ++t) {
    if (matching.partner_of(t) >= 0) {
      matched.col(t) = matching.sign_of(t) * learned.col(matching.partner_of(t));
    }
  }
  return matched;
}
MatrixXd matched_rows(const MatrixXd& learned, const Matching& matching) {
  return matched_columns(learned.transpose(), matching).transpose();
}

/// Largest size of an entry; 0 if there is none.
double largest(const MatrixXd& matrix) {
  return matrix.size() == 0 ? 0 : matrix.cwiseAbs().maxCoeff();
}

std::size_t count_entries(const MatrixXd& matrix) {
  return static_cast<std::size_t>((matrix.array() != 0).count());
}

std::size_t count_common(const MatrixXd& a, const MatrixXd& b) {
  return static_cast<std::size_t>((a.array() != 0 && b.array() != 0).count());
}

void score_edges(const MatrixXd& truth, const MatrixXd& learned, const MatrixXd& matched,
                 LinearScores& scores) {
  scores.n_true_edges = count_entries(truth);
  scores.n_learned_edges = count_entries(learned);
  scores.n_common_edges = count_common(truth, matched);
  const auto ratio = [&](std::size_t all) {
    return all == 0 ? 0 : static_cast<double>(scores.n_common_edges) / static_cast<double>(all);
  };
  scores.precision = ratio(scores.n_learned_edges);
  scores.recall = ratio(scores.n_true_edges);
  scores.f1 = 2 * ratio(scores.n_learned_edges + scores.n_true_edges);
  const double size = truth.stableNorm();
  scores.loading_error = size > 0 ? (matched - truth).stableNorm() / size : 0;
  scores.largest_error = largest(matched - truth);
}

void score_intervals(const LearnedLinear& learned, const MatrixXd& truth, const Matching& matching,
                     LinearScores& scores) {
  if (learned.loading_errors.size() == 0) return;
  const MatrixXd& estimates =
      learned.estimates.size() > 0 ? learned.estimates : learned.network.loadings();
  for (Index t = 0; t < matching.size(); ++t) {
    const Index l = matching.partner_of(t);
    if (l < 0) continue;
    for (Index i = 0; i < truth.rows(); ++i) {
      if (!std::isfinite(learned.loading_errors(i, l))) continue;
      ++scores.n_with_error;
      const double off = matching.sign_of(t) * estimates(i, l) - truth(i, t);
      if (std::abs(off) <= model::normal95 * learned.loading_errors(i, l)) ++scores.n_covered;
    }
  }
}

/// Largest difference over pairs of causes that both have a partner.
double largest_difference(const MatrixXd& truth, const MatrixXd& learned,
                          const Matching& matching) {
  const MatrixXd matched = matched_rows(matched_columns(learned, matching), matching);
  double found = 0;
  for (Index t = 0; t < matching.size(); ++t) {
    for (Index u = 0; u < matching.size(); ++u) {
      if (matching.partner_of(t) < 0 || matching.partner_of(u) < 0) continue;
      found = std::max(found, std::abs(matched(t, u) - truth(t, u)));
    }
  }
  return found;
}

void score_coupling(const MatrixXd& truth, const MatrixXd& learned, const Matching& matching,
                    LinearScores& scores) {
  scores.has_coupling = true;
  scores.coupling_error = largest_difference(truth, learned, matching);
  scores.n_true_couplings = count_entries(truth);
  scores.n_learned_couplings = count_entries(learned);
  scores.n_common_couplings =
      count_common(truth, matched_rows(matched_columns(learned, matching), matching));
}

std::vector<double> score_levels(const LinearNetwork& truth, const LinearNetwork& learned,
                                 Matching below) {
  std::vector<double> errors;
  const std::size_t n = std::min(truth.upper().size(), learned.upper().size());
  for (std::size_t level = 0; level < n; ++level) {
    const MatrixXd& wanted = truth.upper()[level].loadings;
    const MatrixXd found = matched_rows(learned.upper()[level].loadings, below);
    below = match_columns(wanted, found);
    errors.push_back(largest(matched_columns(found, below) - wanted));
  }
  return errors;
}

/// Rows `from` of what is there.
void take_rows(MatrixXd& matrix, const std::vector<std::size_t>& from) {
  if (matrix.rows() > 0) matrix = matrix(from, Eigen::all).eval();
}
void take_rows(VectorXd& vector, const std::vector<std::size_t>& from) {
  if (vector.rows() > 0) vector = vector(from).eval();
}

}  // namespace

LearnedLinear aligned(const LearnedLinear& learned, const std::vector<std::string>& names,
                      const std::string& source) {
  if (learned.network.n_observed() != names.size()) {
    throw InputError(fmt::format("{}: {} variables, but the model has {}; give what belongs to it",
                                 source, names.size(), learned.network.n_observed()));
  }
  const std::vector<std::size_t> from = places_of_same_names(names, learned.network.names());
  LearnedLinear moved = learned;
  model::LinearParts parts = learned.network.parts();
  for (std::size_t i = 0; i < from.size(); ++i) parts.names[i] = learned.network.names()[from[i]];
  take_rows(parts.means, from);
  take_rows(parts.loadings, from);
  take_rows(parts.noise, from);
  moved.network = LinearNetwork(std::move(parts));
  take_rows(moved.estimates, from);
  take_rows(moved.loading_errors, from);
  take_rows(moved.noise_errors, from);
  return moved;
}

LearnedLinear canonical(const LearnedLinear& learned) {
  LearnedLinear scaled = learned;
  scaled.network = learned.network.canonical();
  const VectorXd sd = learned.network.covariance().diagonal().cwiseSqrt();
  const VectorXd inverse = sd.cwiseInverse();
  const auto scale = [](MatrixXd& matrix, const VectorXd* rows, const VectorXd& columns) {
    if (matrix.size() == 0) return;
    matrix = matrix * columns.asDiagonal();
    if (rows != nullptr) matrix = rows->asDiagonal() * matrix;
  };
  scale(scaled.estimates, nullptr, sd);
  scale(scaled.loading_errors, nullptr, sd);
  scale(scaled.covariance_errors, &inverse, inverse);
  scale(scaled.coupling_errors, &inverse, sd);
  return scaled;
}

LinearScores score_linear(const LearnedLinear& learned, const LinearNetwork& truth) {
  assert(learned.network.n_observed() == truth.n_observed());
  const LearnedLinear scaled = canonical(learned);
  const LinearNetwork& found = scaled.network;
  const LinearNetwork wanted = truth.canonical();
  const Matching matching = match_columns(wanted.loadings(), found.loadings());
  LinearScores scores;
  scores.n_true_causes = wanted.n_causes();
  scores.n_learned_causes = found.n_causes();
  scores.partner = matching.partner;
  scores.sign = matching.sign;
  scores.cosine = matching.cosine;
  score_edges(wanted.loadings(), found.loadings(), matched_columns(found.loadings(), matching),
              scores);
  score_intervals(scaled, wanted.loadings(), matching, scores);
  scores.covariance_error = largest_difference(wanted.covariance(), found.covariance(), matching);
  scores.noise_error = largest(found.noise() - wanted.noise());
  if (wanted.has_coupling() && found.has_coupling()) {
    score_coupling(wanted.coupling(), found.coupling(), matching, scores);
  }
  scores.level_errors = score_levels(wanted, found, matching);
  return scores;
}

}  // namespace orrery::linear
