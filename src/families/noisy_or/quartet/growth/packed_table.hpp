// The table of a cause as numbers: in a checkpoint, and on the way from rank to rank.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "learning/checkpoints.hpp"
#include "model/state_beam.hpp"
#include "orrery/model/cause_network.hpp"

namespace orrery::quartet {

/// Numbers of a table: the cause's parents (-1: none) and the probabilities of their states.
inline constexpr std::size_t table_words =
    model::most_beam_parents + (std::size_t{1} << model::most_beam_parents);

/// Hands the numbers of the table to `put`, one after the other.
template <class Put>
void put_table(const model::CauseTable& table, const Put& put) {
  for (std::size_t i = 0; i < model::most_beam_parents; ++i) {
    put(i < table.parents.size() ? static_cast<double>(table.parents[i]) : -1);
  }
  for (std::size_t i = 0; i < table_words - model::most_beam_parents; ++i) {
    put(i < table.on.size() ? table.on[i] : 0);
  }
}

/// The reverse. Throws InputError unless it is one of `n` causes.
template <class Take>
model::CauseTable take_table(const Take& take, std::size_t n) {
  model::CauseTable table;
  for (std::size_t i = 0; i < model::most_beam_parents; ++i) {
    const double parent = take();
    const bool is_parent = parent >= 0 && parent < static_cast<double>(n);
    learning::require((parent == -1 || is_parent) && parent == std::floor(parent), "growth");
    if (is_parent) table.parents.push_back(static_cast<std::uint32_t>(parent));
  }
  table.on.resize(std::size_t{1} << table.parents.size());
  for (std::size_t i = 0; i < table_words - model::most_beam_parents; ++i) {
    const double on = take();
    learning::require(on >= 0 && on <= 1 && (i < table.on.size() || on == 0), "growth");
    if (i < table.on.size()) table.on[i] = on;
  }
  return table;
}

}  // namespace orrery::quartet
