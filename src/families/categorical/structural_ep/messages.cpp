#include "families/categorical/structural_ep/messages.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/logarithm.hpp"
#include "orrery/data/categorical_table.hpp"

namespace orrery::structural_ep {
namespace {

/// Counts of a cavity below this make it improper in all but name.
constexpr double least_count = 1e-6;

}  // namespace

RowMessages::RowMessages(const Shape& shape, std::size_t n_rows)
    : structure(n_groups(n_rows) * row_lanes * shape.n_observed() * shape.n_sets(), 1.0),
      states(n_groups(n_rows) * row_lanes * shape.n_observed() * shape.n_states, 1.0),
      counts(n_groups(n_rows) * row_lanes * shape.n_counts(), 0.0),
      causes(shape.max_parents == 1
                 ? 0
                 : n_rows * shape.n_sets() * shape.max_parents * shape.cardinality,
             0.0),
      held(n_rows * shape.n_causes, free_state) {}

void RowMessages::clear() noexcept {
  std::ranges::fill(structure, 1.0);
  std::ranges::fill(states, 1.0);
  std::ranges::fill(counts, 0.0);
  std::ranges::fill(causes, 0.0);
  std::ranges::fill(held, free_state);
}

RowView row_view(const Shape& shape, RowMessages& messages, std::size_t row,
                 std::span<const std::uint8_t> codes, std::span<const std::uint32_t> sets) {
  const auto part = [row](auto& values, std::size_t n) {
    return std::span(values).subspan(values.empty() ? 0 : row * n, values.empty() ? 0 : n);
  };
  const auto lane = [row](data::AlignedVector<double>& values, std::size_t n) {
    return LaneSpan(values.data() + row / row_lanes * row_lanes * n + row % row_lanes, n);
  };
  const std::size_t d = shape.n_observed();
  return {codes,
          sets,
          lane(messages.structure, d * shape.n_sets()),
          lane(messages.states, d * shape.n_states),
          lane(messages.counts, shape.n_counts()),
          part(messages.causes, shape.n_sets() * shape.max_parents * shape.cardinality),
          part(messages.held, shape.n_causes)};
}

RowBeliefs::RowBeliefs(const Shape& shape)
    : shape_(shape),
      belief_(shape.n_states),
      cause_belief_(shape.n_causes * shape.cardinality),
      log_messages_(shape.n_states),
      log_context_(shape.n_states),
      cause_logs_(shape.n_causes * shape.cardinality),
      product_(shape.n_states),
      cavity_states_(shape.n_states),
      cavity_structure_(shape.n_sets()),
      cavity_counts_(shape.n_rows * max_length),
      projected_(max_length),
      expected_(shape.n_rows),
      evidence_(shape.n_sets()),
      share_(shape.n_rows),
      taken_back_(shape.n_causes * shape.cardinality, 1.0) {}

/// q\i and q\n of one value; false if a row of parameters is improper without its message.
bool RowBeliefs::leave_out(const RowView& row, const Posterior& posterior, std::size_t i) {
  const std::size_t n_categories = shape_.n_categories[i];
  const std::size_t x = row.codes[i];
  const double* counts = posterior.counts.data() + shape_.first_count[i];
  const LaneSpan sent = counts_of(row, i);
  const Reach reach = this->reach(row, i);
  for (std::size_t j = reach.first_row; j < reach.end_row; ++j) {
    double total = 0;
    for (std::size_t l = j * n_categories; l < (j + 1) * n_categories; ++l) {
      cavity_counts_[l] = counts[l] - sent[l];
      if (!(cavity_counts_[l] >= least_count)) return false;
      total += cavity_counts_[l];
    }
    expected_[j] = cavity_counts_[j * n_categories + x] / total;
  }
  const std::size_t n_sets = shape_.n_sets();
  const auto cavity =
      std::span(cavity_structure_).subspan(reach.first_set, reach.end_set - reach.first_set);
  for (std::size_t k = reach.first_set; k < reach.end_set; ++k) {
    cavity_structure_[k] = posterior.structure[i * n_sets + k] / row.structure[i * n_sets + k];
  }
  normalise(cavity);
  const LaneSpan message = row.states.subspan(i * shape_.n_states, shape_.n_states);
  total_ = 0;
  for (std::size_t k = reach.first_set; k < reach.end_set; ++k) {
    const ParentSet& set = shape_.sets[k];
    double norm = 0;
    double evidence = 0;
    for (std::size_t j = 0; j < set.n_states; ++j) {
      const double belief = belief_[set.first_state + j] / message[set.first_state + j];
      cavity_states_[set.first_state + j] = belief;
      norm += belief;
      evidence += belief * expected_[set.first_row + j];
    }
    const double share = 1 / norm;
    for (std::size_t j = 0; j < set.n_states; ++j) cavity_states_[set.first_state + j] *= share;
    evidence_[k] = evidence * share;
    total_ += cavity_structure_[k] * evidence_[k];
  }
  return true;
}

/// Eqs. (20)-(23), and (26)'s weights.
void RowBeliefs::send_states(const RowView& row, std::size_t i) {
  const LaneSpan message = row.states.subspan(i * shape_.n_states, shape_.n_states);
  const Reach reach = this->reach(row, i);
  std::ranges::fill(share_, 0.0);
  const double of_total = 1 / total_;
  for (std::size_t k = reach.first_set; k < reach.end_set; ++k) {
    const ParentSet& set = shape_.sets[k];
    const double weight = cavity_structure_[k] * of_total;
    const double others = std::max(0.0, 1 - weight * evidence_[k]);
    double norm = 0;
    for (std::size_t j = 0; j < set.n_states; ++j) {
      const std::size_t s = set.first_state + j;
      const double expected = expected_[set.first_row + j];
      share_[set.first_row + j] += weight * cavity_states_[s] * expected;
      message[s] = weight * expected + others;
      belief_[s] = cavity_states_[s] * message[s];
      norm += belief_[s];
    }
    const double share = 1 / norm;
    for (std::size_t j = 0; j < set.n_states; ++j) {
      double& belief = belief_[set.first_state + j];
      belief = std::max(belief * share, least_probability);
    }
  }
}

/// Eqs. (24)-(26).
void RowBeliefs::send_counts(const RowView& row, const SweepOptions& options, std::size_t i) {
  const std::size_t n_categories = shape_.n_categories[i];
  const std::size_t x = row.codes[i];
  const LaneSpan sent = counts_of(row, i);
  const Reach reach = this->reach(row, i);
  for (std::size_t j = reach.first_row; j < reach.end_row; ++j) {
    const auto cavity = std::span(cavity_counts_).subspan(j * n_categories, n_categories);
    const auto result = std::span(projected_).first(n_categories);
    project(options.projection, cavity, x, std::min(share_[j], 1.0), result);
    for (std::size_t l = 0; l < n_categories; ++l) {
      double& message = sent[j * n_categories + l];
      message += options.damping * (result[l] - cavity[l] - message);
    }
  }
}

std::size_t RowBeliefs::update(const RowView& row, const Posterior& posterior,
                               const SweepOptions& options, const SweepSums& sums) {
  gather(row, true);
  const std::size_t n_sets = shape_.n_sets();
  std::size_t n_passed_over = 0;
  for (std::size_t i = 0; i < row.codes.size(); ++i) {
    if (row.codes[i] == data::missing_code) continue;
    if (leave_out(row, posterior, i)) {
      send_states(row, i);
      send_counts(row, options, i);
      if (!options.hold_structure) {
        const double of_total = 1 / total_;
        for (std::size_t k = 0; k < n_sets; ++k) {  // Eq. (18)
          row.structure[i * n_sets + k] = evidence_[k] * of_total;
        }
      }
    } else {
      ++n_passed_over;
    }
    if (!options.hold_structure) {
      for (std::size_t k = 0; k < n_sets; ++k) {
        sums.log_structure[i * n_sets + k] +=
            sums.weight * kernels::logarithm(row.structure[i * n_sets + k]);
      }
    }
    for (std::size_t l = shape_.first_count[i]; l < shape_.first_count[i + 1]; ++l) {
      sums.counts[l] += sums.weight * row.counts[l];
    }
  }
  return n_passed_over;
}

// ---- parent sets

namespace {

void add_set(Shape& shape, std::vector<std::uint32_t> causes, std::size_t first_row) {
  ParentSet set;
  set.n_states = 1;
  for (std::size_t a = 0; a < causes.size(); ++a) set.n_states *= shape.cardinality;
  set.first_row = first_row;
  set.causes = std::move(causes);
  set.first_state = shape.n_states;
  shape.n_states += set.n_states;
  shape.sets.push_back(std::move(set));
}

void count_entries(Shape& shape, std::vector<std::size_t> n_categories) {
  shape.n_categories = std::move(n_categories);
  shape.first_count.assign(1, 0);
  for (const std::size_t n : shape.n_categories) {
    shape.first_count.push_back(shape.first_count.back() + shape.n_rows * n);
  }
}

}  // namespace

Shape make_shape(std::size_t n_causes, std::size_t cardinality, std::size_t max_parents,
                 std::vector<std::size_t> n_categories) {
  Shape shape;
  shape.n_causes = n_causes;
  shape.cardinality = cardinality;
  shape.max_parents = max_parents;
  const auto n = static_cast<std::uint32_t>(n_causes);
  for (std::uint32_t k = 0; k < n; ++k) add_set(shape, {k}, 0);
  if (max_parents == 2) {
    for (std::uint32_t k = 0; k < n; ++k) {
      for (std::uint32_t l = k + 1; l < n; ++l) add_set(shape, {k, l}, cardinality);
    }
  }
  shape.n_rows = cardinality + (max_parents == 2 ? cardinality * cardinality : 0);
  count_entries(shape, std::move(n_categories));
  return shape;
}

Shape shape_of_sets(std::size_t n_causes, std::size_t cardinality, std::size_t max_parents,
                    std::vector<std::vector<std::uint32_t>> sets,
                    std::vector<std::size_t> n_categories) {
  Shape shape;
  shape.n_causes = n_causes;
  shape.cardinality = cardinality;
  shape.max_parents = max_parents;
  for (auto& causes : sets) {
    add_set(shape, std::move(causes), 0);
    shape.n_rows = std::max(shape.n_rows, shape.sets.back().n_states);
  }
  count_entries(shape, std::move(n_categories));
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
