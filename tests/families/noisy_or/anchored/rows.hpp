// Observations made by hand, row by row.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "families/noisy_or/anchored/observations.hpp"
#include "learning/alone.hpp"

namespace orrery::anchored {

using learning::Alone;
using Cell = std::function<bool(std::size_t row, std::size_t column)>;

inline data::BitPanels panels(std::size_t n_columns, std::size_t n_rows, const Cell& is_on) {
  data::BitPanels values(n_columns, n_rows);
  for (std::size_t r = 0; r < n_rows; ++r) {
    for (std::size_t c = 0; c < n_columns; ++c) values.set(r, c, is_on(r, c));
  }
  return values;
}

/// Columns c0, c1, ... of which the first `n_anchors` are anchors of the one cause y.
inline Observations observe_rows(std::size_t n_columns, std::size_t n_anchors, std::size_t n_rows,
                                 const Cell& is_on) {
  Observations observed;
  observed.source = "rows";
  observed.causes = {"y"};
  for (std::uint32_t c = 0; c < n_columns; ++c) observed.names.push_back(fmt::format("c{}", c));
  for (std::uint32_t c = 0; c < n_anchors; ++c) observed.anchors.push_back({0, c, {}});
  observed.given.resize(n_anchors);
  observed.n_samples = n_rows;
  observed.values = panels(n_columns, n_rows, is_on);
  return observed;
}

/// Of independent draws, one per row and number: the same for every column that asks.
inline double uniform(std::size_t row, std::size_t number) {
  return RowRandom(3, Stream::check, 100 * row + number).uniform();
}
inline bool is_present(std::size_t row) { return uniform(row, 0) < .3; }

}  // namespace orrery::anchored
