#include "families/categorical/structural_ep/inference.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "families/categorical/structural_ep/discrete.hpp"

namespace orrery::structural_ep {
namespace {

/// What a start gives to its parent sets, and to the states of its causes.
constexpr double start_share = .9;
constexpr double start_state = .8;

}  // namespace

Inference::Inference(Shape shape, const data::CategoricalTable& table,
                     const learning::RowShare& rows, double prior)
    : shape_(std::move(shape)),
      table_(table),
      rows_(rows),
      prior_(prior),
      messages_(shape_, rows.size()),
      beliefs_(static_cast<std::size_t>(rows.n_threads()), RowBeliefs(shape_)) {
  const std::size_t n = shape_.n_observed() * shape_.n_sets();
  posterior_.structure.assign(n, 1.0 / static_cast<double>(shape_.n_sets()));
  log_structure_.assign(n, 0);
  posterior_.counts.assign(shape_.n_counts(), prior);
  first_expectation_.assign(1, 0);
  for (const std::size_t n_categories : shape_.n_categories) {
    first_expectation_.push_back(first_expectation_.back() + shape_.n_states * n_categories);
  }
}

RowView Inference::view(std::size_t row) {
  return row_view(shape_, messages_, row, table_.row(rows_.first() + row), held_);
}

void Inference::start(const Start& start) {
  messages_ = RowMessages(shape_, rows_.size());
  held_.clear();
  n_passed_over_ = 0;
  n_improper_ = 0;
  const std::size_t n_sets = shape_.n_sets();
  const std::size_t d = shape_.n_observed();
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t k = 0; k < n_sets; ++k) {
      const double share = n_sets == 1 ? 1
                           : k == start.sets[i]
                               ? start_share
                               : (1 - start_share) / static_cast<double>(n_sets - 1);
      posterior_.structure[i * n_sets + k] = share;
      log_structure_[i * n_sets + k] = std::log(share);
    }
  }
  const double out = 1 - start_state;
  const auto sums =
      rows_.sum(shape_.n_counts(), [&](std::size_t row, int /*thread*/, std::span<double> counts) {
        const RowView view = this->view(row);
        for (std::size_t i = 0; i < d; ++i) {
          const std::size_t x = view.codes[i];
          if (x == data::missing_code) continue;
          const ParentSet& set = shape_.sets[start.sets[i]];
          std::size_t state = 0;
          for (std::size_t a = set.causes.size(); a-- > 0;) {
            state = state * shape_.cardinality + start.states[set.causes[a]][row];
          }
          for (std::size_t j = 0; j < set.n_states; ++j) {
            const std::size_t l =
                shape_.first_count[i] + (set.first_row + j) * shape_.n_categories[i] + x;
            view.counts[l] = j == state ? start_state : out / static_cast<double>(set.n_states - 1);
            counts[l] += view.counts[l];
          }
          double* message = view.states.data() + i * shape_.n_states + set.first_state;
          for (std::size_t j = 0; j < set.n_states; ++j) message[j] = j == state ? 1 : .75;
        }
      });
  take_counts(sums);
}

double Inference::take_structure(std::span<const double> log_messages) {
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

/// A row of parameters whose messages leave nothing of its prior begins anew. Returns the largest
/// change of an expected parameter.
double Inference::take_counts(std::span<const double> sums) {
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

void Inference::drop_counts(std::size_t i, std::size_t j) {
  ++n_improper_;
  const std::size_t n_categories = shape_.n_categories[i];
  const std::size_t first = shape_.first_count[i] + j * n_categories;
  for (std::size_t l = first; l < first + n_categories; ++l) posterior_.counts[l] = prior_;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    std::ranges::fill(view(row).counts.subspan(first, n_categories), 0.0);
  }
}

double Inference::sweep(const SweepOptions& options) {
  const std::size_t n_structure = posterior_.structure.size();
  const std::size_t n_counts = posterior_.counts.size();
  const auto sums = rows_.sum(
      n_structure + n_counts + 1, [&](std::size_t row, int thread, std::span<double> sums_of) {
        const SweepSums to{sums_of.first(n_structure), sums_of.subspan(n_structure, n_counts)};
        sums_of.back() +=
            static_cast<double>(beliefs(thread).update(view(row), posterior_, options, to));
      });
  n_passed_over_ += static_cast<std::uint64_t>(sums.back());
  const double of_counts = take_counts(std::span(sums).subspan(n_structure, n_counts));
  return options.hold_structure ? of_counts : take_structure(std::span(sums).first(n_structure));
}

std::size_t Inference::iterate(const IterateOptions& options) {
  std::size_t n_calm = 0;
  std::size_t n = 0;
  const bool always = options.held_sweeps >= options.max_sweeps;
  while (n < options.max_sweeps && n_calm < 3) {
    const bool hold = n < options.held_sweeps;
    if (!hold) held_.clear();
    const double change = sweep({options.projection, options.damping, hold});
    n_calm = change < options.tolerance && hold == always ? n_calm + 1 : 0;
    ++n;
    if (options.go_on && !options.go_on()) break;
  }
  return n;
}

void Inference::hold_structure(std::vector<std::uint32_t> sets) {
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
        for (std::size_t i = 0; i < shape_.n_observed(); ++i) keep_only(view, i, sets[i], counts);
      });
  take_counts(sums);
  held_ = std::move(sets);
}

