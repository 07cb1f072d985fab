#include "families/noisy_or/quartet/signatures/attribution.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/signatures/hidden_causes.hpp"
#include "families/noisy_or/quartet/signatures/pair_signature.hpp"

namespace orrery::quartet {

void Attribution::save(std::vector<std::uint32_t>& words) const {
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

namespace {

std::int64_t in_units(double value) { return std::llround(value * 0x1p20); }
double from_units(std::int64_t sum) { return static_cast<double>(sum) * 0x1p-20; }

/// Two classes of rows with independent variables, by their variables that are ever on.
class Mixture {
 public:
  Mixture(const Attribution& rows, std::size_t m)
      : rows_(rows),
        n_(static_cast<double>(rows.n_rows())),
        on_{{std::vector<double>(m), std::vector<double>(m)}},
        log_ratio_(m, 0) {}

  /// One step: `in_second(variables)` is the responsibility of the second class for a row. Sums are
  /// of integers, so that rows may come in any order.
  template <class InSecond>
  void step(const InSecond& in_second) {
    std::vector<std::int64_t> rows_on(log_ratio_.size(), 0);
    std::vector<std::int64_t> second_on(log_ratio_.size(), 0);
    std::int64_t second = 0;
    std::int64_t n_listed = 0;
    rows_.for_each_row([&](std::span<const std::uint32_t> variables) {
      const std::int64_t responsibility = in_units(in_second(variables));
      second += responsibility;
      ++n_listed;
      for (const std::uint32_t a : variables) {
        ++rows_on[a];
        second_on[a] += responsibility;
      }
    });
    const double empty = in_second(std::span<const std::uint32_t>{});
    const double weight = from_units(second) + (n_ - static_cast<double>(n_listed)) * empty;
    share_ = std::clamp(weight / n_, 1e-6, 1 - 1e-6);
    log_odds_ = std::log(share_) - std::log1p(-share_);
    log_first_none_ = std::log1p(-share_);
    for (std::size_t a = 0; a < log_ratio_.size(); ++a) {
      if (rows_on[a] == 0) continue;
      const double in_both = static_cast<double>(rows_on[a]);
      // A tenth of a row on, of one more.
      on_[0][a] = (in_both - from_units(second_on[a]) + .1) / (n_ - weight + 1);
      on_[1][a] = (from_units(second_on[a]) + .1) / (weight + 1);
      log_odds_ += std::log1p(-on_[1][a]) - std::log1p(-on_[0][a]);
      log_first_none_ += std::log1p(-on_[0][a]);
      log_ratio_[a] = logit(on_[1][a]) - logit(on_[0][a]);
    }
  }

  /// Log odds of the second class for a row.
  [[nodiscard]] double log_odds(std::span<const std::uint32_t> variables) const {
    double sum = log_odds_;
    for (const std::uint32_t a : variables) sum += log_ratio_[a];
    return sum;
  }

  /// Log-likelihood of the rows, nats.
  [[nodiscard]] double log_likelihood() const {
    std::int64_t sum = 0;
    std::int64_t n_listed = 0;
    rows_.for_each_row([&](std::span<const std::uint32_t> variables) {
      double of_row = log_first_none_ + log1p_exp(log_odds(variables));
      for (const std::uint32_t a : variables) of_row += logit(on_[0][a]);
      sum += in_units(of_row);
      ++n_listed;
    });
    return from_units(sum) +
           (n_ - static_cast<double>(n_listed)) * (log_first_none_ + log1p_exp(log_odds_));
  }

  [[nodiscard]] double share() const { return share_; }
  [[nodiscard]] std::vector<double> failures(std::size_t of) const {
    std::vector<double> failure(log_ratio_.size(), 1);
    for (std::size_t a = 0; a < failure.size(); ++a) {
      if (on_[of][a] > constants::signatures::weakest_part_edge) failure[a] = 1 - on_[of][a];
    }
    return failure;
  }

 private:
  static double logit(double p) { return std::log(p) - std::log1p(-p); }
  static double log1p_exp(double x) { return x > 30 ? x : std::log1p(std::exp(x)); }

  const Attribution& rows_;
  double n_;
  double share_ = 0;
  std::array<std::vector<double>, 2> on_;
  std::vector<double> log_ratio_;
  double log_odds_ = 0;        // of a row without any
  double log_first_none_ = 0;  // log P(first, no variable on)
};

/// The leading principal component of the rows, each variable in units of its standard deviation:
/// many weak dependences tell two classes apart where no pair of variables does.
struct Component {
  std::vector<double> weights;  // m, of a variable that is on
  double offset = 0;            // of every row
  double variance = 0;          // over the rows: 1 if all variables are independent

  [[nodiscard]] double of(std::span<const std::uint32_t> variables) const {
    double sum = offset;
    for (const std::uint32_t a : variables) sum += weights[a];
    return sum;
  }
};

/// Of the variables that are on in enough rows. By power iteration.
Component leading_component(const Attribution& rows, std::size_t m) {
  const auto n = static_cast<double>(rows.n_rows());
  std::vector<double> share(m, 0);
  rows.for_each_row([&](std::span<const std::uint32_t> variables) {
    for (const std::uint32_t a : variables) share[a] += 1 / n;
  });
  std::vector<double> deviation(m, 0);
  std::vector<double> direction(m, 0);  // in units of the deviations, of length 1
  std::size_t most_varied = 0;
  for (std::size_t a = 0; a < m; ++a) {
    if (share[a] * n < constants::signatures::least_pair_rows) continue;
    deviation[a] = std::sqrt(share[a] * std::max(1 - share[a], 0.0));
    if (deviation[a] > deviation[most_varied]) most_varied = a;
  }
  if (!(deviation[most_varied] > 0)) return {};
  direction[most_varied] = 1;
  Component component;
  for (int i = 0; i < constants::signatures::component_iterations; ++i) {
    component.weights.assign(m, 0);
    component.offset = 0;
    for (std::size_t a = 0; a < m; ++a) {
      if (!(deviation[a] > 0)) continue;
      component.weights[a] = direction[a] / deviation[a];
      component.offset -= share[a] * component.weights[a];
    }
    std::vector<std::int64_t> sums(m, 0);  // of integers: rows may come in any order
    std::int64_t square = 0;
    std::int64_t n_listed = 0;
    rows.for_each_row([&](std::span<const std::uint32_t> variables) {
      const double y = component.of(variables);
      for (const std::uint32_t a : variables) sums[a] += in_units(y);
      square += in_units(y * y);
      ++n_listed;
    });
    const double empty = n - static_cast<double>(n_listed);
    component.variance = (from_units(square) + empty * component.offset * component.offset) / n;
    double norm = 0;
    for (std::size_t a = 0; a < m; ++a) {
      // The component's mean is 0.
      direction[a] = deviation[a] > 0 ? from_units(sums[a]) / deviation[a] : 0;
      norm += direction[a] * direction[a];
    }
    if (norm == 0) return {};
    for (double& one : direction) one /= std::sqrt(norm);
  }
  return component;
}

/// Pairs that come together most beyond chance, no variable twice.
std::vector<Pair> clearest_pairs(const Attribution& rows, std::span<const std::uint32_t> variables,
                                 std::size_t m) {
  std::vector<std::uint32_t> place(m, 0);
  for (std::size_t i = 0; i < variables.size(); ++i)
    place[variables[i]] = static_cast<std::uint32_t>(i + 1);
  const std::size_t k = variables.size();
  std::vector<double> both(k * k, 0);
  rows.for_each_row([&](std::span<const std::uint32_t> on) {
    for (const std::uint32_t a : on) {
      for (const std::uint32_t b : on) {
        if (place[a] > 0 && place[b] > 0) ++both[(place[a] - 1) * k + place[b] - 1];
      }
    }
  });
  struct Ranked {
    double z;
    Pair pair;
  };
  std::vector<Ranked> ranked;
  const auto n = static_cast<double>(rows.n_rows());
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double z = excess_z(both[i * k + j], both[i * k + i] * both[j * k + j] / n);
      if (z >= constants::signatures::least_excess_z &&
          both[i * k + j] >= constants::signatures::least_pair_rows)
        ranked.push_back({z, {variables[j], variables[i]}});
    }
  }
  std::ranges::sort(ranked, [](const Ranked& p, const Ranked& q) {
    return p.z > q.z || (p.z == q.z && p.pair < q.pair);
  });
  std::vector<Pair> chosen;
  for (const Ranked& one : ranked) {
    if (chosen.size() == constants::signatures::most_mixture_pairs) break;
    if (std::ranges::none_of(chosen, [&](const Pair& other) {
          return one.pair[0] == other[0] || one.pair[0] == other[1] || one.pair[1] == other[0] ||
                 one.pair[1] == other[1];
        })) {
      chosen.push_back(one.pair);
    }
  }
  return chosen;
}

}  // namespace

