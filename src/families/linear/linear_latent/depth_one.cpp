#include "families/linear/linear_latent/depth_one.hpp"

#include <Eigen/Jacobi>
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/assign.hpp"
#include "base/random.hpp"
#include "families/linear/linear_latent/moment_set.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int n_thetas = 16;
constexpr int most_sweeps = 100;
constexpr double turned = 1e-14;       // an angle that is not worth turning
constexpr double cumulant_errors = 3;  // standard errors of a cumulant that is not 0
constexpr double least_cumulant = 1e-6;

MatrixXd contraction(const Tensor& tensor, const VectorXd& theta) {
  MatrixXd sum = MatrixXd::Zero(tensor[0].rows(), tensor[0].rows());
  for (Index c = 0; c < theta.size(); ++c) sum += theta[c] * tensor[static_cast<std::size_t>(c)];
  return sum;
}

/// Least distance of two eigenvalues, over the largest one.
double gap(const VectorXd& rising) {
  double least = 1;
  const double largest = rising.cwiseAbs().maxCoeff();
  for (Index i = 1; i < rising.size(); ++i) {
    least = std::min(least, (rising[i] - rising[i - 1]) / std::max(largest, 1e-300));
  }
  return least;
}

/// Step 1's start: theta is uniform on a cube.
MatrixXd eigenvectors_for_theta(const Tensor& whitened, std::uint64_t seed) {
  const Index k = whitened[0].rows();
  MatrixXd best = MatrixXd::Identity(k, k);
  double widest = -1;
  RowRandom random(seed, Stream::restart, std::uint64_t{1} << 33U);
  for (int draw = 0; draw < n_thetas; ++draw) {
    VectorXd theta(static_cast<Index>(whitened.size()));
    for (double& entry : theta) entry = 2 * random.uniform() - 1;
    linalg::Spectrum spectrum = linalg::spectrum_of(contraction(whitened, theta));
    const double distance = gap(spectrum.values);
    if (distance <= widest) continue;
    widest = distance;
    best = std::move(spectrum.vectors);
  }
  return best;
}

/// V of all rows or without a group; T is whitened by that E[hh^T].
struct Turned {
  MatrixXd vectors;
  VectorXd cumulants;  // T(v_j, v_j, v_j), or the same of fourth cumulants
  MatrixXd whitening;  // W = E[hh^T]^-1/2, symmetric
};
Turned turn(const MatrixXd& covariance, const Tensor& tensor, const MatrixXd* start,
            std::uint64_t seed) {
  Turned result{{}, {}, linalg::inverse_root_of(covariance)};
  const Tensor whitened = transformed(tensor, result.whitening);
  result.vectors = jointly_diagonal(
      whitened, start != nullptr ? *start : eigenvectors_for_theta(whitened, seed));
  result.cumulants.resize(result.vectors.cols());
  for (Index j = 0; j < result.vectors.cols(); ++j) {
    const VectorXd v = result.vectors.col(j);
    result.cumulants[j] = v.dot(contraction(whitened, v) * v);
  }
  return result;
}

/// The same of fourth cumulants. A slice is whitened on the sides of its matrix alone: what it is
/// along its pair of directions stays, as a weight of each column of W^-1 V.
Turned turn(const MatrixXd& covariance, const Tensor& slices, const Directions& directions,
            const MatrixXd* start, std::uint64_t seed) {
  Turned result{{}, {}, linalg::inverse_root_of(covariance)};
  Tensor whitened;
  for (const MatrixXd& slice : slices) {
    whitened.emplace_back(result.whitening * slice * result.whitening);
  }
  result.vectors = jointly_diagonal(
      whitened, start != nullptr ? *start : eigenvectors_for_theta(whitened, seed));
  const MatrixXd mixing = covariance * result.whitening * result.vectors;
  VectorXd products = VectorXd::Zero(mixing.cols());
  VectorXd squares = VectorXd::Zero(mixing.cols());
  for (Index r = 0; r < directions.size(); ++r) {
    const VectorXd weights = weights_along(directions, r, mixing);
    const MatrixXd seen = whitened[static_cast<std::size_t>(r)] * result.vectors;
    products += weights.cwiseProduct(result.vectors.cwiseProduct(seen).colwise().sum().transpose());
    squares += weights.cwiseAbs2();
  }
  result.cumulants = products.cwiseQuotient(squares);
  return result;
}

/// Steps 2: column of V for each cause, by the largest product of the diagonal of mixing^-1.
std::vector<Index> columns_of_causes(const MatrixXd& unmixing) {
  const Index k = unmixing.rows();
  std::vector<double> cost;
  for (Index cause = 0; cause < k; ++cause) {
    for (Index column = 0; column < k; ++column) {
      const double row = unmixing.row(column).norm();
      cost.push_back(-std::log(std::max(std::abs(unmixing(column, cause)) / row, 1e-300)));
    }
  }
  std::vector<Index> columns;
  for (const std::size_t column :
       assign(cost, static_cast<std::size_t>(k), static_cast<std::size_t>(k))) {
    columns.push_back(static_cast<Index>(column));
  }
  return columns;
}

