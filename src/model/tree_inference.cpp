// Purpose: probabilities of rows, and of hidden values given a row, on a tree behind a noisy
//          channel.
// Source: sum-product (Pearl 1988) on the hidden Markov tree of Nikolakakis, Kalogerias, Sarwate
//         2018, Sec. 2.3; the observed signs themselves factorise along no tree (Eq. 13), so that
//         the sum is over the hidden ones.
//
//   symbol            code                  shape   range
//   P(x_i | x_pa)     TreeTables::given     2 x 2   [0, 1]
//   P(y_i | x_i)      log_observed          2       nats; a missing y_i: 1, that is 0
//   up-message i->pa  sent_                 p x 2   nats, up to a constant of the row
//
//   below_i(x) = P(y_i | x) prod_{children c} sent_c(x)
//   sent_i(u)  = sum_x P(x | u) below_i(x)
//   all_i(x)   = below_i(x) sum_u P(x | u) all_pa(u) / sent_i(u),   all_root = P(x) below_root(x)
//
// Cost: O(p) a row. Scaling: each below_i is divided by its greater entry, whose logarithm goes to
// the evidence; sums of logarithms never grow with p but in the evidence itself. A division by
// sent_i(u) = 0 is of 0 by 0: then all_pa(u) = 0 too, and the term is left out.
#include "orrery/model/tree_inference.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/likelihood.hpp"
#include "model/numbers.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

constexpr double impossible = -infinity;
constexpr std::size_t block_rows = 4096;

}  // namespace

void read_bits(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing,
               std::span<Reading> readings) noexcept {
  const auto bit = [](std::span<const std::uint64_t> words, std::size_t i) {
    return (words[i / 64] >> (i % 64)) & 1U;
  };
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const bool is_missing = !missing.empty() && bit(missing, i) != 0;
    readings[i] = is_missing ? Reading::missing : static_cast<Reading>(bit(values, i));
  }
}

TreeChannel::TreeChannel(TreeTables tables, double crossover) : tables_(std::move(tables)) {
  log_given_ = tables_.given;
  for (ConditionalTable& table : log_given_) {
    for (auto& row : table) {
      for (double& value : row) value = std::log(value);
    }
  }
  const double kept = std::log1p(-crossover);
  const double flipped = std::log(crossover);
  log_observed_ = {{{kept, flipped}, {flipped, kept}, {0, 0}}};
}

TreeInference::TreeInference(const TreeChannel& channel)
    : channel_(channel),
      below_(channel.n_variables()),
      sent_(channel.n_variables()),
      all_(channel.n_variables()),
      posterior_(channel.n_variables()) {}

TreeInference::Pair TreeInference::to_parent(std::size_t i) const noexcept {
  const ConditionalTable& given = channel_.log_given(i);
  const Pair& below = below_[i];
  // A value that is known leaves one term: no logarithm.
  if (below[0] == impossible) return {given[0][1] + below[1], given[1][1] + below[1]};
  if (below[1] == impossible) return {given[0][0] + below[0], given[1][0] + below[0]};
  return {log_add(given[0][0] + below[0], given[0][1] + below[1]),
          log_add(given[1][0] + below[0], given[1][1] + below[1])};
}

double TreeInference::log_evidence(std::span<const Reading> row) noexcept {
  for (std::size_t i = 0; i < row.size(); ++i) {
    below_[i] = {channel_.log_observed(row[i], 0), channel_.log_observed(row[i], 1)};
  }
  const TreeTables& tables = channel_.tables();
  double evidence = 0;
  for (auto at = tables.after_parents.rbegin(); at != tables.after_parents.rend(); ++at) {
    Pair& below = below_[*at];
    const double scale = std::max(below[0], below[1]);
    if (scale == impossible) return impossible;
    evidence += scale;
    below = {below[0] - scale, below[1] - scale};
    sent_[*at] = to_parent(*at);
    const std::uint32_t parent = tables.parents[*at];
    if (parent == SignTree::none) {
      evidence += sent_[*at][0];  // both rows of a root's table are its own distribution
    } else {
      below_[parent][0] += sent_[*at][0];
      below_[parent][1] += sent_[*at][1];
    }
  }
  return evidence;
}

std::span<const double> TreeInference::posterior() noexcept {
  const TreeTables& tables = channel_.tables();
  for (const std::uint32_t i : tables.after_parents) {
    const ConditionalTable& given = channel_.log_given(i);
    Pair above{given[0][0], given[0][1]};
    const std::uint32_t parent = tables.parents[i];
    if (parent != SignTree::none) {
      Pair rest = all_[parent];  // without what came from here
      for (std::size_t u = 0; u < 2; ++u) {
        rest[u] = sent_[i][u] == impossible ? impossible : rest[u] - sent_[i][u];
      }
      above = {log_add(given[0][0] + rest[0], given[1][0] + rest[1]),
               log_add(given[0][1] + rest[0], given[1][1] + rest[1])};
    }
    Pair& all = all_[i];
    all = {above[0] + below_[i][0], above[1] + below_[i][1]};
    const double scale = std::max(all[0], all[1]);
    all = {all[0] - scale, all[1] - scale};
    posterior_[i] = 1 / (1 + std::exp(all[0] - all[1]));
  }
  return posterior_;
}

double mean_log_likelihood(const TreeChannel& channel, const data::SampleMatrix& samples) {
  return mean_log_likelihood(channel, samples, BlockShare{});
}

double mean_log_likelihood(const TreeChannel& channel, const data::SampleMatrix& samples,
                           const BlockShare& share) {
  const std::size_t p = channel.n_variables();
  if (samples.n_observed() != p || samples.n_samples() == 0) {
    throw InputError(
        fmt::format("the data hold {} rows of {} variables; rows of {} variables are needed",
                    samples.n_samples(), samples.n_observed(), p));
  }
  struct Worker {
    TreeInference inference;
    std::vector<Reading> row;
  };
  // Allocated here: nothing may throw inside the parallel region.
  std::vector<Worker> workers(static_cast<std::size_t>(omp_get_max_threads()),
                              Worker{TreeInference(channel), std::vector<Reading>(p)});
  // Blocks of rows of a fixed size, whose sums are added in their order.
  const std::size_t n_blocks = (samples.n_samples() + block_rows - 1) / block_rows;
  std::vector<double> block_sum(n_blocks, 0);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t block = 0; block < n_blocks; ++block) {
    if (!share.has(block)) continue;
    Worker& mine = workers[static_cast<std::size_t>(omp_get_thread_num())];
    const std::size_t end = std::min(samples.n_samples(), (block + 1) * block_rows);
    double sum = 0;
    for (std::size_t r = block * block_rows; r < end; ++r) {
      for (std::size_t i = 0; i < p; ++i) {
        const bool is_missing = samples.missing && samples.missing->at(r, i);
        mine.row[i] = is_missing ? Reading::missing : static_cast<Reading>(samples.values.at(r, i));
      }
      sum += mine.inference.log_evidence(mine.row);
    }
    block_sum[block] = sum;
  }
  share.gather(block_sum);
  double sum = 0;
  for (const double part : block_sum) sum += part;
  return sum / static_cast<double>(samples.n_samples());
}

}  // namespace orrery::model