std::optional<TwoCauses> separate(const Attribution& rows, std::size_t m) {
  std::optional<TwoCauses> best;
  if (rows.n_rows() == 0) return best;
  Mixture one(rows, m);
  one.step([](std::span<const std::uint32_t>) { return .5; });
  const double alone = one.log_likelihood();
  const auto try_start = [&](const auto& in_second, const Pair& seed) {
    Mixture two(rows, m);
    two.step(in_second);
    for (int i = 0; i < constants::signatures::mixture_iterations; ++i) {
      const Mixture before = two;
      two.step([&](std::span<const std::uint32_t> on) {
        return 1 / (1 + std::exp(-before.log_odds(on)));
      });
    }
    const double gain = two.log_likelihood() - alone;
    if (!best || gain > best->gain)
      best = TwoCauses{gain, two.share(), seed, two.failures(0), two.failures(1)};
  };
  const std::vector<std::uint32_t> variables = dependent_variables(rows, m);
  for (const Pair& seed : clearest_pairs(rows, variables, m)) {
    try_start(
        [&](std::span<const std::uint32_t> on) {
          const auto n_on = std::ranges::count_if(
              on, [&](std::uint32_t x) { return x == seed[0] || x == seed[1]; });
          return n_on == 2 ? .95 : .1;
        },
        seed);
  }
  const Component component = leading_component(rows, m);
  if (component.variance > constants::signatures::least_component_variance) {
    const double deviation = std::sqrt(component.variance);
    try_start(
        [&](std::span<const std::uint32_t> on) {
          return 1 / (1 + std::exp(-2 * component.of(on) / deviation));
        },
        {});
  }
  return best;
}

}  // namespace orrery::quartet
