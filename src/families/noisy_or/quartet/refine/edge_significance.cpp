#include "families/noisy_or/quartet/refine/edge_significance.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "data/bits.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/refine/expectation.hpp"
#include "model/row_posterior.hpp"

namespace orrery::quartet {
namespace {

using data::for_each_bit;
using model::RowPosterior;

// A posterior below this is none.
constexpr double absent = 1e-12;

/// A product of positive factors as a sum of logarithms, one for many factors.
class LogProduct {
 public:
  void times(double factor) {
    product_ *= factor;
    if (product_ > 1e200 || product_ < 1e-200) flush();
  }
  /// Of all factors since the last call.
  double take_log() {
    if (product_ != 1) flush();
    return std::exchange(log_, 0);
  }

 private:
  void flush() {
    log_ += std::log(product_);
    product_ = 1;
  }
  double product_ = 1;
  double log_ = 0;
};

/// One thread's way through the rows for test_edges.
class EdgeTester {
 public:
  EdgeTester(const model::NoisyOrNetwork& network, const model::PosteriorNetwork& prepared,
             double tolerance)
      : network_(network),
        row_(prepared, tolerance),
        without_edge_(network.edges().size()),
        without_cause_(network.n_causes()),
        shared_(network.n_causes() * network.n_observed(), 0),
        state_(network.n_observed(), off) {
    for (auto& products : with_edge_) products.resize(shared_.size());
    for (auto& products : with_off_) products.resize(network.n_causes());
  }

  /// slope, variance, with_edge: beside those of a row in which every variable is seen and off,
  /// which are in present, square and with_off.
  struct Parts {
    std::size_t without_edge, without_cause, slope, variance, together, present, square;
    std::array<std::size_t, constants::refinement::tried_failures.size()> with_edge, with_off;
  };

  void add(const learning::RowBlock& block, const Parts& parts, std::span<double> into) {
    const std::size_t n = network_.n_causes();
    for (std::size_t r = 0; r < block.n_rows; ++r) {
      read(block.row(r), block.missing_in(r));
      for (const std::uint32_t u : present_) {
        const double posterior = row_.posterior(u);
        without_cause_[u].times(std::max(1 - posterior, 1e-15));
        into[parts.present + u] += posterior;
        for (const std::uint32_t v : present_) {
          into[parts.together + u * n + v] += posterior * row_.posterior(v);
        }
        add_removals(u, posterior);
        add_slopes(u, posterior, block.missing_in(r), parts, into);
        add_trials(u, posterior, block.missing_in(r));
      }
      forget(block.missing_in(r));
    }
    take_logs(without_edge_, into.subspan(parts.without_edge));
    take_logs(without_cause_, into.subspan(parts.without_cause));
    for (std::size_t k = 0; k < constants::refinement::tried_failures.size(); ++k) {
      take_logs(with_edge_[k], into.subspan(parts.with_edge[k]));
      take_logs(with_off_[k], into.subspan(parts.with_off[k]));
    }
  }

 private:
  enum State : std::uint8_t { off, on, missing };

  void read(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing_values) {
    const std::size_t m = network_.n_observed();
    row_.evaluate(values, missing_values);
    present_.clear();
    for (std::uint32_t u = 0; u < network_.n_causes(); ++u) {
      if (row_.posterior(u) >= absent) present_.push_back(u);
    }
    for_each_bit(missing_values, [&](std::size_t a) { state_[a] = missing; });
    for (std::size_t i = 0; i < row_.on().size(); ++i) {
      const std::uint32_t a = row_.on()[i];
      state_[a] = on;
      // Apart, cause and variable are independent given the row.
      for (const std::uint32_t u : present_) {
        shared_[u * m + a] = row_.posterior(u) * row_.inverse()[i];
      }
    }
    for (const auto& group : row_.groups()) {
      const auto causes = row_.group_causes(group);
      for (std::size_t k = 0; k < causes.size(); ++k) {
        for (std::size_t l = 0; l < group.n_on; ++l) {
          shared_[causes[k] * m + row_.on()[row_.group_on(group)[l]]] = row_.shared(group, k)[l];
        }
      }
    }
  }

  void forget(std::span<const std::uint64_t> missing_values) {
    for (const std::uint32_t a : row_.on()) state_[a] = off;
    for_each_bit(missing_values, [&](std::size_t a) { state_[a] = off; });
  }

  /// The likelihood of the row without the edge, over that with it: E[P(a | s, no edge) / P(a |
  /// s)].
  void add_removals(std::size_t u, double posterior) {
    const auto children = network_.children(u);
    const auto first = static_cast<std::size_t>(children.data() - network_.edges().data());
    for (std::size_t i = 0; i < children.size(); ++i) {
      const std::uint32_t a = children[i].observed;
      const double more = 1 / std::max(children[i].failure, 1e-30) - 1;
      if (state_[a] == off) {
        without_edge_[first + i].times(1 + posterior * more);
      } else if (state_[a] == on) {
        const double shared = shared_[u * network_.n_observed() + a];
        without_edge_[first + i].times(std::max(1 - more * (shared - posterior), 1e-12));
      }
    }
  }

