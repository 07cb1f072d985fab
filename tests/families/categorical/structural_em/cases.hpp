// Small networks and their data, and sums over all joint states written out.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/log.hpp"
#include "families/categorical/network/generators.hpp"
#include "families/categorical/structural_em/em.hpp"
#include "learning/checkpoints.hpp"
#include "learning/stages.hpp"
#include "orrery/model/categorical_sampling.hpp"
#include "parallel/team.hpp"

namespace orrery::structural_em {

inline const parallel::Team& lone_team() {
  static const parallel::Team team;
  return team;
}

/// A table of this process alone, with the rows of one thread or more.
struct Given {
  data::CategoricalTable table;
  learning::RowShare rows;

  explicit Given(data::CategoricalTable of, int threads = 1)
      : table(std::move(of)), rows(lone_team(), threads, table.n_rows) {}
  [[nodiscard]] Data data() const { return {table, rows}; }
};

inline data::CategoricalTable drawn(const std::string& design, std::uint64_t seed,
                                    std::uint64_t n_rows, double missing = 0) {
  const auto network = model::draw_categorical(model::parse_categorical_design(design), seed);
  return model::sample_categorical(network, seed + 1, 0, n_rows, missing);
}

/// P(u, codes) of each joint state u, as products of table entries; cause 0 changes fastest.
inline std::vector<double> joint_probabilities(const model::CategoricalNetwork& network,
                                               std::span<const std::uint8_t> codes) {
  std::vector<std::size_t> state(network.n_causes(), 0);
  std::vector<double> joint;
  while (true) {
    double p = 1;
    for (std::size_t k = 0; k < state.size(); ++k) p *= network.causes()[k].prior[state[k]];
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const auto& variable = network.variables()[i];
      std::size_t row = 0;
      for (std::size_t a = variable.parents.size(); a-- > 0;) {
        const std::uint32_t parent = variable.parents[a];
        row = row * network.causes()[parent].cardinality() + state[parent];
      }
      if (codes[i] != data::missing_code)
        p *= variable.table[row * variable.n_categories() + codes[i]];
    }
    joint.push_back(p);
    std::size_t k = 0;
    while (k < state.size() && ++state[k] == network.causes()[k].cardinality()) state[k++] = 0;
    if (k == state.size()) return joint;
  }
}

/// Log of the sum over all joint states, of all rows.
inline double log_likelihood(const model::CategoricalNetwork& network,
                             const data::CategoricalTable& table) {
  double sum = 0;
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    double p = 0;
    for (const double one : joint_probabilities(network, table.row(n))) p += one;
    sum += std::log(p);
  }
  return sum;
}

}  // namespace orrery::structural_em
