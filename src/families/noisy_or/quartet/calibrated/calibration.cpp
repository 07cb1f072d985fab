// Standard errors: cov(log P(S), log P(T)) = (P(S u T) / (P(S) P(T)) - 1) / N by the delta method,
// and for the learned causes the errors of their parameters, taken as independent.
//
// Where values are missing completely at random, N becomes N_S N_T / N_{S u T}, the rows that
// observed the sets: log P(S) errs by (sum over the rows of M_S (1_S - P(S))) / (N_S P(S)), with
// M_S = 1 if the row observed S, 1_S if all of S are off; M_S M_T = M_{S u T}, and M tells nothing
// of the values. Independent columns: N times the shares observed of what S and T have in common.
#include "families/noisy_or/quartet/calibrated/calibration.hpp"

#include <algorithm>
#include <cmath>

#include "families/noisy_or/quartet/constants.hpp"
#include "kernels/logarithm.hpp"

namespace orrery::quartet {

ObservedRows::ObservedRows(const moments::MomentSource& moments)
    : m_(moments.n_observed()), n_(static_cast<double>(moments.n_samples())) {
  bool complete = true;
  for (std::size_t a = 0; a < m_; ++a) complete = complete && moments.observed_share(a) == 1;
  if (complete) return;
  // Of what no row shows, half a row: nothing is divided by 0, and nothing follows from it.
  const double least = .5 / n_;
  share_.resize(m_ * m_);
  for (std::size_t a = 0; a < m_; ++a) {
    for (std::size_t b = 0; b < m_; ++b) {
      share_[a * m_ + b] = std::max(moments.observed_pair_share(a, b), least);
    }
  }
}

namespace {

/// One cause's log factors over the subsets of K variables, as cumulants, and their slopes in the
/// prior and in the K failures.
template <std::size_t K>
struct CauseCumulants {
  static constexpr std::size_t n_sets = std::size_t{1} << K;
  std::array<double, n_sets> factor;  // 1 - p + p * (product of failures), not yet a cumulant
  std::array<std::array<double, n_sets>, K + 1> slope;

