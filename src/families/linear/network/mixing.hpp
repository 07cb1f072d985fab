// The independent parts that the causes of a linear network are made of.
#pragma once

#include <Eigen/Core>

#include "orrery/model/linear_network.hpp"

namespace orrery::model {

/// h = effects * parts; the parts are independent, each drawn from the network's law with its
/// variance. With a coupling they are the innovations. Else first those that the triangular root of
/// the highest level's covariance mixes, then the noise of hidden levels, the highest first.
struct CauseMixing {
  Eigen::MatrixXd effects;    ///< k x number of parts
  Eigen::VectorXd variances;  ///< of the parts
};
/// O(k^3).
CauseMixing mixing_of(const LinearNetwork& network);

/// Third central moment of the law at variance 1.
double skewness_of(CauseLaw law);

}  // namespace orrery::model
