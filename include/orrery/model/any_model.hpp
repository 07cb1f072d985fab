// A model of any family, for those who pass it on. What can be done with it, its family says
// (src/family/family.hpp); only that family looks inside.
#pragma once

#include <any>
#include <concepts>
#include <typeindex>
#include <utility>

#include "orrery/model/origin.hpp"

namespace orrery::model {

class AnyModel {
 public:
  /// `Model` is what a learner returns: LearnedModel, LearnedTree, ...
  template <std::derived_from<Origin> Model>
  AnyModel(Model model)  // NOLINT(google-explicit-constructor): each of them is a model
      : value_(std::move(model)),
        origin_([](std::any& value) -> Origin& { return *std::any_cast<Model>(&value); }) {}

  /// Null if it is of another type.
  template <class Model>
  [[nodiscard]] const Model* as() const noexcept {
    return std::any_cast<Model>(&value_);
  }
  [[nodiscard]] std::type_index type() const noexcept { return value_.type(); }
  /// Where it came from.
  [[nodiscard]] Origin& origin() { return origin_(value_); }

 private:
  std::any value_;
  Origin& (*origin_)(std::any& value);
};

}  // namespace orrery::model
