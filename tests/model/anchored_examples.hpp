// Small anchored networks.
#pragma once

#include <limits>

#include "orrery/model/learned_model.hpp"

namespace orrery::model::anchored_examples {

/// Three causes, h -> g and h, g -> k; five observed variables, of which the first is h's anchor,
/// the second a union that is g's, the third k's.
inline NoisyOrNetwork three_causes() {
  NoisyOrNetwork loadings(
      {{"h", 0}, {"g", 0}, {"k", 0}},
      {{"a", .0625}, {"b;c", .125}, {"d", 0}, {"x", .25}, {"y", .5}},
      {{0, 0, .25}, {1, 1, .5}, {2, 2, .125}, {0, 3, .5}, {2, 3, .75}, {1, 4, 0}});
  CauseNetwork causes({{{}, {.25}}, {{0}, {.125, .75}}, {{0, 1}, {.5, .25, .125, .0625}}});
  return {std::move(loadings), std::move(causes), {{2, 2}, {1, 1, {"b", "c"}}, {0, 0}}};
}

/// With all that a learner may tell; some of it is not known.
inline LearnedModel learned_anchored_example() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  LearnedModel learned;
  learned.network = three_causes();
  learned.errors = {{.01, .02, nan}, {.1, nan, .3, .4, .5}, {.01, .02, .03, .04, .05, 0}};
  learned.rates = {{.0625, .75, 0, 0, "given"},
                   {.125, .5625, .01, nan, "two anchors"},
                   {.001, .875, .0001, .125, "labels"}};
  learned.moments = SubsetTables(3, 2);
  double cell = 0;
  for (double& value : learned.moments.cells()) value = (cell += 1) / 32;
  learned.remarks = {"k's anchors say \"little\",\nand this in two lines", "右"};
  learned.learner = "anchored";
  learned.data_digest = 0x0123456789abcdef;
  learned.n_samples = 10000;
  return learned;
}

}  // namespace orrery::model::anchored_examples
