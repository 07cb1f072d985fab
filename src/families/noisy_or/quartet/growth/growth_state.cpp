// Growth as a checkpoint keeps it.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "families/noisy_or/quartet/growth/growth.hpp"
#include "families/noisy_or/quartet/growth/packed_table.hpp"
#include "learning/checkpoints.hpp"

namespace orrery::quartet {
namespace {

/// What stands before the network.
constexpr std::size_t header_words = 7;

}  // namespace

std::vector<double> GrowthState::pack() const {
  const Grown& grown = fit.grown;
  std::vector<double> packed{static_cast<double>(stage),
                             static_cast<double>(step),
                             fit.log_likelihood,
                             fit.n_truncated,
                             independent,
                             static_cast<double>(grown.n_causes()),
                             static_cast<double>(refused.size())};
  const auto append = [&](const std::vector<double>& values) {
    packed.insert(packed.end(), values.begin(), values.end());
  };
  append(grown.leaks);
  for (const auto& failures : grown.failures) append(failures);
  append(z);
  for (const model::CauseTable& table : grown.causes.tables) {
    put_table(table, [&](double value) { packed.push_back(value); });
  }
  for (const auto& [a, b] : refused) append({static_cast<double>(a), static_cast<double>(b)});
  return packed;
}

GrowthState GrowthState::unpack(const std::vector<double>& packed, std::size_t n_observed) {
  const auto require = [](bool holds) { learning::require(holds, "growth"); };
  const auto at_most = [&](double value, double most) {
    require(value >= 0 && value <= most && value == std::floor(value));
    return static_cast<std::size_t>(value);
  };
  require(packed.size() >= header_words);
  GrowthState state;
  state.stage = static_cast<Stage>(at_most(packed[0], static_cast<double>(Stage::done)));
  state.step = static_cast<int>(at_most(packed[1], 1e6));
  state.fit.log_likelihood = packed[2];
  state.fit.n_truncated = packed[3];
  state.independent = packed[4];
  const std::size_t n = at_most(packed[5], static_cast<double>(model::most_beam_causes));
  const std::size_t n_refused = at_most(packed[6], 1e9);
  const std::size_t m = n_observed;
  require(packed.size() == header_words + m + n * (m + 1 + table_words) + 2 * n_refused);
  std::size_t next = header_words;
  const auto take = [&] { return packed[next++]; };
  const auto probability = [&] {
    require(packed[next] >= 0 && packed[next] <= 1);
    return take();
  };
  state.fit.grown.leaks.resize(m);
  std::ranges::generate(state.fit.grown.leaks, probability);
  state.fit.grown.failures.assign(n, std::vector<double>(m));
  for (auto& failures : state.fit.grown.failures) std::ranges::generate(failures, probability);
  for (std::size_t c = 0; c < n; ++c) state.z.push_back(take());
  CauseGraph& causes = state.fit.grown.causes;
  for (std::size_t c = 0; c < n; ++c) causes.tables.push_back(take_table(take, n));
  require(causes.is_sound());
  for (std::size_t i = 0; i < n_refused; ++i) {
    const auto a = static_cast<std::uint32_t>(at_most(take(), static_cast<double>(n_observed)));
    state.refused.insert(
        {a, static_cast<std::uint32_t>(at_most(take(), static_cast<double>(n_observed)))});
  }
  return state;
}

}  // namespace orrery::quartet