  /// A variable that is on has the slope shared - posterior, one that is off -posterior.
  void add_slopes(std::size_t u, double posterior, std::span<const std::uint64_t> missing_values,
                  const Parts& parts, std::span<double> into) {
    const std::size_t m = network_.n_observed();
    const double* shared = shared_.data() + u * m;
    double* slope = into.data() + parts.slope + u * m;
    double* variance = into.data() + parts.variance + u * m;
    for (const std::uint32_t a : row_.on()) {
      slope[a] += shared[a];
      variance[a] += shared[a] * (shared[a] - 2 * posterior);
    }
    into[parts.square + u] += posterior * posterior;
    for_each_bit(missing_values, [&](std::size_t a) {
      slope[a] += posterior;
      variance[a] -= posterior * posterior;
    });
  }

  /// The likelihood of the row with an edge (u, a) of a tried failure f, over that without:
  /// E[P(a | s, edge) / P(a | s)] = 1 - (1 - f) P(u) if a is off, 1 + (1 - f) slope if it is on.
  void add_trials(std::size_t u, double posterior, std::span<const std::uint64_t> missing_values) {
    const std::size_t m = network_.n_observed();
    const double* shared = shared_.data() + u * m;
    for (std::size_t k = 0; k < constants::refinement::tried_failures.size(); ++k) {
      const double step = 1 - constants::refinement::tried_failures[k];
      const double if_off = 1 - step * posterior;
      const double beside_off = 1 / if_off;
      with_off_[k][u].times(if_off);
      LogProduct* products = with_edge_[k].data() + u * m;
      for (const std::uint32_t a : row_.on()) {
        products[a].times((1 + step * (shared[a] - posterior)) * beside_off);
      }
      for_each_bit(missing_values, [&](std::size_t a) { products[a].times(beside_off); });
    }
  }

  static void take_logs(std::vector<LogProduct>& products, std::span<double> into) {
    for (std::size_t i = 0; i < products.size(); ++i) into[i] += products[i].take_log();
  }

  const model::NoisyOrNetwork& network_;
  RowPosterior row_;
  std::vector<LogProduct> without_edge_, without_cause_;
  std::array<std::vector<LogProduct>, constants::refinement::tried_failures.size()> with_edge_,
      with_off_;
  std::vector<double> shared_;  // n x m; of variables that are on
  std::vector<State> state_;
  std::vector<std::uint32_t> present_;
};

}  // namespace

EdgeTests test_edges(const learning::RowPass& rows, const model::NoisyOrNetwork& network,
                     double tolerance) {
  const std::size_t n = network.n_causes();
  const std::size_t m = network.n_observed();
  const std::size_t n_edges = network.edges().size();
  SumLayout layout;
  EdgeTester::Parts parts{};
  parts.without_edge = layout.part(n_edges);
  parts.without_cause = layout.part(n);
  parts.slope = layout.part(n * m);
  parts.variance = layout.part(n * m);
  parts.together = layout.part(n * n);
  parts.present = layout.part(n);
  parts.square = layout.part(n);
  for (std::size_t& part : parts.with_edge) part = layout.part(n * m);
  for (std::size_t& part : parts.with_off) part = layout.part(n);
  const model::PosteriorNetwork prepared(network, rows.n_rows(), rows.may_miss());
  std::vector<EdgeTester> scratch(static_cast<std::size_t>(rows.n_threads()),
                                  EdgeTester(network, prepared, tolerance));
  const std::vector<double> sums = rows.sum(
      layout.size(), [&](const learning::RowBlock& block, int thread, std::span<double> into) {
        scratch[static_cast<std::size_t>(thread)].add(block, parts, into);
      });
  EdgeTests tests{slice(sums, parts.without_edge, n_edges),
                  slice(sums, parts.without_cause, n),
                  slice(sums, parts.slope, n * m),
                  slice(sums, parts.variance, n * m),
                  {},
                  slice(sums, parts.together, n * n),
                  slice(sums, parts.present, n)};
  const auto n_rows = static_cast<double>(rows.n_rows());
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t a = 0; a < m; ++a) {
      double& slope = tests.slope[u * m + a];
      double& variance = tests.variance[u * m + a];
      slope -= sums[parts.present + u];
      // Rounding may leave less than the least that such a sum can have.
      variance = std::max(variance + sums[parts.square + u], slope * slope / n_rows);
    }
  }
  for (std::size_t k = 0; k < constants::refinement::tried_failures.size(); ++k) {
    tests.with_edge[k] = slice(sums, parts.with_edge[k], n * m);
    for (std::size_t i = 0; i < n * m; ++i)
      tests.with_edge[k][i] += sums[parts.with_off[k] + i / m];
  }
  for (const model::Edge& edge : network.edges()) {
    const std::size_t at = edge.cause * m + edge.observed;
    tests.slope[at] = 0;
    tests.variance[at] = 0;
    for (auto& ratios : tests.with_edge) ratios[at] = 0;
  }
  return tests;
}

Addition best_addition(const EdgeTests& tests, std::size_t at) {
  const double slope = tests.slope[at];
  const double variance = tests.variance[at];
  if (!(slope > 0)) return {};
  Addition best{slope * slope / (2 * variance), std::clamp(1 - slope / variance, .2, .95)};
  for (std::size_t k = 0; k < constants::refinement::tried_failures.size(); ++k) {
    if (tests.with_edge[k][at] > best.gain)
      best = {tests.with_edge[k][at], constants::refinement::tried_failures[k]};
  }
  return best;
}

}  // namespace orrery::quartet
