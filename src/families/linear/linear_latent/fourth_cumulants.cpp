#include <utility>

#include "base/random.hpp"
#include "families/linear/linear_latent/cause_sums.hpp"
#include "families/linear/linear_latent/depth_one.hpp"
#include "families/linear/network/moments.hpp"
#include "linalg/decompositions.hpp"
#include "orrery/model/linear_network.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A pair a few times over: one alone can have a cause's weight near 0.
Index n_directions_of(Index k) { return std::max<Index>(2 * k, 8); }

/// E of products of two variables a, b and of t and u, as they are.
struct Products {
  double a, b, t, u;
  double ab, at, au, bt, bu, tu;
  double abt, abu, atu, btu;
  double abtu;
};

/// Their fourth cumulant, whatever their means are.
double cumulant(const Products& e) {
  const double threes = e.a * e.btu + e.b * e.atu + e.t * e.abu + e.u * e.abt;
  const double twos = e.ab * e.tu + e.at * e.bu + e.au * e.bt;
  const double means = e.ab * e.t * e.u + e.at * e.b * e.u + e.au * e.b * e.t + e.bt * e.a * e.u +
                       e.bu * e.a * e.t + e.tu * e.a * e.b;
  return e.abtu - threes - twos + 2 * means - 6 * e.a * e.b * e.t * e.u;
}

/// What rows say, as means.
class Means {
 public:
  Means(const CauseLayout& layout, const VectorXd& sums)
      : layout_(layout), means_(sums / sums[0]), vv_(layout.k, layout.k) {
    Index pair = 0;
    for (Index b = 0; b < layout.k; ++b) {
      for (Index a = 0; a <= b; ++a, ++pair) vv_(a, b) = vv_(b, a) = means_[layout.vv() + pair];
    }
  }

  [[nodiscard]] auto v() const { return means_.segment(layout_.v(), layout_.k); }
  [[nodiscard]] const MatrixXd& vv() const { return vv_; }
  [[nodiscard]] auto z() const { return means_.segment(layout_.z(), layout_.n); }
  [[nodiscard]] auto zz() const { return means_.segment(layout_.zz(), layout_.n); }
  [[nodiscard]] MatrixXd zv() const { return matrix(layout_.zv(), layout_.n, layout_.k); }
  [[nodiscard]] MatrixXd zzv() const { return matrix(layout_.zzv(), layout_.n, layout_.k); }
  [[nodiscard]] MatrixXd ztu() const { return matrix(layout_.ztu(), layout_.n, directions()); }
  [[nodiscard]] MatrixXd zztu() const { return matrix(layout_.zztu(), layout_.n, directions()); }
  /// E[v v^T (w . v)].
  [[nodiscard]] MatrixXd vv_along(const VectorXd& w) const {
    return unpacked(matrix(layout_.vvv(), layout_.pairs(), layout_.k) * w);
  }
  [[nodiscard]] MatrixXd vvtu(Index r) const {
    return unpacked(means_.segment(layout_.vvtu() + r * layout_.pairs(), layout_.pairs()));
  }

 private:
  [[nodiscard]] Index directions() const { return layout_.n_directions; }
  [[nodiscard]] MatrixXd matrix(Index first, Index rows, Index columns) const {
    return Map<const MatrixXd>(means_.data() + first, rows, columns);
  }
  [[nodiscard]] MatrixXd unpacked(const VectorXd& pairs) const {
    MatrixXd full(layout_.k, layout_.k);
    Index pair = 0;
    for (Index b = 0; b < layout_.k; ++b) {
      for (Index a = 0; a <= b; ++a, ++pair) full(a, b) = full(b, a) = pairs[pair];
    }
    return full;
  }

  CauseLayout layout_;
  VectorXd means_;
  MatrixXd vv_;
};

/// What is the same for all pairs of variables seen along one pair of directions.
struct Along {
  double t, u, tu;
  VectorXd vt, vu, vtu;  // E[v t], E[v u], E[v t u]
  MatrixXd vvt, vvu;
};
Along along(const Means& means, const VectorXd& theta, const VectorXd& phi) {
  Along one;
  one.t = theta.dot(means.v());
  one.u = phi.dot(means.v());
  one.vt = means.vv() * theta;
  one.vu = means.vv() * phi;
  one.tu = phi.dot(one.vt);
  one.vvt = means.vv_along(theta);
  one.vvu = means.vv_along(phi);
  one.vtu = one.vvt * phi;
  return one;
}

