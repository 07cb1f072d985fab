#include "learners/quartet/hidden_causes.hpp"

#include <algorithm>
#include <cmath>

#include "learners/quartet/signature_search.hpp"
#include "orrery/moments/counted_moments.hpp"
#include "orrery/parallel/team.hpp"

namespace orrery::quartet {
namespace {

constexpr double least_rows = 8;  // with both of a pair
constexpr int patience = 8;       // seeds of a variable that may fail

double anscombe(double count) { return 2 * std::sqrt(count + .375); }

/// Variables of pairs that come together more often than chance has it, ascending.
std::vector<std::uint32_t> dependent_variables(const Attribution& rows, std::size_t m) {
  std::vector<std::uint32_t> place(m, 0);  // 1 + place among those that are ever on
  std::vector<std::uint32_t> seen;
  std::vector<double> on;
  rows.for_each_row([&](std::span<const std::uint32_t> variables) {
    for (const std::uint32_t a : variables) {
      if (place[a] == 0) {
        seen.push_back(a);
        on.push_back(0);
        place[a] = static_cast<std::uint32_t>(seen.size());
      }
      ++on[place[a] - 1];
    }
  });
  const std::size_t k = seen.size();
  std::vector<std::uint32_t> both(k * k, 0);
  rows.for_each_row([&](std::span<const std::uint32_t> variables) {
    for (const std::uint32_t a : variables) {
      for (const std::uint32_t b : variables) ++both[(place[a] - 1) * k + place[b] - 1];
    }
  });
  std::vector<std::uint32_t> chosen;
  const auto n = static_cast<double>(rows.n_rows());
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      const double count = both[i * k + j];
      if (i == j || count < least_rows) continue;
      if (anscombe(count) - anscombe(on[i] * on[j] / n) < least_excess_z) continue;
      chosen.push_back(seen[i]);
      break;
    }
  }
  std::ranges::sort(chosen);
  return chosen;
}

data::BitPanels bits_of(const Attribution& rows, std::span<const std::uint32_t> variables,
                        std::size_t m) {
  std::vector<std::uint32_t> place(m, 0);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    place[variables[i]] = static_cast<std::uint32_t>(i + 1);
  }
  data::BitPanels bits(variables.size(), rows.n_rows());
  std::size_t r = 0;
  rows.for_each_row([&](std::span<const std::uint32_t> on) {
    for (const std::uint32_t a : on) {
      if (place[a] > 0) bits.set(r, place[a] - 1, true);
    }
    ++r;
  });
  return bits;
}

/// In terms of all variables.
Elected widened(const Elected& cause, std::span<const std::uint32_t> variables, std::size_t m) {
  Elected wide = cause;
  wide.failures.assign(m, 1);
  wide.failure_errors.assign(m, 0);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    wide.failures[variables[i]] = cause.failures[i];
    wide.failure_errors[variables[i]] = cause.failure_errors[i];
  }
  for (std::uint32_t& member : wide.quartet) member = variables[member];
  return wide;
}

}  // namespace

void Attribution::put(std::vector<std::uint32_t>& words) const {
  words.push_back(static_cast<std::uint32_t>(n_rows_));  // of one rank
  words.push_back(static_cast<std::uint32_t>(cells_.size() & 0xFFFFFFFF));
  words.push_back(static_cast<std::uint32_t>(cells_.size() >> 32U));
  words.insert(words.end(), cells_.begin(), cells_.end());
}

std::size_t Attribution::add(std::span<const std::uint32_t> words, std::size_t place) {
  n_rows_ += words[place];
  const std::size_t n = words[place + 1] + (std::size_t{words[place + 2]} << 32U);
  const auto cells = words.subspan(place + 3, n);
  cells_.insert(cells_.end(), cells.begin(), cells.end());
  return place + 3 + n;
}

std::vector<Attribution> gathered(const parallel::Team& team, std::vector<Attribution> own) {
  if (team.size() == 1) return own;
  std::vector<std::uint32_t> words;
  for (const Attribution& rows : own) rows.put(words);
  const std::size_t n = own.size();
  own.clear();
  const std::vector<std::uint32_t> all = team.gather(words);
  if (!team.is_root()) return {};
  own.resize(n);
  for (std::size_t place = 0; place < all.size();) {
    for (Attribution& rows : own) place = rows.add(all, place);
  }
  return own;
}

