#include "families/noisy_or/quartet/calibrated/search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "families/noisy_or/quartet/calibrated/signatures.hpp"
#include "families/noisy_or/quartet/constants.hpp"

namespace orrery::quartet {

bool well_supported(const Elected& cause, std::uint64_t enough) {
  const auto k = static_cast<double>(
      std::ranges::count_if(cause.failures, [](double failure) { return failure < 1; }));
  const double quartets = k * (k - 1) * (k - 2) * (k - 3) / 24;
  return static_cast<double>(cause.support) >=
         std::min(static_cast<double>(enough),
                  constants::calibrated::enough_votes_share * quartets);
}

moments::Subtraction subtraction_of(const model::NoisyOrNetwork& network,
                                    const model::StandardErrors& errors) {
  const std::size_t m = network.n_observed();
  moments::Subtraction learned(m);
  std::size_t edge = 0;
  const auto known = [](double error) { return std::isnan(error) ? 0 : error; };
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    std::vector<double> of_failures(m, 0);
    for (const model::Edge& child : network.children(u)) {
      if (!errors.empty()) of_failures[child.observed] = known(errors.failure[edge]);
      ++edge;
    }
    learned.add(network.causes()[u].prior, network.dense_failures(u),
                errors.empty() ? 0 : known(errors.prior[u]), of_failures);
  }
  return learned;
}

std::vector<Elected> elect(const parallel::Team& team, int threads,
                           const moments::MomentSource& moments,
                           const moments::Subtraction& learned, const Options& options,
                           const ScanResult& found) {
  const Calibration calibration(moments, learned, options.alpha);
  const Signatures signatures(team, threads, moments, calibration, found.candidates);
  std::vector<Cluster> clusters;
  if (team.is_root()) clusters = vote(found.candidates, signatures);
  return estimate_causes(team, threads, moments, learned, calibration, std::move(clusters),
                         found.candidates);
}

}  // namespace orrery::quartet
