// Fourth cumulants of the causes along pairs of directions, against those of all quadruples of
// variables, and the coupling that they tell.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <filesystem>
#include <vector>

#include "base/random.hpp"
#include "families/linear/linear_latent/cases.hpp"
#include "families/linear/linear_latent/depth_one.hpp"
#include "linalg/decompositions.hpp"
#include "store/tables.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd inverse_of(const MatrixXd& loadings) { return linalg::pseudo_inverse_of(loadings); }

model::LinearNetwork caterpillar(std::uint64_t seed, model::CauseLaw law) {
  model::LinearParameters parameters;
  parameters.law = law;
  return *model::generate_linear("linear:caterpillar:8,4", seed, parameters);
}

/// Exact slices; the noise of every variable has this fourth cumulant.
FourthCumulantSet exact_set(const model::LinearNetwork& network, double noise_fourth) {
  const model::FourthCumulants exact = model::exact_fourth_cumulants(network);
  const MatrixXd inverse = inverse_of(network.loadings());
  const MatrixXd v = inverse * exact.factors;
  FourthCumulantSet set;
  set.directions = random_directions(v.rows(), 1);
  Tensor raw;
  MatrixXd squares(network.loadings().rows(), set.directions.size());
  for (Index r = 0; r < set.directions.size(); ++r) {
    const VectorXd weights = exact.fourth.cwiseProduct(weights_along(set.directions, r, v));
    const VectorXd noise = noise_fourth * weights_along(set.directions, r, inverse);
    raw.emplace_back(v * weights.asDiagonal() * v.transpose() +
                     inverse * noise.asDiagonal() * inverse.transpose());
    squares.col(r) = exact.factors.cwiseAbs2() * weights + noise;
  }
  set.full = without_noise_along(raw, squares, network.loadings(), set.directions);
  return set;
}

TEST(fourth_cumulants, tell_the_coupling_of_exact_ones_whatever_those_of_the_noise) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    for (const auto law : {model::CauseLaw::heavy_tailed, model::CauseLaw::skewed}) {
      const model::LinearNetwork network = caterpillar(seed, law);
      for (const double noise_fourth : {0.0, 2.5, -1.0}) {
        const Coupling coupling =
            find_coupling(true_loadings(network), exact_set(network, noise_fourth), .01, 1);
        EXPECT_LT((coupling.lambda - network.coupling()).cwiseAbs().maxCoeff(), 1e-9);
        EXPECT_TRUE(without_cumulant(coupling).empty());
        for (Index i = 0; i < 8; ++i) EXPECT_NEAR(coupling.cumulants[i], 6, 1e-8);
      }
    }
  }
}

TEST(fourth_cumulants, normal_innovations_have_none) {
  const model::LinearNetwork network = caterpillar(1, model::CauseLaw::gaussian);
  const Coupling coupling = find_coupling(true_loadings(network), exact_set(network, 2.5), .01, 1);
  EXPECT_EQ(without_cumulant(coupling).size(), 8U);
}

// ------------------------------------------------------------------------------ of rows

constexpr Index width = 5;
constexpr Index k = 2;

/// Skewed and with means; one row lacks a value.
data::DenseBlock some_rows() {
  data::DenseBlock block(200, width);
  for (std::size_t r = 0; r < 200; ++r) {
    RowRandom random(3, Stream::check, r);
    const double h = random.uniform() * random.uniform();
    for (double& value : block.row(r)) value = h + std::pow(random.uniform(), 3) + .3;
  }
  block.row(17)[2] = std::nan("");
  return block;
}

/// Rows without missing values, a column each.
MatrixXd complete_rows(const data::DenseBlock& block, std::size_t skip_first,
                       std::size_t skip_last) {
  MatrixXd z(width, 0);
  for (std::size_t r = 0; r < block.n_rows; ++r) {
    const VectorXd row = Eigen::Map<const VectorXd>(block.values.data() + r * width, width);
    if (row.hasNaN() || (r >= skip_first && r < skip_last)) continue;
    z.conservativeResize(width, z.cols() + 1);
    z.col(z.cols() - 1) = row;
  }
  return z;
}

/// Fourth cumulant of four rows of numbers, from central moments.
double cumulant_of(const std::vector<VectorXd>& of) {
  std::vector<VectorXd> c;
  for (const VectorXd& x : of) c.emplace_back(x.array() - x.mean());
  const auto pair = [&](std::size_t a, std::size_t b) { return c[a].cwiseProduct(c[b]).mean(); };
  return (c[0].array() * c[1].array() * c[2].array() * c[3].array()).mean() -
         pair(0, 1) * pair(2, 3) - pair(0, 2) * pair(1, 3) - pair(0, 3) * pair(1, 2);
}

