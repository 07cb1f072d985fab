#include "families/noisy_or/quartet/signatures/pair_signature.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "families/noisy_or/quartet/constants.hpp"
#include "parallel/ledger.hpp"

namespace orrery::quartet {

double coupling(double prior, double failure_a, double failure_b) {
  return std::log1p(-prior * (1 - failure_a * failure_b)) - std::log1p(-prior * (1 - failure_a)) -
         std::log1p(-prior * (1 - failure_b));
}

double prior_of_coupling(double coupled, double failure_a, double failure_b) {
  double low = 0;
  double high = .5;
  for (int i = 0; i < 60; ++i) {
    const double middle = .5 * (low + high);
    (coupling(middle, failure_a, failure_b) < coupled ? low : high) = middle;
  }
  return .5 * (low + high);
}

void LogTerms::add(double prior, std::span<const double> failures) {
  const auto u = static_cast<std::uint32_t>(priors_.size());
  for (std::size_t x = 0; x < failures.size(); ++x) {
    if (!(failures[x] < 1)) continue;
    causes_of_[x].push_back(u);
    edges_of_[x].push_back({failures[x], std::log1p(-prior * (1 - failures[x]))});
    std::vector<Word>& words = has_cause_[x];
    while (words.size() <= u / 64) {
      words.push_back({0, static_cast<std::uint32_t>(causes_of_[x].size() - 1)});
    }
    words.back().bits |= std::uint64_t{1} << (u % 64);
  }
  priors_.push_back(prior);
  failures_.emplace_back(failures.begin(), failures.end());
}

template <class Visit>
void LogTerms::for_each_of_both(std::size_t a, std::size_t b, const Visit& visit) const {
  const std::vector<Word>& of_a = has_cause_[a];
  const std::vector<Word>& of_b = has_cause_[b];
  const auto number = [](const Word& word, std::uint64_t bit) {
    return word.n_before + static_cast<std::size_t>(std::popcount(word.bits & (bit - 1)));
  };
  for (std::size_t w = 0; w < std::min(of_a.size(), of_b.size()); ++w) {
    for (std::uint64_t both = of_a[w].bits & of_b[w].bits; both != 0; both &= both - 1) {
      const std::uint64_t bit = both & -both;
      visit(number(of_a[w], bit), number(of_b[w], bit));
    }
  }
}

std::vector<std::uint32_t> LogTerms::causes_of(std::size_t a, std::size_t b) const {
  std::vector<std::uint32_t> both;
  for_each_of_both(a, b,
                   [&](std::size_t i, std::size_t /*j*/) { both.push_back(causes_of_[a][i]); });
  return both;
}

double LogTerms::pair(std::size_t a, std::size_t b) const {
  double sum = 0;
  for_each_of_both(a, b, [&](std::size_t i, std::size_t j) {
    const Edge& to_a = edges_of_[a][i];
    const Edge& to_b = edges_of_[b][j];
    const double both_off =
        std::log1p(-priors_[causes_of_[a][i]] * (1 - to_a.failure * to_b.failure));
    sum += both_off - to_a.log_off - to_b.log_off;
  });
  return sum;
}

// With p' = p f_x / d, d = 1 - p (1 - f_x):  1 - p' (1 - f) = (d - p f_x (1 - f)) / d.
std::vector<double> LogTerms::factors_given_off(std::size_t a, std::size_t b) const {
  std::vector<double> factors(causes_of_.size(), std::exp(pair(a, b)));
  for (const std::uint32_t u : causes_of(a, b)) {
    const std::vector<double>& f = failures_[u];
    const double unconditional = std::exp(coupling(priors_[u], f[a], f[b]));
    for (std::size_t x = 0; x < f.size(); ++x) {
      if (!(f[x] < 1)) continue;
      const double d = 1 - priors_[u] * (1 - f[x]);
      const double on = priors_[u] * f[x];
      factors[x] *= (d - on * (1 - f[a] * f[b])) * d /
                    ((d - on * (1 - f[a])) * (d - on * (1 - f[b])) * unconditional);
    }
  }
  return factors;
}

namespace {

constexpr double exact_rows = 1e12;

double anscombe(double rows) { return 2 * std::sqrt(std::max(rows, 0.0) + .375); }

// Strength and error of one x as one word.
std::uint64_t pack(float strength, float error) {
  return std::uint64_t{std::bit_cast<std::uint32_t>(strength)} << 32U |
         std::bit_cast<std::uint32_t>(error);
}

/// Variables that a signature is strongest at, the strongest first.
std::vector<std::uint32_t> strongest(const PairSignature& of) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t x = 0; x < of.strength.size(); ++x) {
    if (of.strength[x] > 3 * of.error[x] && of.strength[x] > .05F) found.push_back(x);
  }
  const auto n =
      static_cast<std::ptrdiff_t>(std::min(constants::signatures::most_strongest, found.size()));
  std::ranges::partial_sort(found, found.begin() + n, [&](std::uint32_t x, std::uint32_t y) {
    return std::tuple(-of.strength[x], x) < std::tuple(-of.strength[y], y);
  });
  found.resize(static_cast<std::size_t>(n));
  return found;
}

