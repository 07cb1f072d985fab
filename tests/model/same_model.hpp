// Learned models are equal, and where they are not, in what.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "orrery/model/categorical_network.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/model/linear_network.hpp"
#include "orrery/model/sign_tree.hpp"

namespace orrery::model {

/// NaN is the same as NaN.
inline void expect_same(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) << a[i] << ", " << b[i];
  }
}

inline void expect_same(const LearnedModel& a, const LearnedModel& b) {
  ASSERT_EQ(a.network.n_causes(), b.network.n_causes());
  ASSERT_EQ(a.network.n_observed(), b.network.n_observed());
  for (std::size_t i = 0; i < a.network.n_causes(); ++i) {
    EXPECT_EQ(a.network.causes()[i].name, b.network.causes()[i].name);
    EXPECT_EQ(a.network.causes()[i].prior, b.network.causes()[i].prior);
  }
  for (std::size_t i = 0; i < a.network.n_observed(); ++i) {
    EXPECT_EQ(a.network.observed()[i].name, b.network.observed()[i].name);
    EXPECT_EQ(a.network.observed()[i].leak, b.network.observed()[i].leak);
  }
  EXPECT_EQ(a.network.edges(), b.network.edges());
  EXPECT_EQ(a.provenance, b.provenance);
  expect_same(a.errors.prior, b.errors.prior);
  expect_same(a.errors.leak, b.errors.leak);
  expect_same(a.errors.failure, b.errors.failure);
  EXPECT_EQ(a.stability, b.stability);
  EXPECT_EQ(a.learner, b.learner);
  EXPECT_EQ(a.n_samples, b.n_samples);
  EXPECT_EQ(a.data_digest, b.data_digest);
  EXPECT_TRUE(a.network.cause_network() == b.network.cause_network());
  EXPECT_TRUE(a.network.anchors() == b.network.anchors());
  ASSERT_EQ(a.rates.size(), b.rates.size());
  for (std::size_t i = 0; i < a.rates.size(); ++i) {
    const AnchorRates& one = a.rates[i];
    const AnchorRates& other = b.rates[i];
    expect_same(std::vector{one.off, one.on, one.off_error, one.on_error},
                std::vector{other.off, other.on, other.off_error, other.on_error});
    EXPECT_EQ(one.source, other.source);
  }
  EXPECT_TRUE(a.moments == b.moments);
  EXPECT_EQ(a.remarks, b.remarks);
}

inline void expect_same(const LearnedTree& a, const LearnedTree& b) {
  EXPECT_EQ(a.tree.names(), b.tree.names());
  expect_same(a.tree.means(), b.tree.means());
  EXPECT_EQ(a.tree.edges(), b.tree.edges());
  EXPECT_EQ(a.tree.crossover(), b.tree.crossover());
  expect_same(a.edge_errors, b.edge_errors);
  expect_same(std::vector{a.crossover_error}, std::vector{b.crossover_error});
  EXPECT_EQ(a.remarks, b.remarks);
  EXPECT_EQ(a.learner, b.learner);
  EXPECT_EQ(a.n_samples, b.n_samples);
  EXPECT_EQ(a.data_digest, b.data_digest);
}

inline void expect_same(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  expect_same(std::vector(a.data(), a.data() + a.size()),
              std::vector(b.data(), b.data() + b.size()));
}

inline void expect_same(const LinearNetwork& a, const LinearNetwork& b) {
  EXPECT_EQ(a.names(), b.names());
  EXPECT_EQ(a.cause_names(), b.cause_names());
  expect_same(a.means(), b.means());
  expect_same(a.loadings(), b.loadings());
  expect_same(a.noise(), b.noise());
  expect_same(a.covariance(), b.covariance());
  expect_same(a.parts().covariance, b.parts().covariance);
  expect_same(a.coupling(), b.coupling());
  expect_same(a.innovation(), b.innovation());
  EXPECT_EQ(a.law(), b.law());
  ASSERT_EQ(a.upper().size(), b.upper().size());
  for (std::size_t i = 0; i < a.upper().size(); ++i) {
    EXPECT_EQ(a.upper()[i].names, b.upper()[i].names);
    expect_same(a.upper()[i].loadings, b.upper()[i].loadings);
    expect_same(a.upper()[i].noise, b.upper()[i].noise);
  }
}

inline void expect_same(const LearnedLinear& a, const LearnedLinear& b) {
  expect_same(a.network, b.network);
  expect_same(a.estimates, b.estimates);
  expect_same(a.loading_errors, b.loading_errors);
  expect_same(a.noise_errors, b.noise_errors);
  expect_same(a.covariance_errors, b.covariance_errors);
  expect_same(a.coupling_errors, b.coupling_errors);
  EXPECT_EQ(a.rank_test, b.rank_test);
  EXPECT_EQ(a.remarks, b.remarks);
  EXPECT_EQ(a.learner, b.learner);
  EXPECT_EQ(a.n_samples, b.n_samples);
  EXPECT_EQ(a.data_digest, b.data_digest);
}

inline void expect_same(const LearnedCategorical& a, const LearnedCategorical& b) {
  EXPECT_TRUE(a.network == b.network);
  EXPECT_EQ(a.parent_sets, b.parent_sets);
  expect_same(a.structure, b.structure);
  ASSERT_EQ(a.modes.size(), b.modes.size());
  for (std::size_t m = 0; m < a.modes.size(); ++m) {
    EXPECT_EQ(a.modes[m].variable, b.modes[m].variable);
    EXPECT_EQ(a.modes[m].parents, b.modes[m].parents);
    expect_same(std::vector{a.modes[m].log_evidence}, std::vector{b.modes[m].log_evidence});
  }
  ASSERT_EQ(a.choices.size(), b.choices.size());
  for (std::size_t c = 0; c < a.choices.size(); ++c) {
    EXPECT_EQ(a.choices[c].n_causes, b.choices[c].n_causes);
    expect_same(std::vector{a.choices[c].held_out, a.choices[c].error},
                std::vector{b.choices[c].held_out, b.choices[c].error});
  }
  expect_same(std::vector{a.log_evidence}, std::vector{b.log_evidence});
  EXPECT_EQ(a.evidence_kind, b.evidence_kind);
  EXPECT_EQ(a.remarks, b.remarks);
  EXPECT_EQ(a.learner, b.learner);
  EXPECT_EQ(a.n_samples, b.n_samples);
  EXPECT_EQ(a.data_digest, b.data_digest);
}

}  // namespace orrery::model
