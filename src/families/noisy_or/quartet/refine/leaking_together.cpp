// Purpose: seeds of causes from what the leaks have to explain together.
// Method: under the model leaks are independent. A row's leak of a variable has the responsibility
//         r_a = leak_a E[1 / P(a on | causes)]; where sum_r r_a r_b exceeds what independent leaks
//         make expect, a cause is missing that switches both on. This sees what pairs and triples
//         of the whole data do not: rows that known causes explain say nothing. Greedily: the pair
//         that exceeds most, then every variable that leaks with all of the set so far.
// Cost: one pass; 48 m^2 / 2 bytes per thread, which limits m.
#include "families/noisy_or/quartet/refine/leaking_together.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/refine/expectation.hpp"
#include "model/row_posterior.hpp"

namespace orrery::quartet {
namespace {

class LeakPairs {
 public:
  LeakPairs(const learning::RowPass& rows, const moments::MomentSource& moments,
            const model::NoisyOrNetwork& network)
      : m_(network.n_observed()),
        n_rows_(static_cast<double>(rows.n_rows())),
        observed_(moments),
        may_miss_(rows.may_miss()) {
    const model::PosteriorNetwork prepared(network);
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

/// Grown from its first pair, the variable that leaks most with all of them next.
std::vector<std::uint32_t> grow(const LeakPairs& pairs, std::size_t m, std::uint32_t a,
                                std::uint32_t b, const std::vector<bool>& used) {
  std::vector<std::uint32_t> members{a, b};
  for (;;) {
    double best = 0;
    std::uint32_t next = 0;
    for (std::uint32_t x = 0; x < m; ++x) {
      if (used[x] || std::ranges::find(members, x) != members.end()) continue;
      double least = 1e300;
      double sum = 0;
      for (const std::uint32_t member : members) {
        const double z = pairs.z(x, member);
        least = std::min(least, z);
        sum += z;
      }
      if (least < constants::refinement::member_leak_z || sum <= best) continue;
      best = sum;
      next = x;
    }
    if (best == 0) return members;
    members.push_back(next);
  }
}

}  // namespace

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
    const std::vector<std::uint32_t> members = grow(pairs, m, first, second, used);
    for (const std::uint32_t x : members) used[x] = true;
    if (members.size() < 3) continue;
    Elected cause;
    cause.prior =
        std::clamp(pairs.share(first, second) / ((1 - constants::refinement::leak_seed_failure) *
                                                 (1 - constants::refinement::leak_seed_failure)),
                   1e-4, .5);
    cause.failures.assign(m, 1);
    cause.failure_errors.assign(m, 0);
    for (const std::uint32_t x : members)
      cause.failures[x] = constants::refinement::leak_seed_failure;
    cause.statistic = best;
    for (std::size_t k = 0; k < 4; ++k) {
      cause.quartet[k] = k < members.size() ? members[k] : moments::no_variable;
    }
    seeds.push_back(std::move(cause));
  }
  return seeds;
}

}  // namespace orrery::quartet
