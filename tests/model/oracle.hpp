// Slow, plain definitions that the tests compare with: enumeration of all states of all causes.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "orrery/base/error.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/network.hpp"

namespace orrery::model::oracle {

/// A value of one row: off, on, or not known.
enum class Value { off, on, missing };
using Row = std::vector<Value>;

/// P(row) by summing over all 2^n states; failures come from the list of edges.
inline long double probability(const NoisyOrNetwork& network, const Row& row) {
  long double sum = 0;
  for (std::uint32_t state = 0; state < (1U << network.n_causes()); ++state) {
    const auto present = [&](std::size_t c) { return ((state >> c) & 1U) != 0; };
    long double weight = 1;
    for (std::size_t c = 0; c < network.n_causes(); ++c) {
      const long double prior = network.causes()[c].prior;
      weight *= present(c) ? prior : 1 - prior;
    }
    for (std::size_t a = 0; a < row.size(); ++a) {
      if (row[a] == Value::missing) continue;
      long double off = 1 - static_cast<long double>(network.observed()[a].leak);
      for (const Edge& edge : network.edges()) {
        if (edge.observed == a && present(edge.cause)) off *= edge.failure;
      }
      weight *= row[a] == Value::off ? off : 1 - off;
    }
    sum += weight;
  }
  return sum;
}

inline data::SampleMatrix matrix(const std::vector<Row>& rows, bool with_mask) {
  const std::size_t n_columns = rows.front().size();
  data::SampleMatrix samples;
  samples.values = data::BitPanels(n_columns, rows.size());
  if (with_mask) samples.missing.emplace(n_columns, rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < n_columns; ++c) {
      samples.values.set(r, c, rows[r][c] == Value::on);
      if (with_mask) samples.missing->set(r, c, rows[r][c] == Value::missing);
    }
  }
  return samples;
}

inline double uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11U) * 0x1.0p-53;
}

/// A random network with all the corner values among its parameters.
inline NoisyOrNetwork random_network(std::mt19937_64& random, std::uint32_t n_causes,
                                     std::uint32_t n_observed, double edge_probability) {
  const auto corner = [&](std::vector<double> corners) {
    const double u = uniform(random);
    const auto pick = static_cast<std::size_t>(8 * uniform(random));
    return pick < corners.size() ? corners[pick] : u;
  };
  std::vector<Cause> causes(n_causes);
  std::vector<Observed> observed(n_observed);
  std::vector<Edge> edges;
  for (std::uint32_t c = 0; c < n_causes; ++c) causes[c] = {fmt::format("c{}", c), corner({0, 1})};
  for (std::uint32_t a = 0; a < n_observed; ++a) {
    observed[a] = {fmt::format("x{}", a), corner({0, 0, 1})};
    for (std::uint32_t c = 0; c < n_causes; ++c) {
      if (uniform(random) < edge_probability) edges.push_back({c, a, corner({0})});
    }
  }
  return {causes, observed, edges};
}

/// The message of the error of type E that `action` throws; empty if it throws none.
template <class E>
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const E& error) {
    return error.what();
  }
  return "";
}

}  // namespace orrery::model::oracle
