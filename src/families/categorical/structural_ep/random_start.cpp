#include "families/categorical/structural_ep/random_start.hpp"

#include <span>
#include <vector>

#include "base/random.hpp"

namespace orrery::structural_ep {
namespace {

/// A message to a state is drawn evenly from 1 - spread to 1. Of 0.1, 0.5, 0.9, 0.99 and 1, on
/// networks of one parent as jobs/sep has them (3 a cell; 2 and 4 causes, 200 and 1,000 rows), 0.9
/// has the fewest wrong edges; near 0 all causes stay alike. With two parents they are even.
constexpr double spread = .9;

/// What value i of a row says before anything is known: of the state of each parent set, and of
/// the row of parameters that it was drawn from.
void send_at_random(const Shape& shape, const RowView& view, std::size_t i, RowRandom& random,
                    double weight, std::span<double> counts) {
  const auto message = view.states.subspan(i * shape.n_states, shape.n_states);
  for (std::size_t j = 0; j < message.size(); ++j) message[j] = 1 - spread * random.uniform();
  std::vector<double> shares(shape.n_rows);
  double total = 0;
  for (double& share : shares) total += share = 1 - spread * random.uniform();
  for (std::size_t j = 0; j < shape.n_rows; ++j) {
    const std::size_t at = shape.first_count[i] + j * shape.n_categories[i] + view.codes[i];
    view.counts[at] = shares[j] / total;
    counts[at] += weight * view.counts[at];
  }
}

}  // namespace

void begin_at_random(std::uint64_t seed, std::uint64_t number, Approximation& approximation) {
  const Shape& shape = approximation.shape();
  approximation.reset(std::vector<std::uint32_t>(shape.n_observed()),
                      1 / static_cast<double>(shape.n_sets()));
  const std::uint64_t first = approximation.rows().first();
  const auto sums = approximation.rows().sum(
      shape.n_counts(), [&](std::size_t row, int /*thread*/, std::span<double> counts) {
        const RowView view = approximation.view(row);
        // Beyond the numbers of starts from clusters, which draw from the same stream.
        RowRandom random(seed, Stream::restart, (number + 1) << 40U | (first + row));
        for (std::size_t i = 0; i < shape.n_observed(); ++i) {
          if (view.codes[i] == data::missing_code) continue;
          send_at_random(shape, view, i, random, approximation.weight(row), counts);
        }
      });
  approximation.take_counts(sums);
}

IterateOptions free_sweeps(const Options& options, const std::function<bool()>& go_on) {
  IterateOptions free;
  free.go_on = go_on;
  free.projection = options.projection;
  free.damping = options.damping;
  free.held_sweeps = 0;
  free.max_sweeps = options.max_sweeps;
  free.tolerance = options.tolerance;
  return free;
}

std::size_t run_from_random(const Options& options, std::uint64_t number,
                            const std::function<bool()>& go_on, Approximation& approximation) {
  begin_at_random(options.seed, number, approximation);
  return iterate(approximation, free_sweeps(options, go_on));
}

}  // namespace orrery::structural_ep
