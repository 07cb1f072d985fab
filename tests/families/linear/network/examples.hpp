// Small linear networks of each kind.
#pragma once

#include <limits>
#include <utility>

#include "orrery/model/linear_network.hpp"

namespace orrery::model::linear_examples {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Three observed variables with means, two causes.
inline LinearParts independent() {
  LinearParts parts;
  parts.names = {"a", "b", "c"};
  parts.means = VectorXd{{1, -2, 0}};
  parts.cause_names = {"h", "g"};
  parts.loadings = MatrixXd{{2, 0}, {-1, .5}, {0, 3}};
  parts.noise = VectorXd{{.5, 0, 1}};
  return parts;
}

inline LinearParts dependent() {
  LinearParts parts = independent();
  parts.covariance = MatrixXd{{4, 1}, {1, 9}};
  return parts;
}

/// g = 2 h + eta_g.
inline LinearParts coupled() {
  LinearParts parts = independent();
  parts.coupling = MatrixXd{{0, 0}, {2, 0}};
  parts.innovation = VectorXd{{.25, 3}};
  return parts;
}

inline LinearParts levelled() {
  LinearParts parts = independent();
  parts.upper.push_back({MatrixXd{{1, -1}, {0, 2}}, VectorXd{{.5, 0}}, {"u", "v"}});
  parts.upper.push_back({MatrixXd{{3.0}, {1.0}}, VectorXd{{1, 2}}, {"top"}});
  parts.covariance = MatrixXd{{5.0}};
  return parts;
}

/// With all that a learner may tell; some of it is not known.
inline LearnedLinear learned_linear_example() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  LearnedLinear learned;
  learned.network = LinearNetwork(coupled());
  learned.estimates = MatrixXd{{2, .01}, {-1, .5}, {nan, 3}};
  learned.loading_errors = MatrixXd{{.1, .2}, {.3, .4}, {nan, 0}};
  learned.noise_errors = VectorXd{{.01, nan, 1 / 3.}};
  learned.covariance_errors = MatrixXd{{0, .125}, {.125, 0}};
  learned.coupling_errors = MatrixXd{{0, nan}, {.25, 0}};
  learned.rank_test = {{1, 12.5, 3, .75}, {2, 1, 1.5, .5}};
  learned.remarks = {"levels end: nothing \"depends\" on\nanything", "右"};
  learned.learner = "linear";
  learned.data_digest = 0x0123456789abcdef;
  learned.n_samples = 10000;
  return learned;
}

inline LinearNetwork with_law(LinearParts parts, CauseLaw law) {
  parts.law = law;
  return LinearNetwork(std::move(parts));
}

}  // namespace orrery::model::linear_examples
