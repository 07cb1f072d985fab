#include "families/noisy_or/anchored/noise/positive_only.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/row_lists.hpp"
#include "families/noisy_or/anchored/noise/noise_rates.hpp"
#include "learning/noisy_labels.hpp"
#include "orrery/base/error.hpp"

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
std::vector<learning::NoisyLabel> labels_of(const Observations& observed,
                                            const std::vector<std::size_t>& anchors) {
  std::vector<learning::NoisyLabel> labels;
  for (const std::size_t anchor : anchors) {
    learning::NoisyLabel label;
    label.column = observed.anchors[anchor].observed;
    for (const std::size_t other : observed.anchors_of(observed.anchors[anchor].cause)) {
      label.left_out.push_back(observed.anchors[other].observed);
    }
    std::ranges::sort(label.left_out);
    labels.push_back(std::move(label));
  }
  return labels;
}

/// Words w = 0, 2, ... or 1, 3, ... of 64 rows: files are often sorted.
data::BitPanels every_other_word(const data::BitPanels& values, std::size_t first) {
  const std::size_t n_words = (values.n_words() - first + 1) / 2;
  const bool has_last = (values.n_words() - 1) % 2 == first;
  const std::size_t n_rows =
      64 * n_words - (has_last ? 64 * values.n_words() - values.n_rows() : 0);
  data::BitPanels half(values.n_columns(), n_rows);
  for (std::size_t p = 0; p < values.n_panels(); ++p) {
    for (std::size_t w = 0; w < n_words; ++w) {
      std::copy_n(values.panel(p) + data::panel_lanes * (2 * w + first), data::panel_lanes,
                  half.words().begin() +
                      static_cast<std::ptrdiff_t>(data::panel_lanes * (p * n_words + w)));
    }
  }
  return half;
}

void add_rows(const learning::NoisyLabelClassifiers& classifiers, const data::RowLists& rows,
              const std::vector<learning::NoisyLabel>& labels, std::vector<Sums>& sums) {
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

std::vector<PositiveRate> estimate_positive_rates(const learning::Workers& workers,
                                                  const Observations& observed,
                                                  const std::vector<std::size_t>& anchors) {
  if (anchors.empty()) return {};
  const std::vector<learning::NoisyLabel> labels = labels_of(observed, anchors);
  const data::RowLists first(every_other_word(observed.values, 0), workers.threads);
  const data::RowLists second(every_other_word(observed.values, 1), workers.threads);
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
    learning::NoisyLabelOptions options;
    options.stage = stage;
    add_rows(learning::train_noisy_labels(workers, train, observed.n_observed(), labels, options),
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
