// Purpose: the likelihood of rows under a distribution along a tree, by one upward pass a row.
// Cost: O(N m). Determinism: blocks of rows of a fixed size, whose sums are added in block order.
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "orrery/base/error.hpp"
#include "orrery/evaluate/chow_liu.hpp"

namespace orrery::evaluate {
namespace {

using Pair = std::array<double, 2>;

constexpr std::size_t block_rows = 4096;

double log_sum(double a, double b) {
  return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

class RowEvaluator {
 public:
  explicit RowEvaluator(const TreeModel& tree) : tree_(tree), log_p_(tree.on.size()) {
    for (std::size_t a = 0; a < log_p_.size(); ++a) {
      for (std::size_t x = 0; x < 2; ++x) {
        log_p_[a][x] = {std::log1p(-tree.on[a][x]), std::log(tree.on[a][x])};
      }
    }
  }

  /// `below` is scratch memory of a thread: of each variable and state, log P(what is observed of
  /// its descendants | that state).
  [[nodiscard]] double log_likelihood(const data::SampleMatrix& samples, std::size_t row,
                                      std::vector<Pair>& below) const {
    std::fill(below.begin(), below.end(), Pair{});
    double sum = 0;
    for (auto at = tree_.after_parents.rbegin(); at != tree_.after_parents.rend(); ++at) {
      const Pair message = message_to_parent(samples, row, *at, below[*at]);
      if (tree_.parent[*at] < 0) {
        sum += message[0];  // a root: both are the same
        continue;
      }
      Pair& above = below[static_cast<std::size_t>(tree_.parent[*at])];
      above[0] += message[0];
      above[1] += message[1];
    }
    return sum;
  }

 private:
  /// log P(what is observed of `a` and its descendants | each state of its parent).
  [[nodiscard]] Pair message_to_parent(const data::SampleMatrix& samples, std::size_t row,
                                       std::size_t a, const Pair& below) const {
    const auto& off = log_p_[a][0];
    const auto& on = log_p_[a][1];
    if (samples.missing && samples.missing->at(row, a)) {
      return {log_sum(off[0] + below[0], off[1] + below[1]),
              log_sum(on[0] + below[0], on[1] + below[1])};
    }
    const std::size_t value = samples.values.at(row, a) ? 1 : 0;
    return {off[value] + below[value], on[value] + below[value]};
  }

  const TreeModel& tree_;
  std::vector<std::array<Pair, 2>> log_p_;  // [variable][state of the parent][value]
};

}  // namespace

double mean_log_likelihood(const TreeModel& tree, const data::SampleMatrix& samples) {
  const std::size_t m = tree.parent.size();
  if (samples.n_observed() != m || samples.n_samples() == 0) {
    throw InputError(
        fmt::format("the data hold {} rows of {} variables; rows of {} variables are needed",
                    samples.n_samples(), samples.n_observed(), m));
  }
  const RowEvaluator evaluator(tree);
  const std::size_t n_blocks = (samples.n_samples() + block_rows - 1) / block_rows;
  std::vector<double> block_sum(n_blocks, 0);
  // Allocated here: nothing may throw inside the parallel region.
  std::vector<std::vector<Pair>> below(static_cast<std::size_t>(omp_get_max_threads()),
                                       std::vector<Pair>(m));
#pragma omp parallel for schedule(dynamic)
  for (std::size_t block = 0; block < n_blocks; ++block) {
    std::vector<Pair>& mine = below[static_cast<std::size_t>(omp_get_thread_num())];
    const std::size_t end = std::min(samples.n_samples(), (block + 1) * block_rows);
    double sum = 0;
    for (std::size_t row = block * block_rows; row < end; ++row) {
      sum += evaluator.log_likelihood(samples, row, mine);
    }
    block_sum[block] = sum;
  }
  double sum = 0;
  for (const double part : block_sum) sum += part;
  return sum / static_cast<double>(samples.n_samples());
}

}  // namespace orrery::evaluate
