// Small categorical networks.
#pragma once

#include <cmath>

#include "orrery/model/categorical_network.hpp"

namespace orrery::model::categorical_examples {

/// Two causes of 2 and 3 states; four variables, of no parent, of either, and of both.
inline CategoricalNetwork small() {
  return CategoricalNetwork(
      {{"u", {.25, .75}}, {"v", {.5, .125, .375}}},
      {{"free", {"no", "yes"}, {}, {.3, .7}, {}},
       {"of u", {"-1", "0", "1"}, {0}, {.2, .3, .5, 1, 0, 0}, {}},
       {"of v", {"a", "b"}, {1}, {.25, .75, 0, 1, .5, .5}, {1, 2, 3, 4, .5, 1e-3}},
       {"of both",
        {"x", "y"},
        {0, 1},
        {.125, .875, .25, .75, .375, .625, .5, .5, .625, .375, 1, 0},
        {}}});
}

/// With all that a learner may tell; some of it is not known.
inline LearnedCategorical learned_categorical_example() {
  LearnedCategorical learned;
  learned.network = small();
  learned.parent_sets = {{}, {0}, {1}, {0, 1}};
  learned.structure =
      Eigen::MatrixXd{{.9, .05, .05, 0}, {0, 1, 0, 0}, {.1, 0, .9, 0}, {0, 0, 0, 1}};
  learned.modes = {{0, {}, -123.25}, {0, {1}, -124}, {2, {0, 1}, std::nan("")}};
  learned.log_evidence = -1 / 3.;
  learned.evidence_kind = "expectation propagation (Eqs. 10-12)";
  learned.choices = {{2, -1.5, .125}, {3, -1.25, std::nan("")}};
  learned.remarks = {"nothing \"depends\" on\nanything", "右"};
  learned.learner = "sep";
  learned.data_digest = 0x0123456789abcdef;
  learned.n_samples = 1000;
  return learned;
}

}  // namespace orrery::model::categorical_examples
