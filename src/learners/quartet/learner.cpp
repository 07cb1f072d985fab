// STRUCTURE-LEARN, Algorithm 1 of Jernite, Halpern, Sontag 2013 ("Discovering hidden variables in
// noisy-or networks using quartet tests").
//
//   paper                       code                       shape, range
//   S                           moments, names             m observed variables
//   Latent                      learned, causes            n causes: prior, m failures
//   tau_q, tau'_q, tau_e        Options tau_q, tau_q2, tau_e
//   depth d (Sec. 4)            depth                      0, 1, ... subtract-off rounds
//   T <- JOINT, ADJUST          scan.cpp                   16 cells a quartet
//   PRETEST, 4TEST              scan.cpp, rank_test.cpp, mixture.cpp
//   MIXTURE                     mixture.cpp
//   EXTEND                      extend.cpp
//
// Within a round quartets go from the lowest statistic up; one that shares two or more children
// with a cause learned in the same round is passed over (Sec. 4, "Implementation"). Rank 0 runs the
// rounds, every rank tests quartets. Leaks come last: what remains of the single moments.
// Cost: see scan.cpp for a round; a learned cause costs O(m N / 64).
#include "orrery/learners/learner.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "learners/quartet/extend.hpp"
#include "learners/quartet/mixture.hpp"
#include "learners/quartet/options.hpp"
#include "learners/quartet/scan.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/log.hpp"
#include "orrery/moments/adjusted.hpp"