  CauseCumulants(double prior, const std::array<double, K>& failure) {
    std::array<double, n_sets> product;
    product[0] = factor[0] = 1;
    for (auto& column : slope) column[0] = 0;
    for (std::size_t set = 1; set < n_sets; ++set) {
      product[set] = product[set & (set - 1)] *
                     failure[static_cast<std::size_t>(__builtin_ctz(static_cast<unsigned>(set)))];
      factor[set] = 1 - prior + prior * product[set];
      slope[0][set] = (product[set] - 1) / factor[set];
      for (std::size_t k = 0; k < K; ++k) {
        const std::size_t bit = std::size_t{1} << k;
        slope[1 + k][set] = (set & bit) != 0 ? prior * product[set ^ bit] / factor[set] : 0;
      }
    }
    for (auto& column : slope) {
      for (std::size_t bit = 1; bit < n_sets; bit *= 2) {
        for (std::size_t set = 0; set < n_sets; ++set) {
          if ((set & bit) != 0) column[set] -= column[set ^ bit];
        }
      }
    }
  }
};

/// Children of a cause among the members.
template <std::size_t K>
std::size_t failures_of(const moments::Subtraction& learned, std::size_t cause,
                        const std::array<std::uint32_t, K>& members,
                        std::array<double, K>& failure) {
  std::size_t n = 0;
  for (std::size_t k = 0; k < K; ++k) {
    failure[k] = learned.failure(cause, members[k]);
    n += failure[k] < 1 ? 1 : 0;
  }
  return n;
}

template <std::size_t K>
double parameter_error(const moments::Subtraction& learned, std::size_t cause,
                       const std::array<std::uint32_t, K>& members, std::size_t parameter) {
  return parameter == 0 ? learned.prior_error(cause)
                        : learned.failure_error(cause, members[parameter - 1]);
}

/// Variance of the learned causes' cumulant of all the members.
template <std::size_t K>
double learned_variance(const moments::Subtraction& learned,
                        const std::array<std::uint32_t, K>& members) {
  double variance = 0;
  std::array<double, K> failure;
  for (std::size_t cause = 0; cause < learned.n_causes(); ++cause) {
    if (failures_of(learned, cause, members, failure) < K) continue;
    const CauseCumulants<K> cumulants(learned.prior(cause), failure);
    for (std::size_t p = 0; p <= K; ++p) {
      const double shift = parameter_error(learned, cause, members, p) * cumulants.slope[p].back();
      variance += shift * shift;
    }
  }
  return variance;
}

/// Of the log cumulant of K variables: the double sum of the covariances of its logarithms. `off`,
/// `rows`: of each subset.
template <std::size_t K>
double cumulant_variance(const std::array<double, std::size_t{1} << K>& off,
                         const std::array<double, std::size_t{1} << K>& rows) {
  constexpr std::size_t n_sets = std::size_t{1} << K;
  const auto covariance = [&](std::size_t s, std::size_t t) {
    const bool even = (__builtin_popcountll(s) + __builtin_popcountll(t)) % 2 == 0;
    const double value = (off[s | t] / (off[s] * off[t]) - 1) * rows[s | t] / (rows[s] * rows[t]);
    return even ? value : -value;
  };
  double variance = 0;
  for (std::size_t s = 1; s < n_sets; ++s) {
    variance += covariance(s, s);
    for (std::size_t t = 1; t < s; ++t) variance += 2 * covariance(s, t);
  }
  return variance;
}

}  // namespace

Calibration::Calibration(const moments::MomentSource& moments, const moments::Subtraction& learned,
                         double alpha)
    : learned_(learned),
      m_(moments.n_observed()),
      rows_(moments),
      n_(rows_.all()),
      off_(m_ * m_),
      residual_(m_ * m_) {
  for (std::size_t a = 0; a < m_; ++a) {
    for (std::size_t b = a; b < m_; ++b) {
      const double p = smoothed(moments.pair(a, b), rows_.of(a, b));
      const double factor = a == b ? learned.factor({a}) : learned.factor({a, b});
      off_[a * m_ + b] = off_[b * m_ + a] = p;
      residual_[a * m_ + b] = residual_[b * m_ + a] = kernels::logarithm(p / factor);
    }
  }
  choose_pair_bar(alpha);
}

// The signed root of the deviance of the 2 x 2 table from what the margins and the learned causes
// make expect, with Yates' correction: unlike L over its error it is calibrated where columns are
// rarely on. Given the margins P(ab) varies by 1 / (sum of 1 / expected cells); L varies by more
// where the learned causes couple the pair, since its margins vary too. Where values are missing
// the margins are of other rows than P(ab): the shift is taken as what a complete table, of less
// variance, would show.
double Calibration::pair_z(std::size_t a, std::size_t b) const {
  const double pa = off(a, a);
  const double pb = off(b, b);
  const double learned =
      learned_.empty() ? 1
                       : learned_.factor({a, b}) / (learned_.factor({a}) * learned_.factor({b}));
  const double both = std::clamp(pa * pb * learned, std::max(0.0, pa + pb - 1), std::min(pa, pb));
  const std::array<double, 4> expected{both, pa - both, pb - both, 1 - pa - pb + both};
  constexpr std::array<double, 4> sign{1, -1, -1, 1};
  double shift = off(a, b) - both;
  shift -= std::copysign(std::min(std::abs(shift), 0.5 / rows_.of(a, b)), shift);
  const std::array members{static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)};
  const auto complete_variance = [&] {  // N var L
    return 1 / both - 1 / pa - 1 / pb + 2 * both / (pa * pb) - 1;
  };
  double more = 1;  // times that, for what is missing
  if (!rows_.complete()) {
    const double variance = cumulant_variance<2>({1, pa, pb, both}, rows_.of_subsets(members));
    more = std::max(1.0, n_ * variance / complete_variance());
    shift /= std::sqrt(more);
  }
  double deviance = 0;
  double precision = 0;  // of P(ab) given the margins, of one row
  for (std::size_t cell = 0; cell < 4; ++cell) {
    const double e = std::max(expected[cell], 1e-12);
    const double o = e + sign[cell] * shift;
    if (o > 0) deviance += o * kernels::logarithm(o / e);
    precision += 1 / e;
  }
  const double z = std::copysign(std::sqrt(std::max(0.0, 2 * n_ * deviance)), shift);
  if (learned_.empty()) return z;
  const double variance = complete_variance() + n_ * learned_variance<2>(learned_, members) / more;
  return z / std::sqrt(std::max(1.0, variance * precision * both * both));
}

double Calibration::triple_variance(const std::array<std::uint32_t, 3>& members, double p) const {
  const auto [a, b, x] = members;
  const double pa = off(a, a);
  const double pb = off(b, b);
  const double px = off(x, x);
  const double ab = off(a, b);
  const double ax = off(a, x);
  const double bx = off(b, x);
  if (!rows_.complete()) {
    return cumulant_variance<3>({1, pa, pb, ab, px, ax, bx, p}, rows_.of_subsets(members));
  }
  // The double sum of the covariances of the seven logarithms with their signs.
  const double sum = 1 / p - 1 - (1 / pa + 1 / pb + 1 / px) - (1 / ab + 1 / ax + 1 / bx) +
                     2 * (ab / (pa * pb) + ax / (pa * px) + bx / (pb * px)) +
                     2 * p * (1 / (ab * ax) + 1 / (ab * bx) + 1 / (ax * bx)) -
                     2 * p * (1 / (pa * bx) + 1 / (pb * ax) + 1 / (px * ab));
  return sum / n_;
}

