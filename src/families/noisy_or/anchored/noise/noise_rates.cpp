#include "families/noisy_or/anchored/noise/noise_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

#include "families/noisy_or/anchored/moments/frequencies.hpp"
#include "families/noisy_or/anchored/noise/classifier_rates.hpp"
#include "families/noisy_or/anchored/noise/two_anchors.hpp"
#include "families/noisy_or/anchored/observations.hpp"
#include "learning/stages.hpp"
#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

using Rates = std::array<double, 2>;

// P(A | Y) of anchors from labelled rows: shares of those that have the cause and of those that
// lack it. At 1,000 ranks: anchors are few, most ranks wait.

/// What one way of estimating tells of an anchor.
struct RateEstimate {
  /// P(A = 1 | Y = 0), P(A = 1 | Y = 1) by view of the rows.
  std::vector<std::array<double, 2>> views;
  std::array<double, 2> errors{};
  double disagreement = 0;  ///< of third views, and the column that disagrees most
  double odd_view = 0;

  /// As numbers of a unit.
  static std::size_t size(std::size_t n_views) { return 2 * n_views + 4; }
  void pack(std::span<double> values) const;
  static RateEstimate unpack(std::span<const double> values, std::size_t n_views);
};

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

/// Of each anchor; nothing if there are no labels, or no labelled row has the cause, or none lacks
/// it. Throws InputError if labels speak against the rates that the table of anchors gives. Cost:
/// four counts over all rows an anchor. Collective.
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

enum class Way : std::uint8_t { given, labels, two_anchors, positive_only, irreducible };
constexpr std::array way_names{"given", "labels", "two anchors", "positive only",
                               "mutually irreducible"};

// Of a disagreement that is said: as often by chance.
constexpr double odd = 1e-4;

RateEstimate from_pair(const Observations& observed, std::size_t anchor, std::size_t partner) {
  const TwoAnchors found = estimate_two_anchors(observed, observed.anchors[anchor].observed,
                                                observed.anchors[partner].observed);
  if (found.n_third_views == 0) {
    throw InputError(fmt::format(
        "{}: no other column goes with both {} and '{}', so their noise cannot be told; give off "
        "and on in the table of anchors, or --labels",
        observed.source, name_of(observed, anchor),
        observed.names[observed.anchors[partner].observed]));
  }
  RateEstimate estimate;
  for (const PairRates& rates : found.rates) {
    estimate.views.push_back({std::clamp(rates[0], 0.0, 1.0), std::clamp(rates[1], 0.0, 1.0)});
  }
  estimate.errors = {found.errors[0], found.errors[1]};
  estimate.disagreement = found.disagreement;
  estimate.odd_view = found.odd_view;
  return estimate;
}

Way way_of(const Observations& observed, const Options& options, std::size_t anchor,
           bool labels_tell) {
  if (observed.given[anchor]) return Way::given;
  if (labels_tell) return Way::labels;
  if (observed.anchors_of(observed.anchors[anchor].cause).size() > 1) return Way::two_anchors;
  if (options.positive_only) return Way::positive_only;
  if (options.mutually_irreducible) return Way::irreducible;
  const std::string labels =
      observed.labels ? fmt::format(" ({} has no labelled row with the cause, or none without it)",
                                    observed.labels->file)
                      : "";
  throw InputError(fmt::format(
      "{}: the noise of {} is not known{}; give P(on | absent), P(on | present) as off,on in the "
      "table of anchors, or a second anchor, or --labels, or say --positive-only or "
      "--mutually-irreducible",
      observed.source, name_of(observed, anchor), labels));
}

