#include "families/categorical/structural_ep/approximation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace orrery::structural_ep {

Approximation::Approximation(Shape shape, const WeightedRows& observed,
                             const learning::RowShare& rows, double prior)
    : shape_(std::move(shape)),
      observed_(observed),
      rows_(rows),
      prior_(prior),
      messages_(shape_, rows.size()),
      beliefs_(static_cast<std::size_t>(rows.n_threads()), RowBeliefs(shape_)),
      updates_(static_cast<std::size_t>(rows.n_threads()),
               GroupUpdate(shape_, find_row_update(kernels::active().isa))) {
  const std::size_t n = shape_.n_observed() * shape_.n_sets();
  posterior_.structure.assign(n, 1.0 / static_cast<double>(shape_.n_sets()));
  log_structure_.assign(n, 0);
  posterior_.counts.assign(shape_.n_counts(), prior);
}

RowView Approximation::view(std::size_t row) {
  return row_view(shape_, messages_, row, observed_.table().row(rows_.first() + row), held_);
}

Approximation::Group Approximation::group(std::size_t row) {
  Group group;
  group.n_rows = std::min(row_lanes, rows_.size() - row);
  for (std::size_t r = 0; r < group.n_rows; ++r) {
    group.views[r] = view(row + r);
    group.weights[r] = weight(row + r);
  }
  return group;
}

void Approximation::reset(const std::vector<std::uint32_t>& sets, double share) {
  messages_.clear();
  held_.clear();
  n_passed_over_ = 0;
  n_improper_ = 0;
  const std::size_t n_sets = shape_.n_sets();
  for (std::size_t i = 0; i < shape_.n_observed(); ++i) {
    for (std::size_t k = 0; k < n_sets; ++k) {
      const double of_set = n_sets == 1    ? 1
                            : k == sets[i] ? share
                                           : (1 - share) / static_cast<double>(n_sets - 1);
      posterior_.structure[i * n_sets + k] = of_set;
      log_structure_[i * n_sets + k] = std::log(of_set);
    }
  }
}

double Approximation::take_structure(std::span<const double> log_messages) {
  const std::size_t n_sets = shape_.n_sets();
  double change = 0;
  for (std::size_t i = 0; i < shape_.n_observed(); ++i) {
    const auto logs = log_messages.subspan(i * n_sets, n_sets);
    const double largest = std::ranges::max(logs);
    double total = 0;
    for (const double log : logs) total += std::exp(log - largest);
    for (std::size_t k = 0; k < n_sets; ++k) {
      const std::size_t at = i * n_sets + k;
      const double value = std::max(std::exp(logs[k] - largest) / total, least_probability);
      change = std::max(change, std::abs(value - posterior_.structure[at]));
      posterior_.structure[at] = value;
      log_structure_[at] = logs[k];
    }
  }
  return change;
}

double Approximation::take_counts(std::span<const double> sums) {
  double change = 0;
  for (std::size_t i = 0; i < shape_.n_observed(); ++i) {
    const std::size_t n_categories = shape_.n_categories[i];
    for (std::size_t j = 0; j < shape_.n_rows; ++j) {
      const std::size_t first = shape_.first_count[i] + j * n_categories;
      const auto counts = std::span(posterior_.counts).subspan(first, n_categories);
      const double before = std::reduce(counts.begin(), counts.end());
      const double now =
          static_cast<double>(n_categories) * prior_ +
          std::reduce(sums.begin() + static_cast<std::ptrdiff_t>(first),
                      sums.begin() + static_cast<std::ptrdiff_t>(first + n_categories));
      bool proper = true;
      for (std::size_t l = 0; l < n_categories; ++l) {
        const double count = prior_ + sums[first + l];
        change = std::max(change, std::abs(count / now - counts[l] / before));
        counts[l] = count;
        proper = proper && count > prior_ * 1e-3;
      }
      if (!proper) drop_counts(i, j);
    }
  }
  return change;
}

void Approximation::drop_counts(std::size_t i, std::size_t j) {
  ++n_improper_;
  const std::size_t n_categories = shape_.n_categories[i];
  const std::size_t first = shape_.first_count[i] + j * n_categories;
  for (std::size_t l = first; l < first + n_categories; ++l) posterior_.counts[l] = prior_;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    view(row).counts.subspan(first, n_categories).fill(0);
  }
}

