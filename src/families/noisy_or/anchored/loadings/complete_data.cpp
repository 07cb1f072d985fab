#include "families/noisy_or/anchored/loadings/complete_data.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "data/bits.hpp"
#include "data/row_lists.hpp"
#include "families/noisy_or/anchored/loadings/loadings.hpp"
#include "learning/noisy_labels.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::anchored {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int most_newton_steps = 200;
/// Gain that a last step may promise, in units of the log-likelihood: its rounding.
constexpr double least_gain = 1e-14;
/// f below e^-40 is 0 to every digit of 1 - f.
constexpr double most_theta = 40;

double sum_of(std::span<const std::uint32_t> pattern, const VectorXd& theta) {
  double sum = 0;
  for (const std::uint32_t k : pattern) sum += theta[k];
  return sum;
}

double log_likelihood_at(const FamilyCounts& counts, const VectorXd& theta) {
  double sum = 0;
  for (std::size_t k = 0; k < counts.absent.size(); ++k) {
    // 0 times the infinity of a failure of 0 is 0.
    if (counts.absent[k] > 0) sum -= counts.absent[k] * theta[static_cast<Eigen::Index>(k)];
  }
  for (std::size_t p = 0; p < counts.n_patterns(); ++p) {
    sum += counts.weight[p] * std::log(-std::expm1(-sum_of(counts.pattern(p), theta)));
  }
  return sum;
}

struct Slope {
  VectorXd gradient;   // of the log-likelihood
  MatrixXd curvature;  // minus its second derivatives
};

Slope slope_at(const FamilyCounts& counts, const VectorXd& theta) {
  Slope slope{VectorXd::Zero(theta.size()), MatrixXd::Zero(theta.size(), theta.size())};
  for (Eigen::Index k = 0; k < theta.size(); ++k) {
    slope.gradient[k] = -counts.absent[static_cast<std::size_t>(k)];
  }
  for (std::size_t p = 0; p < counts.n_patterns(); ++p) {
    const auto pattern = counts.pattern(p);
    const double s = sum_of(pattern, theta);
    const double first = counts.weight[p] / std::expm1(s);
    const double second = first / -std::expm1(-s);
    for (const std::uint32_t i : pattern) {
      slope.gradient[i] += first;
      for (const std::uint32_t k : pattern) slope.curvature(i, k) += second;
    }
  }
  return slope;
}

/// At the edge, and pushed beyond it.
bool is_held(const VectorXd& theta, const Slope& slope, Eigen::Index k) {
  return (theta[k] <= 0 && slope.gradient[k] <= 0) ||
         (theta[k] >= most_theta && slope.gradient[k] >= 0);
}

/// Newton's step of those that are not held; 0 of the others.
VectorXd newton_step(const VectorXd& theta, const Slope& slope) {
  std::vector<Eigen::Index> loose;
  for (Eigen::Index k = 0; k < theta.size(); ++k) {
    if (!is_held(theta, slope, k)) loose.push_back(k);
  }
  VectorXd step = VectorXd::Zero(theta.size());
  if (loose.empty()) return step;
  MatrixXd curvature = slope.curvature(loose, loose);
  // Causes that are always on together have no curvature between them.
  curvature.diagonal().array() += 1e-12 * curvature.trace() + 1e-300;
  const VectorXd gradient = slope.gradient(loose);
  step(loose) = linalg::Ldlt(curvature).solve(gradient);
  return step;
}

VectorXd bounded(const VectorXd& theta) { return theta.cwiseMax(0).cwiseMin(most_theta); }

std::vector<double> errors_at(const FamilyCounts& counts, const VectorXd& theta) {
  const Slope slope = slope_at(counts, theta);
  std::vector<Eigen::Index> loose;
  for (Eigen::Index k = 0; k < theta.size(); ++k) {
    if (theta[k] > 0 && theta[k] < most_theta) loose.push_back(k);
  }
  std::vector<double> errors(static_cast<std::size_t>(theta.size()),
                             std::numeric_limits<double>::quiet_NaN());
  if (loose.empty()) return errors;
  const MatrixXd curvature = slope.curvature(loose, loose);
  const linalg::Ldlt factors(curvature);
  if (factors.reciprocal_condition() < 1e-12) return errors;
  const MatrixXd variance = factors.inverse();
  for (std::size_t i = 0; i < loose.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    // Of f = exp(-theta).
    errors[static_cast<std::size_t>(loose[i])] =
        std::exp(-theta[loose[i]]) * std::sqrt(variance(at, at));
  }
  return errors;
}

}  // namespace