/// All from cumulants of four variables at a time, and the noise's from its n R equations.
Tensor by_quadruples(const MatrixXd& z, const MatrixXd& loadings, const Directions& directions) {
  const MatrixXd inverse = inverse_of(loadings);
  const MatrixXd v = inverse * z;
  Tensor slices;
  MatrixXd equations = MatrixXd::Zero(width * directions.size(), width);
  VectorXd right(width * directions.size());
  const MatrixXd h = loadings * inverse;
  for (Index r = 0; r < directions.size(); ++r) {
    const VectorXd t = v.transpose() * directions.theta.col(r);
    const VectorXd u = v.transpose() * directions.phi.col(r);
    MatrixXd slice(k, k);
    for (Index a = 0; a < k; ++a) {
      for (Index b = 0; b < k; ++b) {
        slice(a, b) = cumulant_of({v.row(a).transpose(), v.row(b).transpose(), t, u});
      }
    }
    for (Index i = 0; i < width; ++i) {
      const VectorXd zi = z.row(i).transpose();
      right[r * width + i] =
          cumulant_of({zi, zi, t, u}) - loadings.row(i).dot(slice * loadings.row(i).transpose());
      for (Index l = 0; l < width; ++l) {
        equations(r * width + i, l) = ((i == l ? 1 : 0) - h(i, l) * h(i, l)) *
                                      directions.theta.col(r).dot(inverse.col(l)) *
                                      directions.phi.col(r).dot(inverse.col(l));
      }
    }
    slices.push_back(slice);
  }
  const VectorXd noise = linalg::least_squares(equations, right);
  for (Index r = 0; r < directions.size(); ++r) {
    for (Index l = 0; l < width; ++l) {
      const VectorXd p = inverse.col(l);
      slices[static_cast<std::size_t>(r)] -= noise[l] * directions.theta.col(r).dot(p) *
                                             directions.phi.col(r).dot(p) * p * p.transpose();
    }
  }
  return slices;
}

void expect_near(const Tensor& got, const Tensor& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t r = 0; r < got.size(); ++r) {
    EXPECT_LT((got[r] - want[r]).cwiseAbs().maxCoeff(), 1e-9) << r;
  }
}

TEST(fourth_cumulants, of_rows_are_those_of_all_quadruples) {
  const std::string path = testing::TempDir() + "fourth_cumulants.h5";
  const data::DenseBlock block = some_rows();
  store::DenseWriter writer(path);
  writer.begin({"a", "b", "c", "d", "e"});
  writer.append(block);
  writer.finish({});
  Loadings loadings;
  loadings.estimates = MatrixXd{{1, 0}, {.5, .2}, {.3, -.8}, {0, .7}, {.6, .4}};
  // Without a group the loadings are others, so that its causes are turned.
  const MatrixXd turned = loadings.estimates * MatrixXd{{1, .05}, {-.02, .9}};
  loadings.estimates_without.assign(n_groups(200), turned);
  Observations observed;
  observed.standard = {VectorXd::Constant(width, .4), VectorXd::LinSpaced(width, .5, 1.5)};
  observed.n_samples = 200;
  Alone alone;
  std::vector<Stage> stages;
  const learning::DataContext context{.team = learning::lone_team(),
                                      .path = path,
                                      .stages = stages,
                                      .checkpoints = alone.checkpoints};
  const FourthCumulantSet got = fourth_cumulants(context, observed, loadings, 1, alone.workers(2));
  std::filesystem::remove(path);
  EXPECT_EQ(got.n_left_out, 1U);
  const auto z_of = [&](std::size_t first, std::size_t last) {
    MatrixXd z = complete_rows(block, first, last);
    z.colwise() -= observed.standard.shift;
    return MatrixXd(observed.standard.scale.cwiseInverse().asDiagonal() * z);
  };
  expect_near(got.full, by_quadruples(z_of(0, 0), loadings.estimates, got.directions));
  const RowRange rows = rows_of_group(9, 200);
  const MatrixXd turn = inverse_of(turned) * loadings.estimates;
  Tensor want = by_quadruples(z_of(rows.first, rows.last), loadings.estimates, got.directions);
  for (MatrixXd& slice : want) slice = turn * slice * turn.transpose();
  expect_near(got.without[9], want);
  // What v's products with the directions were, they are of the turned ones.
  const VectorXd v{{.7, -.4}};
  EXPECT_LT((got.directions_without[9].theta.transpose() * (turn * v) -
             got.directions.theta.transpose() * v)
                .cwiseAbs()
                .maxCoeff(),
            1e-12);
}

}  // namespace
}  // namespace orrery::linear_latent
