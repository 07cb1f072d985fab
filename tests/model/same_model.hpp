// Learned models are equal, and where they are not, in what.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "model/model_parts.hpp"
#include "orrery/model/any_model.hpp"

namespace orrery::model {

/// NaN is the same as NaN.
inline void expect_same(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(text_of(a), text_of(b));
}

/// Of one type, of all that have parts.
template <class Model>
requires requires(const Model& model) { parts_of(model); }
void expect_same(const Model& a, const Model& b) {
  const Parts found = parts_of(a);
  const Parts expected = parts_of(b);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], expected[i]);
}

inline Parts parts_of(const AnyModel& model) {
  if (const auto* found = model.as<LearnedModel>()) return parts_of(*found);
  if (const auto* found = model.as<LearnedTree>()) return parts_of(*found);
  if (const auto* found = model.as<LearnedLinear>()) return parts_of(*found);
  if (const auto* found = model.as<LearnedCategorical>()) return parts_of(*found);
  ADD_FAILURE() << "a model of a type without parts";
  return {};
}

}  // namespace orrery::model