FamilyCounts count_family(const data::BitPanels& rows, std::size_t observed,
                          const data::BitPanels& causes, std::span<const std::uint32_t> parents,
                          double pseudo_rows) {
  FamilyCounts counts;
  counts.absent.assign(parents.size() + 1, pseudo_rows);
  std::map<std::vector<std::uint32_t>, double> patterns;
  if (pseudo_rows > 0) patterns[{0}] = pseudo_rows;
  const std::size_t n = rows.n_rows();
  for (std::size_t w = 0; w < rows.n_words(); ++w) {
    const std::size_t left = n - 64 * w;
    const std::uint64_t all = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
    const std::uint64_t on = rows.word(observed, w);
    counts.absent[0] += std::popcount(all & ~on);
    for (std::size_t k = 0; k < parents.size(); ++k) {
      counts.absent[k + 1] += std::popcount(all & ~on & causes.word(parents[k], w));
    }
    data::for_each_bit(on, 0, [&](std::size_t bit) {
      std::vector<std::uint32_t> pattern{0};
      for (std::size_t k = 0; k < parents.size(); ++k) {
        if (((causes.word(parents[k], w) >> bit) & 1U) != 0) {
          pattern.push_back(static_cast<std::uint32_t>(k + 1));
        }
      }
      ++patterns[std::move(pattern)];
    });
  }
  for (const auto& [pattern, weight] : patterns) {
    counts.on.insert(counts.on.end(), pattern.begin(), pattern.end());
    counts.begin.push_back(counts.on.size());
    counts.weight.push_back(weight);
  }
  return counts;
}

double log_likelihood(const FamilyCounts& counts, std::span<const double> failures) {
  VectorXd theta(static_cast<Eigen::Index>(failures.size()));
  for (std::size_t k = 0; k < failures.size(); ++k) {
    theta[static_cast<Eigen::Index>(k)] = -std::log(failures[k]);
  }
  return log_likelihood_at(counts, theta);
}

std::vector<double> first_success_step(const FamilyCounts& counts,
                                       std::span<const double> failures) {
  std::vector<double> succeeded(failures.size(), 0);
  std::vector<double> tried = counts.absent;
  std::vector<double> first;
  for (std::size_t p = 0; p < counts.n_patterns(); ++p) {
    const auto pattern = counts.pattern(p);
    // Eq. (24): P(A_j = k), in proportion.
    first.clear();
    double none = 1, any = 0;
    for (const std::uint32_t k : pattern) {
      first.push_back(none * (1 - failures[k]));
      any += first.back();
      none *= failures[k];
    }
    if (any == 0) continue;
    double before = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      succeeded[pattern[i]] += counts.weight[p] * first[i] / any;
      tried[pattern[i]] += counts.weight[p] * (1 - before / any);
      before += first[i];
    }
  }
  std::vector<double> next(failures.begin(), failures.end());
  for (std::size_t k = 0; k < next.size(); ++k) {
    if (tried[k] > 0) next[k] = std::max(0.0, 1 - succeeded[k] / tried[k]);  // Eq. (25)
  }
  return next;
}

FamilyFit maximise(const FamilyCounts& counts, std::span<const double> failures) {
  VectorXd theta(static_cast<Eigen::Index>(failures.size()));
  for (std::size_t k = 0; k < failures.size(); ++k) {
    theta[static_cast<Eigen::Index>(k)] = std::clamp(-std::log(failures[k]), 1e-6, most_theta);
  }
  double value = log_likelihood_at(counts, theta);
  FamilyFit fit;
  fit.converged = false;
  for (int step = 0; step < most_newton_steps && !fit.converged; ++step) {
    const Slope slope = slope_at(counts, theta);
    const VectorXd direction = newton_step(theta, slope);
    VectorXd next = theta;
    double next_value = -std::numeric_limits<double>::infinity();
    // Steps from near the top do not show in the sum for its rounding. Where parents are always on
    // together the top is a ridge: it is the gain that ends, not the step.
    const double rounding = 10 * least_gain * (1 + std::abs(value));
    fit.converged = slope.gradient.dot(direction) <= rounding / 10;
    double share = 1;
    for (; share > 1e-12; share /= 2) {
      next = bounded(theta + share * direction);
      next_value = log_likelihood_at(counts, next);
      if (next_value >= value + 1e-4 * slope.gradient.dot(next - theta) - rounding) break;
    }
    if (share <= 1e-12) break;
    theta = next;
    value = next_value;
  }
  for (Eigen::Index k = 0; k < theta.size(); ++k) {
    fit.failures.push_back(theta[k] >= most_theta ? 0 : std::exp(-theta[k]));
  }
  fit.errors = errors_at(counts, theta);
  return fit;
}