void Approximation::hold_structure(std::vector<std::uint32_t> sets) {
  const std::size_t n_sets = shape_.n_sets();
  for (std::size_t i = 0; i < shape_.n_observed(); ++i) {
    for (std::size_t k = 0; k < n_sets; ++k) {
      posterior_.structure[i * n_sets + k] = k == sets[i] ? 1 : least_probability;
      log_structure_[i * n_sets + k] = k == sets[i] ? 0 : std::log(least_probability);
    }
  }
  std::ranges::fill(messages_.structure, 1.0);
  held_.clear();
  const auto sums =
      rows_.sum(shape_.n_counts(), [&](std::size_t row, int /*thread*/, std::span<double> counts) {
        const RowView view = this->view(row);
        for (std::size_t i = 0; i < shape_.n_observed(); ++i) {
          keep_only(view, i, sets[i], weight(row), counts);
        }
      });
  take_counts(sums);
  held_ = std::move(sets);
}

/// Takes back what value i has said to other parent sets than this, and adds up the rest.
void Approximation::keep_only(const RowView& row, std::size_t i, std::uint32_t k, double weight,
                              std::span<double> counts) {
  const ParentSet& set = shape_.sets[k];
  const auto states = row.states.subspan(i * shape_.n_states, shape_.n_states);
  states.subspan(0, set.first_state).fill(1);
  states.subspan(set.end_state(), states.size() - set.end_state()).fill(1);
  const std::size_t first = shape_.first_count[i];
  const auto sent = row.counts.subspan(first, shape_.first_count[i + 1] - first);
  const std::size_t n_categories = shape_.n_categories[i];
  const std::size_t end = (set.first_row + set.n_states) * n_categories;
  sent.subspan(0, set.first_row * n_categories).fill(0);
  sent.subspan(end, sent.size() - end).fill(0);
  for (std::size_t l = 0; l < sent.size(); ++l) counts[first + l] += weight * sent[l];
}

std::vector<std::uint32_t> Approximation::best_sets() const {
  const std::size_t n_sets = shape_.n_sets();
  std::vector<std::uint32_t> best(shape_.n_observed());
  for (std::size_t i = 0; i < best.size(); ++i) {
    const auto row = std::span(log_structure_).subspan(i * n_sets, n_sets);
    best[i] = static_cast<std::uint32_t>(std::ranges::max_element(row) - row.begin());
  }
  return best;
}

void Approximation::hold_cause(std::size_t row, std::size_t cause, std::uint8_t state) {
  messages_.held[row * shape_.n_causes + cause] = state;
}

void Approximation::release_causes() { std::ranges::fill(messages_.held, free_state); }

// ---- sweeps

namespace {

/// What a start gives to its parent sets, and to the states of its causes.
constexpr double start_share = .9;
constexpr double start_state = .8;

/// All rows once; returns the largest change.
double sweep(Approximation& approximation, const SweepOptions& options) {
  const Posterior& posterior = approximation.posterior();
  const std::size_t n_structure = posterior.structure.size();
  const std::size_t n_counts = posterior.counts.size();
  const auto sums = approximation.rows().sum(
      n_structure + n_counts + 1, [&](std::size_t row, int thread, std::span<double> sums_of) {
        if (row % row_lanes != 0) return;  // a group's rows are never parted
        const SweepSums to{sums_of.first(n_structure), sums_of.subspan(n_structure, n_counts)};
        const auto group = approximation.group(row);
        sums_of.back() += static_cast<double>(approximation.group_update(thread).update(
            std::span(group.views).first(group.n_rows),
            std::span(group.weights).first(group.n_rows), posterior, options, to,
            approximation.beliefs(thread)));
      });
  approximation.count_passed_over(static_cast<std::uint64_t>(sums.back()));
  const double of_counts =
      approximation.take_counts(std::span(sums).subspan(n_structure, n_counts));
  return options.hold_structure ? of_counts
                                : approximation.take_structure(std::span(sums).first(n_structure));
}

/// What value i of a row says if the start is true: of its parents' state, and of the parameters.
void send_start(const Shape& shape, const RowView& view, std::size_t i, const ParentSet& set,
                std::size_t state, double weight, std::span<double> counts) {
  const double out = 1 - start_state;
  for (std::size_t j = 0; j < set.n_states; ++j) {
    const std::size_t l =
        shape.first_count[i] + (set.first_row + j) * shape.n_categories[i] + view.codes[i];
    view.counts[l] = j == state ? start_state : out / static_cast<double>(set.n_states - 1);
    counts[l] += weight * view.counts[l];
  }
  const LaneSpan message = view.states.subspan(i * shape.n_states + set.first_state, set.n_states);
  for (std::size_t j = 0; j < set.n_states; ++j) message[j] = j == state ? 1 : .75;
}

}  // namespace