/// I - Lambda up to noise: rows of mixing^-1 with 1 on the diagonal.
MatrixXd lambda_by_cumulants(const MatrixXd& unmixing, const std::vector<Index>& columns) {
  const Index k = unmixing.rows();
  MatrixXd lambda = MatrixXd::Identity(k, k);
  for (Index i = 0; i < k; ++i) {
    const auto row = unmixing.row(columns[static_cast<std::size_t>(i)]);
    lambda.row(i) -= row / row[i];
  }
  return lambda;
}

/// Step 3. Between equals the lower number.
std::vector<Index> causal_order(const MatrixXd& lambda, const MatrixXd& errors, double& misfit) {
  const Index k = lambda.rows();
  std::vector<Index> left;
  for (Index i = 0; i < k; ++i) left.push_back(i);
  std::vector<Index> order;
  misfit = 0;
  while (!left.empty()) {
    std::size_t next = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t x = 0; x < left.size(); ++x) {
      double sum = 0;
      for (const Index j : left) {
        const double error = errors.size() > 0 ? errors(left[x], j) : 1;
        if (j != left[x]) sum += std::pow(lambda(left[x], j) / error, 2);
      }
      if (sum < least) {
        least = sum;
        next = x;
      }
    }
    misfit += least;
    order.push_back(left[next]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(next));
  }
  return order;
}

/// Step 4: regressions on these parents.
using Parents = std::vector<std::vector<Index>>;
MatrixXd regressions(const MatrixXd& covariance, const Parents& parents) {
  const Index k = covariance.rows();
  MatrixXd lambda = MatrixXd::Zero(k, k);
  for (Index j = 0; j < k; ++j) {
    const auto& own = parents[static_cast<std::size_t>(j)];
    if (own.empty()) continue;
    const VectorXd right = covariance.col(j)(own);
    const VectorXd solution = linalg::solve_by_full_pivoting(covariance(own, own), right);
    for (std::size_t i = 0; i < own.size(); ++i) {
      lambda(j, own[i]) = solution[static_cast<Index>(i)];
    }
  }
  return lambda;
}

MatrixXd regression_errors(const Loadings& loadings, const Parents& parents) {
  std::vector<MatrixXd> without;
  for (const MatrixXd& covariance : loadings.covariance_without) {
    without.push_back(regressions(covariance, parents));
  }
  return jackknife_errors(without);
}

void fit_in_order(const Loadings& loadings, double alpha, Coupling& coupling) {
  const Index k = loadings.covariance.rows();
  Parents parents(static_cast<std::size_t>(k));
  std::vector<Index> before;
  for (const Index j : coupling.order) {
    parents[static_cast<std::size_t>(j)] = before;
    before.push_back(j);
  }
  const double tests = std::max(1.0, static_cast<double>(k * (k - 1)) / 2);
  const MatrixXd first = regressions(loadings.covariance, parents);
  const MatrixXd errors = regression_errors(loadings, parents);
  for (Index j = 0; j < k; ++j) {
    std::erase_if(parents[static_cast<std::size_t>(j)], [&](Index i) {
      return !is_significant(first(j, i), errors.size() > 0 ? errors(j, i) : 0, alpha, tests);
    });
  }
  coupling.lambda = regressions(loadings.covariance, parents);
  coupling.errors = regression_errors(loadings, parents);
  coupling.innovation.resize(k);
  for (Index j = 0; j < k; ++j) {
    coupling.innovation[j] =
        loadings.covariance(j, j) - coupling.lambda.row(j).dot(loadings.covariance.col(j));
  }
}

}  // namespace

MatrixXd jointly_diagonal(const Tensor& slices, const MatrixXd& start) {
  const Index k = start.rows();
  MatrixXd vectors = start;
  Tensor turning;
  for (const MatrixXd& slice : slices) {
    turning.emplace_back(vectors.transpose() * slice * vectors);
  }
  bool moved = true;
  for (int sweep = 0; moved && sweep < most_sweeps; ++sweep) {
    moved = false;
    for (Index p = 0; p < k; ++p) {
      for (Index q = p + 1; q < k; ++q) {
        double on = 0;
        double off = 0;
        for (const MatrixXd& slice : turning) {
          const double difference = slice(p, p) - slice(q, q);
          const double twice = 2 * slice(p, q);
          on += difference * difference - twice * twice;
          off += 2 * difference * twice;
        }
        const double angle = .5 * std::atan2(off, on + std::hypot(on, off));
        if (std::abs(angle) < turned) continue;
        moved = moved || std::abs(angle) > 1e-12;
        const Eigen::JacobiRotation<double> rotation(std::cos(angle), -std::sin(angle));
        for (MatrixXd& slice : turning) {
          slice.applyOnTheLeft(p, q, rotation.adjoint());
          slice.applyOnTheRight(p, q, rotation);
        }
        vectors.applyOnTheRight(p, q, rotation);
      }
    }
  }
  return vectors;
}