// ------------------------------------------------------------- every variable, all causes known

namespace {

/// A unit's numbers: by cause a failure and its error, then the leak's, then these.
std::size_t unit_size(std::size_t n_causes) { return 2 * (n_causes + 1) + 2; }

/// Errors that are not known travel as -1: shared values are sums over ranks.
double packed(double error) { return std::isnan(error) ? -1 : error; }
double unpacked(double error) {
  return error < 0 ? std::numeric_limits<double>::quiet_NaN() : error;
}

/// The causes of each variable; rising.
std::vector<std::vector<std::uint32_t>> parents_of(const model::NoisyOrNetwork& loadings) {
  std::vector<std::vector<std::uint32_t>> parents(loadings.n_observed());
  for (const model::Edge& edge : loadings.edges()) parents[edge.observed].push_back(edge.cause);
  return parents;
}

}  // namespace

KnownFit fit_known_causes(const learning::Workers& workers, const model::NoisyOrNetwork& start,
                          const data::BitPanels& rows, const data::BitPanels& causes,
                          double pseudo_rows, const char* stage) {
  const model::NoisyOrNetwork& loadings = start;
  const std::size_t n = loadings.n_causes();
  const std::size_t size = unit_size(n);
  const auto parents = parents_of(loadings);
  const auto fits = learning::unit_values(
      workers, {stage, "variables", loadings.n_observed(), size},
      [&](std::uint64_t j, int /*thread*/, std::span<double> values) {
        const FamilyCounts counts = count_family(rows, j, causes, parents[j], pseudo_rows);
        const FamilyFit fit = maximise(counts, std::vector<double>(parents[j].size() + 1, .5));
        for (std::size_t k = 0; k < parents[j].size(); ++k) {
          values[2 * parents[j][k]] = fit.failures[k + 1];
          values[2 * parents[j][k] + 1] = packed(fit.errors[k + 1]);
        }
        values[2 * n] = 1 - fit.failures[0];
        values[2 * n + 1] = packed(fit.errors[0]);
        values[2 * n + 2] =
            log_likelihood(count_family(rows, j, causes, parents[j], 0), fit.failures);
        values[2 * n + 3] = fit.converged ? 0 : 1;
      });

  KnownFit result;
  auto observed = loadings.observed();
  std::vector<model::Edge> edges;
  for (std::size_t j = 0; j < observed.size(); ++j) {
    const double* of = fits.data() + j * size;
    observed[j].leak = of[2 * n];
    result.errors.leak.push_back(unpacked(of[2 * n + 1]));
    result.fit += of[2 * n + 2] / static_cast<double>(rows.n_rows());
    result.n_unfinished += of[2 * n + 3] == 0 ? 0 : 1;
  }
  // In the order of the network's edges; those that fail always are none.
  for (model::Edge edge : loadings.edges()) {
    const double* of = fits.data() + edge.observed * size + 2 * std::size_t{edge.cause};
    if (of[0] == 1) continue;
    edge.failure = of[0];
    edges.push_back(edge);
    result.errors.failure.push_back(unpacked(of[1]));
  }
  result.errors.prior.assign(n, 0);
  result.loadings = {loadings.causes(), std::move(observed), std::move(edges)};
  return result;
}

// Labels of all rows.

