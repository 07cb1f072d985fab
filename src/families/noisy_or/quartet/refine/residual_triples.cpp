// Purpose: seeds of causes that quartets cannot find: three variables that depend on each other
//          beyond the learned causes.
// Method: pairs whose residual dependence is significant; triples of such pairs whose residual log
//         cumulant is, at z > 4 (beyond sqrt(2 ln #triples) where there are many); greedily, the
//         most significant first, each with every variable that all three pairs agree on.
//         Parameters by Eq. (2) of Jernite et al. 2013, a child beyond the three by EXTEND's Eqs.
//         (5) and (6).
// Cost: m triple counts a significant pair, 8 pairs at a time.
#include "families/noisy_or/quartet/refine/residual_triples.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "families/noisy_or/quartet/calibrated/calibration.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "moments/mixture.hpp"
#include "moments/subtraction.hpp"

namespace orrery::quartet {
namespace {

using Pair = std::array<std::uint32_t, 2>;

struct Triple {
  double z;
  std::array<std::uint32_t, 3> members;
};

/// z of the residual triples of some pairs with every third variable, by pair.
class Residuals {
 public:
  Residuals(const learning::LearnContext& context, const Calibration& calibration)
      : m_(calibration.n_variables()), row_of_(m_ * m_, none) {
    choose_pairs(calibration);
    count(context, calibration);
  }

  [[nodiscard]] const std::vector<Pair>& pairs() const { return pairs_; }
  [[nodiscard]] bool has(std::size_t a, std::size_t b) const { return row_of_[a * m_ + b] != none; }
  [[nodiscard]] double z(std::size_t a, std::size_t b, std::size_t x) const {
    const std::uint32_t row = row_of_[a * m_ + b];
    return row == none ? 0 : z_[row * m_ + x];
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  void choose_pairs(const Calibration& calibration) {
    std::vector<std::pair<double, Pair>> strong;
    for (std::uint32_t a = 0; a < m_; ++a) {
      for (std::uint32_t b = a + 1; b < m_; ++b) {
        const double z = calibration.pair_z(a, b);
        if (z >= std::max(constants::refinement::least_pair_z, calibration.pair_bar()))
          strong.push_back({-z, {a, b}});
      }
    }
    std::ranges::sort(strong);
    if (strong.size() > constants::refinement::most_triple_pairs)
      strong.resize(constants::refinement::most_triple_pairs);
    for (const auto& [z, pair] : strong) {
      const auto [a, b] = pair;
      row_of_[a * m_ + b] = row_of_[b * m_ + a] = static_cast<std::uint32_t>(pairs_.size());
      pairs_.push_back(pair);
    }
  }

  void count(const learning::LearnContext& context, const Calibration& calibration) {
    context.moments.prepare_pairs(pairs_);
    z_.assign(pairs_.size() * m_, 0);
    constexpr std::size_t at_once = 8;
    Progress silent("", 0, "");
    context.team.for_each_unit(
        (pairs_.size() + at_once - 1) / at_once, context.threads, silent,
        [&](std::uint64_t unit, int) {
          const std::size_t first = unit * at_once;
          const std::span<const Pair> batch =
              std::span(pairs_).subspan(first, std::min(at_once, pairs_.size() - first));
          const auto triples = context.moments.triples_of_pairs(batch, 0, m_);
          for (std::size_t i = 0; i < batch.size(); ++i) {
            const auto [a, b] = batch[i];
            for (std::size_t x = 0; x < m_; ++x) {
              if (x == a || x == b) continue;
              z_[(first + i) * m_ + x] = calibration.triple_z(a, b, x, triples[i][x]);
            }
          }
        });
    context.team.share_values(z_);
  }

  std::size_t m_;
  std::vector<std::uint32_t> row_of_;
  std::vector<Pair> pairs_;
  std::vector<double> z_;
};

std::vector<Triple> significant(const Residuals& residuals, std::size_t m) {
  std::vector<Triple> found;
  std::size_t n_tests = 0;
  for (const auto& [a, b] : residuals.pairs()) {
    for (std::uint32_t x = std::max(a, b) + 1; x < m; ++x) {
      if (!residuals.has(a, x) || !residuals.has(b, x)) continue;
      ++n_tests;
      const double z = residuals.z(a, b, x);
      if (z > constants::refinement::least_triple_z) found.push_back({z, {a, b, x}});
    }
  }
  const double bar =
      std::sqrt(2 * std::log(static_cast<double>(std::max<std::size_t>(n_tests, 1))));
  std::erase_if(found, [&](const Triple& triple) { return triple.z < bar; });
  std::ranges::sort(found, [](const Triple& p, const Triple& q) {
    return std::pair(-p.z, p.members) < std::pair(-q.z, q.members);
  });
  return found;
}

/// Eq. (2), the median over the views; a mild guess where the triple is no mixture.
Elected seed(const moments::TripletMoments& moments, const Triple& triple, std::size_t m) {
  Elected cause;
  cause.failures.assign(m, 1);
  cause.failure_errors.assign(m, 0);
  const auto views = moments::fit_mixture(moments);
  std::vector<double> priors;
  for (std::size_t k = 0; k < 3; ++k) {
    if (views[k]) priors.push_back(views[k]->prior);
    cause.failures[triple.members[k]] = views[k] ? std::clamp(views[k]->failure, .05, .8) : .3;
  }
  cause.prior = priors.empty() ? .1 : std::clamp(moments::median(priors), 1e-3, .5);
  cause.statistic = triple.z;
  return cause;
}

}  // namespace

std::vector<Elected> residual_triples(const learning::LearnContext& context,
                                      const moments::Subtraction& learned, double alpha) {
  const Calibration calibration(context.moments, learned, alpha);
  const std::size_t m = calibration.n_variables();
  const Residuals residuals(context, calibration);
  std::vector<Triple> triples = significant(residuals, m);
  std::vector<Elected> seeds;
  while (!triples.empty() && seeds.size() < constants::refinement::most_triple_seeds) {
    const Triple best = triples.front();
    const auto [a, b, c] = best.members;
    const std::array<std::array<std::uint32_t, 4>, 1> set{{{a, b, c, moments::no_variable}}};
    context.moments.prepare(set);
    Elected cause =
        seed(moments::adjusted_triplet(context.moments, learned, best.members), best, m);
    cause.quartet = {a, b, c, moments::no_variable};
    for (std::uint32_t x = 0; x < m; ++x) {
      if (cause.failures[x] < 1) continue;
      const double z = std::min({residuals.z(a, b, x), residuals.z(a, c, x), residuals.z(b, c, x)});
      if (z > calibration.child_bar()) cause.failures[x] = .5;
    }
    std::erase_if(triples, [&](const Triple& triple) {
      return std::ranges::count_if(triple.members, [&](auto x) { return cause.failures[x] < 1; }) >=
             2;
    });
    seeds.push_back(std::move(cause));
  }
  return seeds;
}

}  // namespace orrery::quartet
