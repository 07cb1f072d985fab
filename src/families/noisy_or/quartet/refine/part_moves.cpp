// Moves of causes that stand for several.
//
// Splits: where one learned cause stands for two, its children depend more than it says within the
// two parts, less across: the leading eigenvector of the residual z-scores tells them apart.
// Children of both depend on the others as it says: their component is near 0, and both parts get
// them. Under noise alone the leading eigenvalue of k children is near 2 sqrt(k) (Wigner's
// semicircle). While some of the rows are looked at only, the z-scores are taken as if they were of
// those rows: what parameters of few rows leave is noise that all rows would take for dependence.
//
// Hidden parts: what hides behind a cause, or behind the leaks, is uncovered in the rows attributed
// to it (signatures/hidden_causes.hpp).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "families/noisy_or/quartet/calibrated/calibration.hpp"
#include "families/noisy_or/quartet/refine/moves.hpp"
#include "families/noisy_or/quartet/refine/network_edits.hpp"
#include "families/noisy_or/quartet/signatures/hidden_causes.hpp"
#include "families/noisy_or/quartet/signatures/sparse_expectation.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::quartet {
namespace {

struct CauseSplit {
  double excess;  // of the leading eigenvalue, times what noise alone has
  std::size_t cause;
  std::array<std::vector<double>, 2> failures;  // m values each, 1 where there is no edge
};

/// Of all pairs of the children; 0 on the diagonal.
Eigen::MatrixXd residual_z(const Calibration& calibration, std::span<const model::Edge> children) {
  const auto k = static_cast<Eigen::Index>(children.size());
  Eigen::MatrixXd z = Eigen::MatrixXd::Zero(k, k);
  for (Eigen::Index i = 0; i < k; ++i) {
    for (Eigen::Index j = 0; j < i; ++j) {
      const double value = calibration.pair_z(children[static_cast<std::size_t>(j)].observed,
                                              children[static_cast<std::size_t>(i)].observed);
      z(i, j) = z(j, i) = std::clamp(value, -20.0, 20.0);
    }
  }
  return z;
}

std::vector<CauseSplit> promising_splits(const Refinement& refinement) {
  const model::NoisyOrNetwork& network = refinement.fit.network;
  const moments::Subtraction learned = subtraction_of(network, {});
  const Calibration calibration(refinement.context.moments, learned, refinement.alpha);
  const double share_of_rows = static_cast<double>(refinement.rows.n_rows()) /
                               static_cast<double>(refinement.context.rows->n_rows());
  std::vector<CauseSplit> splits;
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    const auto children = network.children(u);
    if (children.size() < 2 * constants::refinement::least_children || refinement.is_fixed(u)) {
      continue;
    }
    const linalg::Spectrum spectrum = linalg::spectrum_of(residual_z(calibration, children));
    const auto last = static_cast<Eigen::Index>(children.size()) - 1;
    const double noise = 2 * std::sqrt(static_cast<double>(children.size()));
    CauseSplit split{std::sqrt(share_of_rows) * spectrum.values(last) / noise, u, {}};
    for (auto& part : split.failures) part.assign(network.n_observed(), 1);
    std::array<std::size_t, 2> n{};
    for (std::size_t i = 0; i < children.size(); ++i) {
      const double side = spectrum.vectors(static_cast<Eigen::Index>(i), last);
      const bool both = std::abs(side) <
                        constants::refinement::undecided / std::sqrt(static_cast<double>(last + 1));
      for (const std::size_t part : {0U, 1U}) {
        if (!both && (part == 0) != (side > 0)) continue;
        ++n[part];
        split.failures[part][children[i].observed] = constants::refinement::split_failure;
      }
    }
    if (split.excess > constants::refinement::least_excess &&
        std::min(n[0], n[1]) >= constants::refinement::least_children) {
      splits.push_back(std::move(split));
    }
  }
  std::ranges::sort(splits, [](const CauseSplit& a, const CauseSplit& b) {
    return std::pair(-a.excess, a.cause) < std::pair(-b.excess, b.cause);
  });
  if (splits.size() > constants::refinement::most_splits) {
    splits.resize(constants::refinement::most_splits);
  }
  return splits;
}

bool try_split(Refinement& refinement, const CauseSplit& split) {
  model::NoisyOrNetwork network = without(refinement.fit.network, split.cause);
  const model::Cause& whole = refinement.fit.network.causes()[split.cause];
  for (const std::vector<double>& failures : split.failures) {
    const std::string name = refinement.names.fresh("split");
    refinement.names.copy_origin(name, whole.name);
    network =
        with(network, {name, constants::refinement::split_prior_share * whole.prior}, failures);
  }
  return try_network(refinement, "split", {split.cause}, std::move(network));
}

}  // namespace

void split_causes(Refinement& refinement) {
  for (const CauseSplit& split : promising_splits(refinement)) {
    if (try_split(refinement, split)) return;
  }
}

namespace {

bool try_part(Refinement& refinement, const model::Cause& whole, const Part& part, int depth) {
  const model::NoisyOrNetwork& network = refinement.fit.network;
  const auto& causes = network.causes();
  const auto now = std::ranges::find(causes, whole.name, &model::Cause::name);
  if (now == causes.end()) return false;
  const auto u = static_cast<std::size_t>(now - causes.begin());
  if (refinement.is_fixed(u)) return false;
  const auto m = network.n_observed();
  model::Cause cause = refinement.names.name(part.cause, depth);
  cause.prior = part.cause.prior * whole.prior;
  std::vector<double> failures(m);
  std::vector<double> rest(m);
  for (std::size_t a = 0; a < m; ++a) {
    failures[a] = part.cause.failures[a] < 1 ? std::clamp(part.cause.failures[a], .01, .98) : 1;
    rest[a] = part.rest[a] < 1 ? std::clamp(part.rest[a], .01, .98) : 1;
  }
  const model::Cause other{whole.name, whole.prior - cause.prior};
  return try_network(refinement, "part", {u},
                     with(with(without(network, u), other, rest), cause, failures));
}

}  // namespace

bool uncover_parts(Refinement& refinement, int depth) {
  if (refinement.fit.network.n_causes() == 0) return false;
  const std::uint64_t n_thinned =
      refinement.rows.n_rows() / constants::refinement::most_rows_attributed;
  const learning::RowPass rows = refinement.rows.thinned(std::max<std::uint64_t>(n_thinned, 1));
  const std::vector<Attribution> attributed = attribute(rows, refinement.fit.network);
  // A copy: trials replace the fit.
  const std::vector<model::Cause> causes = refinement.fit.network.causes();
  bool any = false;
  for (const Part& part :
       find_parts(refinement.context, attributed, causes.size(), refinement.penalty.cause)) {
    if (part.by_pairs) continue;  // leaking_together has found and offered these
    if (part.behind == causes.size()) {
      any = try_cause(refinement, part.cause, depth) || any;
      continue;
    }
    any = try_part(refinement, causes[part.behind], part, depth) || any;
  }
  return any;
}

}  // namespace orrery::quartet