namespace {

constexpr double start_failure = .9;
constexpr double start_leak = .05;
constexpr double pseudo_rows = .5;

std::vector<bool> anchors_of(const Observations& observed) {
  std::vector<bool> is_anchor(observed.n_observed(), false);
  for (const model::Anchor& anchor : observed.anchors) is_anchor[anchor.observed] = true;
  return is_anchor;
}

/// These edges; anchors have none, as their rates are known.
model::NoisyOrNetwork with_edges(const Observations& observed, const std::vector<CauseView>& views,
                                 const std::vector<std::vector<std::uint32_t>>& causes_of) {
  std::vector<model::Cause> causes;
  for (std::size_t i = 0; i < observed.n_causes(); ++i) {
    causes.push_back({observed.causes[i], views.front().sums->on()[i]});
  }
  std::vector<model::Observed> variables;
  std::vector<model::Edge> edges;
  for (std::uint32_t j = 0; j < observed.n_observed(); ++j) {
    variables.push_back({observed.names[j], start_leak});
    for (const std::uint32_t i : causes_of[j]) edges.push_back({i, j, start_failure});
  }
  return {model::NoisyOrNetwork(std::move(causes), std::move(variables), std::move(edges)),
          views.front().sums->network(),
          {}};
}

}  // namespace

Labels impute_labels(const learning::Workers& workers, const Observations& observed,
                     const NoiseRates& noise, const std::vector<std::size_t>& mains,
                     std::uint64_t seed) {
  std::vector<learning::NoisyLabel> labels;
  for (std::size_t cause = 0; cause < mains.size(); ++cause) {
    learning::NoisyLabel label;
    label.column = observed.anchors[mains[cause]].observed;
    label.off = noise.rates[mains[cause]].off;
    label.on = noise.rates[mains[cause]].on;
    for (const std::size_t other : observed.anchors_of(cause)) {
      label.left_out.push_back(observed.anchors[other].observed);
    }
    std::ranges::sort(label.left_out);
    labels.push_back(std::move(label));
  }
  const data::RowLists rows(observed.values, workers.threads);
  const auto classifiers =
      learning::train_noisy_labels(workers, rows, observed.n_observed(), labels);
  Labels imputed{"imputed labels",
                 learning::impute_causes(classifiers, rows, seed, workers.threads),
                 data::BitPanels(mains.size(), static_cast<std::size_t>(observed.n_samples))};
  imputed.known = every_row_on(mains.size(), static_cast<std::size_t>(observed.n_samples));
  return imputed;
}

AllLoadings fit_labelled(const learning::Workers& workers, const Observations& observed,
                         const std::vector<CauseView>& views, double alpha) {
  const std::size_t n = observed.n_causes();
  const std::size_t m = observed.n_observed();
  const std::vector<bool> is_anchor = anchors_of(observed);
  std::vector<std::vector<std::uint32_t>> causes_of(m);
  for (std::size_t j = 0; j < m; ++j) {
    for (std::uint32_t i = 0; i < n && !is_anchor[j]; ++i) causes_of[j].push_back(i);
  }
  AllLoadings loadings;
  KnownFit fit;
  for (const bool again : {false, true}) {
    fit = fit_known_causes(workers, with_edges(observed, views, causes_of), observed.values,
                           observed.labels->values, pseudo_rows,
                           again ? "kept_loadings" : "loadings");
    if (again) break;
    std::vector<double> values(2 * n * m, 0);
    for (std::size_t v = 0; v < values.size(); v += 2) values[v] = 1;  // no edge
    for (std::size_t e = 0; e < fit.loadings.edges().size(); ++e) {
      const model::Edge& edge = fit.loadings.edges()[e];
      values[2 * (edge.observed * n + edge.cause)] = edge.failure;
      values[2 * (edge.observed * n + edge.cause) + 1] = fit.errors.failure[e];
    }
    causes_of = significant_edges(values, m, n, observed, alpha);
  }
  loadings.variables.resize(m);
  for (std::size_t j = 0; j < m; ++j) {
    loadings.variables[j].leak = is_anchor[j] ? 0 : fit.loadings.observed()[j].leak;
    loadings.variables[j].leak_error = is_anchor[j] ? 0 : fit.errors.leak[j];
  }
  for (std::size_t e = 0; e < fit.loadings.edges().size(); ++e) {
    const model::Edge& edge = fit.loadings.edges()[e];
    loadings.variables[edge.observed].edges.push_back(
        {edge.cause, edge.failure, fit.errors.failure[e]});
  }
  return loadings;
}

}  // namespace orrery::anchored
