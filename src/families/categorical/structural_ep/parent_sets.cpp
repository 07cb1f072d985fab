#include "families/categorical/structural_ep/parent_sets.hpp"

#include <utility>

namespace orrery::structural_ep {
namespace {

void add_set(Shape& shape, std::vector<std::uint32_t> causes) {
  ParentSet set;
  set.n_states = causes.size() == 1 ? shape.cardinality : shape.cardinality * shape.cardinality;
  set.first_row = causes.size() == 1 ? 0 : shape.cardinality;
  set.causes = std::move(causes);
  set.first_state = shape.n_states;
  shape.n_states += set.n_states;
  shape.sets.push_back(std::move(set));
}

}  // namespace

Shape make_shape(std::size_t n_causes, std::size_t cardinality, std::size_t max_parents,
                 std::vector<std::size_t> n_categories) {
  Shape shape;
  shape.n_causes = n_causes;
  shape.cardinality = cardinality;
  shape.max_parents = max_parents;
  const auto n = static_cast<std::uint32_t>(n_causes);
  for (std::uint32_t k = 0; k < n; ++k) add_set(shape, {k});
  if (max_parents == 2) {
    for (std::uint32_t k = 0; k < n; ++k) {
      for (std::uint32_t l = k + 1; l < n; ++l) add_set(shape, {k, l});
    }
  }
  shape.n_rows = cardinality + (max_parents == 2 ? cardinality * cardinality : 0);
  shape.n_categories = std::move(n_categories);
  shape.first_count.assign(1, 0);
  for (const std::size_t n_categories_of : shape.n_categories) {
    shape.first_count.push_back(shape.first_count.back() + shape.n_rows * n_categories_of);
  }
  return shape;
}

Shape shape_of(const data::CategoricalTable& table, std::size_t n_causes, std::size_t cardinality,
               std::size_t max_parents) {
  std::vector<std::size_t> n_categories;
  n_categories.reserve(table.categories.size());
  for (const auto& names : table.categories) n_categories.push_back(names.size());
  return make_shape(n_causes, cardinality, n_causes == 1 ? 1 : max_parents,
                    std::move(n_categories));
}

}  // namespace orrery::structural_ep
