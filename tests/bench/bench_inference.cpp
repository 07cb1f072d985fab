// Posteriors in a network of the size of QMR-DT (570 causes, 4,075 variables, 45,470 edges, priors
// log-normal around .0015) for rows with up to 12 positive findings, one thread; and of rows with
// 12 against Heckerman's sum over the subsets of the positive findings as it stands, for the
// evidence alone.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "bench/timing.hpp"
#include "orrery/model/inference.hpp"

namespace {

using namespace orrery;

constexpr std::uint32_t n_causes = 570;
constexpr std::uint32_t n_observed = 4075;
constexpr std::size_t n_edges = 45'470;
constexpr std::size_t n_words = (n_observed + 63) / 64;
constexpr std::size_t most_positive = 12;

double normal(RowRandom& random) {
  return std::sqrt(-2 * std::log1p(-random.uniform())) * std::cos(2 * M_PI * random.uniform());
}

model::NoisyOrNetwork make_network() {
  RowRandom random(1, Stream::check, 0);
  std::vector<model::Cause> causes;
  std::vector<model::Observed> observed;
  std::vector<double> popularity;  // cumulative
  for (std::uint32_t c = 0; c < n_causes; ++c) {
    causes.push_back({"d", std::clamp(.0015 * std::exp(normal(random)), 2e-4, .06)});
  }
  for (std::uint32_t a = 0; a < n_observed; ++a) {
    observed.push_back({"f", .001 * std::exp(.5 * normal(random))});
    const double weight = std::exp(1.25 * normal(random));
    popularity.push_back(weight + (popularity.empty() ? 0 : popularity.back()));
  }
  const double failures[] = {.975, .8, .5, .2, .015};
  std::vector<model::Edge> edges;
  std::vector<std::vector<bool>> has(n_causes, std::vector<bool>(n_observed, false));
  while (edges.size() < n_edges) {
    const auto c = static_cast<std::uint32_t>(random.below(n_causes));
    const auto place = std::ranges::upper_bound(popularity, random.uniform() * popularity.back());
    const auto a = static_cast<std::uint32_t>(place - popularity.begin());
    if (has[c][a]) continue;
    has[c][a] = true;
    edges.push_back({c, a, failures[random.below(5)]});
  }
  return {causes, observed, edges};
}

using Row = std::vector<std::uint64_t>;

std::size_t n_positive(const Row& row) {
  return static_cast<std::size_t>(
      std::accumulate(row.begin(), row.end(), 0,
                      [](int sum, std::uint64_t word) { return sum + std::popcount(word); }));
}

Row draw_row(const model::NoisyOrNetwork& network, std::uint64_t number) {
  RowRandom random(2, Stream::check, number);
  std::vector<double> off(n_observed);
  for (std::uint32_t a = 0; a < n_observed; ++a) off[a] = 1 - network.observed()[a].leak;
  for (std::uint32_t c = 0; c < n_causes; ++c) {
    if (!random.bernoulli(network.causes()[c].prior)) continue;
    for (const auto& edge : network.children(c)) off[edge.observed] *= edge.failure;
  }
  Row row(n_words, 0);
  for (std::uint32_t a = 0; a < n_observed; ++a) {
    if (!random.bernoulli(off[a])) row[a / 64] |= std::uint64_t{1} << (a % 64);
  }
  return row;
}

/// log P(row): sum over S of (-1)^|S| P(S and the negative findings off).
double signed_sum(const model::NoisyOrNetwork& network, const Row& row) {
  std::vector<std::uint32_t> positive;
  double log_off = 0;
  for (std::uint32_t a = 0; a < n_observed; ++a) {
    if ((row[a / 64] >> (a % 64) & 1U) != 0) {
      positive.push_back(a);
    } else {
      log_off += std::log1p(-network.observed()[a].leak);
    }
  }
  const std::size_t n_subsets = std::size_t{1} << positive.size();
  std::vector<double> terms(n_subsets, 1);
  std::vector<double> failures(n_subsets, 1);
  for (std::uint32_t c = 0; c < n_causes; ++c) {
    double present = network.causes()[c].prior;
    const double absent = 1 - present;
    std::vector<double> failure(positive.size(), 1);
    bool touched = false;
    for (const auto& edge : network.children(c)) {
      const auto place = std::ranges::lower_bound(positive, edge.observed);
      if (place != positive.end() && *place == edge.observed) {
        failure[static_cast<std::size_t>(place - positive.begin())] = edge.failure;
        touched = true;
      } else {
        present *= edge.failure;
      }
    }
    if (!touched) {
      log_off += std::log(absent + present);
      continue;
    }
    for (std::size_t s = 1; s < n_subsets; ++s) {
      failures[s] = failures[s & (s - 1)] * failure[static_cast<std::size_t>(std::countr_zero(s))];
    }
    for (std::size_t s = 0; s < n_subsets; ++s) terms[s] *= absent + present * failures[s];
  }
  double sum = 0;
  for (std::size_t s = 0; s < n_subsets; ++s) {
    double leak = 1;
    for (std::size_t left = s; left != 0; left &= left - 1) {
      leak *=
          1 - network.observed()[positive[static_cast<std::size_t>(std::countr_zero(left))]].leak;
    }
    sum += (std::popcount(s) % 2 == 0 ? 1 : -1) * leak * terms[s];
  }
  return std::log(sum) + log_off;
}

}  // namespace

