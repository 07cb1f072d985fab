#include "families/noisy_or/quartet/signatures/structure_sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>
#include <utility>

namespace orrery::quartet {

double quick_log(double x) {
  constexpr std::uint64_t of_half_root = 0x3fe6a09e667f3bcd;  // sqrt(1/2)
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const auto exponent = static_cast<std::int64_t>(bits - of_half_root) >> 52;
  const auto part = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(exponent) << 52));
  const double t = (part - 1) / (part + 1);
  const double s = t * t;
  return static_cast<double>(exponent) * 0.6931471805599453 +
         2 * t * (1 + s * (1. / 3 + s * (1. / 5 + s * (1. / 7 + s * (1. / 9)))));
}

namespace {

constexpr std::size_t most_additions = 1024;  // of a cause that wait: 16 KiB

}  // namespace

StructureSums::StructureSums(const model::NoisyOrNetwork& network)
    : n_(network.n_causes()),
      m_(network.n_observed()),
      square_(0),
      if_off_(n_),
      without_cause_(2 * n_),
      on_with_(3 * n_),
      words_(3 * n_ + network.edges().size(), 0),
      evidence_(n_ * m_ * n_evidence, 0),
      together_(n_ * n_, 0),
      most_waiting_(std::clamp<std::size_t>(m_ / 4, 1, most_additions)),
      waiting_(n_) {}

// Each place of the table is some 100 ns away: those of the next additions are asked for ahead.
void StructureSums::write_down(std::size_t cause) {
  constexpr std::size_t ahead = 32;
  auto& [rows, said] = waiting_[cause];
  std::uint64_t* const evidence = evidence_.data() + n_evidence * cause * m_;
  for (std::size_t i = 0; i < said.size(); ++i) {
    if (i + ahead < said.size()) {
      const std::uint64_t* const next = evidence + n_evidence * said[i + ahead].variable;
      __builtin_prefetch(next, 1);
      __builtin_prefetch(next + n_evidence - 1, 1);
    }
    const auto& [shared, variable, row] = said[i];
    const auto& [p, if_off] = rows[row];
    std::uint64_t* const pair = evidence + n_evidence * variable;
    add_fixed(pair[slope], shared, coarse);
    add_fixed(pair[square], shared * (shared - 2 * p), coarse);
    add_fixed(pair[ratio], quick_log(1 + step * (shared - p)) - if_off, coarse);
  }
  rows.clear();
  said.clear();
}

void StructureSums::write_down() {
  for (std::size_t u = 0; u < n_; ++u) write_down(u);
  waiting_.assign(n_, {});
}

void StructureSums::join(StructureSums& other) {
  other.write_down();
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] += other.words_[i];
  for (std::size_t i = 0; i < together_.size(); ++i) together_[i] += other.together_[i];
  for (std::size_t i = 0; i < evidence_.size(); ++i) evidence_[i] += other.evidence_[i];
  other.words_ = {};
  other.together_ = {};
  other.evidence_ = {};
}

void StructureSums::sum(const parallel::Team& team) {
  write_down();
  team.sum_words(words_);
  team.sum_words(together_);
  if (m_ > 0) team.sum_parts(evidence_, m_ * n_evidence);
}

std::vector<double> StructureSums::together() const { return reals(together_, 0, n_ * n_); }
std::vector<double> StructureSums::on_with() const {
  return reals(words_, on_with_, words_.size() - on_with_);
}
std::vector<double> StructureSums::without_cause() const {
  return reals(words_, without_cause_, n_);
}

namespace {

/// An edge of strength s would gain the sum of log(1 + s slope) over rows. That sum is taken for
/// n log(1 + s on / n) - s present, as if n rows alike spoke for the edge: n is chosen such that
/// the first two derivatives at s = 0 are the same. A quadratic with these derivatives falls short
/// where leaks are rare: with a leak of 0.001 an edge of strength 0.025 would get a strength of
/// 0.001.
MissingEdge edge_of_moments(std::uint32_t u, std::uint32_t a, double on, double present,
                            double variance) {
  const double n_alike = on * on / variance;
  const double by_chance = present / on;  // share of `on` without the edge
  const double strength = n_alike / present * (1 - by_chance);
  return {{u, a, std::clamp(1 - strength, .2, .9999)},
          n_alike * (by_chance - 1 - std::log(by_chance))};
}

}  // namespace

std::vector<MissingEdge> StructureSums::missing_edges(const parallel::Team& team,
                                                      const model::NoisyOrNetwork& network,
                                                      const std::vector<double>& present,
                                                      double n_rows, double least_gain) const {
  std::vector<MissingEdge> missing;
  const double weakness_cost =
      constants::signatures::weakness_cost * std::log10(std::max(n_rows / 10, 1.0));
  const auto [first, last] = team.part_of(n_);
  for (auto u = static_cast<std::uint32_t>(first); u < last; ++u) {
    std::vector<bool> has(m_, false);
    for (const model::Edge& edge : network.children(u)) has[edge.observed] = true;
    for (std::uint32_t a = 0; a < m_; ++a) {
      const std::uint64_t* pair = evidence_.data() + (u * m_ + a) * n_evidence;
      if (has[a] || pair[slope] == 0) continue;
      const double on = real(pair[slope], coarse);
      const double rise = on - present[u];
      if (!(rise > 0 && present[u] > 0)) continue;
      const double variance = std::max(real(pair[square], coarse) + real(words_[square_ + u], fine),
                                       rise * rise / n_rows);
      MissingEdge edge = edge_of_moments(u, a, on, present[u], variance);
      const double of_tried = real(pair[ratio], coarse) + real(words_[if_off_ + u], fine);
      if (of_tried > edge.gain) edge = {{u, a, constants::signatures::tried_failure}, of_tried};
      if (edge.gain > least_gain - weakness_cost * std::log(1 - edge.edge.failure))
        missing.push_back(edge);
    }
  }
  missing = team.gather_everywhere(missing);
  std::ranges::sort(missing, [](const MissingEdge& a, const MissingEdge& b) {
    return std::tuple(a.edge.observed, -a.gain, a.edge.cause) <
           std::tuple(b.edge.observed, -b.gain, b.edge.cause);
  });
  return missing;
}

}  // namespace orrery::quartet
