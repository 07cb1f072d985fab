#include "learners/anchored/noise_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "learners/anchored/frequencies.hpp"
#include "learners/anchored/positive_only.hpp"
#include "learners/anchored/two_anchors.hpp"
#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

using Rates = std::array<double, 2>;

enum class Way : std::uint8_t { given, labels, two_anchors, positive_only };
constexpr std::array way_names{"given", "labels", "two anchors", "positive only"};

// Of a disagreement that is said, or refused: as often by chance.
constexpr double odd = 1e-4;
constexpr double absurd = 1e-8;

/// What a unit finds of an anchor.
struct Estimate {
  std::vector<Rates> views;
  Rates errors{};
  double disagreement = 0;
  double odd_view = 0;

  static std::size_t size(std::size_t n_views) { return 2 * n_views + 4; }
  void pack(std::span<double> values) const {
    std::size_t next = 0;
    for (const Rates& rates : views) {
      values[next++] = rates[0];
      values[next++] = rates[1];
    }
    for (const double value : {errors[0], errors[1], disagreement, odd_view})
      values[next++] = value;
  }
  static Estimate unpack(std::span<const double> values, std::size_t n_views) {
    Estimate estimate;
    for (std::size_t v = 0; v < n_views; ++v) {
      estimate.views.push_back({values[2 * v], values[2 * v + 1]});
    }
    const auto rest = values.subspan(2 * n_views);
    estimate.errors = {rest[0], rest[1]};
    estimate.disagreement = rest[2];
    estimate.odd_view = rest[3];
    return estimate;
  }
};

/// Of a share of n rows, as if one more had been on and one more off: a few rows that agree are not
/// certainty.
double error_of_share(double share, double n) {
  const double p = (share * n + 1) / (n + 2);
  return std::sqrt(p * (1 - p) / n);
}

/// Shares of labelled rows. Empty if none has the cause, or none lacks it.
std::optional<Estimate> from_labels(const Observations& observed, const model::Anchor& anchor) {
  using Kind = Column::Kind;
  const std::vector<Product> products{{{Kind::label_on, anchor.cause}},
                                      {{Kind::labelled, anchor.cause}}};
  const std::vector<Column> columns{{Kind::observed, anchor.observed}};
  const Frequencies counts(observed, products, columns);
  Estimate estimate;
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

Estimate from_pair(const Observations& observed, std::size_t anchor, std::size_t partner) {
  const TwoAnchors found = estimate_two_anchors(observed, observed.anchors[anchor].observed,
                                                observed.anchors[partner].observed);
  if (found.n_third_views == 0) {
    throw InputError(fmt::format(
        "{}: no other column goes with both {} and '{}', so their noise cannot be told; give off "
        "and on in the table of anchors, or --labels",
        observed.source, name_of(observed, anchor),
        observed.names[observed.anchors[partner].observed]));
  }
  Estimate estimate;
  for (const PairRates& rates : found.rates) {
    estimate.views.push_back({std::clamp(rates[0], 0.0, 1.0), std::clamp(rates[1], 0.0, 1.0)});
  }
  estimate.errors = {found.errors[0], found.errors[1]};
  estimate.disagreement = found.disagreement;
  estimate.odd_view = found.odd_view;
  return estimate;
}

/// Throws for labels that speak against the rates that were given.
void compare(const Observations& observed, std::size_t anchor, const Estimate& labels) {
  if (!observed.given[anchor]) return;
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

Way way_of(const Observations& observed, const Options& options, std::size_t anchor) {
  if (observed.given[anchor]) return Way::given;
  if (observed.labels && from_labels(observed, observed.anchors[anchor])) return Way::labels;
  if (observed.anchors_of(observed.anchors[anchor].cause).size() > 1) return Way::two_anchors;
  if (options.positive_only) return Way::positive_only;
  const std::string labels =
      observed.labels ? fmt::format(" ({} has no labelled row with the cause, or none without it)",
                                    observed.labels->file)
                      : "";
  throw InputError(fmt::format(
      "{}: the noise of {} is not known{}; give P(on | absent), P(on | present) as off,on in the "
      "table of anchors, or a second anchor, or --labels, or say --positive-only",
      observed.source, name_of(observed, anchor), labels));
}

/// Of --positive-only: none.
Estimate estimate(const Observations& observed, std::size_t anchor, Way way) {
  Estimate result;
  if (observed.labels) {
    if (const auto labels = from_labels(observed, observed.anchors[anchor])) {
      compare(observed, anchor, *labels);
      if (way == Way::labels) return *labels;
    }
  }
  if (way == Way::given) {
    result.views.assign(n_views(observed.n_samples), *observed.given[anchor]);
  } else if (way == Way::two_anchors) {
    const auto all = observed.anchors_of(observed.anchors[anchor].cause);
    result = from_pair(observed, anchor, all[0] == anchor ? all[1] : all[0]);
  } else {
    result.views.assign(n_views(observed.n_samples), Rates{0, 1});
  }
  return result;
}

void require_order(const Observations& observed, std::size_t anchor, const Rates& rates, Way way) {
  if (rates[1] > rates[0]) return;
  throw InputError(fmt::format(
      "{}: {} is on in {:.4g} of the rows whose cause is present and in {:.4g} of the others (by "
      "{}): an anchor is on more often with its cause; complement the column, correct {}, or name "
      "another anchor",
      observed.source, name_of(observed, anchor), rates[1], rates[0],
      way_names[static_cast<std::size_t>(way)],
      way == Way::labels ? "the labels" : "the table of anchors"));
}

std::map<std::size_t, PositiveRate> positive_rates(const learners::UnitMeans& means,
                                                   const Observations& observed,
                                                   const std::vector<Way>& ways) {
  std::vector<std::size_t> anchors;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (ways[i] == Way::positive_only) anchors.push_back(i);
  }
  const auto rates = estimate_positive_rates(means, observed, anchors);
  std::map<std::size_t, PositiveRate> found;
  for (std::size_t i = 0; i < anchors.size(); ++i) found.emplace(anchors[i], rates[i]);
  return found;
}

}  // namespace

