#include "learners/anchored/positive_only.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "learners/anchored/noise_rates.hpp"
#include "orrery/base/error.hpp"
#include "orrery/data/row_lists.hpp"
#include "orrery/learners/noisy_labels.hpp"

namespace orrery::anchored {
namespace {

constexpr std::size_t least_on = 20;

/// Sums over the rows whose anchor is on.
struct Sums {
  double n = 0;
  double sum = 0;
  double squares = 0;
};

/// The anchors as labels of themselves: what a classifier then tells is P(A = 1 | x).
std::vector<learners::NoisyLabel> labels_of(const Observations& observed,
                                            const std::vector<std::size_t>& anchors) {
  std::vector<learners::NoisyLabel> labels;
  for (const std::size_t anchor : anchors) {
    learners::NoisyLabel label;
    label.column = observed.anchors[anchor].observed;
    for (const std::size_t other : observed.anchors_of(observed.anchors[anchor].cause)) {
      label.left_out.push_back(observed.anchors[other].observed);
    }
    std::ranges::sort(label.left_out);
    labels.push_back(std::move(label));
  }
  return labels;
}

void add_rows(const learners::NoisyLabelClassifiers& classifiers, const data::RowLists& rows,
              const std::vector<learners::NoisyLabel>& labels, std::vector<Sums>& sums) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (const std::uint32_t r : rows.rows_of(labels[i].column)) {
      const double p = classifiers.probability(i, rows.row(r));
      sums[i].n += 1;
      sums[i].sum += p;
      sums[i].squares += p * p;
    }
  }
}

}  // namespace

std::vector<PositiveRate> estimate_positive_rates(const learners::UnitMeans& means,
                                                  const Observations& observed,
                                                  const std::vector<std::size_t>& anchors) {
  if (anchors.empty()) return {};
  const std::vector<learners::NoisyLabel> labels = labels_of(observed, anchors);
  const auto n = static_cast<std::size_t>(observed.n_samples);
  const std::size_t half = n / 128 * 64;
  const data::RowLists first(observed.values.view(0, half), means.threads);
  const data::RowLists second(observed.values.view(half, n - half), means.threads);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::size_t on =
        std::min(first.rows_of(labels[i].column).size(), second.rows_of(labels[i].column).size());
    if (on >= least_on) continue;
    throw InputError(
        fmt::format("{}: {} is on in {} rows of one half; --positive-only learns a classifier from "
                    "{} at least: "
                    "give its rates in the table of anchors, or collect rows",
                    observed.source, name_of(observed, anchors[i]), on, least_on));
  }
  std::vector<Sums> sums(labels.size());
  const auto judge = [&](const data::RowLists& train, const data::RowLists& test,
                         const char* stage) {
    learners::NoisyLabelOptions options;
    options.stage = stage;
    add_rows(learners::train_noisy_labels(means, train, observed.n_observed(), labels, options),
             test, labels, sums);
  };
  judge(first, second, "positive_only_1");
  judge(second, first, "positive_only_2");
  std::vector<PositiveRate> rates;
  for (const auto& [count, sum, squares] : sums) {
    const double mean = sum / count;
    rates.push_back({mean, std::sqrt(std::max(0.0, squares / count - mean * mean) / count)});
  }
  return rates;
}

}  // namespace orrery::anchored
