#include "families/noisy_or/anchored/noise/rate_estimators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/row_lists.hpp"
#include "families/noisy_or/anchored/moments/frequencies.hpp"
#include "families/noisy_or/anchored/noise/noise_rates.hpp"
#include "learning/noisy_labels.hpp"
#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

constexpr double least_t = 4;  // of a covariance that is taken to be there
constexpr double least_exact = 1e-9;
constexpr double rate_rounding = 1e-6;  // of rates from exact moments, which have no standard error
constexpr std::size_t most_third_views = 16;

enum Left : std::size_t { nothing, first, second, both };

ViewMoments moments_of(const Frequencies& counts, std::size_t view, std::size_t column) {
  return {counts.alone(view, first),        counts.alone(view, second),
          counts.on(view, nothing, column), counts.alone(view, both),
          counts.on(view, first, column),   counts.on(view, second, column),
          counts.on(view, both, column)};
}

struct ThirdView {
  std::uint32_t column = 0;
  double strength = 0;           ///< the lesser |t| of its covariances with the anchors
  std::vector<PairRates> rates;  // a view; NaN where there is none
  PairRates errors{};
};

double covariance_t(const std::vector<double>& values) {
  const double error = jackknife_error(values);
  if (values.size() == 1) return std::abs(values[0]) > least_exact ? 1e9 * std::abs(values[0]) : 0;
  return error > 0 ? std::abs(values[0]) / error : 0;
}

double strength_of(const Frequencies& counts, std::size_t column) {
  std::vector<double> first_covariance;
  std::vector<double> second_covariance;
  for (std::size_t v = 0; v < counts.n_views(); ++v) {
    const ViewMoments m = moments_of(counts, v, column);
    first_covariance.push_back(m.w1_x - m.w1 * m.x);
    second_covariance.push_back(m.w2_x - m.w2 * m.x);
  }
  return std::min(covariance_t(first_covariance), covariance_t(second_covariance));
}

PairRates nothing_known() {
  PairRates rates;
  rates.fill(std::nan(""));
  return rates;
}

std::vector<double> series(const std::vector<PairRates>& rates, std::size_t which) {
  std::vector<double> values;
  values.reserve(rates.size());
  for (const PairRates& of_view : rates) values.push_back(of_view[which]);
  return values;
}

/// False if all rows together give no decomposition.
bool fill(const Frequencies& counts, ThirdView& third) {
  for (std::size_t v = 0; v < counts.n_views(); ++v) {
    const auto rates = decompose(moments_of(counts, v, third.column));
    if (!rates && v == 0) return false;
    third.rates.push_back(rates.value_or(nothing_known()));
  }
  for (std::size_t r = 0; r < third.errors.size(); ++r) {
    third.errors[r] = jackknife_error(series(third.rates, r));
    if (std::isnan(third.errors[r])) return false;
  }
  return true;
}

/// The strongest first.
std::vector<ThirdView> third_views(const Frequencies& counts, std::uint32_t w1, std::uint32_t w2,
                                   std::size_t n_columns) {
  std::vector<ThirdView> found;
  for (std::uint32_t column = 0; column < n_columns; ++column) {
    if (column == w1 || column == w2) continue;
    ThirdView third{column, strength_of(counts, column), {}, {}};
    if (third.strength > (counts.n_views() == 1 ? 0 : least_t)) found.push_back(std::move(third));
  }
  std::ranges::sort(found, [](const ThirdView& a, const ThirdView& b) {
    return a.strength != b.strength ? a.strength > b.strength : a.column < b.column;
  });
  std::erase_if(found, [&](ThirdView& third) { return !fill(counts, third); });
  if (found.size() > most_third_views) found.resize(most_third_views);
  return found;
}

double weight(double error) { return error > 0 ? 1 / (error * error) : 1; }

PairRates average(const std::vector<ThirdView>& thirds, std::size_t view) {
  PairRates mean{};
  for (std::size_t r = 0; r < mean.size(); ++r) {
    double sum = 0;
    double weights = 0;
    for (const ThirdView& third : thirds) {
      if (std::isnan(third.rates[view][r])) continue;
      sum += weight(third.errors[r]) * third.rates[view][r];
      weights += weight(third.errors[r]);
    }
    mean[r] = sum / weights;
  }
  return mean;
}

}  // namespace

std::optional<PairRates> decompose(const ViewMoments& m) {
  const double c12 = m.w1_w2 - m.w1 * m.w2;
  const double c1x = m.w1_x - m.w1 * m.x;
  const double c2x = m.w2_x - m.w2 * m.x;
  const double c12x = m.all - m.w1 * m.w2_x - m.w2 * m.w1_x - m.x * m.w1_w2 + 2 * m.w1 * m.w2 * m.x;
  // Both anchors are on more often where the cause is present, so they go together.
  if (!(c12 > 0) || !(c1x * c2x > 0)) return std::nullopt;
  // The third view may be off where the cause is present: dx, and the root, then have a sign.
  const double sign = c1x > 0 ? 1 : -1;
  const double s = sign * c12x / std::sqrt(c12 * c1x * c2x);
  const double present = (1 - s / std::sqrt(4 + s * s)) / 2;
  const double root = std::sqrt(4 + s * s);  // 1 / sqrt(v)
  const double d1 = root * std::sqrt(c12 * c1x / c2x);
  const double d2 = root * std::sqrt(c12 * c2x / c1x);
  return PairRates{m.w1 - d1 * present, m.w1 + d1 * (1 - present), m.w2 - d2 * present,
                   m.w2 + d2 * (1 - present)};
}

TwoAnchors estimate_two_anchors(const Observations& observed, std::uint32_t w1, std::uint32_t w2) {
  using Kind = Column::Kind;
  const Column a{Kind::observed, w1};
  const Column b{Kind::observed, w2};
  const std::vector<Product> products{{}, {a}, {b}, {a, b}};
  std::vector<Column> columns(observed.n_observed());
  for (std::uint32_t c = 0; c < columns.size(); ++c) columns[c] = {Kind::observed, c};
  const Frequencies counts(observed, products, columns);

  TwoAnchors result;
  const std::vector<ThirdView> thirds = third_views(counts, w1, w2, observed.n_observed());
  result.n_third_views = thirds.size();
  if (thirds.empty()) return result;
  for (std::size_t v = 0; v < counts.n_views(); ++v) result.rates.push_back(average(thirds, v));
  for (std::size_t r = 0; r < result.errors.size(); ++r) {
    result.errors[r] = jackknife_error(series(result.rates, r));
    for (const ThirdView& third : thirds) {
      const double error = counts.n_views() == 1 ? rate_rounding : third.errors[r];
      if (!(error > 0)) continue;
      const double off = std::abs(third.rates[0][r] - result.rates[0][r]) / error;
      if (off <= result.disagreement) continue;
      result.disagreement = off;
      result.odd_view = third.column;
    }
  }
  return result;
}

// A classifier of an anchor that is never on without its cause.

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