/// Where neither labels nor a classifier tell.
RateEstimate estimate(const Observations& observed, std::size_t anchor, Way way) {
  if (way == Way::two_anchors) {
    const auto all = observed.anchors_of(observed.anchors[anchor].cause);
    return from_pair(observed, anchor, all[0] == anchor ? all[1] : all[0]);
  }
  RateEstimate given;
  given.views.assign(n_views(observed.n_samples),
                     way == Way::given ? *observed.given[anchor] : Rates{0, 1});
  return given;
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

/// Of the anchors whose rates a classifier tells.
std::map<std::size_t, ClassifierRates> classifier_rates(const learning::Workers& workers,
                                                        const Observations& observed,
                                                        const std::vector<Way>& ways) {
  std::map<std::size_t, ClassifierRates> found;
  const auto find = [&](Way way, auto estimate_rates) {
    std::vector<std::size_t> anchors;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      if (ways[i] == way) anchors.push_back(i);
    }
    const auto rates = estimate_rates(workers, observed, anchors);
    for (std::size_t i = 0; i < anchors.size(); ++i) found.emplace(anchors[i], rates[i]);
  };
  find(Way::positive_only, estimate_positive_rates);
  find(Way::irreducible, estimate_irreducible_rates);
  return found;
}

bool disagrees(const Observations& observed, const RateEstimate& found) {
  if (observed.exact != nullptr) return found.disagreement > 1;
  return tail_probability(found.disagreement, observed.n_samples) < odd;
}

std::string disagreement(const Observations& observed, std::size_t anchor,
                         const RateEstimate& found) {
  return fmt::format(
      "{}: third views disagree about its noise, '{}' by {:.1f} {}: it, or the "
      "cause's other anchor, may have a second parent (Definition 1)",
      name_of(observed, anchor), observed.names[static_cast<std::size_t>(found.odd_view)],
      found.disagreement, observed.exact != nullptr ? "millionths" : "standard errors");
}

}  // namespace

std::string name_of(const Observations& observed, std::size_t anchor) {
  const model::Anchor& named = observed.anchors[anchor];
  return fmt::format("anchor '{}' of '{}'", observed.names[named.observed],
                     observed.causes[named.cause]);
}

NoiseRates find_noise_rates(const learning::Workers& workers, const Observations& observed,
                            const Options& options) {
  const std::size_t n = observed.anchors.size();
  const std::size_t views = n_views(observed.n_samples);
  const std::size_t size = RateEstimate::size(views);
  const auto labels = label_rates(workers, observed);
  std::vector<Way> ways;
  for (std::size_t i = 0; i < n; ++i) {
    ways.push_back(way_of(observed, options, i, labels[i].has_value()));
  }
  const std::vector<double> values =
      learning::unit_values(workers, {"noise_rates", "anchors", n, size},
                            [&](std::uint64_t unit, int /*thread*/, std::span<double> into) {
                              const auto anchor = static_cast<std::size_t>(unit);
                              if (ways[anchor] != Way::labels)
                                estimate(observed, anchor, ways[anchor]).pack(into);
                            });
  const auto by_classifier = classifier_rates(workers, observed, ways);
  NoiseRates noise;
  noise.views.assign(views, std::vector<Rates>(n));
  for (std::size_t i = 0; i < n; ++i) {
    RateEstimate found =
        ways[i] == Way::labels
            ? *labels[i]
            : RateEstimate::unpack(std::span(values).subspan(i * size, size), views);
    if (const auto of_anchor = by_classifier.find(i); of_anchor != by_classifier.end()) {
      const ClassifierRates& told = of_anchor->second;
      found.views.assign(views, Rates{told.off, told.on});
      found.errors = {told.off_error, told.on_error};
    }
    require_order(observed, i, found.views[0], ways[i]);
    for (std::size_t v = 0; v < views; ++v) noise.views[v][i] = found.views[v];
    noise.rates.push_back({found.views[0][0], found.views[0][1], found.errors[0], found.errors[1],
                           way_names[static_cast<std::size_t>(ways[i])]});
    if (ways[i] == Way::two_anchors && disagrees(observed, found)) {
      noise.remarks.push_back(disagreement(observed, i, found));
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
