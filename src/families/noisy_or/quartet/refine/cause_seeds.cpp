// Seeds of causes with three children: three variables that depend on each other beyond the learned
// causes, by the z-scores of their log cumulants.
//
// Seeds from what the leaks have to explain together. Under the model leaks are independent. A
// row's leak of a variable has the responsibility r_a = leak_a E[1 / P(a on | causes)]; where
// sum_r r_a r_b exceeds what independent leaks make expect, a cause is missing that switches both
// on. This sees what pairs and triples of the whole data do not: rows that known causes explain say
// nothing. Greedily: the pair that exceeds most, then every variable that leaks with all of the set
// so far. Cost: one pass; 48 m^2 / 2 bytes per thread, which limits m.
#include "families/noisy_or/quartet/refine/cause_seeds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "families/noisy_or/quartet/calibrated/calibration.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/refine/expectation.hpp"
#include "model/row_posterior.hpp"
#include "moments/negative_moments.hpp"

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

namespace {

class LeakPairs {
 public:
  LeakPairs(const learning::RowPass& rows, const moments::MomentSource& moments,
            const model::NoisyOrNetwork& network)
      : m_(network.n_observed()),
        n_rows_(static_cast<double>(rows.n_rows())),
        observed_(moments),
        may_miss_(rows.may_miss()) {
    const model::PosteriorNetwork prepared(network, rows.n_rows(), rows.may_miss());
    std::vector<model::RowPosterior> scratch(
        static_cast<std::size_t>(rows.n_threads()),
        model::RowPosterior(prepared, constants::refinement::state_tolerance));
    sums_ = rows.sum(m_ * (m_ + 1) / 2, [&](const learning::RowBlock& block, int thread,
                                            std::span<double> into) {
      model::RowPosterior& row = scratch[static_cast<std::size_t>(thread)];
      std::vector<std::pair<std::size_t, double>> leaks;
      for (std::size_t r = 0; r < block.n_rows; ++r) {
        row.evaluate(block.row(r), block.missing_in(r));
        leaks.clear();
        for (std::size_t i = 0; i < row.on().size(); ++i) {
          const std::uint32_t a = row.on()[i];
          const double responsibility = prepared.leak(a) * row.inverse()[i];
          if (responsibility > constants::refinement::least_responsibility)
            leaks.emplace_back(a, responsibility);
        }
        for (std::size_t i = 0; i < leaks.size(); ++i) {  // rising variables
          for (std::size_t j = 0; j < i; ++j) {
            into[place(leaks[j].first, leaks[i].first)] += leaks[i].second * leaks[j].second;
          }
          into[place(leaks[i].first, leaks[i].first)] += leaks[i].second;
        }
      }
    });
  }

  /// Rows in which both leak; expected of independent leaks.
  [[nodiscard]] double together(std::size_t a, std::size_t b) const { return sums_[place(a, b)]; }
  [[nodiscard]] double expected(std::size_t a, std::size_t b) const {
    return sums_[place(a, a)] * sums_[place(b, b)] / n_rows_ * seen_together(a, b);
  }
  [[nodiscard]] double z(std::size_t a, std::size_t b) const {
    return (together(a, b) - expected(a, b)) / std::sqrt(expected(a, b) + 1);
  }
  [[nodiscard]] double share(std::size_t a, std::size_t b) const {
    const double n_seen = may_miss_ ? n_rows_ * observed_.observed_pair_share(a, b) : n_rows_;
    return std::max(together(a, b) - expected(a, b), 0.0) / std::max(n_seen, 1.0);
  }

 private:
  /// How much more often both are observed than if they were missing independently.
  [[nodiscard]] double seen_together(std::size_t a, std::size_t b) const {
    if (!may_miss_) return 1;
    const double apart = observed_.observed_share(a) * observed_.observed_share(b);
    return apart > 0 ? observed_.observed_pair_share(a, b) / apart : 1;
  }
  [[nodiscard]] static std::size_t place(std::size_t a, std::size_t b) {
    if (a > b) std::swap(a, b);
    return b * (b + 1) / 2 + a;
  }
  std::size_t m_;
  double n_rows_;
  const moments::MomentSource& observed_;
  bool may_miss_;
  std::vector<double> sums_;
};

}  // namespace

std::vector<std::uint32_t> members_with(const std::array<std::uint32_t, 2>& first, std::size_t n,
                                        const std::vector<bool>& used, const PairZ& z) {
  std::vector<std::uint32_t> members{first[0], first[1]};
  for (;;) {
    double best = 0;
    std::uint32_t next = 0;
    for (std::uint32_t x = 0; x < n; ++x) {
      if (used[x] || std::ranges::find(members, x) != members.end()) continue;
      double least = 1e300;
      double sum = 0;
      for (const std::uint32_t member : members) {
        const double with_member = z(x, member);
        least = std::min(least, with_member);
        sum += with_member;
        if (least < constants::refinement::member_leak_z) break;
      }
      if (least < constants::refinement::member_leak_z || sum <= best) continue;
      best = sum;
      next = x;
    }
    if (best == 0) return members;
    members.push_back(next);
  }
}

Elected seed_of_members(const std::vector<std::uint32_t>& members, std::size_t n, double share,
                        double z) {
  constexpr double strength = 1 - constants::refinement::leak_seed_failure;
  Elected cause;
  cause.prior = std::min(share / (strength * strength), .5);
  cause.failures.assign(n, 1);
  cause.failure_errors.assign(n, 0);
  for (const std::uint32_t x : members) {
    cause.failures[x] = constants::refinement::leak_seed_failure;
  }
  cause.statistic = z;
  for (std::size_t k = 0; k < 4; ++k) {
    cause.quartet[k] = k < members.size() ? members[k] : moments::no_variable;
  }
  return cause;
}

std::vector<Elected> leaking_together(const learning::RowPass& rows,
                                      const moments::MomentSource& moments,
                                      const model::NoisyOrNetwork& network) {
  const std::size_t m = network.n_observed();
  std::vector<Elected> seeds;
  if (m > constants::refinement::most_leak_variables) return seeds;
  const LeakPairs pairs(rows, moments, network);
  std::vector<bool> used(m, false);
  while (seeds.size() < constants::refinement::most_leak_seeds) {
    double best = constants::refinement::first_leak_z;
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    for (std::uint32_t b = 0; b < m; ++b) {
      for (std::uint32_t a = 0; a < b; ++a) {
        if (used[a] || used[b] || pairs.z(a, b) <= best) continue;
        best = pairs.z(a, b);
        first = a;
        second = b;
      }
    }
    if (second == 0) return seeds;
    const std::vector<std::uint32_t> members = members_with(
        {first, second}, m, used, [&](std::uint32_t a, std::uint32_t b) { return pairs.z(a, b); });
    for (const std::uint32_t x : members) used[x] = true;
    if (members.size() < 3) continue;
    Elected cause = seed_of_members(members, m, pairs.share(first, second), best);
    cause.prior = std::max(cause.prior, 1e-4);
    seeds.push_back(std::move(cause));
  }
  return seeds;
}

}  // namespace orrery::quartet
