#include "families/noisy_or/quartet/growth/grown_em.hpp"

#include <algorithm>
#include <cmath>

#include "families/noisy_or/quartet/constants.hpp"

namespace orrery::quartet {
namespace {

/// From sums over states to expected firings of leaks and edges.
void count_firings(const Grown& grown, const SumPlaces& at, std::vector<double>& sums) {
  for (std::size_t a = 0; a < at.n_observed; ++a) sums[at.inverse + a] *= grown.leaks[a];
  for (std::size_t c = 0; c < at.n_causes; ++c) {
    for (std::size_t a = 0; a < at.n_observed; ++a) {
      sums[at.shared + c * at.n_observed + a] *= 1 - grown.failures[c][a];
    }
  }
}

CauseCounts counts_of(const std::vector<double>& sums, const SumPlaces& at) {
  const std::span<const double> all(sums);
  return {sums[SumPlaces::n_rows], all.subspan(at.present, at.n_causes),
          all.subspan(at.together, at.inverse - at.together),
          all.subspan(at.triples, at.end - at.triples)};
}

Grown maximize(const Grown& grown, const std::vector<double>& sums, const SumPlaces& at,
               const GrownFitOptions& options, bool is_first) {
  Grown next = grown;
  const std::size_t m = at.n_observed;
  const double n_rows = sums[SumPlaces::n_rows];
  const double stride = is_first ? 1 : options.stride;
  for (std::size_t a = 0; a < m; ++a) {
    const double seen = n_rows - (at.may_miss ? sums[at.missing + a] : 0);
    const double leak = (sums[at.inverse + a] + constants::growth::pseudo_count) /
                        (seen + 2 * constants::growth::pseudo_count);
    next.leaks[a] = std::clamp(grown.leaks[a] * std::pow(leak / grown.leaks[a], stride),
                               constants::growth::least_leak, 1 - constants::growth::least_leak);
  }
  for (std::size_t c = 0; c < at.n_causes; ++c) {
    for (std::size_t a = 0; a < m; ++a) {
      if (grown.failures[c][a] >= 1) continue;
      const std::size_t edge = c * m + a;
      const double exposed = sums[at.present + c] - (at.may_miss ? sums[at.unseen + edge] : 0);
      const double strength = sums[at.shared + edge] / (exposed + constants::growth::pseudo_count);
      const double old = 1 - grown.failures[c][a];
      next.failures[c][a] = std::clamp(1 - old * std::pow(strength / old, stride),
                                       constants::growth::least_failure, 1.0);
    }
  }
  if (is_first || !options.second_parents) {
    next.causes = learn_graph(counts_of(sums, at), options.tie_price);
  } else {
    refit(counts_of(sums, at), next.causes);
  }
  return next;
}

}  // namespace

GrownFit fit(const PartedRows& rows, Grown start, const GrownFitOptions& options) {
  GrownFit result{std::move(start), 0, 0};
  const SumPlaces at{result.grown.n_causes(), result.grown.n_observed(), rows.may_miss(), false,
                     options.second_parents};
  std::vector<std::vector<double>> of_parts(rows.n_parts());
  std::vector<double> sums;
  const auto add_up = [&] {
    sums.assign(at.end, 0);
    for (const auto& part : of_parts) {
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += part[i];
    }
  };
  double before = 0;
  for (int pass = 0; pass < options.passes; ++pass) {
    for (std::size_t part = 0; part < of_parts.size(); ++part) {
      if (options.pause) options.pause();
      of_parts[part] = rows.expect(part, prepare(result.grown), options.beam, at);
      count_firings(result.grown, at, of_parts[part]);
      if (pass == 0) continue;
      add_up();
      result.grown = maximize(result.grown, sums, at, options, false);
    }
    if (pass == 0) {
      add_up();
      result.grown = maximize(result.grown, sums, at, options, true);
    }
    result.log_likelihood = sums[SumPlaces::log_likelihood];
    result.n_truncated = sums[SumPlaces::n_truncated];
    if (pass > 1 && result.log_likelihood - before < options.tolerance) break;
    before = result.log_likelihood;
  }
  return result;
}

std::vector<double> expect(const PartedRows& rows, const Grown& grown,
                           const model::BeamOptions& options, const SumPlaces& at) {
  const model::BeamNetwork network = prepare(grown);
  std::vector<double> sums(at.end);
  for (std::size_t part = 0; part < rows.n_parts(); ++part) {
    const std::vector<double> of_part = rows.expect(part, network, options, at);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += of_part[i];
  }
  return sums;
}

double log_likelihood(const PartedRows& rows, const Grown& grown,
                      const model::BeamOptions& options) {
  const SumPlaces at{grown.n_causes(), grown.n_observed(), rows.may_miss()};
  return expect(rows, grown, options, at)[SumPlaces::log_likelihood];
}

}  // namespace orrery::quartet
