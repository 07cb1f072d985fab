// What the lanes of a vector hold: pairs of a row and a restart. All restarts of a row come one
// after the other, then those of the next row, so no lane is idle however few restarts there are.
// Where their number is a multiple of the width, a vector is one row's and its values stand side by
// side; else they are gathered.
#pragma once

#include "families/noisy_or/variational_em/lane_math.hpp"
#include "families/noisy_or/variational_em/lane_tables.hpp"

namespace orrery::variational_em {
namespace {

struct Batch {
  const RowLists* row[width];
  std::size_t restart[width];
  std::size_t n_used;  // lanes; the others repeat the last pair
  std::size_t n_on;    // the most of any lane
  bool misses;         // some row has a missing value
  // By slot and lane, `width` lanes: places of the variable that is on there, and of its edges.
  std::size_t* variable_at;
  std::size_t* edge_at;
};

/// Pairs [first, first + width) of n_pairs.
inline Batch batch_of(const LaneTables& t, const RowLists* rows, std::size_t first,
                      std::size_t n_pairs, std::size_t* places) {
  Batch b;
  b.n_used = n_pairs - first < width ? n_pairs - first : width;
  b.n_on = 0;
  b.misses = false;
  for (std::size_t lane = 0; lane < width; ++lane) {
    const std::size_t pair = first + (lane < b.n_used ? lane : b.n_used - 1);
    b.row[lane] = rows + pair / t.n_lanes;
    b.restart[lane] = pair % t.n_lanes;
    if (b.row[lane]->n_on > b.n_on) b.n_on = b.row[lane]->n_on;
    b.misses |= b.row[lane]->n_missing > 0;
  }
  b.variable_at = places;
  b.edge_at = places + b.n_on * width;
  for (std::size_t lane = 0; lane < width; ++lane) {
    const RowLists& row = *b.row[lane];
    for (std::size_t i = 0; i < b.n_on; ++i) {
      const std::size_t a = i < row.n_on ? row.on[i] : t.n_observed;
      b.variable_at[i * width + lane] = a * t.n_lanes + b.restart[lane];
      b.edge_at[i * width + lane] = a * t.n_causes * t.n_lanes + b.restart[lane];
    }
  }
  return b;
}

template <bool side_by_side, class Real>
inline Vec<Real> gather(const Real* table, const std::size_t* places) {
  if constexpr (side_by_side) return load(table + places[0]);
  Vec<Real> v;
  for (std::size_t lane = 0; lane < width; ++lane) v[lane] = table[places[lane]];
  return v;
}

/// `start`, and the entries of each lane's missing values: that of variable a at table + a *
/// stride.
template <bool side_by_side>
inline Vec<double> add_missing(Vec<double> start, const Batch& b, const double* table,
                               std::size_t stride) {
  if (!b.misses) return start;
  if constexpr (side_by_side) {
    const RowLists& row = *b.row[0];
    for (std::size_t j = 0; j < row.n_missing; ++j) {
      start += load(table + row.missing[j] * stride + b.restart[0]);
    }
    return start;
  }
  for (std::size_t lane = 0; lane < width; ++lane) {
    const RowLists& row = *b.row[lane];
    double sum = start[lane];
    for (std::size_t j = 0; j < row.n_missing; ++j) {
      sum += table[row.missing[j] * stride + b.restart[lane]];
    }
    start[lane] = sum;
  }
  return start;
}

}  // namespace
}  // namespace orrery::variational_em