int main() {
  const model::NoisyOrNetwork network = make_network();
  const model::InferenceNetwork prepared(network);
  std::vector<Row> rows;  // as they come
  std::vector<Row> hard;  // with as many as may be
  for (std::uint64_t number = 0; rows.size() < 5000 || hard.size() < 200; ++number) {
    Row row = draw_row(network, number);
    const std::size_t n = n_positive(row);
    if (n == most_positive && hard.size() < 200) hard.push_back(row);
    if (n <= most_positive && rows.size() < 5000) rows.push_back(std::move(row));
  }
  model::InferenceOptions options;
  options.top = 1;
  model::RowInference inference(prepared, options);
  double sink = 0;
  const auto infer = [&](const std::vector<Row>& of) {
    for (std::size_t i = 0; i < of.size(); ++i) {
      inference.evaluate(i, of[i], {});
      sink += inference.log_evidence();
    }
  };
  std::vector<bench::Contestant> contestants{
      {"5,000 rows with up to 12 positive findings", [&] { infer(rows); }},
      {"200 rows with 12: posteriors, explanation", [&] { infer(hard); }},
      {"200 rows with 12: signed sum, evidence alone", [&] {
         for (const Row& row : hard) sink += signed_sum(network, row);
       }}};
  bench::compete(contestants, 5);
  fmt::print("inference, 570 causes, 4,075 variables, 45,470 edges, one thread\n");
  bench::print_times(contestants);
  fmt::print("  100,000 rows take {:.1f} s; {:.1f} times the signed sum's speed\n",
             20 * contestants[0].median(), contestants[2].median() / contestants[1].median());
  // By the number of positive findings: what the signed sum is off by, in nats.
  double off[most_positive + 1] = {};
  for (std::size_t i = 0; i < 1000; ++i) {
    inference.evaluate(i, rows[i], {});
    const double difference = std::abs(signed_sum(network, rows[i]) - inference.log_evidence());
    double& worst = off[n_positive(rows[i])];
    worst = difference >= 0 ? std::max(worst, difference) : HUGE_VAL;  // a negative sum: NaN
  }
  for (std::size_t n = 1; n <= most_positive; ++n) {
    fmt::print("  the signed sum is off by up to {:.1g} nats with {} positive findings\n", off[n],
               n);
  }
  return sink == 0 ? 1 : 0;
}
