#include "families/noisy_or/anchored/moments/pair_start.hpp"

#include <algorithm>
#include <cmath>

#include "families/noisy_or/anchored/moments/mixture_weights.hpp"
#include "families/noisy_or/anchored/moments/objective.hpp"

namespace orrery::anchored {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int halvings = 30;  // golden sections: 1e-6 of the interval
constexpr int most_sweeps = 50;

struct PairFit {
  double both = 0;
  double value = 0;
};

class Singles {
 public:
  Singles(const Objective& objective, const ProductBasis& basis)
      : objective_(objective), basis_(basis), n_(static_cast<std::uint32_t>(basis.n_variables())) {
    for (std::uint32_t i = 0; i < n_; ++i) on_.push_back(objective.independent().on(i));
  }

  /// Lowers each single in turn; returns what was gained.
  double sweep() {
    double gained = 0;
    for (std::uint32_t i = 0; i < n_; ++i) {
      const double before = value_of(i, on_[i]);
      const double best = least(i);
      const double after = value_of(i, best);
      if (!(after < before)) continue;
      on_[i] = best;
      gained += before - after;
    }
    return gained;
  }

  [[nodiscard]] VectorXd products() const {
    VectorXd result(basis_.size());
    for (Index z = 0; z < basis_.size(); ++z) {
      const auto& set = basis_.sets()[static_cast<std::size_t>(z)];
      result[z] =
          set.size() == 1 ? on_[set[0]] : fit(set[0], set[1], on_[set[0]], on_[set[1]]).both;
    }
    return result;
  }

 private:
  /// Cells that weigh, of observed and regularised ones.
  [[nodiscard]] VectorXd shown(std::span<const std::uint32_t> set,
                               std::vector<double> table) const {
    const auto size = static_cast<Index>(table.size());
    VectorXd cells(2 * size);
    for (Index c = 0; c < size; ++c) cells[size + c] = table[static_cast<std::size_t>(c)];
    apply_noise(table, objective_.rates_of(set));
    for (Index c = 0; c < size; ++c) cells[c] = table[static_cast<std::size_t>(c)];
    return cells.cwiseMax(0);
  }
  [[nodiscard]] VectorXd counts(std::span<const std::uint32_t> set) const {
    const auto observed = objective_.anchors().observed.table(set);
    const auto independent = objective_.independent().table(set);
    const auto size = static_cast<Index>(observed.size());
    VectorXd result(2 * size);
    for (Index c = 0; c < size; ++c) {
      result[c] = observed[static_cast<std::size_t>(c)];
      result[size + c] = objective_.regularise() * independent[static_cast<std::size_t>(c)];
    }
    return result;
  }
  static double divergence(const VectorXd& counts, const VectorXd& cells) {
    double sum = 0;
    for (Index c = 0; c < counts.size(); ++c) {
      if (counts[c] > 0) sum -= counts[c] * std::log(cells[c]);
    }
    return sum;
  }

  [[nodiscard]] PairFit fit(std::uint32_t i, std::uint32_t j, double a, double b) const {
    const std::array set{i, j};
    const auto cells = [&](double both) {
      return shown(set, {1 - a - b + both, a - both, b - both, both});
    };
    const double low = std::max(0.0, a + b - 1);
    const double high = std::min(a, b);
    const VectorXd weights = counts(set);
    const VectorXd from = cells(low);
    const VectorXd to = cells(high);
    const double share = best_step(weights, from, to);
    const VectorXd there = from + share * (to - from);
    return {low + share * (high - low), divergence(weights, there)};
  }

  [[nodiscard]] double value_of(std::uint32_t i, double on) const {
    const std::array single{i};
    double sum = divergence(counts(single), shown(single, {1 - on, on}));
    for (std::uint32_t j = 0; j < n_ && basis_.order() > 1; ++j) {
      if (j < i) sum += fit(j, i, on_[j], on).value;
      if (j > i) sum += fit(i, j, on, on_[j]).value;
    }
    return std::isfinite(sum) ? sum : HUGE_VAL;
  }

  /// The single's best value, near the present one, by golden sections.
  [[nodiscard]] double least(std::uint32_t i) const {
    constexpr double section = 0.6180339887498949;
    double low = std::max(0.0, on_[i] - .1);
    double high = std::min(1.0, on_[i] + .1);
    double left = high - section * (high - low);
    double right = low + section * (high - low);
    double at_left = value_of(i, left);
    double at_right = value_of(i, right);
    for (int k = 0; k < halvings; ++k) {
      if (at_left <= at_right) {
        high = right;
        right = left;
        at_right = at_left;
        left = high - section * (high - low);
        at_left = value_of(i, left);
      } else {
        low = left;
        left = right;
        at_left = at_right;
        right = low + section * (high - low);
        at_right = value_of(i, right);
      }
    }
    return (low + high) / 2;
  }

  const Objective& objective_;
  const ProductBasis& basis_;
  std::uint32_t n_;
  std::vector<double> on_;
};

}  // namespace

VectorXd pair_start(const Objective& objective, const ProductBasis& basis, double gain) {
  Singles singles(objective, basis);
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    if (singles.sweep() < gain) break;
  }
  return singles.products();
}

}  // namespace orrery::anchored
