// Parameters of a known structure, from singly-coupled triplets.
//
//   paper                                code
//   singly-coupled triplet (a, b, c)     Triplet, from the structure (triplets.cpp)
//   Eq. (2)                              moments::fit_mixture
//   CPMI, Eqs. (5), (6)                  moments::failure_from_information
//   subtracting off, Eq. (3)             moments::Subtraction, adjusted_triplet
//   depth (Table 1)                      depth
//
// A round learns every cause that has a singly-coupled triplet once the causes of earlier rounds
// are subtracted off. Departure: the paper uses one triplet a cause; here the strongest few, and
// the median of their estimates, which halves the error of the worst parameters at no other cost.
// Cost: a cause with k children O(k^3) for its triplets and 15 k triple counts, O(15 k N / 64).
#include "orrery/learners/known_structure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "learners/known_structure/triplets.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/log.hpp"
#include "orrery/moments/mixture.hpp"
#include "orrery/moments/subtraction.hpp"

namespace orrery::known_structure {
namespace {

constexpr std::size_t used_triplets = 15;
constexpr std::size_t listed_triplets = 20'000;  // candidates for the strongest

moments::TripletMoments adjusted(const moments::MomentSource& moments,
                                 const moments::Subtraction& learned, const Triplet& set) {
  const auto [a, b, c] = set;
  return {1,
          moments.single(a) / learned.factor({a}),
          moments.single(b) / learned.factor({b}),
          moments.pair(a, b) / learned.factor({a, b}),
          moments.single(c) / learned.factor({c}),
          moments.pair(a, c) / learned.factor({a, c}),
          moments.pair(b, c) / learned.factor({b, c}),
          moments.triple(a, b, c) / learned.factor({a, b, c})};
}

/// log PMI of the weakest of the three pairs: how clearly the triplet shows its cause.
double strength(const moments::MomentSource& moments, const moments::Subtraction& learned,
                const Triplet& set) {
  const auto log_pmi = [&](std::size_t a, std::size_t b) {
    return std::log(moments.pair(a, b) / (moments.single(a) * moments.single(b)) *
                    learned.factor({a}) * learned.factor({b}) / learned.factor({a, b}));
  };
  return std::min({log_pmi(set[0], set[1]), log_pmi(set[0], set[2]), log_pmi(set[1], set[2])});
}

struct CauseEstimate {
  double prior = 0;
  Triplet triplet{};             // the strongest
  std::vector<double> failures;  // by child
};

/// Estimates a cause from its triplets; empty if no triplet decomposes.
CauseEstimate estimate_cause(const moments::MomentSource& moments,
                             const moments::Subtraction& learned,
                             std::span<const model::Edge> children, std::vector<Triplet> triplets) {
  std::vector<double> strengths;
  for (const Triplet& set : triplets) {
    const double value = strength(moments, learned, set);
    strengths.push_back(std::isnan(value) ? -1 : value);
  }
  std::vector<std::size_t> order(triplets.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return strengths[i] > strengths[j]; });
  order.resize(std::min(order.size(), used_triplets));

  std::vector<double> priors;
  std::vector<std::vector<double>> failures(children.size());
  const auto child_index = [&](std::uint32_t x) {
    return static_cast<std::size_t>(
        std::ranges::lower_bound(children, x, {}, &model::Edge::observed) - children.begin());
  };
  struct CoupledPair {
    std::uint32_t a, b;
    double failure_a, failure_b;
  };
  std::vector<CoupledPair> pairs;
  for (const std::size_t i : order) {
    const Triplet& set = triplets[i];
    const auto views = moments::fit_mixture(adjusted(moments, learned, set));
    for (std::size_t k = 0; k < 3; ++k) {
      if (!views[k]) continue;
      priors.push_back(views[k]->prior);
      failures[child_index(set[k])].push_back(std::min(views[k]->failure, 1.0));
    }
    if (views[0] && views[1]) {
      pairs.push_back({set[0], set[1], views[0]->failure, views[1]->failure});
    }
  }
  if (priors.empty() || pairs.empty()) return {};
  CauseEstimate estimate{moments::median(priors), triplets[order.front()], {}};
  for (std::size_t child = 0; child < children.size(); ++child) {
    const std::uint32_t x = children[child].observed;
    for (const CoupledPair& pair : pairs) {
      // Children of the triplets have Eq. (2)'s own estimates.
      if (pair.a == x || pair.b == x || failures[child].size() >= pairs.size()) continue;
      const auto triplet = adjusted(moments, learned, {pair.a, pair.b, x});
      failures[child].push_back(
          moments::failure_from_information(moments::conditional_mutual_information(triplet),
                                            estimate.prior, pair.failure_a, pair.failure_b));
    }
    estimate.failures.push_back(moments::median(failures[child]));
  }
  return estimate;
}

/// One number of an estimate, on its way to rank 0.
struct Message {
  std::uint32_t cause;
  std::int32_t child;  ///< -1: the prior; -2, -3, -4: the triplet's members
  double value;
};

}  // namespace
}  // namespace orrery::known_structure