namespace {

/// V of all rows, and without each group.
struct AllTurned {
  Turned full;
  std::vector<Turned> without;
};

double median_of(VectorXd values) {
  const Index middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + middle, values.end());
  return values[middle];
}

/// Standard errors that a few groups with far outliers do not decide, from the median of the
/// distances to the median (1.4826 of which are a standard deviation of the normal law). Fourth
/// cumulants of heavy tails have hardly any others; where there is no kurtosis, which is what they
/// are held against, the groups' are normal.
VectorXd errors_by_medians(const std::vector<VectorXd>& without) {
  if (without.empty()) return {};
  const auto groups = static_cast<double>(without.size());
  VectorXd errors(without[0].size());
  for (Index i = 0; i < errors.size(); ++i) {
    VectorXd values(static_cast<Index>(without.size()));
    for (std::size_t g = 0; g < without.size(); ++g) values[static_cast<Index>(g)] = without[g][i];
    const double centre = median_of(values);
    errors[i] = 1.4826 * median_of((values.array() - centre).abs().matrix()) * (groups - 1) /
                std::sqrt(groups);
  }
  return errors;
}

/// Steps 2 to 4. With `odd` the cumulant of eta changes its sign with it.
Coupling coupling_from(const Loadings& loadings, const AllTurned& all, bool odd, double alpha) {
  // mixing = E[hh^T]^1/2 V, so its inverse is V^T W.
  const MatrixXd unmixing = all.full.vectors.transpose() * all.full.whitening;
  const std::vector<Index> columns = columns_of_causes(unmixing);
  std::vector<MatrixXd> lambdas;
  std::vector<VectorXd> cumulants;
  for (const Turned& one : all.without) {
    lambdas.push_back(lambda_by_cumulants(one.vectors.transpose() * one.whitening, columns));
    cumulants.emplace_back(one.cumulants(columns));
  }
  Coupling coupling;
  coupling.cumulants = all.full.cumulants(columns);
  coupling.cumulant_errors = odd ? jackknife_errors(cumulants) : errors_by_medians(cumulants);
  // The sign of eta is that of its cause.
  for (Index i = 0; odd && i < coupling.cumulants.size(); ++i) {
    if (unmixing(columns[static_cast<std::size_t>(i)], i) < 0) coupling.cumulants[i] *= -1;
  }
  coupling.order = causal_order(lambda_by_cumulants(unmixing, columns), jackknife_errors(lambdas),
                                coupling.misfit);
  fit_in_order(loadings, alpha, coupling);
  return coupling;
}

}  // namespace

Coupling find_coupling(const Loadings& loadings, const ThirdMomentSet& third, double alpha,
                       std::uint64_t seed) {
  AllTurned all{turn(loadings.covariance, third.full, nullptr, seed), {}};
  all.without.resize(third.without.size());
  // Without a group the whitened space is turned a little: V goes along, by what it is in h.
#pragma omp parallel for schedule(dynamic) default(shared)
  for (std::size_t g = 0; g < third.without.size(); ++g) {
    all.without[g] =
        turn(loadings.covariance_without[g], third.without[g], &all.full.vectors, seed);
  }
  return coupling_from(loadings, all, true, alpha);
}

Coupling find_coupling(const Loadings& loadings, const FourthCumulantSet& fourth, double alpha,
                       std::uint64_t seed) {
  AllTurned all{turn(loadings.covariance, fourth.full, fourth.directions, nullptr, seed), {}};
  all.without.resize(fourth.without.size());
#pragma omp parallel for schedule(dynamic) default(shared)
  for (std::size_t g = 0; g < fourth.without.size(); ++g) {
    all.without[g] = turn(loadings.covariance_without[g], fourth.without[g],
                          fourth.directions_without[g], &all.full.vectors, seed);
  }
  return coupling_from(loadings, all, false, alpha);
}

std::vector<Index> without_cumulant(const Coupling& coupling) {
  std::vector<Index> plain;
  for (Index i = 0; i < coupling.cumulants.size(); ++i) {
    const double least =
        coupling.cumulant_errors.size() > 0
            ? std::max(least_cumulant, cumulant_errors * coupling.cumulant_errors[i])
            : least_cumulant;
    if (std::abs(coupling.cumulants[i]) < least) plain.push_back(i);
  }
  return plain;
}

}  // namespace orrery::linear_latent
