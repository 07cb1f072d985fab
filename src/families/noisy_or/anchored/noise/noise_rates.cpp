#include "families/noisy_or/anchored/noise/noise_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "families/noisy_or/anchored/moments/frequencies.hpp"
#include "families/noisy_or/anchored/noise/label_rates.hpp"
#include "families/noisy_or/anchored/noise/positive_only.hpp"
#include "families/noisy_or/anchored/noise/two_anchors.hpp"
#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

using Rates = std::array<double, 2>;

enum class Way : std::uint8_t { given, labels, two_anchors, positive_only };
constexpr std::array way_names{"given", "labels", "two anchors", "positive only"};

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
  const std::string labels =
      observed.labels ? fmt::format(" ({} has no labelled row with the cause, or none without it)",
                                    observed.labels->file)
                      : "";
  throw InputError(fmt::format(
      "{}: the noise of {} is not known{}; give P(on | absent), P(on | present) as off,on in the "
      "table of anchors, or a second anchor, or --labels, or say --positive-only",
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

std::map<std::size_t, PositiveRate> positive_rates(const learning::Workers& workers,
                                                   const Observations& observed,
                                                   const std::vector<Way>& ways) {
  std::vector<std::size_t> anchors;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (ways[i] == Way::positive_only) anchors.push_back(i);
  }
  const auto rates = estimate_positive_rates(workers, observed, anchors);
  std::map<std::size_t, PositiveRate> found;
  for (std::size_t i = 0; i < anchors.size(); ++i) found.emplace(anchors[i], rates[i]);
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
  const auto positive = positive_rates(workers, observed, ways);
  NoiseRates noise;
  noise.views.assign(views, std::vector<Rates>(n));
  for (std::size_t i = 0; i < n; ++i) {
    RateEstimate found =
        ways[i] == Way::labels
            ? *labels[i]
            : RateEstimate::unpack(std::span(values).subspan(i * size, size), views);
    if (const auto rate = positive.find(i); rate != positive.end()) {
      found.views.assign(views, Rates{0, rate->second.on});
      found.errors = {0, rate->second.error};
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