namespace orrery::learners {

namespace ks = known_structure;

model::LearnedModel learn_parameters(const LearnContext& context,
                                     const model::NoisyOrNetwork& structure) {
  const moments::MomentSource& moments = context.moments;
  const std::size_t m = structure.n_observed();
  moments::Subtraction learned(m);
  std::vector<bool> is_learned(structure.n_causes(), false);
  std::vector<double> priors(structure.n_causes(), 0);
  std::vector<std::vector<double>> failures(structure.n_causes(), std::vector<double>(m, 1.0));
  std::vector<model::Provenance> provenance(structure.n_causes());

  for (int depth = 0;; ++depth) {
    std::vector<std::size_t> open;
    for (std::size_t cause = 0; cause < structure.n_causes(); ++cause) {
      if (!is_learned[cause]) open.push_back(cause);
    }
    std::vector<std::vector<ks::Message>> parts(static_cast<std::size_t>(context.threads));
    Progress progress(fmt::format("parameters, depth {}", depth), open.size(), "causes");
    context.team.for_each_unit(
        open.size(), context.threads, progress, [&](std::size_t unit, int thread) {
          const std::size_t cause = open[unit];
          auto triplets =
              ks::singly_coupled_triplets(structure, cause, is_learned, ks::listed_triplets);
          if (triplets.empty()) return;
          const ks::CauseEstimate estimate =
              ks::estimate_cause(moments, learned, structure.children(cause), std::move(triplets));
          if (estimate.failures.empty()) return;
          auto& part = parts[static_cast<std::size_t>(thread)];
          const auto id = static_cast<std::uint32_t>(cause);
          part.push_back({id, -1, estimate.prior});
          for (int k = 0; k < 3; ++k) {
            part.push_back(
                {id, -2 - k, static_cast<double>(estimate.triplet[static_cast<std::size_t>(k)])});
          }
          for (std::size_t child = 0; child < estimate.failures.size(); ++child) {
            part.push_back({id, static_cast<std::int32_t>(child), estimate.failures[child]});
          }
        });
    std::vector<ks::Message> own;
    for (const auto& part : parts) own.insert(own.end(), part.begin(), part.end());
    std::vector<ks::Message> all = context.team.gather(own);
    context.team.broadcast(all);
    if (all.empty()) break;
    for (const ks::Message& message : all) {
      if (message.child == -1) {
        priors[message.cause] = message.value;
        provenance[message.cause].depth = depth;
        is_learned[message.cause] = true;
      } else if (message.child < -1) {
        provenance[message.cause].quartet[static_cast<std::size_t>(-2 - message.child)] =
            static_cast<std::int32_t>(message.value);
      } else {
        const auto child = static_cast<std::size_t>(message.child);
        failures[message.cause][structure.children(message.cause)[child].observed] = message.value;
      }
    }
    // In the causes' order, so that sums of logs and products are the same at any number of ranks.
    for (const std::size_t cause : open) {
      if (is_learned[cause]) learned.add(priors[cause], failures[cause]);
    }
  }

  std::vector<model::Cause> causes;
  std::vector<model::Edge> edges;
  model::LearnedModel model;
  std::string left_out;
  for (std::size_t cause = 0; cause < structure.n_causes(); ++cause) {
    if (!is_learned[cause]) {
      left_out += (left_out.empty() ? "" : ", ") + structure.causes()[cause].name;
      continue;
    }
    const auto id = static_cast<std::uint32_t>(causes.size());
    causes.push_back({structure.causes()[cause].name, priors[cause]});
    model.provenance.push_back(provenance[cause]);
    for (const model::Edge& edge : structure.children(cause)) {
      const double failure = failures[cause][edge.observed];
      if (failure < 1) edges.push_back({id, edge.observed, failure});
    }
  }
  if (!left_out.empty()) {
    log::warning("no singly-coupled triplet, so no parameters, for: {}", left_out);
  }
  std::vector<model::Observed> observed;
  for (std::size_t x = 0; x < m; ++x) {
    observed.push_back(
        {context.names[x], std::clamp(1 - moments.single(x) / learned.factor({x}), 0.0, 1.0)});
  }
  model.network = {std::move(causes), std::move(observed), std::move(edges)};
  model.learner = "params";
  model.n_samples = moments.n_samples();
  return model;
}

}  // namespace orrery::learners