namespace orrery::quartet {
namespace {

/// What rank 0 learns in a round and sends to all; failures stand apart, m values a cause.
struct LearnedCause {
  double prior;
  model::Provenance provenance;
};

/// Members of the quartet that are children of the cause with these failures.
std::size_t shared_children(const std::array<std::uint32_t, 4>& members, const double* failures) {
  return static_cast<std::size_t>(
      std::ranges::count_if(members, [&](std::uint32_t x) { return failures[x] < 1; }));
}

/// Lines 6 to 10 for the accepted quartets of one round, best first.
void learn_from_candidates(const std::vector<Candidate>& candidates,
                           const moments::MomentSource& moments,
                           const moments::Subtraction& learned, const Options& options, int depth,
                           std::vector<LearnedCause>& causes, std::vector<double>& failures) {
  const std::size_t m = moments.n_observed();
  for (const Candidate& candidate : candidates) {
    bool overlaps = false;
    for (std::size_t i = 0; i < causes.size() && !overlaps; ++i) {
      overlaps = shared_children(candidate.members, failures.data() + i * m) >= 2;
    }
    if (overlaps) continue;
    const auto estimate = mixture(moments::adjusted_quartet(moments, learned, candidate.members));
    if (!estimate) continue;
    const std::vector<double> children =
        extend(moments, learned, *estimate, candidate.members, options.tau_e);
    failures.insert(failures.end(), children.begin(), children.end());
    model::Provenance provenance;
    provenance.depth = depth;
    provenance.statistic = candidate.statistic;
    std::ranges::copy(candidate.members, provenance.quartet.begin());
    causes.push_back({estimate->prior, provenance});
  }
}

model::NoisyOrNetwork assemble(const std::vector<std::string>& names,
                               const moments::MomentSource& moments,
                               const moments::Subtraction& learned) {
  std::vector<model::Cause> causes;
  std::vector<model::Edge> edges;
  for (std::size_t u = 0; u < learned.n_causes(); ++u) {
    causes.push_back({fmt::format("cause{}", u), learned.prior(u)});
    for (std::size_t x = 0; x < names.size(); ++x) {
      const double failure = learned.failure(u, x);
      if (failure < 1) {
        edges.push_back({static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(x), failure});
      }
    }
  }
  std::vector<model::Observed> observed;
  for (std::size_t x = 0; x < names.size(); ++x) {
    // P(x off) with every cause subtracted off is 1 - leak; noise may push it out of [0, 1].
    const double off = moments.single(x) / learned.factor({x});
    observed.push_back({names[x], std::clamp(1 - off, 0.0, 1.0)});
  }
  return {std::move(causes), std::move(observed), std::move(edges)};
}

model::LearnedModel learn(const learners::LearnContext& context,
                          const boost::program_options::variables_map& values) {
  const moments::MomentSource& moments = context.moments;
  const Options options = read_options(values, moments.n_samples() == 0);
  moments::Subtraction learned(moments.n_observed());
  std::vector<model::Provenance> provenance;

  for (int depth = 0; depth <= options.max_depth; ++depth) {
    const auto stage = fmt::format("quartets_depth_{}", depth);
    const Progress clock(stage, 0, "");
    const ScanResult scan =
        scan_quartets(context.team, context.threads, moments, learned, options, depth);
    std::vector<LearnedCause> causes;
    std::vector<double> failures;
    if (context.team.is_root()) {
      learn_from_candidates(scan.candidates, moments, learned, options, depth, causes, failures);
    }
    context.team.broadcast(causes);
    context.team.broadcast(failures);
    context.stages.push_back({stage, clock.seconds(), n_scan_units(moments.n_observed())});
    log::verbose("depth {}: {} quartets passed the pretest, {} the {} test; {} causes learned",
                 depth, format_count(scan.n_pretested), format_count(scan.n_accepted),
                 options.test == Test::rank ? "rank" : "coherence", causes.size());
    if (scan.n_accepted > options.max_candidates) {
      log::warning(
          "depth {}: {} quartets were accepted, the best {} are used; a lower --tau-q, or "
          "a higher --max-candidates (24 bytes each)",
          depth, format_count(scan.n_accepted), format_count(options.max_candidates));
    }
    if (causes.empty()) break;
    const std::size_t m = moments.n_observed();
    for (std::size_t i = 0; i < causes.size(); ++i) {
      learned.add(causes[i].prior, std::span(failures).subspan(i * m, m));
      provenance.push_back(causes[i].provenance);
    }
  }

  if (provenance.empty()) {
    log::warning(
        "no quartet passed: a lower --tau-e ({}) finds weaker dependence, a higher --tau-q "
        "({}) accepts more quartets",
        options.tau_e, options.tau_q);
  }
  model::LearnedModel model;
  model.network = assemble(context.names, moments, learned);
  model.provenance = std::move(provenance);
  model.learner = "quartet";
  model.n_samples = moments.n_samples();
  return model;
}

learners::Plan plan(std::size_t n_observed, std::uint64_t n_samples, int ranks, int threads,
                    const boost::program_options::variables_map& values) {
  const Options options = read_options(values, n_samples == 0);
  const auto m = static_cast<double>(n_observed);
  const auto rows = static_cast<double>(n_samples);
  const auto stride = static_cast<double>(moments::row_stride(n_observed));
  const double quartets = m * (m - 1) / 2 * (m - 2) / 3 * (m - 3) / 4;
  const double kept = std::min(2 * static_cast<double>(options.max_candidates), quartets);
  learners::Plan plan;
  // The bits, pair tables in 8 + 8 + 4 bytes, and a thread's slabs, projections and candidates.
  plan.memory_bytes = m * rows / 8 + 28 * m * stride +
                      threads * (static_cast<double>(scan_thread_bytes(n_observed, options)) +
                                 2 * m * rows / 16 + static_cast<double>(sizeof(Candidate)) * kept);
  plan.units = n_scan_units(n_observed);
  plan.unit = "blocks of pairs";
  // Upper estimates: every triple passes the pretest. 8e11 bit operations/s and 25 ns a test.
  plan.seconds = quartets * (25e-9 + rows / 9 / 8e11) / (ranks * threads);
  return plan;
}

}  // namespace

extern const learners::LearnerEntry entry;
const learners::LearnerEntry entry{"quartet",
                                   "hidden causes by quartet tests (Jernite, Halpern, Sontag 2013)",
                                   add_options, learn, plan};

}  // namespace orrery::quartet
