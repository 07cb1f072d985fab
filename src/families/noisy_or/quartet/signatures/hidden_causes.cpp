#include "families/noisy_or/quartet/signatures/hidden_causes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/signatures/seed_search.hpp"
#include "moments/counted_moments.hpp"
#include "parallel/team.hpp"

namespace orrery::quartet {
namespace {

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
  for (std::uint32_t& member : wide.quartet) {
    if (member != moments::no_variable) member = variables[member];
  }
  return wide;
}

}  // namespace

double excess_z(double count, double expected) {
  const auto stable = [](double rows) { return 2 * std::sqrt(rows + .375); };
  return stable(count) - stable(expected);
}

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
      if (i == j || count < constants::signatures::least_pair_rows) continue;
      if (excess_z(count, on[i] * on[j] / n) < constants::signatures::least_excess_z) continue;
      chosen.push_back(seen[i]);
      break;
    }
  }
  std::ranges::sort(chosen);
  return chosen;
}

std::vector<Elected> causes_within(const Attribution& rows, std::size_t m, int threads) {
  std::vector<Elected> found;
  const std::vector<std::uint32_t> variables = dependent_variables(rows, m);
  if (variables.size() < 3) return found;
  const data::BitPanels bits = bits_of(rows, variables, m);
  const moments::CountedMoments moments(bits, moments::count_pairs(bits));
  moments.prepare_many_pairs(threads);
  LogTerms learned(variables.size());
  const parallel::Team alone;
  const PairResiduals residuals(moments, learned);
  PairSignatures signatures(alone, threads, residuals, most_signatures);
  SeedPlace place;
  place.failed.assign(variables.size(), 0);
  const auto learn = [&](const Elected& cause) {
    learned.add(cause.prior, cause.failures);
    found.push_back(widened(cause, variables, m));
    return true;
  };
  search_seeds(seeds_of(residuals, threads), residuals, signatures,
               {[](const Pair&) { return true; }, learn, [] {}}, place);
  return found;
}

}  // namespace orrery::quartet
