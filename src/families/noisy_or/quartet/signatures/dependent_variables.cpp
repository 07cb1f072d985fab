#include "families/noisy_or/quartet/signatures/dependent_variables.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "families/noisy_or/quartet/constants.hpp"
#include "parallel/ledger.hpp"

namespace orrery::quartet {
namespace {

constexpr std::size_t table_pairs = 4'000'000;  // counted before they are summed over ranks
constexpr std::size_t band_pairs = 1'000'000;   // counted in one pass over the rows

/// Pairs (i, j), i < j, of all j below this one.
std::size_t pairs_before(std::size_t j) { return j == 0 ? 0 : j * (j - 1) / 2; }

/// The end of as many j from `begin` on as have at most so many pairs (i, j), i < j; or of one.
std::size_t end_of(std::size_t begin, std::size_t last, std::size_t n_pairs) {
  std::size_t end = begin + 1;
  while (end < last && pairs_before(end + 1) - pairs_before(begin) <= n_pairs) ++end;
  return end;
}

/// Variables that are on in some row, rising, and in how many.
struct Seen {
  std::vector<std::uint32_t> variables;
  std::vector<std::uint32_t> number;  // m: that of a variable among them
  std::vector<double> rows_on;        // of each of them
  double n_rows = 0;
};

/// In the rows of all ranks. Collective.
Seen seen_in(const Attribution& rows, std::size_t m, const parallel::Team& team, int threads) {
  std::vector<std::uint64_t> on(m + 1, 0);
  on[m] = rows.n_rows();
  {
    const parallel::SharedTime time(threads);
    rows.for_each_row([&](std::span<const std::uint32_t> variables) {
      for (const std::uint32_t a : variables) ++on[a];
    });
  }
  team.sum_words(on);
  Seen seen;
  seen.number.resize(m);
  seen.n_rows = static_cast<double>(on[m]);
  for (std::uint32_t a = 0; a < m; ++a) {
    if (on[a] == 0) continue;
    seen.number[a] = static_cast<std::uint32_t>(seen.variables.size());
    seen.variables.push_back(a);
    seen.rows_on.push_back(static_cast<double>(on[a]));
  }
  return seen;
}

/// Rows in which both of a pair are on, of pairs (i, j), i < j, with `begin` <= j < `end`.
class PairTable {
 public:
  PairTable(std::size_t begin, std::size_t end)
      : begin_(begin), end_(end), both_(pairs_before(end) - pairs_before(begin), 0) {}

  /// Those of j, i = 0, 1, ...
  [[nodiscard]] std::span<std::uint32_t> of(std::size_t j) {
    return std::span(both_).subspan(pairs_before(j) - pairs_before(begin_), j);
  }

  void count(const Attribution& rows, std::span<const std::uint32_t> number, int threads) {
    const parallel::SharedTime time(threads);
    std::vector<std::size_t> bands{begin_};
    while (bands.back() < end_) bands.push_back(end_of(bands.back(), end_, band_pairs));
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (std::size_t band = 1; band < bands.size(); ++band) {
      count_band(rows, number, bands[band - 1], bands[band]);
    }
  }

  /// Over ranks; rank r has the sums of the j from first[r] on, before first[r + 1]. Collective.
  void sum(const parallel::Team& team, const std::vector<std::size_t>& first) {
    std::vector<std::size_t> places;
    places.reserve(first.size());
    for (const std::size_t j : first) places.push_back(pairs_before(j) - pairs_before(begin_));
    team.sum_parts(both_, places);
  }

 private:
  void count_band(const Attribution& rows, std::span<const std::uint32_t> number, std::size_t first,
                  std::size_t last) {
    rows.for_each_row([&](std::span<const std::uint32_t> variables) {
      for (std::size_t k = 0; k < variables.size(); ++k) {
        const std::size_t j = number[variables[k]];
        if (j < first || j >= last) continue;
        const std::span<std::uint32_t> both = of(j);
        for (const std::uint32_t a : variables.first(k)) ++both[number[a]];
      }
    });
  }

  std::size_t begin_, end_;
  std::vector<std::uint32_t> both_;
};

/// Marks both of each pair of the table, j from `first` on, before `last`, that come together more
/// often than chance has it.
void mark(PairTable& table, const Seen& seen, std::size_t first, std::size_t last,
          std::vector<std::uint64_t>& depends) {
  for (std::size_t j = first; j < last; ++j) {
    const std::span<const std::uint32_t> both = table.of(j);
    for (std::size_t i = 0; i < j; ++i) {
      const double count = both[i];
      if (count < constants::signatures::least_pair_rows) continue;
      const double expected = seen.rows_on[i] * seen.rows_on[j] / seen.n_rows;
      if (excess_z(count, expected) < constants::signatures::least_excess_z) continue;
      depends[i] = depends[j] = 1;
    }
  }
}

}  // namespace

double excess_z(double count, double expected) {
  const auto stable = [](double rows) { return 2 * std::sqrt(rows + .375); };
  return stable(count) - stable(expected);
}

std::vector<std::uint32_t> dependent_variables(const Attribution& rows, std::size_t m,
                                               const parallel::Team& team, int threads) {
  const Seen seen = seen_in(rows, m, team, threads);
  const std::size_t n = seen.variables.size();
  const auto size = static_cast<std::size_t>(team.size());
  const auto rank = static_cast<std::size_t>(team.rank());
  std::vector<std::uint64_t> depends(n, 0);
  for (std::size_t begin = 0; begin < n;) {
    const std::size_t end = end_of(begin, n, table_pairs);
    PairTable table(begin, end);
    table.count(rows, seen.number, threads);
    std::vector<std::size_t> first;
    for (std::size_t r = 0; r <= size; ++r) first.push_back(begin + (end - begin) * r / size);
    table.sum(team, first);
    mark(table, seen, first[rank], first[rank + 1], depends);
    begin = end;
  }
  team.sum_words(depends);
  std::vector<std::uint32_t> chosen;
  for (std::size_t i = 0; i < n; ++i) {
    if (depends[i] > 0) chosen.push_back(seen.variables[i]);
  }
  return chosen;
}

}  // namespace orrery::quartet
