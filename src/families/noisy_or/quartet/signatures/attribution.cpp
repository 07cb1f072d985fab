#include "families/noisy_or/quartet/signatures/attribution.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/signatures/dependent_variables.hpp"
#include "families/noisy_or/quartet/signatures/pair_signature.hpp"

namespace orrery::quartet {

Attribution Attribution::renumbered(std::span<const std::uint32_t> number) const {
  Attribution renumbered;
  renumbered.n_rows_ = n_rows_;
  renumbered.cells_.reserve(cells_.size());
  for_each_row([&](std::span<const std::uint32_t> variables) {
    renumbered.cells_.push_back(static_cast<std::uint32_t>(variables.size()));
    for (const std::uint32_t a : variables) renumbered.cells_.push_back(number[a]);
  });
  return renumbered;
}

Attribution Attribution::of(std::span<const std::uint32_t> variables, std::size_t m) const {
  std::vector<bool> wanted(m, false);
  for (const std::uint32_t a : variables) wanted[a] = true;
  Attribution chosen;
  std::vector<std::uint32_t> row;
  for_each_row([&](std::span<const std::uint32_t> on) {
    row.clear();
    std::ranges::copy_if(on, std::back_inserter(row), [&](std::uint32_t a) { return wanted[a]; });
    chosen.add_row(row);
  });
  chosen.n_rows_ = n_rows_;
  return chosen;
}

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

/// std::llround of |value| < 2^43, without a call to the library for each row.
std::int64_t in_units(double value) {
  const double scaled = value * 0x1p20;
  const auto whole = static_cast<std::int64_t>(scaled);
  const double rest = scaled - static_cast<double>(whole);
  return whole + (rest >= .5 ? 1 : 0) - (rest <= -.5 ? 1 : 0);
}
double from_units(std::int64_t sum) { return static_cast<double>(sum) * 0x1p-20; }

/// Variables that are on in no row take time in every pass over all variables: without them.
struct Listed {
  std::vector<std::uint32_t> variables;  // that are on in some row, rising
  std::vector<double> rows_on;           // of each, how many
  Attribution rows;                      // of their places in `variables`
  std::int64_t n_listed = 0;             // rows with any
};

Listed listed(const Attribution& rows, std::size_t m) {
  Listed found;
  std::vector<std::uint32_t> on(m, 0);
  rows.for_each_row([&](std::span<const std::uint32_t> variables) {
    for (const std::uint32_t a : variables) ++on[a];
    ++found.n_listed;
  });
  std::vector<std::uint32_t> place(m, 0);
  for (std::uint32_t a = 0; a < m; ++a) {
    if (on[a] == 0) continue;
    place[a] = static_cast<std::uint32_t>(found.variables.size());
    found.variables.push_back(a);
    found.rows_on.push_back(on[a]);
  }
  found.rows = rows.renumbered(place);
  return found;
}

/// Two classes of rows with independent variables.
class Mixture {
 public:
  explicit Mixture(const Listed& listed)
      : listed_(listed),
        n_(static_cast<double>(listed.rows.n_rows())),
        second_on_(listed.variables.size()),
        on_{{std::vector<double>(listed.variables.size()),
             std::vector<double>(listed.variables.size())}},
        first_logit_(listed.variables.size()),
        log_ratio_(listed.variables.size()) {}

