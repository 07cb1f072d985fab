#include "families/categorical/structural_ep/clusters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace orrery::structural_ep {
namespace {

constexpr std::uint64_t most_rows = 4096;

class PairTable {
 public:
  PairTable(const WeightedRows& observed, std::uint64_t step)
      : observed_(observed), table_(observed.table()), step_(step) {}

  double information(std::size_t a, std::size_t b) {
    const std::size_t n_a = table_.categories[a].size();
    const std::size_t n_b = table_.categories[b].size();
    counts_.assign(n_a * n_b, 0);
    of_a_.assign(n_a, 0);
    of_b_.assign(n_b, 0);
    double total = 0;
    for (std::uint64_t n = 0; n < table_.n_rows; n += step_) {
      const auto row = table_.row(n);
      if (row[a] == data::missing_code || row[b] == data::missing_code) continue;
      const double weight = observed_.weight(n);
      counts_[row[a] * n_b + row[b]] += weight;
      of_a_[row[a]] += weight;
      of_b_[row[b]] += weight;
      total += weight;
    }
    double sum = 0;
    for (std::size_t u = 0; u < n_a; ++u) {
      for (std::size_t v = 0; v < n_b; ++v) {
        const double count = counts_[u * n_b + v];
        if (count > 0) sum += count * std::log(count * total / (of_a_[u] * of_b_[v]));
      }
    }
    return std::max(0.0, sum - static_cast<double>((n_a - 1) * (n_b - 1)) / 2);
  }

 private:
  const WeightedRows& observed_;
  const data::CategoricalTable& table_;
  std::uint64_t step_;
  std::vector<double> counts_, of_a_, of_b_;
};

}  // namespace

std::vector<double> mutual_information(const WeightedRows& observed) {
  const data::CategoricalTable& table = observed.table();
  const std::size_t d = table.n_columns();
  std::vector<double> result(d * d, 0.0);
  PairTable pairs(observed, std::max<std::uint64_t>(1, table.n_rows / most_rows));
  for (std::size_t a = 0; a < d; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      result[a * d + b] = result[b * d + a] = pairs.information(a, b);
    }
  }
  return result;
}

namespace {

/// A cluster's number for each of d variables, 0 to n_clusters - 1 (n_clusters <= d).
std::vector<std::uint32_t> clusters(std::vector<double> similarity, std::size_t d,
                                    std::size_t n_clusters) {
  std::vector<std::size_t> alive(d);
  std::iota(alive.begin(), alive.end(), std::size_t{0});
  std::vector<double> sizes(d, 1.0);
  std::vector<std::uint32_t> of(d);
  std::iota(of.begin(), of.end(), 0U);
  while (alive.size() > n_clusters) {
    double best = -std::numeric_limits<double>::infinity();
    std::size_t keep = 0;
    std::size_t drop = 1;
    for (std::size_t p = 0; p < alive.size(); ++p) {
      for (std::size_t q = p + 1; q < alive.size(); ++q) {
        const std::size_t a = alive[p];
        const std::size_t b = alive[q];
        const double mean = similarity[a * d + b] / (sizes[a] * sizes[b]);
        if (mean > best) {
          best = mean;
          keep = p;
          drop = q;
        }
      }
    }
    const std::size_t a = alive[keep];
    const std::size_t b = alive[drop];
    for (const std::size_t c : alive) {  // sums between clusters
      similarity[a * d + c] += similarity[b * d + c];
      similarity[c * d + a] = similarity[a * d + c];
    }
    sizes[a] += sizes[b];
    std::ranges::replace(of, static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(a));
    alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(drop));
  }
  for (std::uint32_t& number : of) {
    number =
        static_cast<std::uint32_t>(std::ranges::find(alive, std::size_t{number}) - alive.begin());
  }
  return of;
}

/// Each similarity times an exponential draw: another start.
void disturb(std::vector<double>& similarity, std::size_t d, RowRandom& random) {
  for (std::size_t a = 0; a < d; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const double value = similarity[a * d + b] * -std::log1p(-random.uniform());
      similarity[a * d + b] = similarity[b * d + a] = value;
    }
  }
}
/// A cause begins with a split of the categories of one of its cluster's variables.
std::vector<std::uint8_t> split_rows(const data::CategoricalTable& table,
                                     const learning::RowShare& rows, std::size_t variable,
                                     std::size_t cardinality, RowRandom& random) {
  const std::size_t n_categories = table.categories[variable].size();
  std::vector<std::uint8_t> side(n_categories);
  do {
    for (auto& s : side) s = static_cast<std::uint8_t>(random.below(cardinality));
  } while (n_categories > 1 && std::ranges::count(side, side[0]) == std::ssize(side));
  std::vector<std::uint8_t> states(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::uint64_t of_all = rows.first() + row;
    const std::size_t x = table.row(of_all)[variable];
    states[row] =
        x == data::missing_code ? static_cast<std::uint8_t>(of_all % cardinality) : side[x];
  }
  return states;
}

}  // namespace

Start first_start(const data::CategoricalTable& table, const learning::RowShare& rows,
                  std::vector<double> information, std::size_t n_causes, std::size_t cardinality,
                  RowRandom& random, bool as_it_is) {
  const std::size_t d = table.n_columns();
  if (!as_it_is) disturb(information, d, random);
  Start start;
  start.sets = clusters(std::move(information), d, n_causes);
  for (std::uint32_t k = 0; k < n_causes; ++k) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < d; ++i) {
      if (start.sets[i] == k) members.push_back(i);
    }
    const std::size_t variable = members[random.below(members.size())];
    start.states.push_back(split_rows(table, rows, variable, cardinality, random));
  }
  return start;
}

}  // namespace orrery::structural_ep