void begin_from(const Start& start, Approximation& approximation) {
  approximation.reset(start.sets, start_share);
  const Shape& shape = approximation.shape();
  const auto sums = approximation.rows().sum(
      shape.n_counts(), [&](std::size_t row, int /*thread*/, std::span<double> counts) {
        const RowView view = approximation.view(row);
        for (std::size_t i = 0; i < shape.n_observed(); ++i) {
          if (view.codes[i] == data::missing_code) continue;
          const ParentSet& set = shape.sets[start.sets[i]];
          std::size_t state = 0;
          for (std::size_t a = set.causes.size(); a-- > 0;) {
            state = state * shape.cardinality + start.states[set.causes[a]][row];
          }
          send_start(shape, view, i, set, state, approximation.weight(row), counts);
        }
      });
  approximation.take_counts(sums);
}

std::size_t iterate(Approximation& approximation, const IterateOptions& options) {
  std::size_t n_calm = 0;
  std::size_t n = 0;
  const bool always = options.held_sweeps >= options.max_sweeps;
  while (n < options.max_sweeps && n_calm < 3) {
    const bool hold = n < options.held_sweeps;
    if (!hold) approximation.release_structure();
    const double change = sweep(approximation, {options.projection, options.damping, hold});
    n_calm = change < options.tolerance && hold == always ? n_calm + 1 : 0;
    ++n;
    if (options.go_on && !options.go_on()) break;
  }
  return n;
}

// ---- the causes

CauseMoments cause_moments(Approximation& approximation) {
  const Shape& shape = approximation.shape();
  const std::size_t n = shape.n_causes * shape.cardinality;
  const auto sums = approximation.rows().sum(
      n + n * n, [&](std::size_t row, int thread, std::span<double> sums_of) {
        approximation.beliefs(thread).gather(approximation.view(row), false);
        const auto q = approximation.beliefs(thread).causes();
        const double weight = approximation.weight(row);
        for (std::size_t a = 0; a < n; ++a) {
          sums_of[a] += weight * q[a];
          for (std::size_t b = 0; b < n; ++b) sums_of[n + a * n + b] += weight * (q[a] * q[b]);
        }
      });
  CauseMoments moments;
  moments.single.assign(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(n));
  moments.pair.assign(sums.begin() + static_cast<std::ptrdiff_t>(n), sums.end());
  return moments;
}

std::vector<std::vector<std::uint8_t>> cause_states(Approximation& approximation) {
  const Shape& shape = approximation.shape();
  const std::size_t j_all = shape.cardinality;
  std::vector<std::vector<std::uint8_t>> states(
      shape.n_causes, std::vector<std::uint8_t>(approximation.rows().size()));
  approximation.rows().for_each([&](std::size_t row, int thread) {
    RowBeliefs& of_row = approximation.beliefs(thread);
    of_row.gather(approximation.view(row), false);
    for (std::size_t k = 0; k < shape.n_causes; ++k) {
      const auto of_cause = of_row.causes().subspan(k * j_all, j_all);
      states[k][row] =
          static_cast<std::uint8_t>(std::ranges::max_element(of_cause) - of_cause.begin());
    }
  });
  return states;
}

std::size_t hold_causes(Approximation& approximation, double certainty) {
  const Shape& shape = approximation.shape();
  const std::size_t j_all = shape.cardinality;
  const auto sums =
      approximation.rows().sum(1, [&](std::size_t row, int thread, std::span<double> sum) {
        approximation.beliefs(thread).gather(approximation.view(row), false);
        const auto q = approximation.beliefs(thread).causes();
        for (std::size_t k = 0; k < shape.n_causes; ++k) {
          for (std::size_t j = 0; j < j_all; ++j) {
            if (q[k * j_all + j] <= certainty) continue;
            approximation.hold_cause(row, k, static_cast<std::uint8_t>(j));
            sum[0] += approximation.weight(row);
          }
        }
      });
  return static_cast<std::size_t>(sums[0]);
}

}  // namespace orrery::structural_ep