  /// One step: `in_second(variables)` is the responsibility of the second class for a row; it may
  /// be of the parameters before this step. Sums are of integers, so that rows may come in any
  /// order.
  template <class InSecond>
  void step(const InSecond& in_second) {
    std::ranges::fill(second_on_, 0);
    std::int64_t second = 0;
    listed_.rows.for_each_row([&](std::span<const std::uint32_t> variables) {
      const std::int64_t responsibility = in_units(in_second(variables));
      second += responsibility;
      for (const std::uint32_t a : variables) second_on_[a] += responsibility;
    });
    const double empty = in_second(std::span<const std::uint32_t>{});
    const double weight = from_units(second) + (n_ - static_cast<double>(listed_.n_listed)) * empty;
    share_ = std::clamp(weight / n_, 1e-6, 1 - 1e-6);
    log_odds_ = std::log(share_) - std::log1p(-share_);
    log_first_none_ = std::log1p(-share_);
    for (std::size_t a = 0; a < log_ratio_.size(); ++a) {
      const double second_on = from_units(second_on_[a]);
      // A tenth of a row on, of one more.
      on_[0][a] = (listed_.rows_on[a] - second_on + .1) / (n_ - weight + 1);
      on_[1][a] = (second_on + .1) / (weight + 1);
      const double first_off = std::log1p(-on_[0][a]);
      const double second_off = std::log1p(-on_[1][a]);
      first_logit_[a] = std::log(on_[0][a]) - first_off;
      log_odds_ += second_off - first_off;
      log_first_none_ += first_off;
      log_ratio_[a] = std::log(on_[1][a]) - second_off - first_logit_[a];
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
    listed_.rows.for_each_row([&](std::span<const std::uint32_t> variables) {
      double of_row = log_first_none_ + log1p_exp(log_odds(variables));
      for (const std::uint32_t a : variables) of_row += first_logit_[a];
      sum += in_units(of_row);
    });
    return from_units(sum) +
           (n_ - static_cast<double>(listed_.n_listed)) * (log_first_none_ + log1p_exp(log_odds_));
  }

  [[nodiscard]] double share() const { return share_; }
  /// Of all m variables.
  [[nodiscard]] std::vector<double> failures(std::size_t of, std::size_t m) const {
    std::vector<double> failure(m, 1);
    for (std::size_t a = 0; a < log_ratio_.size(); ++a) {
      if (on_[of][a] > constants::signatures::weakest_part_edge)
        failure[listed_.variables[a]] = 1 - on_[of][a];
    }
    return failure;
  }

 private:
  static double log1p_exp(double x) { return x > 30 ? x : std::log1p(std::exp(x)); }

  const Listed& listed_;
  double n_;
  double share_ = 0;
  std::vector<std::int64_t> second_on_;
  std::array<std::vector<double>, 2> on_;
  std::vector<double> first_logit_;  // of on_[0]
  std::vector<double> log_ratio_;    // of the odds in the second class to those in the first
  double log_odds_ = 0;              // of a row without any
  double log_first_none_ = 0;        // log P(first, no variable on)
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
Component leading_component(const Listed& listed) {
  const auto n = static_cast<double>(listed.rows.n_rows());
  const std::size_t m = listed.variables.size();
  std::vector<double> share(m, 0);
  listed.rows.for_each_row([&](std::span<const std::uint32_t> variables) {
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
    listed.rows.for_each_row([&](std::span<const std::uint32_t> variables) {
      const double y = component.of(variables);
      const std::int64_t units = in_units(y);
      for (const std::uint32_t a : variables) sums[a] += units;
      square += in_units(y * y);
    });
    const double empty = n - static_cast<double>(listed.n_listed);
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
  const Listed found = listed(rows, m);
  const std::size_t k = found.variables.size();
  if (k == 0) return best;
  Mixture one(found);
  one.step([](std::span<const std::uint32_t>) { return .5; });
  const double alone = one.log_likelihood();
  const auto try_start = [&](const auto& in_second, const Pair& seed) {
    Mixture two(found);
    two.step(in_second);
    for (int i = 0; i < constants::signatures::mixture_iterations; ++i) {
      two.step(
          [&](std::span<const std::uint32_t> on) { return 1 / (1 + std::exp(-two.log_odds(on))); });
    }
    const double gain = two.log_likelihood() - alone;
    if (!best || gain > best->gain)
      best = TwoCauses{gain, two.share(), seed, two.failures(0, m), two.failures(1, m)};
  };
  const std::vector<std::uint32_t> variables =
      dependent_variables(found.rows, k, parallel::Team(), 1);
  for (const Pair& seed : clearest_pairs(found.rows, variables, k)) {
    try_start(
        [&](std::span<const std::uint32_t> on) {
          const auto n_on = std::ranges::count_if(
              on, [&](std::uint32_t x) { return x == seed[0] || x == seed[1]; });
          return n_on == 2 ? .95 : .1;
        },
        {found.variables[seed[0]], found.variables[seed[1]]});
  }
  const Component component = leading_component(found);
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