/// cum(v, v, t_r, u_r) less the noise's part.
Tensor slices_from(const CauseLayout& layout, const VectorXd& sums, const Directions& directions,
                   const MatrixXd& loadings) {
  const Means means(layout, sums);
  const MatrixXd zv = means.zv();
  const MatrixXd zzv = means.zzv();
  const MatrixXd ztu = means.ztu();
  const MatrixXd zztu = means.zztu();
  const VectorXd v = means.v();
  Tensor raw;
  MatrixXd squares(layout.n, directions.size());  // cum(z_i, z_i, t_r, u_r)
  for (Index r = 0; r < directions.size(); ++r) {
    const VectorXd theta = directions.theta.col(r);
    const VectorXd phi = directions.phi.col(r);
    const Along e = along(means, theta, phi);
    const MatrixXd vvtu = means.vvtu(r);
    MatrixXd slice(layout.k, layout.k);
    for (Index b = 0; b < layout.k; ++b) {
      for (Index a = 0; a <= b; ++a) {
        slice(a, b) = slice(b, a) =
            cumulant({v[a], v[b], e.t, e.u, means.vv()(a, b), e.vt[a], e.vu[a], e.vt[b], e.vu[b],
                      e.tu, e.vvt(a, b), e.vvu(a, b), e.vtu[a], e.vtu[b], vvtu(a, b)});
      }
    }
    raw.push_back(std::move(slice));
    const VectorXd zt = zv * theta;
    const VectorXd zu = zv * phi;
    const VectorXd zzt = zzv * theta;
    const VectorXd zzu = zzv * phi;
    for (Index i = 0; i < layout.n; ++i) {
      const double z = means.z()[i];
      squares(i, r) = cumulant({z, z, e.t, e.u, means.zz()[i], zt[i], zu[i], zt[i], zu[i], e.tu,
                                zzt[i], zzu[i], ztu(i, r), ztu(i, r), zztu(i, r)});
    }
  }
  return without_noise_along(raw, squares, loadings, directions);
}

FourthCumulantSet of_network(const model::LinearNetwork& network, const Observations& observed,
                             const Loadings& loadings, const Directions& directions) {
  const model::FourthCumulants exact = model::exact_fourth_cumulants(network);
  const MatrixXd factors = observed.standard.scale.cwiseInverse().asDiagonal() * exact.factors;
  const MatrixXd v = linalg::pseudo_inverse_of(loadings.estimates) * factors;
  Tensor raw;
  MatrixXd squares(factors.rows(), directions.size());
  for (Index r = 0; r < directions.size(); ++r) {
    const VectorXd weights = exact.fourth.cwiseProduct(weights_along(directions, r, v));
    raw.emplace_back(v * weights.asDiagonal() * v.transpose());
    squares.col(r) = factors.cwiseAbs2() * weights;
  }
  return {directions, without_noise_along(raw, squares, loadings.estimates, directions), {}, {}, 0};
}

}  // namespace

VectorXd weights_along(const Directions& directions, Index r, const MatrixXd& vectors) {
  const VectorXd t = vectors.transpose() * directions.theta.col(r);
  const VectorXd u = vectors.transpose() * directions.phi.col(r);
  return t.cwiseProduct(u);
}

Tensor without_noise_along(const Tensor& raw, const MatrixXd& squares, const MatrixXd& loadings,
                           const Directions& directions) {
  const MatrixXd inverse = linalg::pseudo_inverse_of(loadings);
  MatrixXd shares(directions.size(), loadings.rows());
  for (Index r = 0; r < shares.rows(); ++r) {
    shares.row(r) = weights_along(directions, r, inverse).transpose();
  }
  return without_noise(raw, squares, loadings, shares);
}

Directions random_directions(Index k, std::uint64_t seed) {
  RowRandom random(seed, Stream::restart, std::uint64_t{1} << 34U);
  Directions directions{MatrixXd(k, n_directions_of(k)), MatrixXd(k, n_directions_of(k))};
  for (MatrixXd* matrix : {&directions.theta, &directions.phi}) {
    for (double& value : matrix->reshaped()) value = 2 * random.uniform() - 1;
  }
  return directions;
}

FourthCumulantSet fourth_cumulants(const learning::DataContext& context,
                                   const Observations& observed, const Loadings& loadings,
                                   std::uint64_t seed, const Workers& workers) {
  const Directions directions = random_directions(loadings.estimates.cols(), seed);
  if (context.exact != nullptr) {
    return of_network(context.exact->as<model::LearnedLinear>()->network, observed, loadings,
                      directions);
  }
  const CauseLayout layout{loadings.estimates.rows(), loadings.estimates.cols(), directions.size()};
  const CauseSums sums =
      sum_causes(context.path, observed, linalg::pseudo_inverse_of(loadings.estimates), directions,
                 workers, "fourth_cumulants");
  FourthCumulantSet set;
  set.directions = directions;
  set.n_left_out = sums.n_left_out;
  set.full = slices_from(layout, sums.total, directions, loadings.estimates);
  const auto groups = static_cast<std::size_t>(sums.each.cols());
  set.without.resize(groups);
  set.directions_without.resize(groups);
#pragma omp parallel for schedule(dynamic) default(shared)
  for (std::size_t g = 0; g < groups; ++g) {
    // v was formed with all rows' A^+; A^+ without the group is that but for a transformation, and
    // t and u are the same products of what is transformed.
    const MatrixXd turn =
        linalg::pseudo_inverse_of(loadings.estimates_without[g]) * loadings.estimates;
    const MatrixXd back = linalg::pseudo_inverse_of_transpose(turn);
    set.directions_without[g] = {back * directions.theta, back * directions.phi};
    for (const MatrixXd& slice :
         slices_from(layout, sums.total - sums.each.col(static_cast<Index>(g)), directions,
                     loadings.estimates)) {
      set.without[g].emplace_back(turn * slice * turn.transpose());
    }
  }
  return set;
}

}  // namespace orrery::linear_latent
