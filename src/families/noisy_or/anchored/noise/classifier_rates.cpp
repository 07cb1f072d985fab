#include "families/noisy_or/anchored/noise/classifier_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "data/row_lists.hpp"
#include "families/noisy_or/anchored/noise/noise_rates.hpp"
#include "learning/noisy_labels.hpp"
#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

constexpr std::size_t least_on = 20;     // rows of a half whose anchor is on
constexpr std::size_t least_group = 32;  // rows at an end of the ranking
constexpr double confidence = 3;         // standard errors
constexpr double rounding = 1e-12;       // of confidence limits

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

/// Half of the rows, and the classifiers that are trained on the other half.
struct JudgedHalf {
  data::RowLists rows;
  learning::NoisyLabelClassifiers classifiers;
};

/// `option`: whose assumption the rates are found by; it names the stages as well.
std::vector<JudgedHalf> judge_halves(const learning::Workers& workers, const Observations& observed,
                                     const std::vector<std::size_t>& anchors,
                                     const std::vector<learning::NoisyLabel>& labels,
                                     const std::string& option) {
  data::RowLists first(every_other_word(observed.values, 0), workers.threads);
  data::RowLists second(every_other_word(observed.values, 1), workers.threads);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::size_t on =
        std::min(first.rows_of(labels[i].column).size(), second.rows_of(labels[i].column).size());
    if (on >= least_on) continue;
    throw InputError(
        fmt::format("{}: {} is on in {} rows of one half; --{} learns a classifier from {} at "
                    "least: give its rates in the table of anchors, or collect rows",
                    observed.source, name_of(observed, anchors[i]), on, option, least_on));
  }
  std::string stage = option;
  std::ranges::replace(stage, '-', '_');
  const auto train = [&](const data::RowLists& rows, const char* number) {
    const std::string name = stage + number;
    learning::NoisyLabelOptions options;
    options.stage = name.c_str();
    return learning::train_noisy_labels(workers, rows, observed.n_observed(), labels, options);
  };
  learning::NoisyLabelClassifiers of_first = train(first, "_1");
  learning::NoisyLabelClassifiers of_second = train(second, "_2");
  std::vector<JudgedHalf> halves;
  halves.push_back({std::move(second), std::move(of_first)});
  halves.push_back({std::move(first), std::move(of_second)});
  return halves;
}

/// A row's P(A = 1 | x), up to a rising function, and whether its anchor is on.
struct RankedRow {
  double score = 0;
  bool is_on = false;
};

/// The most likely first; rows that are equally likely in the order of the file.
std::vector<bool> ranked(const std::vector<JudgedHalf>& halves, std::size_t label,
                         std::uint32_t column) {
  std::vector<RankedRow> rows;
  for (const JudgedHalf& half : halves) {
    for (std::size_t r = 0; r < half.rows.n_rows(); ++r) {
      const auto row = half.rows.row(r);
      rows.push_back({half.classifiers.score(label, row),
                      std::ranges::binary_search(row, static_cast<std::uint16_t>(column))});
    }
  }
  std::ranges::stable_sort(rows, std::ranges::greater(), &RankedRow::score);
  std::vector<bool> is_on;
  is_on.reserve(rows.size());
  for (const RankedRow& row : rows) is_on.push_back(row.is_on);
  return is_on;
}

void require_level(const Observations& observed, std::size_t anchor, const TopGroup& group,
                   const char* has, double share) {
  if (group.n_rows > least_group) return;
  const std::string name = name_of(observed, anchor);
  if (group.n_rows == 0) {
    throw InputError(fmt::format(
        "{}: {}: --mutually-irreducible looks at groups of {} rows, and there are fewer; give its "
        "rates in the table of anchors, or collect rows",
        observed.source, name, least_group));
  }
  throw InputError(fmt::format(
      "{}: {}: among the {} rows that most likely {} its cause it is on in {:.3g}, and its share "
      "does not level off in larger groups, so that no row is known to be without doubt "
      "(--mutually-irreducible); give its rates in the table of anchors, a second anchor, "
      "--labels, "
      "or more rows",
      observed.source, name, group.n_rows, has, share));
}

/// Of a share of n rows (Wilson 1927): few rows that agree are not certainty.
double lower_limit(double share, double n) {
  const double z2 = confidence * confidence / n;
  return (share + z2 / 2 - std::sqrt(z2 * (share * (1 - share) + z2 / 4))) / (1 + z2);
}

}  // namespace

TopGroup surest_top_group(const std::vector<bool>& is_on, std::size_t least) {
  TopGroup best;
  double best_limit = 0;
  std::size_t n_on = 0;
  std::size_t group = least;
  for (std::size_t n = 1; n <= is_on.size(); ++n) {
    n_on += is_on[n - 1] ? 1 : 0;
    if (n != group) continue;
    group *= 2;
    const auto rows = static_cast<double>(n);
    const double share = static_cast<double>(n_on) / rows;
    const double limit = lower_limit(share, rows);
    if (best.n_rows > 0 && limit < best_limit - rounding) continue;
    const double p = (static_cast<double>(n_on) + 1) / (rows + 2);
    best = {share, std::sqrt(p * (1 - p) / rows), n};
    best_limit = limit;
  }
  return best;
}

std::vector<ClassifierRates> estimate_positive_rates(const learning::Workers& workers,
                                                     const Observations& observed,
                                                     const std::vector<std::size_t>& anchors) {
  if (anchors.empty()) return {};
  const std::vector<learning::NoisyLabel> labels = labels_of(observed, anchors);
  const auto halves = judge_halves(workers, observed, anchors, labels, "positive-only");
  std::vector<ClassifierRates> rates;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    double n = 0;
    double sum = 0;
    double squares = 0;
    for (const JudgedHalf& half : halves) {
      for (const std::uint32_t r : half.rows.rows_of(labels[i].column)) {
        const double p = half.classifiers.probability(i, half.rows.row(r));
        n += 1;
        sum += p;
        squares += p * p;
      }
    }
    const double mean = sum / n;
    rates.push_back({0, mean, 0, std::sqrt(std::max(0.0, squares / n - mean * mean) / n)});
  }
  return rates;
}

std::vector<ClassifierRates> estimate_irreducible_rates(const learning::Workers& workers,
                                                        const Observations& observed,
                                                        const std::vector<std::size_t>& anchors) {
  if (anchors.empty()) return {};
  const std::vector<learning::NoisyLabel> labels = labels_of(observed, anchors);
  const auto halves = judge_halves(workers, observed, anchors, labels, "mutually-irreducible");
  std::vector<ClassifierRates> rates;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    std::vector<bool> is_on = ranked(halves, i, labels[i].column);
    const TopGroup top = surest_top_group(is_on, least_group);
    require_level(observed, anchors[i], top, "have", top.share);
    // The other end: the least likely first, and rows whose anchor is off.
    std::reverse(is_on.begin(), is_on.end());
    is_on.flip();
    const TopGroup bottom = surest_top_group(is_on, least_group);
    require_level(observed, anchors[i], bottom, "lack", 1 - bottom.share);
    rates.push_back({1 - bottom.share, top.share, bottom.error, top.error});
  }
  return rates;
}

}  // namespace orrery::anchored
