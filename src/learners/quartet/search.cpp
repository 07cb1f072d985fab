#include "learners/quartet/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "learners/quartet/calibration.hpp"
#include "learners/quartet/extend.hpp"
#include "learners/quartet/signatures.hpp"
#include "learners/quartet/vote.hpp"
#include "orrery/moments/adjusted.hpp"

namespace orrery::quartet {
namespace {

/// Quartets that a child's failure is estimated from.
constexpr std::size_t quartets_per_child = 16;

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
    if (std::ranges::all_of(candidate.members,
                            [&](auto x) { return n_of[x] >= quartets_per_child; })) {
      continue;
    }
    for (const std::uint32_t x : candidate.members) ++n_of[x];
    chosen.push_back({candidate, voter.foreign});
  }
  return chosen;
}

struct Fits {
  std::vector<Estimate> prior;
  std::vector<std::vector<Estimate>> failure;  // by variable
};

Fits fit_all(const moments::MomentSource& moments, const moments::Subtraction& learned,
             const Calibration& calibration, std::span<const Witness> quartets) {
  Fits fits{{}, std::vector<std::vector<Estimate>>(moments.n_observed())};
  FitBatch batch;
  FitResult result;
  for (std::size_t first = 0; first < quartets.size(); first += FitBatch::lanes) {
    const std::size_t n = std::min(FitBatch::lanes, quartets.size() - first);
    for (std::size_t i = 0; i < n; ++i) {
      const auto& members = quartets[first + i].candidate.members;
      calibration.fill(batch, i, members, moments::adjusted_quartet(moments, learned, members));
    }
    fit_kernel()(batch, result);
    for (std::size_t i = 0; i < n; ++i) {
      // A quartet that other causes couple as well counts less.
      const auto pairs = static_cast<double>(1 + quartets[first + i].n_foreign_pairs);
      const double doubt = pairs * pairs;
      fits.prior.push_back({result.prior[i], doubt * result.prior_error[i]});
      for (std::size_t k = 0; k < 4; ++k) {
        fits.failure[quartets[first + i].candidate.members[k]].push_back(
            {result.failure[k][i], doubt * result.failure_error[k][i]});
      }
    }
  }
  return fits;
}

Elected estimate(const parallel::Team& team, int threads, const moments::MomentSource& moments,
                 const moments::Subtraction& learned, const Calibration& calibration,
                 const VariableSet& children, std::uint64_t support,
                 std::span<const Witness> quartets) {
  const std::size_t m = moments.n_observed();
  std::vector<std::array<std::uint32_t, 4>> sets;
  constexpr std::uint32_t none = moments::no_variable;
  for (const Witness& quartet : quartets) {
    const auto [a, b, c, d] = quartet.candidate.members;
    sets.insert(sets.end(),
                {{a, b, c, none}, {a, b, d, none}, {a, c, d, none}, {b, c, d, none}, {a, b, c, d}});
  }
  moments.prepare(sets);
  const Fits fits = fit_all(moments, learned, calibration, quartets);
  Elected cause;
  cause.support = support;
  cause.quartet = quartets[0].candidate.members;
  cause.statistic = quartets[0].candidate.statistic;
  const Estimate prior = combine(fits.prior);
  cause.prior = std::clamp(prior.value, 1e-4, .5);
  cause.prior_error = prior.error;
  cause.failures.assign(m, 1);
  cause.failure_errors.assign(m, 0);
  constexpr double least_failure = .01;
  constexpr double most_failure = .95;
  std::vector<double> others;  // children that no quartet tells of
  for (std::size_t x = 0; x < m; ++x) {
    if (!has(children, x) || fits.failure[x].empty()) continue;
    const Estimate failure = combine(fits.failure[x]);
    cause.failures[x] = std::clamp(failure.value, least_failure, most_failure);
    cause.failure_errors[x] = failure.error;
  }
  CauseEstimate best{std::min(cause.prior, .49), {}};
  for (std::size_t k = 0; k < 4; ++k) best.failure[k] = cause.failures[cause.quartet[k]];
  others = extend(team, threads, moments, learned, best, cause.quartet,
                  -std::numeric_limits<double>::infinity());
  for (std::size_t x = 0; x < m; ++x) {
    if (!has(children, x) || !fits.failure[x].empty()) continue;
    cause.failures[x] = std::clamp(others[x], least_failure, most_failure);
    cause.failure_errors[x] = .1;
  }
  return cause;
}

}  // namespace

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
    elected.push_back(estimate(team, threads, moments, learned, calibration, clusters[u].children,
                               support[0], quartets));
  }
  return elected;
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
