#include "families/noisy_or/scores/anchored_likelihood.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "data/bits.hpp"
#include "data/row_lists.hpp"
#include "model/cause_elimination.hpp"
#include "model/cause_posterior.hpp"
#include "orrery/base/error.hpp"

namespace orrery::noisy_or {

AnchoredLikelihood anchored_likelihood(const model::NoisyOrNetwork& network,
                                       const data::BitPanels& rows, int threads,
                                       const BlockShare& share) {
  const model::PreparedAnchored prepared(network);
  model::CausePosteriorOptions options;
  options.n_draws = 1;  // rows that are sampled are only counted
  const data::RowLists lists(rows, threads);
  std::vector<double> of_rows(rows.n_rows());
#pragma omp parallel num_threads(threads)
  {
    model::CausePosterior posterior(prepared, options);
    std::vector<std::uint64_t> words((rows.n_columns() + 63) / 64);
#pragma omp for schedule(dynamic, 64)
    for (std::size_t r = 0; r < of_rows.size(); ++r) {
      if (!share.has(r / 64)) continue;
      data::set_bits(lists.row(r), std::span(words));
      posterior.evaluate(r, words, {});
      const bool sampled = posterior.method() == model::PosteriorMethod::sampled;
      of_rows[r] = sampled ? std::numeric_limits<double>::quiet_NaN() : posterior.log_evidence();
    }
  }
  share.gather(of_rows);
  AnchoredLikelihood found{of_rows.size(), 0, 0, 0};
  for (const double value : of_rows) {  // in the order of the rows
    if (std::isnan(value)) ++found.n_out_of_reach;
    if (value == -std::numeric_limits<double>::infinity()) ++found.n_impossible;
    found.mean += value;
  }
  found.mean /= static_cast<double>(of_rows.size());
  return found;
}

// Exact sums by elimination. Cost: a table per family for the divergence; O(k) a fully labelled
// row, an elimination a partly labelled one. On one rank: labels are few.

namespace {

using model::CauseNetwork;
using model::CauseWeight;

/// sum of P log P(child | parents) of one family, by a table of P over the truth's causes. `moved`:
/// the child, then the parents in the order of the family's own table.
double expected_log(const model::CauseElimination& sums,
                    std::span<const model::CauseWeight> no_weights,
                    const std::vector<std::uint32_t>& moved, const std::vector<double>& on) {
  std::vector<std::uint32_t> set = moved;
  std::ranges::sort(set);
  const std::vector<double> table = sums.table(set, no_weights);
  // Bit of the table's cell that each member of the family has.
  std::vector<std::size_t> bit;
  for (const std::uint32_t member : moved) {
    bit.push_back(static_cast<std::size_t>(std::ranges::lower_bound(set, member) - set.begin()));
  }
  double sum = 0;
  for (std::size_t cell = 0; cell < table.size(); ++cell) {
    if (table[cell] <= 0) continue;
    std::size_t state = 0;
    for (std::size_t p = 1; p < moved.size(); ++p) state |= (cell >> bit[p] & 1U) << (p - 1);
    const double probability = (cell >> bit[0] & 1U) != 0 ? on[state] : 1 - on[state];
    sum += table[cell] * std::log(probability);  // log 0: minus infinity
  }
  return sum;
}

/// E[log P_of(Y)] under the network of `sums`, whose cause is place[i] for `of`'s cause i.
double expected_log(const model::CauseElimination& sums, const CauseNetwork& of,
                    const std::vector<std::uint32_t>& place) {
  const std::vector<model::CauseWeight> no_weights(of.n_causes(), model::CauseWeight{1, 1});
  double sum = 0;
  for (std::size_t i = 0; i < of.n_causes(); ++i) {
    std::vector<std::uint32_t> moved{place[i]};
    for (const std::uint32_t parent : of.tables()[i].parents) moved.push_back(place[parent]);
    sum += expected_log(sums, no_weights, moved, of.tables()[i].on);
  }
  return sum;
}

/// log P of the labels of one row at a time.
class RowLikelihood {
 public:
  RowLikelihood(const CauseNetwork& network, const data::SampleMatrix& labels,
                const model::CauseElimination& sums)
      : network_(network), labels_(labels), sums_(sums), values_(network.n_causes()) {}

  /// NaN: nothing is labelled.
  [[nodiscard]] double operator()(std::size_t row) {
    std::size_t n_missing = 0;
    weights_.assign(values_.size(), CauseWeight{1, 1});
    for (std::size_t i = 0; i < values_.size(); ++i) {
      values_[i] = labels_.values.at(row, i) ? 1 : 0;
      if (labels_.missing && labels_.missing->at(row, i)) {
        ++n_missing;
      } else {
        weights_[i][1 - values_[i]] = 0;
      }
    }
    if (n_missing == values_.size()) return std::numeric_limits<double>::quiet_NaN();
    if (n_missing == 0) return network_.log_probability(values_);
    return std::log(sums_.expectation(weights_));
  }

 private:
  const CauseNetwork& network_;
  const data::SampleMatrix& labels_;
  const model::CauseElimination& sums_;
  std::vector<std::uint8_t> values_;
  std::vector<CauseWeight> weights_;
};

}  // namespace

double kl_divergence(const CauseNetwork& truth, const CauseNetwork& learned,
                     const std::vector<std::uint32_t>& place) {
  const model::CauseElimination sums(truth);
  std::vector<std::uint32_t> same(truth.n_causes());
  std::iota(same.begin(), same.end(), 0U);
  // Rounding may leave a little less than nothing.
  return std::max(0.0, expected_log(sums, truth, same) - expected_log(sums, learned, place));
}

CauseNetwork floored(const CauseNetwork& network, double floor) {
  std::vector<model::CauseTable> tables = network.tables();
  for (model::CauseTable& table : tables) {
    for (double& on : table.on) on = std::clamp(on, floor, 1 - floor);
  }
  return CauseNetwork(std::move(tables));
}

LabelLikelihood label_likelihood(const CauseNetwork& network, const data::SampleMatrix& labels,
                                 int threads) {
  if (labels.n_observed() != network.n_causes()) {
    throw InputError(
        fmt::format("labels of {} causes, but the model has {}; give a column per cause",
                    labels.n_observed(), network.n_causes()));
  }
  const model::CauseElimination sums(network);
  if (labels.missing && !sums.is_feasible()) {
    throw InputError(fmt::format(
        "labels are missing, and the causes depend on one another too densely to sum over those "
        "(tables of {} causes, at most {}); give rows with all labels",
        sums.width(), model::CauseElimination::max_width));
  }
  const std::size_t n = labels.n_samples();
  std::vector<double> of_rows(n);
#pragma omp parallel num_threads(threads)
  {
    RowLikelihood likelihood(network, labels, sums);
#pragma omp for schedule(static)
    for (std::size_t r = 0; r < n; ++r) of_rows[r] = likelihood(r);
  }
  LabelLikelihood found;
  for (const double value : of_rows) {
    if (std::isnan(value)) continue;
    ++found.n_rows;
    if (value == -std::numeric_limits<double>::infinity()) ++found.n_impossible;
    found.mean += value;
  }
  if (found.n_rows > 0) found.mean /= static_cast<double>(found.n_rows);
  return found;
}

}  // namespace orrery::noisy_or