/// Takes back what value i has said to other parent sets than this, and adds up the rest.
void Inference::keep_only(const RowView& row, std::size_t i, std::uint32_t k,
                          std::span<double> counts) {
  const ParentSet& set = shape_.sets[k];
  const auto states = row.states.subspan(i * shape_.n_states, shape_.n_states);
  std::ranges::fill(states.first(set.first_state), 1.0);
  std::ranges::fill(states.subspan(set.end_state()), 1.0);
  const std::size_t first = shape_.first_count[i];
  const auto sent = row.counts.subspan(first, shape_.first_count[i + 1] - first);
  const std::size_t n_categories = shape_.n_categories[i];
  std::ranges::fill(sent.first(set.first_row * n_categories), 0.0);
  std::ranges::fill(sent.subspan((set.first_row + set.n_states) * n_categories), 0.0);
  for (std::size_t l = 0; l < sent.size(); ++l) counts[first + l] += sent[l];
}

double Inference::log_evidence() {
  const std::size_t d = shape_.n_observed();
  const std::size_t n_sets = shape_.n_sets();
  std::vector<double> log_betas;
  double result = 0;
  for (std::size_t i = 0; i < d; ++i) {
    const std::size_t n_categories = shape_.n_categories[i];
    const std::vector<double> prior(n_categories, prior_);
    for (std::size_t j = 0; j < shape_.n_rows; ++j) {
      log_betas.push_back(
          log_beta(std::span(posterior_.counts)
                       .subspan(shape_.first_count[i] + j * n_categories, n_categories)));
      result += log_betas.back() - log_beta(prior);
    }
    const auto logs = std::span(log_structure_).subspan(i * n_sets, n_sets);
    const double largest = std::ranges::max(logs);
    double total = 0;
    for (const double log : logs) total += std::exp(log - largest);
    result += largest + std::log(total / static_cast<double>(n_sets));
  }
  const auto sums = rows_.sum(1, [&](std::size_t row, int thread, std::span<double> sum) {
    RowBeliefs& of_row = beliefs(thread);
    const RowView view = this->view(row);
    sum[0] += of_row.log_factors(view, posterior_, log_betas);
    sum[0] += of_row.log_normalizers(view);
  });
  return result + sums[0];
}

std::vector<std::uint32_t> Inference::best_sets() const {
  const std::size_t n_sets = shape_.n_sets();
  std::vector<std::uint32_t> best(shape_.n_observed());
  for (std::size_t i = 0; i < best.size(); ++i) {
    const auto row = std::span(log_structure_).subspan(i * n_sets, n_sets);
    best[i] = static_cast<std::uint32_t>(std::ranges::max_element(row) - row.begin());
  }
  return best;
}

std::vector<double> Inference::cause_beliefs(std::size_t row) {
  beliefs(0).gather(view(row), false);
  const auto causes = beliefs(0).causes();
  return {causes.begin(), causes.end()};
}

std::vector<std::vector<std::uint8_t>> Inference::cause_states() {
  const std::size_t j_all = shape_.cardinality;
  std::vector<std::vector<std::uint8_t>> states(shape_.n_causes,
                                                std::vector<std::uint8_t>(rows_.size()));
  rows_.for_each([&](std::size_t row, int thread) {
    RowBeliefs& of_row = beliefs(thread);
    of_row.gather(view(row), false);
    for (std::size_t k = 0; k < shape_.n_causes; ++k) {
      const auto of_cause = of_row.causes().subspan(k * j_all, j_all);
      states[k][row] =
          static_cast<std::uint8_t>(std::ranges::max_element(of_cause) - of_cause.begin());
    }
  });
  return states;
}

Inference::CauseMoments Inference::cause_moments() {
  const std::size_t n = shape_.n_causes * shape_.cardinality;
  const auto sums =
      rows_.sum(n + n * n, [&](std::size_t row, int thread, std::span<double> sums_of) {
        beliefs(thread).gather(view(row), false);
        const auto q = beliefs(thread).causes();
        for (std::size_t a = 0; a < n; ++a) {
          sums_of[a] += q[a];
          for (std::size_t b = 0; b < n; ++b) sums_of[n + a * n + b] += q[a] * q[b];
        }
      });
  CauseMoments moments;
  moments.single.assign(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(n));
  moments.pair.assign(sums.begin() + static_cast<std::ptrdiff_t>(n), sums.end());
  return moments;
}

void Inference::hold_cause(std::size_t row, std::size_t cause, std::uint8_t state) {
  messages_.held[row * shape_.n_causes + cause] = state;
}

void Inference::release_causes() { std::ranges::fill(messages_.held, free_state); }

std::size_t Inference::hold_causes(double certainty) {
  const std::size_t j_all = shape_.cardinality;
  const auto sums = rows_.sum(1, [&](std::size_t row, int thread, std::span<double> sum) {
    beliefs(thread).gather(view(row), false);
    const auto q = beliefs(thread).causes();
    for (std::size_t k = 0; k < shape_.n_causes; ++k) {
      for (std::size_t j = 0; j < j_all; ++j) {
        if (q[k * j_all + j] <= certainty) continue;
        hold_cause(row, k, static_cast<std::uint8_t>(j));
        sum[0] += 1;
      }
    }
  });
  return static_cast<std::size_t>(sums[0]);
}

}  // namespace orrery::structural_ep