PairSignature unpack(std::span<const std::uint64_t> words) {
  PairSignature found{0, std::vector<float>(words.size()), std::vector<float>(words.size()), {}};
  for (std::size_t x = 0; x < words.size(); ++x) {
    found.strength[x] = std::bit_cast<float>(static_cast<std::uint32_t>(words[x] >> 32U));
    found.error[x] = std::bit_cast<float>(static_cast<std::uint32_t>(words[x]));
  }
  found.strongest = strongest(found);
  return found;
}

}  // namespace

PairResiduals::PairResiduals(const moments::MomentSource& moments, const LogTerms& learned)
    : moments_(moments),
      learned_(learned),
      n_rows_(moments.n_samples() > 0 ? static_cast<double>(moments.n_samples()) : exact_rows),
      complete_(moments::is_complete(moments)) {
  for (std::size_t a = 0; a < moments.n_observed(); ++a) off_.push_back(moments.single(a));
}

double PairResiduals::coupled(std::size_t a, std::size_t b) const {
  const double least = .5 / n_rows_;  // where a variable is never off
  return std::log(std::max(moments_.pair(a, b), least) /
                  (std::max(off(a), least) * std::max(off(b), least)));
}

double PairResiduals::excess_z(std::size_t a, std::size_t b, double by) const {
  const double expected_on = 1 - off(a) - off(b) + off(a) * off(b) * std::exp(by);
  if (complete_) return anscombe(n_rows_ * both_on(a, b)) - anscombe(n_rows_ * expected_on);
  const double rows = n_rows(a, b);
  const double share = rows / n_rows_;
  // Rows of a single that are not the pair's.
  const auto others = [&](std::size_t x) {
    const double of_x = moments_.observed_share(x);
    return of_x > 0 ? (1 - share / of_x) * off(x) * on(x) : 0;
  };
  const double of_others = rows * (others(a) + others(b));
  return (anscombe(rows * both_on(a, b)) - anscombe(rows * expected_on)) /
         std::sqrt(1 + of_others / (std::max(rows * expected_on, 0.0) + 1));
}

double PairResiduals::triple_share(const Pair& pair, std::size_t x) const {
  const auto [a, b] = pair;
  const double singles =
      moments_.observed_share(a) * moments_.observed_share(b) * moments_.observed_share(x);
  if (!(singles > 0)) return 0;
  return std::min(1.0, moments_.observed_pair_share(a, b) * moments_.observed_pair_share(a, x) *
                           moments_.observed_pair_share(b, x) / singles);
}

// L_{ab | x off} is a sum of logarithms of four moments. What they have in common cancels where
// they are of the same rows; of the share of the rows in which only some are seen it does not.
double PairResiduals::variance_of_missing(const Pair& pair, std::size_t x, double all_off) const {
  const auto [a, b] = pair;
  const double least = .5 / n_rows_;
  const auto of = [&](double share, double moment) {
    return (1 - share) / std::max(share, least) * (1 / std::max(moment, least) - 1) / n_rows_;
  };
  return of(triple_share(pair, x), all_off) +
         of(moments_.observed_pair_share(a, x), moments_.pair(a, x)) +
         of(moments_.observed_pair_share(b, x), moments_.pair(b, x)) +
         of(moments_.observed_share(x), off(x));
}

