#include "families/noisy_or/anchored/noise/label_rates.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "families/noisy_or/anchored/moments/frequencies.hpp"
#include "families/noisy_or/anchored/noise/noise_rates.hpp"
#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

// A difference from given rates that is refused: as often by chance.
constexpr double absurd = 1e-8;

/// Of a share of n rows, as if one more had been on and one more off: a few rows that agree are not
/// certainty.
double error_of_share(double share, double n) {
  const double p = (share * n + 1) / (n + 2);
  return std::sqrt(p * (1 - p) / n);
}

std::optional<RateEstimate> from_labels(const Observations& observed, const model::Anchor& anchor) {
  using Kind = Column::Kind;
  const std::vector<Product> products{{{Kind::label_on, anchor.cause}},
                                      {{Kind::labelled, anchor.cause}}};
  const std::vector<Column> columns{{Kind::observed, anchor.observed}};
  const Frequencies counts(observed, products, columns);
  RateEstimate estimate;
  for (std::size_t v = 0; v < counts.n_views(); ++v) {
    const double present = counts.alone(v, 0);
    const double absent = counts.alone(v, 1) - present;
    const double on = counts.on(v, 0, 0);
    if (present > 0 && absent > 0) {
      estimate.views.push_back({(counts.on(v, 1, 0) - on) / absent, on / present});
    } else if (v > 0) {
      estimate.views.push_back(estimate.views[0]);  // one group has all labels of a kind
    } else {
      return std::nullopt;
    }
  }
  // Not by the jackknife: labels may be in one group of rows alone.
  const double present = counts.alone(0, 0);
  const double absent = counts.alone(0, 1) - present;
  const auto n = static_cast<double>(observed.n_samples);
  estimate.errors = {error_of_share(estimate.views[0][0], n * absent),
                     error_of_share(estimate.views[0][1], n * present)};
  return estimate;
}

/// With the rates that the table of anchors gives.
void require_agreement(const Observations& observed, std::size_t anchor,
                       const RateEstimate& labels) {
  for (std::size_t r = 0; r < 2; ++r) {
    const double given = (*observed.given[anchor])[r];
    const double estimate = labels.views[0][r];
    const double difference = std::abs(estimate - given);
    const bool impossible = (given == 0 || given == 1) && difference > 0;
    const double p = std::erfc(difference / labels.errors[r] / std::numbers::sqrt2);
    if (!impossible && p > absurd) continue;
    throw InputError(fmt::format(
        "{}: {}: labels have it on in {:.4g} (standard error {:.2g}) of the rows whose cause is "
        "{}, the table of anchors has {}; correct the one or the other, or leave the rates out",
        observed.labels->file, name_of(observed, anchor), estimate, labels.errors[r],
        r == 0 ? "absent" : "present", given));
  }
}

}  // namespace

void RateEstimate::pack(std::span<double> values) const {
  std::size_t next = 0;
  for (const auto& rates : views) {
    values[next++] = rates[0];
    values[next++] = rates[1];
  }
  for (const double value : {errors[0], errors[1], disagreement, odd_view}) values[next++] = value;
}

RateEstimate RateEstimate::unpack(std::span<const double> values, std::size_t n_views) {
  RateEstimate estimate;
  for (std::size_t v = 0; v < n_views; ++v) {
    estimate.views.push_back({values[2 * v], values[2 * v + 1]});
  }
  const auto rest = values.subspan(2 * n_views);
  estimate.errors = {rest[0], rest[1]};
  estimate.disagreement = rest[2];
  estimate.odd_view = rest[3];
  return estimate;
}

std::vector<std::optional<RateEstimate>> label_rates(const learning::Workers& workers,
                                                     const Observations& observed) {
  const std::size_t n = observed.anchors.size();
  std::vector<std::optional<RateEstimate>> rates(n);
  if (!observed.labels) return rates;
  const std::size_t views = n_views(observed.n_samples);
  const std::size_t size = 1 + RateEstimate::size(views);  // first: whether the labels tell
  const std::vector<double> values =
      learning::unit_values(workers, {"label_rates", "anchors", n, size},
                            [&](std::uint64_t unit, int /*thread*/, std::span<double> into) {
                              const auto anchor = static_cast<std::size_t>(unit);
                              const auto found = from_labels(observed, observed.anchors[anchor]);
                              if (!found) return;
                              if (observed.given[anchor]) {
                                require_agreement(observed, anchor, *found);
                              }
                              into[0] = 1;
                              found->pack(into.subspan(1));
                            });
  for (std::size_t i = 0; i < n; ++i) {
    const auto found = std::span(values).subspan(i * size, size);
    if (found[0] != 0) rates[i] = RateEstimate::unpack(found.subspan(1), views);
  }
  return rates;
}

}  // namespace orrery::anchored
