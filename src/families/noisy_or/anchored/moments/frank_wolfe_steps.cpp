#include <algorithm>
#include <cmath>
#include <utility>

#include "base/random.hpp"
#include "families/noisy_or/anchored/moments/frank_wolfe.hpp"
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

// The local search.

namespace {

using State = std::vector<std::uint8_t>;

class Descent {
 public:
  Descent(const ProductBasis& basis, const LinearForm& form) : basis_(basis), form_(form) {}

  void run(State& state) {
    const std::size_t n = state.size();
    std::vector<double> slopes(n);
    while (true) {
      for (std::uint32_t i = 0; i < n; ++i) slopes[i] = gain(state, i);
      const auto best = std::ranges::min_element(slopes);
      if (*best < -tiny) {
        flip(state, static_cast<std::size_t>(best - slopes.begin()));
        continue;
      }
      if (!flip_pair(state, slopes)) return;
    }
  }

  double value(const State& state) {
    ones_.clear();
    for (std::uint32_t i = 0; i < state.size(); ++i) {
      if (state[i] != 0) ones_.push_back(i);
    }
    double sum = form_.constant;
    chosen_.clear();
    for (std::size_t last = 0; last < ones_.size(); ++last) add_sets(last, ones_.size(), sum);
    return sum;
  }

 private:
  static constexpr double tiny = 1e-12;

  static void flip(State& state, std::size_t i) { state[i] ^= 1U; }

  /// Change of the form when variable i flips.
  double gain(const State& state, std::uint32_t i) {
    ones_.clear();
    for (std::uint32_t j = 0; j < state.size(); ++j) {
      if (state[j] != 0 && j != i) ones_.push_back(j);
    }
    double sum = slope_with(i);
    return state[i] != 0 ? -sum : sum;
  }

  /// Sum of the coefficients of i with the subsets of ones_.
  double slope_with(std::uint32_t i) {
    if (basis_.order() <= 2) {  // the common case, without enumeration
      double sum = form_.coefficients[i];
      if (basis_.order() == 1) return sum;
      const auto n = static_cast<Index>(basis_.n_variables());
      for (const std::uint32_t j : ones_) {
        const auto low = static_cast<Index>(std::min(i, j));
        const auto high = static_cast<Index>(std::max(i, j));
        sum += form_.coefficients[n + high * (high - 1) / 2 + low];
      }
      return sum;
    }
    // Sets with i are those of ones_ and i, less those of ones_ alone.
    const auto place = std::ranges::lower_bound(ones_, i) - ones_.begin();
    ones_.insert(ones_.begin() + place, i);
    double sum = 0;
    with_ = i;
    chosen_.clear();
    for (std::size_t last = 0; last < ones_.size(); ++last) add_sets(last, ones_.size(), sum);
    with_ = none;
    ones_.erase(ones_.begin() + place);
    return sum;
  }

  /// Adds the coefficients of the sets of ones_ that go on from chosen_ with ones_[at].
  void add_sets(std::size_t at, std::size_t end, double& sum) {
    chosen_.push_back(ones_[at]);
    const bool counts = with_ == none || std::ranges::find(chosen_, with_) != chosen_.end();
    if (counts) sum += form_.coefficients[basis_.coordinate(chosen_)];
    if (chosen_.size() < basis_.order()) {
      for (std::size_t next = at + 1; next < end; ++next) add_sets(next, end, sum);
    }
    chosen_.pop_back();
  }

  /// The first pair, in order, whose flip gains though neither alone does.
  bool flip_pair(State& state, const std::vector<double>& slopes) {
    for (std::uint32_t i = 0; i < state.size(); ++i) {
      flip(state, i);
      for (std::uint32_t j = 0; j < i; ++j) {
        if (slopes[i] + gain(state, j) >= -tiny) continue;
        flip(state, j);
        return true;
      }
      flip(state, i);
    }
    return false;
  }

  static constexpr std::uint32_t none = ~std::uint32_t{0};
  const ProductBasis& basis_;
  const LinearForm& form_;
  std::vector<std::uint32_t> ones_;
  std::vector<std::uint32_t> chosen_;
  std::uint32_t with_ = none;
};

}  // namespace

FoundState search_from_start(const ProductBasis& basis, const LinearForm& form,
                             std::span<const double> on, std::uint64_t round, std::uint64_t start) {
  RowRandom random(0, Stream::restart, round * starts_per_round + start);
  State state(on.size());
  for (std::size_t i = 0; i < on.size(); ++i) {
    state[i] = random.bernoulli(start % 4 == 0 ? .5 : on[i]) ? 1 : 0;
  }
  Descent descent(basis, form);
  descent.run(state);
  const double value = descent.value(state);
  return {std::move(state), value};
}

std::vector<FoundState> best_states(std::vector<FoundState> found) {
  constexpr std::size_t most = 60;
  std::ranges::sort(found, [](const FoundState& a, const FoundState& b) {
    return a.value != b.value ? a.value < b.value : a.state < b.state;
  });
  const auto is_same = [](const FoundState& a, const FoundState& b) { return a.state == b.state; };
  found.erase(std::unique(found.begin(), found.end(), is_same), found.end());
  if (found.size() > most) found.resize(most);
  return found;
}

}  // namespace orrery::anchored
