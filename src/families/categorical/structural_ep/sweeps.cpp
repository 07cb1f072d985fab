#include "families/categorical/structural_ep/sweeps.hpp"

namespace orrery::structural_ep {
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
        const SweepSums to{sums_of.first(n_structure), sums_of.subspan(n_structure, n_counts)};
        RowBeliefs& beliefs = approximation.beliefs(thread);
        sums_of.back() +=
            static_cast<double>(beliefs.update(approximation.view(row), posterior, options, to));
      });
  approximation.count_passed_over(static_cast<std::uint64_t>(sums.back()));
  const double of_counts =
      approximation.take_counts(std::span(sums).subspan(n_structure, n_counts));
  return options.hold_structure ? of_counts
                                : approximation.take_structure(std::span(sums).first(n_structure));
}

/// What value i of a row says if the start is true: of its parents' state, and of the parameters.
void send_start(const Shape& shape, const RowView& view, std::size_t i, const ParentSet& set,
                std::size_t state, std::span<double> counts) {
  const double out = 1 - start_state;
  for (std::size_t j = 0; j < set.n_states; ++j) {
    const std::size_t l =
        shape.first_count[i] + (set.first_row + j) * shape.n_categories[i] + view.codes[i];
    view.counts[l] = j == state ? start_state : out / static_cast<double>(set.n_states - 1);
    counts[l] += view.counts[l];
  }
  double* message = view.states.data() + i * shape.n_states + set.first_state;
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
          send_start(shape, view, i, set, state, counts);
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

}  // namespace orrery::structural_ep