std::vector<Elected> causes_within(const Attribution& rows, std::size_t m, int threads) {
  std::vector<Elected> found;
  const std::vector<std::uint32_t> variables = dependent_variables(rows, m);
  if (variables.size() < 4) return found;
  const data::BitPanels bits = bits_of(rows, variables, m);
  const moments::CountedMoments moments(bits, moments::count_pairs(bits));
  moments.prepare_many_pairs(threads);
  LogTerms learned(variables.size());
  const parallel::Team alone;
  const PairResiduals residuals(moments, learned);
  PairSignatures signatures(alone, threads, residuals);
  SignatureSearch search(residuals, signatures);
  std::vector<int> failed(variables.size(), 0);
  for (const Pair& seed : seeds_of(residuals, threads)) {
    const auto [a, b] = seed;
    if (std::max(failed[a], failed[b]) > patience) continue;
    if (!residuals.unexplained(a, b, least_seed_share)) continue;
    const auto cause = search.cause_of(seed);
    if (!cause) {
      ++failed[a];
      ++failed[b];
      continue;
    }
    learned.add(cause->prior, cause->failures);
    signatures.forget();
    found.push_back(widened(*cause, variables, m));
  }
  return found;
}

TwoCauses separate(const Attribution& rows, const Elected& second) {
  constexpr int iterations = 12;
  constexpr std::size_t n_strongest = 8;
  constexpr double weakest = .04;  // of an edge
  const std::size_t m = second.failures.size();
  std::vector<std::uint32_t> strongest;
  for (std::uint32_t a = 0; a < m; ++a) {
    if (second.failures[a] < 1) strongest.push_back(a);
  }
  std::ranges::sort(strongest, [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(second.failures[a], a) < std::pair(second.failures[b], b);
  });
  if (strongest.size() > n_strongest) strongest.resize(n_strongest);
  std::vector<bool> is_strong(m, false);
  for (const std::uint32_t a : strongest) is_strong[a] = true;

  // Responsibility of the second class, row by row; at first by its strongest children.
  const auto n = static_cast<double>(rows.n_rows());
  std::vector<double> first_on(m, 0);
  std::vector<double> second_on(m, 0);
  double share = 0;
  std::vector<double> log_ratio(m, 0);
  double log_none = 0;
  for (int i = 0; i <= iterations; ++i) {
    std::vector<double> of_first(m, 0);
    std::vector<double> of_second(m, 0);
    double weight = 0;
    double n_listed = 0;
    rows.for_each_row([&](std::span<const std::uint32_t> variables) {
      double responsibility = 0;
      if (i == 0) {
        const auto n_strong =
            std::ranges::count_if(variables, [&](std::uint32_t a) { return is_strong[a]; });
        responsibility = n_strong >= 2 ? .95 : .05;
      } else {
        double log_odds = log_none;
        for (const std::uint32_t a : variables) log_odds += log_ratio[a];
        responsibility = 1 / (1 + std::exp(-log_odds));
      }
      weight += responsibility;
      ++n_listed;
      for (const std::uint32_t a : variables) {
        of_second[a] += responsibility;
        of_first[a] += 1 - responsibility;
      }
    });
    const double empty = i == 0 ? .05 : 1 / (1 + std::exp(-log_none));
    weight += (n - n_listed) * empty;
    share = std::clamp(weight / n, 1e-6, 1 - 1e-6);
    log_none = std::log(share) - std::log1p(-share);
    for (std::size_t a = 0; a < m; ++a) {
      first_on[a] = (of_first[a] + .1) / (n - weight + 1);
      second_on[a] = (of_second[a] + .1) / (weight + 1);
      if (of_first[a] + of_second[a] == 0) {
        first_on[a] = second_on[a] = 0;
        continue;
      }
      log_none += std::log1p(-second_on[a]) - std::log1p(-first_on[a]);
      log_ratio[a] = std::log(second_on[a] / first_on[a]) - std::log1p(-second_on[a]) +
                     std::log1p(-first_on[a]);
    }
  }
  const auto failures = [&](const std::vector<double>& on) {
    std::vector<double> failure(m, 1);
    for (std::size_t a = 0; a < m; ++a) {
      if (on[a] > weakest) failure[a] = 1 - on[a];
    }
    return failure;
  };
  return {share, failures(first_on), failures(second_on)};
}

}  // namespace orrery::quartet
