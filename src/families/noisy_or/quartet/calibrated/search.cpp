// The last step of a round is the parameters of elected causes: each quartet of a cause estimates
// its prior and four failures with their standard errors; weighted medians combine them. Quartets
// that other causes couple as well are believed less. What only such quartets tell of is read off
// the best quartet's pairs by EXTEND (Jernite, Halpern, Sontag 2013, Algorithm 2), whatever else
// couples the variable. Cost: 16 quartets a child, counted one by one, by every rank: 16 N / 64
// word operations each.
#include "families/noisy_or/quartet/calibrated/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "families/noisy_or/quartet/calibrated/vote.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/paper/cause_estimate.hpp"
#include "moments/negative_moments.hpp"

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

namespace {

struct Estimate {
  double value;
  double error;
};

/// Weighted median, by the inverse variance; the error is that of the best single estimate.
Estimate combine(std::vector<Estimate> estimates) {
  std::ranges::sort(estimates, {}, &Estimate::value);
  double total = 0;
  double error = std::numeric_limits<double>::infinity();
  for (const Estimate& e : estimates) {
    total += 1 / (e.error * e.error);
    error = std::min(error, e.error);
  }
  double sum = 0;
  for (const Estimate& e : estimates) {
    sum += 1 / (e.error * e.error);
    if (2 * sum >= total) return {e.value, error};
  }
  return {estimates.back().value, error};
}

bool has(const VariableSet& set, std::size_t x) { return ((set[x / 64] >> (x % 64)) & 1U) != 0; }

/// A quartet that a cause's parameters are estimated from.
struct Witness {
  Candidate candidate;
  std::uint64_t n_foreign_pairs;
};

/// Pairs of the members that other elected causes couple too.
std::size_t n_foreign_pairs(const Candidate& candidate, const std::vector<Cluster>& clusters,
                            std::size_t own) {
  std::size_t n = 0;
  for (std::size_t u = 0; u < clusters.size(); ++u) {
    if (u == own) continue;
    const auto common = static_cast<std::size_t>(std::ranges::count_if(
        candidate.members, [&](std::uint32_t x) { return has(clusters[u].children, x); }));
    if (common > 1) n += common * (common - 1) / 2;
  }
  return n;
}

/// Voters within the children, those that other causes couple least first, then by statistic, until
/// each child has enough.
std::vector<Witness> choose(const std::vector<Cluster>& clusters, std::size_t own,
                            std::span<const Candidate> candidates, std::size_t m) {
  struct Voter {
    std::size_t foreign;
    std::uint32_t number;
  };
  const Cluster& cluster = clusters[own];
  std::vector<Voter> voters;
  for (const std::uint32_t number : cluster.voters) {
    const auto& members = candidates[number].members;
    if (std::ranges::all_of(members, [&](std::uint32_t x) { return has(cluster.children, x); })) {
      voters.push_back({n_foreign_pairs(candidates[number], clusters, own), number});
    }
  }
  std::ranges::sort(voters, [](const Voter& x, const Voter& y) {
    return std::tie(x.foreign, x.number) < std::tie(y.foreign, y.number);
  });
  std::vector<std::size_t> n_of(m, 0);
  std::vector<Witness> chosen;
  for (const Voter& voter : voters) {
    const Candidate& candidate = candidates[voter.number];
    if (std::ranges::all_of(candidate.members, [&](auto x) {
          return n_of[x] >= constants::calibrated::quartets_per_child;
        })) {
      continue;
    }
    for (const std::uint32_t x : candidate.members) ++n_of[x];
    chosen.push_back({candidate, voter.foreign});
  }
  return chosen;
}

/// What the quartets say.
struct Fits {
  std::vector<Estimate> prior;
  std::vector<std::vector<Estimate>> failure;  // by variable
  std::vector<std::uint64_t> least_foreign;    // by variable: pairs, of its best quartet
};

/// Asks a source that counts ahead for the quartets' moments.
void prepare(const moments::MomentSource& moments, std::span<const Witness> quartets) {
  constexpr std::uint32_t none = moments::no_variable;
  std::vector<std::array<std::uint32_t, 4>> sets;
  for (const Witness& quartet : quartets) {
    const auto [a, b, c, d] = quartet.candidate.members;
    sets.insert(sets.end(),
                {{a, b, c, none}, {a, b, d, none}, {a, c, d, none}, {b, c, d, none}, {a, b, c, d}});
  }
  moments.prepare(sets);
}

Fits fit_all(const moments::MomentSource& moments, const moments::Subtraction& learned,
             const Calibration& calibration, std::span<const Witness> quartets) {
  const std::size_t m = moments.n_observed();
  Fits fits{{},
            std::vector<std::vector<Estimate>>(m),
            std::vector<std::uint64_t>(m, std::numeric_limits<std::uint64_t>::max())};
  FitBatch batch;
  FitResult result;
  for (std::size_t first = 0; first < quartets.size(); first += FitBatch::lanes) {
    const auto some = quartets.subspan(first, std::min(FitBatch::lanes, quartets.size() - first));
    for (std::size_t i = 0; i < some.size(); ++i) {
      const auto& members = some[i].candidate.members;
      calibration.fill(batch, i, members, moments::adjusted_quartet(moments, learned, members));
    }
    fit_kernel()(batch, result);
    for (std::size_t i = 0; i < some.size(); ++i) {
      const auto pairs = static_cast<double>(1 + some[i].n_foreign_pairs);
      const double doubt = pairs * pairs;
      fits.prior.push_back({result.prior[i], doubt * result.prior_error[i]});
      for (std::size_t k = 0; k < 4; ++k) {
        const std::uint32_t x = some[i].candidate.members[k];
        fits.failure[x].push_back({result.failure[k][i], doubt * result.failure_error[k][i]});
        fits.least_foreign[x] = std::min(fits.least_foreign[x], some[i].n_foreign_pairs);
      }
    }
  }
  return fits;
}

/// `children` and `quartets` are those of an elected cause, best quartet first.
Elected estimate(const parallel::Team& team, int threads, const moments::MomentSource& moments,
                 const moments::Subtraction& learned, const Calibration& calibration,
                 const VariableSet& children, std::span<const Witness> quartets) {
  const std::size_t m = moments.n_observed();
  prepare(moments, quartets);
  const Fits fits = fit_all(moments, learned, calibration, quartets);
  const Witness& best = quartets.front();
  const Estimate prior = combine(fits.prior);
  Elected cause{std::clamp(prior.value, 1e-4, .5), prior.error, std::vector<double>(m, 1.0),
                std::vector<double>(m, 0.0),       0,           best.candidate.members,
                best.candidate.statistic};
  double largest_error = 0;
  std::vector<std::size_t> others;
  for (std::size_t x = 0; x < m; ++x) {
    if (!has(children, x)) continue;
    if (fits.least_foreign[x] > best.n_foreign_pairs) {
      others.push_back(x);
      continue;
    }
    const Estimate failure = combine(fits.failure[x]);
    cause.failures[x] = std::clamp(failure.value, constants::calibrated::least_elected_failure,
                                   constants::calibrated::most_elected_failure);
    cause.failure_errors[x] = failure.error;
    largest_error = std::max(largest_error, failure.error);
  }
  if (others.empty()) return cause;
  CauseEstimate from{std::min(cause.prior, .49), {}};  // EXTEND needs a prior below 1/2
  for (std::size_t k = 0; k < 4; ++k) from.failure[k] = cause.failures[best.candidate.members[k]];
  const std::vector<double> extended =
      extend(team, threads, moments, learned, from, best.candidate.members,
             {-std::numeric_limits<double>::infinity()});
  for (const std::size_t x : others) {
    cause.failures[x] = std::clamp(extended[x], constants::calibrated::least_elected_failure,
                                   constants::calibrated::most_elected_failure);
    cause.failure_errors[x] = 2 * largest_error;  // one quartet instead of many
  }
  return cause;
}

}  // namespace

std::vector<Elected> estimate_causes(const parallel::Team& team, int threads,
                                     const moments::MomentSource& moments,
                                     const moments::Subtraction& learned,
                                     const Calibration& calibration, std::vector<Cluster> clusters,
                                     std::span<const Candidate> candidates) {
  std::vector<std::uint64_t> n_clusters{clusters.size()};
  team.broadcast(n_clusters);
  clusters.resize(n_clusters[0]);
  std::vector<Elected> elected;
  for (std::size_t u = 0; u < clusters.size(); ++u) {
    std::vector<Witness> quartets;
    std::vector<std::uint64_t> support{clusters[u].support};
    if (team.is_root()) quartets = choose(clusters, u, candidates, moments.n_observed());
    team.broadcast(quartets);
    team.broadcast(support);
    team.broadcast(clusters[u].children);
    if (quartets.empty()) continue;
    elected.push_back(
        estimate(team, threads, moments, learned, calibration, clusters[u].children, quartets));
    elected.back().support = support[0];
  }
  return elected;
}

}  // namespace orrery::quartet
