// The independent parts that the causes of a linear network are made of, and its exact moments.
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

/// Fourth cumulant of the law at variance 1: its kurtosis less 3.
double excess_kurtosis_of(CauseLaw law);

/// E[(x - mu)(x - mu)^T] = A E[h h^T] A^T + D, n x n.
Eigen::MatrixXd exact_covariance(const LinearNetwork& network);

/// The third central moments of what the innovations eta_j are (the independent parts that
/// sample_linear_rows draws), as factors: Psi = sum_j third(j) m_j x m_j x m_j, where m_j is column
/// j of `factors`. Noise is normal and adds nothing. Of a network without a coupling the factors
/// are A times the root of the covariance that the sampler uses. With upper levels the noise of
/// hidden levels are further factors.
struct ThirdMoments {
  Eigen::MatrixXd factors;  ///< n x number of independent parts
  Eigen::VectorXd third;    ///< third central moment of each
};
ThirdMoments exact_third_moments(const LinearNetwork& network);
/// The fourth cumulants in the same way: sum_j fourth(j) m_j x m_j x m_j x m_j.
struct FourthCumulants {
  Eigen::MatrixXd factors;  ///< n x number of independent parts
  Eigen::VectorXd fourth;   ///< fourth cumulant of each
};
FourthCumulants exact_fourth_cumulants(const LinearNetwork& network);

}  // namespace orrery::model