bool PairResiduals::unexplained(std::size_t a, std::size_t b, double share) const {
  const double explained = learned_.pair(a, b);
  return coupled(a, b) - explained > share * explained &&
         excess_z(a, b, explained) >= constants::signatures::least_excess_z;
}

// What causes explain is never below 0, and the more that is, the less is left. (Of missing values
// the variance depends on it too.)
bool PairResiduals::may_be_unexplained(std::size_t a, std::size_t b) const {
  return !complete_ || excess_z(a, b, 0) >= constants::signatures::least_excess_z;
}

PairSignature signature(const PairResiduals& residuals, const Pair& pair,
                        const moments::OnWithPair& with_pair) {
  constexpr double far_off = 1e9;
  constexpr double rounding = 1e-6;
  const auto [a, b] = pair;
  const moments::MomentSource& moments = residuals.moments();
  const std::size_t m = moments.n_observed();
  PairSignature found{residuals.coupled(a, b) - residuals.learned().pair(a, b),
                      std::vector<float>(m, 0),
                      std::vector<float>(m, static_cast<float>(far_off)),
                      {}};
  if (!(found.residual > 0)) return found;
  const std::vector<double> learned = residuals.learned().factors_given_off(a, b);
  const double both_on = residuals.both_on(a, b);
  const double neither = moments.pair(a, b);
  // Rows with all three on that were looked at, Poisson; most of them are among those that make
  // the residual.
  const double row = with_pair.thinning / residuals.n_rows();
  const auto error_of = [&](double all_on, double strength) {
    const double error =
        std::sqrt((all_on + row) * row * std::max(1 - strength, .05)) / found.residual;
    return static_cast<float>(std::sqrt(error * error + rounding));
  };
  const float error_of_none = error_of(0, 0);
  const auto add_missing = [&](std::size_t x, double all_off) {
    const double seen = std::max(residuals.triple_share(pair, x), row);
    const double error = double{found.error[x]};
    found.error[x] = static_cast<float>(
        std::sqrt(error * error / seen + residuals.variance_of_missing(pair, x, all_off) /
                                             (found.residual * found.residual)));
  };
  for (std::size_t x = 0; x < m; ++x) {
    if (x == a || x == b) continue;
    if (with_pair.share[x] <= 0) {  // in no row: most are
      found.error[x] = error_of_none;
      if (!residuals.is_complete()) add_missing(x, neither * residuals.off(x));
      continue;
    }
    const double all_on = both_on * with_pair.share[x];
    const double off = residuals.off(x);
    const double off_with_a = moments.pair(a, x);
    const double off_with_b = moments.pair(b, x);
    // By inclusion and exclusion.
    const double on_with_a = 1 - off - (residuals.off(a) - off_with_a);
    const double on_with_b = 1 - off - (residuals.off(b) - off_with_b);
    const double all_off = neither - (1 - off - on_with_a - on_with_b + all_on);
    const double given_off = std::log(all_off * off / (off_with_a * off_with_b * learned[x]));
    const double strength = 1 - given_off / found.residual;
    if (!std::isfinite(strength)) continue;
    found.strength[x] = static_cast<float>(strength);
    found.error[x] = error_of(all_on, strength);
    if (!residuals.is_complete()) add_missing(x, all_off);
  }
  found.strongest = strongest(found);
  return found;
}

void PairSignatures::share(std::span<const Pair> pairs, std::vector<PairSignature>& made) const {
  const std::size_t m = residuals_.moments().n_observed();
  std::vector<std::uint64_t> own;  // number and signature, one after the other
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    if (made[k].strength.empty()) continue;
    own.push_back(k);
    for (std::size_t x = 0; x < m; ++x) own.push_back(pack(made[k].strength[x], made[k].error[x]));
  }
  const std::vector<std::uint64_t> all = team_.gather_everywhere(own);