std::string name_of(const Observations& observed, std::size_t anchor) {
  const model::Anchor& named = observed.anchors[anchor];
  return fmt::format("anchor '{}' of '{}'", observed.names[named.observed],
                     observed.causes[named.cause]);
}

NoiseRates find_noise_rates(const learners::UnitMeans& means, const Observations& observed,
                            const Options& options) {
  const std::size_t n = observed.anchors.size();
  const std::size_t views = n_views(observed.n_samples);
  const std::size_t size = Estimate::size(views);
  std::vector<Way> ways;
  for (std::size_t i = 0; i < n; ++i) ways.push_back(way_of(observed, options, i));
  const std::vector<double> values =
      learners::unit_values(means, {"noise_rates", "anchors", n, size},
                            [&](std::uint64_t unit, int /*thread*/, std::span<double> into) {
                              const auto anchor = static_cast<std::size_t>(unit);
                              estimate(observed, anchor, ways[anchor]).pack(into);
                            });
  const auto positive = positive_rates(means, observed, ways);
  NoiseRates noise;
  noise.views.assign(views, std::vector<Rates>(n));
  for (std::size_t i = 0; i < n; ++i) {
    Estimate found = Estimate::unpack(std::span(values).subspan(i * size, size), views);
    if (const auto rate = positive.find(i); rate != positive.end()) {
      found.views.assign(views, Rates{0, rate->second.on});
      found.errors = {0, rate->second.error};
    }
    require_order(observed, i, found.views[0], ways[i]);
    for (std::size_t v = 0; v < views; ++v) noise.views[v][i] = found.views[v];
    noise.rates.push_back({found.views[0][0], found.views[0][1], found.errors[0], found.errors[1],
                           way_names[static_cast<std::size_t>(ways[i])]});
    const bool exact = observed.exact != nullptr;
    if (ways[i] == Way::two_anchors &&
        (exact ? found.disagreement > 1
               : tail_probability(found.disagreement, observed.n_samples) < odd)) {
      noise.remarks.push_back(fmt::format(
          "{}: third views disagree about its noise, '{}' by {:.1f} {}: it, or the "
          "cause's other anchor, may have a second parent (Definition 1)",
          name_of(observed, i), observed.names[static_cast<std::size_t>(found.odd_view)],
          found.disagreement, exact ? "millionths" : "standard errors"));
    }
  }
  return noise;
}

std::vector<std::size_t> main_anchors(const Observations& observed, const NoiseRates& noise) {
  std::vector<std::size_t> best;
  for (std::size_t cause = 0; cause < observed.n_causes(); ++cause) {
    double most = -1;
    std::size_t chosen = 0;
    for (const std::size_t anchor : observed.anchors_of(cause)) {
      const auto& [off, on, off_error, on_error, source] = noise.rates[anchor];
      const double noise_variance = (off * (1 - off) + on * (1 - on)) / 2;
      const double tells = (on - off) * (on - off) / (noise_variance + 1e-12);
      if (tells <= most) continue;
      most = tells;
      chosen = anchor;
    }
    best.push_back(chosen);
  }
  return best;
}

}  // namespace orrery::anchored
