#include "families/categorical/structural_ep/group_update.hpp"

#include <algorithm>

#include "orrery/data/categorical_table.hpp"

namespace orrery::structural_ep {
RowUpdate find_row_update(kernels::Isa isa) {
#if defined(__x86_64__)
  if (kernels::find(isa) != nullptr && isa == kernels::Isa::avx2) return row_update_avx2();
  if (kernels::find(isa) != nullptr && isa == kernels::Isa::avx512) return row_update_avx512();
#endif
  return row_update_baseline();
}

GroupUpdate::GroupUpdate(const Shape& shape, const RowUpdate& update)
    : shape_(shape),
      update_(update),
      codes_(row_lanes * shape.n_observed()),
      logs_(row_lanes * shape.n_states),
      products_(row_lanes * shape.n_states),
      belief_(row_lanes * shape.n_states),
      room_(std::max(room_for_update(shape.n_sets(), shape.n_states, shape.n_rows,
                                     std::ranges::max(shape.n_categories)),
                     room_for_bounds(shape.n_states, shape.n_causes, shape.cardinality))) {
  for (const ParentSet& set : shape.sets) {
    sets_.push_back(
        {set.n_states, set.first_state, set.first_row, set.causes.size(), set.causes.data()});
  }
}

SweepArrays GroupUpdate::arrays(std::span<const std::uint32_t> held_sets,
                                const Posterior& posterior, const SweepOptions& options) const {
  return {shape_.n_observed(),
          shape_.n_sets(),
          shape_.n_states,
          shape_.n_rows,
          sets_.data(),
          shape_.n_categories.data(),
          shape_.first_count.data(),
          held_sets.empty() ? nullptr : held_sets.data(),
          posterior.structure.data(),
          posterior.counts.data(),
          options.damping,
          options.hold_structure,
          options.projection == Projection::mean_log};
}

bool GroupUpdate::take_codes(std::span<const RowView> rows) {
  bool misses = false;
  std::ranges::fill(codes_, -1.0);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = 0; i < shape_.n_observed(); ++i) {
      const std::uint8_t code = rows[r].codes[i];
      if (code == data::missing_code) {
        misses = true;
      } else {
        codes_[row_lanes * i + r] = code;
      }
    }
  }
  return misses;
}

/// A logarithm for 16 messages, as RowBeliefs takes it: where values are missing, each row has its
/// own sixteen.
void GroupUpdate::gather(std::span<const RowView> rows, const SweepArrays& sweep, bool misses,
                         RowBeliefs& beliefs) {
  constexpr std::size_t a_logarithm = RowBeliefs::messages_a_logarithm;
  std::ranges::fill(logs_, 0.0);
  for (std::size_t i = 0; i < shape_.n_observed() && !misses; i += a_logarithm) {
    update_.add_logs(sweep, rows[0].states.data(), i,
                     std::min(a_logarithm, shape_.n_observed() - i), logs_.data(),
                     products_.data());
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (misses) {
      beliefs.gather(rows[r], true);
    } else {
      beliefs.gather_from(LaneSpan(logs_.data() + r, shape_.n_states), rows[r]);
    }
    for (std::size_t s = 0; s < shape_.n_states; ++s) {
      belief_[s * row_lanes + r] = beliefs.states()[s];
    }
  }
}

std::size_t GroupUpdate::update(std::span<const RowView> rows, std::span<const double> weights,
                                const Posterior& posterior, const SweepOptions& options,
                                const SweepSums& sums, RowBeliefs& beliefs) {
  const SweepArrays sweep = arrays(rows[0].sets, posterior, options);
  const bool misses = take_codes(rows);
  std::ranges::fill(belief_, 1.0);
  gather(rows, sweep, misses, beliefs);
  std::array<double, row_lanes> all_weights{};
  std::ranges::copy(weights, all_weights.begin());
  return update_.update(sweep, {codes_.data(), all_weights.data(), rows[0].structure.data(),
                                rows[0].states.data(), rows[0].counts.data(), belief_.data(),
                                sums.log_structure.data(), sums.counts.data(), room_.data()});
}

void GroupUpdate::share(std::span<const RowView> rows, std::span<const double> weights,
                        const double* belief, std::span<const double> expectations,
                        std::span<const std::size_t> first_expectation, std::span<double> counts,
                        std::span<double> scores) {
  take_codes(rows);
  std::array<double, row_lanes> all_weights{};
  std::ranges::copy(weights, all_weights.begin());
  SweepArrays sweep{};
  sweep.n_observed = shape_.n_observed();
  sweep.n_sets = shape_.n_sets();
  sweep.n_states = shape_.n_states;
  sweep.sets = sets_.data();
  sweep.n_categories = shape_.n_categories.data();
  sweep.held_sets = rows[0].sets.data();
  update_.share(sweep, {shape_.n_causes, shape_.cardinality, first_expectation.data(),
                        expectations.data(), codes_.data(), all_weights.data(),
                        rows[0].states.data(), belief, counts.data(), scores.data(), room_.data()});
}

}  // namespace orrery::structural_ep