double Calibration::triple_z(std::size_t a, std::size_t b, std::size_t x, double triple) const {
  const std::array members{static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b),
                           static_cast<std::uint32_t>(x)};
  const double p = smoothed(triple, rows_.complete() ? n_ : rows_.of_subsets(members).back());
  const double factor = learned_.empty() ? 1 : learned_.factor({a, b, x});
  const double gap = residual_[a * m_ + b] + residual_[a * m_ + x] + residual_[b * m_ + x] -
                     residual_[a * m_ + a] - residual_[b * m_ + b] - residual_[x * m_ + x] -
                     kernels::logarithm(p / factor);  // -L_abx
  if (!(gap > 0)) return 0;
  double variance = triple_variance(members, p);
  if (!(gap * gap > variance * 4)) return gap / std::sqrt(std::max(variance, 1e-300));
  if (!learned_.empty()) variance += learned_variance<3>(learned_, members);
  return gap / std::sqrt(std::max(variance, 1e-300));
}

void Calibration::fill(FitBatch& batch, std::size_t lane,
                       const std::array<std::uint32_t, 4>& members,
                       const std::array<double, 16>& adjusted) const {
  std::array<double, 16> factor;
  factor.fill(1);
  batch.has_learned = has_learned();
  if (batch.has_learned) {
    for (auto& row : batch.extra) row[lane] = 0;
  }
  std::array<double, 4> failure;
  for (std::size_t cause = 0; cause < learned_.n_causes(); ++cause) {
    const std::size_t n = failures_of(learned_, cause, members, failure);
    if (n == 0) continue;
    const CauseCumulants<4> cumulants(learned_.prior(cause), failure);
    for (std::size_t set = 1; set < 16; ++set) factor[set] *= cumulants.factor[set];
    if (n == 1) continue;  // a factor of singles only
    for (std::size_t p = 0; p <= 4; ++p) {
      const double error = parameter_error(learned_, cause, members, p);
      if (error == 0) continue;
      for (std::size_t i = 0, at = 0; i < n_cumulants; ++i) {
        const double scaled = error * error * cumulants.slope[p][coupled_sets[i]];
        for (std::size_t j = 0; j <= i; ++j, ++at) {
          batch.extra[at][lane] += scaled * cumulants.slope[p][coupled_sets[j]];
        }
      }
    }
  }
  batch.has_missing = !rows_.complete();
  const std::array<double, 16> rows = rows_.of_subsets(members);
  batch.moment[0][lane] = 1;
  batch.learned[0][lane] = 1;
  batch.rows[0][lane] = n_;
  for (std::size_t set = 1; set < 16; ++set) {
    batch.moment[set][lane] = smoothed(adjusted[set] * factor[set], rows[set]);
    batch.learned[set][lane] = factor[set];
    batch.rows[set][lane] = rows[set];
  }
}

// Benjamini and Hochberg 1995 over all pairs. Where no two variables depend on each other any pair
// above the bar is a false discovery, so that there is one, and with it anything to learn, in at
// most a share alpha of the runs (Simes).
void Calibration::choose_pair_bar(double alpha) {
  std::vector<double> tail;  // p-values of the pairs that may pass
  for (std::size_t a = 0; a < m_; ++a) {
    for (std::size_t b = a + 1; b < m_; ++b) {
      const double z = pair_z(a, b);
      if (z > constants::calibrated::least_pair_bar) tail.push_back(z);
    }
  }
  std::ranges::sort(tail, std::greater<>{});
  const double n_pairs = static_cast<double>(m_) * static_cast<double>(m_ - 1) / 2;
  pair_bar_ = tail.empty() ? constants::calibrated::least_pair_bar : tail.front() + 1;
  for (std::size_t k = 0; k < tail.size(); ++k) {
    const double p_value = 0.5 * std::erfc(tail[k] * std::sqrt(0.5));
    if (p_value <= alpha * static_cast<double>(k + 1) / n_pairs) pair_bar_ = tail[k];
  }
}

// The fit of what was filled (quartet_fit.hpp).

FitKernel find_fit_kernel(kernels::Isa isa) {
  if (kernels::find(isa) == nullptr) return nullptr;
#if defined(__x86_64__)
  if (isa == kernels::Isa::avx2) return fit_avx2;
  if (isa == kernels::Isa::avx512) return fit_avx512;
#endif
  return fit_baseline;
}

FitKernel fit_kernel() { return find_fit_kernel(kernels::active().isa); }

bool accepts(const FitResult& result, std::size_t lane) {
  if (!(result.chi_square[lane] < constants::calibrated::fit_limit)) return false;
  if (!(result.prior[lane] > constants::calibrated::least_fit_prior &&
        result.prior[lane] < constants::calibrated::most_fit_prior))
    return false;
  for (std::size_t k = 0; k < 4; ++k) {
    if (!(result.failure[k][lane] < constants::calibrated::most_fit_failure)) return false;
  }
  return true;
}

}  // namespace orrery::quartet