#pragma omp parallel for num_threads(threads_) schedule(dynamic)
  for (std::size_t begin = 0; begin < all.size(); begin += m + 1) {
    const std::size_t k = all[begin];
    if (!made[k].strength.empty()) continue;
    made[k] = unpack(std::span(all).subspan(begin + 1, m));
    const auto [a, b] = pairs[k];
    made[k].residual = residuals_.coupled(a, b) - residuals_.learned().pair(a, b);
  }
}

bool PairSignatures::need(std::span<const Pair> pairs) {
  std::vector<Pair> missing;
  for (const Pair& pair : pairs) {
    if (!has(pair)) missing.push_back(pair);
  }
  std::ranges::sort(missing);
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  if (residuals_.moments().counts_ahead() != nullptr) {
    const std::vector<std::vector<Pair>> by_rank = needed_by_ranks(missing);
    if (std::ranges::all_of(by_rank, [](const auto& some) { return some.empty(); })) return false;
    count_for_ranks(by_rank);
    return true;
  }
  if (missing.empty()) return false;
  n_counted_ += missing.size();
  std::vector<PairSignature> made(missing.size());
  make_units(missing, made);
  if (team_.size() > 1) share(missing, made);
  for (std::size_t k = 0; k < missing.size(); ++k) {
    signatures_.emplace(missing[k], std::move(made[k]));
  }
  return true;
}

void PairSignatures::make_some(std::span<const Pair> pairs, std::size_t first, std::size_t last,
                               std::vector<PairSignature>& made) const {
  const auto some = pairs.subspan(first, last - first);
  const std::vector<moments::OnWithPair> with_pairs = residuals_.moments().on_with_pairs(some);
  for (std::size_t k = 0; k < some.size(); ++k) {
    made[first + k] = signature(residuals_, some[k], with_pairs[k]);
  }
}

std::vector<std::vector<Pair>> PairSignatures::needed_by_ranks(std::span<const Pair> own) const {
  std::vector<std::uint64_t> words{own.size()};
  for (const auto& [a, b] : own) words.push_back(std::uint64_t{a} << 32U | b);
  const std::vector<std::uint64_t> all = team_.gather_everywhere(words);
  std::vector<std::vector<Pair>> by_rank(static_cast<std::size_t>(team_.size()));
  auto next = all.begin();
  for (std::vector<Pair>& of_rank : by_rank) {
    for (std::uint64_t n = *next++; n > 0; --n, ++next) {
      of_rank.push_back(
          {static_cast<std::uint32_t>(*next >> 32U), static_cast<std::uint32_t>(*next)});
    }
  }
  return by_rank;
}

void PairSignatures::count_for_ranks(const std::vector<std::vector<Pair>>& by_rank) {
  std::vector<Pair> all;
  std::vector<std::size_t> begins{0};
  for (const std::vector<Pair>& some : by_rank) {
    all.insert(all.end(), some.begin(), some.end());
    begins.push_back(all.size());
  }
  n_counted_ += all.size();
  residuals_.moments().prepare_on_with_pairs(all, begins);
  const std::vector<Pair>& own = by_rank[static_cast<std::size_t>(team_.rank())];
  std::vector<PairSignature> made(own.size());
  {
    const parallel::SharedTime time(threads_);
#pragma omp parallel for num_threads(threads_) schedule(dynamic)
    for (std::size_t k = 0; k < own.size(); ++k) make_some(own, k, k + 1, made);
  }
  for (std::size_t k = 0; k < own.size(); ++k) signatures_.emplace(own[k], std::move(made[k]));
}

void PairSignatures::make_units(std::span<const Pair> pairs,
                                std::vector<PairSignature>& made) const {
  Progress silent("", 0, "");
  // As many at once as leave something for everybody.
  const auto n_workers =
      static_cast<std::size_t>(threads_) * static_cast<std::size_t>(team_.size());
  const std::size_t at_once =
      std::clamp<std::size_t>(pairs.size() / n_workers, 1, moments::pairs_at_once);
  const std::size_t n_units = (pairs.size() + at_once - 1) / at_once;
  team_.for_each_unit(n_units, threads_, silent, [&](std::uint64_t unit, int) {
    const std::size_t first = unit * at_once;
    make_some(pairs, first, std::min(first + at_once, pairs.size()), made);
  });
}

}  // namespace orrery::quartet
