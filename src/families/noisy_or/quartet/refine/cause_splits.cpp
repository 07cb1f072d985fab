// Refiner's splits: where one learned cause stands for two, its children depend more than it says
// within the two parts, less across: the leading eigenvector of the residual z-scores tells them
// apart. Children of both depend on the others as it says: their component is near 0, and both
// parts get them. Under noise alone the leading eigenvalue of k children is near 2 sqrt(k)
// (Wigner's semicircle).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "families/noisy_or/quartet/calibrated/calibration.hpp"
#include "families/noisy_or/quartet/refine/network_edits.hpp"
#include "families/noisy_or/quartet/refine/refine.hpp"
#include "families/noisy_or/quartet/signatures/cause_parts.hpp"
#include "families/noisy_or/quartet/signatures/sparse_expectation.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::quartet {
namespace {

constexpr double least_excess = 1.5;
constexpr double undecided = .5;  // of 1 / sqrt(k), the root mean square of the components
constexpr std::size_t most_trials = 4;

// Parts of causes show in fewer rows than a table may have.
constexpr std::uint64_t most_rows_attributed = 125'000;
constexpr double no_gain = std::numeric_limits<double>::infinity();

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

}  // namespace

struct Refiner::Split {
  double excess;  // of the leading eigenvalue, times what noise alone has
  std::size_t cause;
  std::array<std::vector<double>, 2> failures;  // m values each, 1 where there is no edge
};

std::vector<Refiner::Split> Refiner::promising_splits() const {
  const moments::Subtraction learned = subtraction_of(fit_.network, {});
  const Calibration calibration(context_.moments, learned, alpha_);
  std::vector<Split> splits;
  for (std::size_t u = 0; u < fit_.network.n_causes(); ++u) {
    const auto children = fit_.network.children(u);
    if (children.size() < 2 * least_children || is_fixed(u)) continue;
    const linalg::Spectrum spectrum = linalg::spectrum_of(residual_z(calibration, children));
    const auto last = static_cast<Eigen::Index>(children.size()) - 1;
    const double noise = 2 * std::sqrt(static_cast<double>(children.size()));
    Split split{spectrum.values(last) / noise, u, {}};
    for (auto& part : split.failures) part.assign(fit_.network.n_observed(), 1);
    std::array<std::size_t, 2> n{};
    for (std::size_t i = 0; i < children.size(); ++i) {
      const double side = spectrum.vectors(static_cast<Eigen::Index>(i), last);
      const bool both = std::abs(side) < undecided / std::sqrt(static_cast<double>(last + 1));
      for (const std::size_t part : {0U, 1U}) {
        if (!both && (part == 0) != (side > 0)) continue;
        ++n[part];
        split.failures[part][children[i].observed] = .2;
      }
    }
    if (split.excess > least_excess && std::min(n[0], n[1]) >= least_children) {
      splits.push_back(std::move(split));
    }
  }
  std::ranges::sort(splits, [](const Split& a, const Split& b) {
    return std::pair(-a.excess, a.cause) < std::pair(-b.excess, b.cause);
  });
  if (splits.size() > most_trials) splits.resize(most_trials);
  return splits;
}

bool Refiner::try_split(const Split& split) {
  model::NoisyOrNetwork network = without(fit_.network, split.cause);
  const model::Cause& whole = fit_.network.causes()[split.cause];
  for (const std::vector<double>& failures : split.failures) {
    const std::string name = fresh_name("split");
    origin_[name] = origin_[whole.name];
    network = with(network, {name, .6 * whole.prior}, failures);
  }
  return try_network("split", {split.cause}, std::move(network));
}

void Refiner::split_causes() {
  for (const Split& split : promising_splits()) {
    if (try_split(split)) return;
  }
}

bool Refiner::uncover_parts(int depth) {
  if (fit_.network.n_causes() == 0) return false;
  const learning::RowPass rows =
      rows_.thinned(std::max<std::uint64_t>(rows_.n_rows() / most_rows_attributed, 1));
  const SparseExpectation found = expect_sparse(rows, fit_.network, Missing::find, no_gain);
  const std::vector<model::Cause> causes = fit_.network.causes();  // a copy: trials replace fit_
  bool any = false;
  for (const Part& part : find_parts(context_, found.attributed, causes.size(), penalty_.cause)) {
    if (part.behind == causes.size()) {
      any = try_cause(part.cause, depth) || any;
      continue;
    }
    any = try_part(causes[part.behind], part, depth) || any;
  }
  return any;
}

bool Refiner::try_part(const model::Cause& whole, const Part& part, int depth) {
  const auto& causes = fit_.network.causes();
  const auto now = std::ranges::find(causes, whole.name, &model::Cause::name);
  if (now == causes.end() || is_fixed(static_cast<std::size_t>(now - causes.begin()))) return false;
  const auto u = static_cast<std::size_t>(now - causes.begin());
  const auto m = fit_.network.n_observed();
  model::Cause cause = name_cause(part.cause, depth);
  cause.prior = part.cause.prior * whole.prior;
  std::vector<double> failures(m);
  std::vector<double> rest(m);
  for (std::size_t a = 0; a < m; ++a) {
    failures[a] = part.cause.failures[a] < 1 ? std::clamp(part.cause.failures[a], .01, .98) : 1;
    rest[a] = part.rest[a] < 1 ? std::clamp(part.rest[a], .01, .98) : 1;
  }
  const model::Cause other{whole.name, whole.prior - cause.prior};
  return try_network("part", {u},
                     with(with(without(fit_.network, u), other, rest), cause, failures));
}

}  // namespace orrery::quartet
