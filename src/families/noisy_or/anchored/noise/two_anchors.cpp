#include "families/noisy_or/anchored/noise/two_anchors.hpp"

#include <algorithm>
#include <cmath>

#include "families/noisy_or/anchored/moments/frequencies.hpp"

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

}  // namespace orrery::anchored
