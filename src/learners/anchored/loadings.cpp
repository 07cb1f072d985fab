#include "learners/anchored/loadings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "learners/anchored/failure_estimators.hpp"
#include "learners/anchored/significance.hpp"
#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

using Set = std::vector<std::uint32_t>;

constexpr std::size_t columns_a_unit = 32;
constexpr std::size_t most_blanket = 5;

/// What all units share.
struct Work {
  const LoadingsInput& input;
  std::vector<Set> neighbours;  ///< of `tree`
  std::vector<Set> blankets;    ///< of `blanket`
  SignProducts products;
  std::vector<FailureEstimator> estimators;  ///< a view
};

Set with(Set set, std::uint32_t member) {
  set.push_back(member);
  std::ranges::sort(set);
  return set;
}

std::vector<Set> neighbours_of(const model::CauseNetwork& network) {
  std::vector<Set> neighbours(network.n_causes());
  for (std::uint32_t i = 0; i < network.n_causes(); ++i) {
    for (const std::uint32_t parent : network.tables()[i].parents) {
      neighbours[i].push_back(parent);
      neighbours[parent].push_back(i);
    }
  }
  for (Set& set : neighbours) std::ranges::sort(set);
  return neighbours;
}

/// The table with the bits of member number `first` in front, the others in their order.
std::vector<double> in_front(std::span<const double> table, std::size_t first) {
  std::vector<double> moved(table.size());
  const std::size_t below = (std::size_t{1} << first) - 1;
  for (std::size_t cell = 0; cell < table.size(); ++cell) {
    const std::size_t bit = (cell >> first) & 1U;
    const std::size_t rest = (cell & below) | ((cell >> (first + 1)) << first);
    moved[(rest << 1U) | bit] = table[cell];
  }
  return moved;
}

class Variable {
 public:
  Variable(const Work& work, const Frequencies& counts, std::size_t column)
      : work_(work), counts_(counts), column_(column) {}

  /// log f of the active causes in a view. `start`: of view 0, or empty.
  [[nodiscard]] std::vector<double> estimate(std::size_t view, const Set& active,
                                             std::span<const double> start) const {
    const Options& options = work_.input.options;
    const auto pairs = recovered_pairs(view);
    std::vector<double> logs = work_.estimators[view].from_pairs(pairs, active, start);
    for (const std::uint32_t i : active) {
      if (options.loadings == Loadings::tree) logs[i] = tree(view, i, pairs[i]);
      if (options.loadings == Loadings::blanket) logs[i] = blanket(view, i);
    }
    return logs;
  }
  [[nodiscard]] double off(std::size_t view) const {
    return 1 - counts_.on(view, 0, column_);  // product 0 is empty
  }

 private:
  [[nodiscard]] std::vector<double> recovered(std::size_t view, const Set& set) const {
    std::vector<std::array<double, 2>> rates;
    for (const std::uint32_t i : set) rates.push_back(work_.input.views[view].rates[i]);
    return recover_with_variable(work_.products.table(counts_, view, set, column_), rates,
                                 work_.input.options.regularise_loadings);
  }
  [[nodiscard]] std::vector<std::array<double, 4>> recovered_pairs(std::size_t view) const {
    std::vector<std::array<double, 4>> pairs(work_.input.signs.size());
    for (std::uint32_t i = 0; i < pairs.size(); ++i) {
      std::ranges::copy(recovered(view, {i}), pairs[i].begin());
    }
    return pairs;
  }
  [[nodiscard]] double tree(std::size_t view, std::uint32_t i, std::span<const double> pair) const {
    const model::SubsetTables& moments = work_.input.views[view].moments;
    std::vector<std::vector<double>> triples;
    std::vector<std::array<double, 2>> given_on;
    for (const std::uint32_t k : work_.neighbours[i]) {
      const Set both = with({i}, k);
      triples.push_back(in_front(recovered(view, both), both[0] == i ? 0 : 1));
      const auto joint = in_front(moments.table(both), both[0] == i ? 0 : 1);
      const double on = joint[1] + joint[3];
      given_on.push_back({joint[1] / on, joint[3] / on});
    }
    return FailureEstimator::tree(log_ratio(pair), pair, triples, given_on);
  }
  [[nodiscard]] double blanket(std::size_t view, std::uint32_t i) const {
    const Set all = with(work_.blankets[i], i);
    const auto place = static_cast<std::size_t>(std::ranges::lower_bound(all, i) - all.begin());
    return FailureEstimator::blanket(in_front(recovered(view, all), place));
  }

  const Work& work_;
  const Frequencies& counts_;
  std::size_t column_;
};

bool is_anchor(const Observations& observed, std::size_t variable) {
  return std::ranges::any_of(observed.anchors,
                             [&](const model::Anchor& a) { return a.observed == variable; });
}

/// f and error of every cause: 2 K numbers.
void estimate_all(const Work& work, const Variable& variable, std::span<double> values) {
  const std::size_t n = work.input.signs.size();
  const std::size_t n_views = work.input.views.size();
  Set all(n);
  std::iota(all.begin(), all.end(), 0U);
  std::vector<std::vector<double>> failures(n, std::vector<double>(n_views));
  std::vector<double> start;
  for (std::size_t view = 0; view < n_views; ++view) {
    const std::vector<double> logs = variable.estimate(view, all, start);
    for (std::size_t i = 0; i < n; ++i) failures[i][view] = std::exp(logs[i]);
    if (view == 0) start = logs;
  }
  for (std::size_t i = 0; i < n; ++i) {
    values[2 * i] = failures[i][0];
    values[2 * i + 1] = jackknife_error(failures[i]);
  }
}

/// Leak and error, then f and error of the active causes.
void estimate_kept(const Work& work, const Variable& variable, const Set& active,
                   std::span<double> values) {
  const std::size_t n = work.input.signs.size();
  const std::size_t n_views = work.input.views.size();
  std::vector<std::vector<double>> failures(active.size(), std::vector<double>(n_views));
  std::vector<double> leaks(n_views);
  std::vector<double> start;
  std::vector<model::CauseWeight> weights(n);
  for (std::size_t view = 0; view < n_views; ++view) {
    const std::vector<double> logs = variable.estimate(view, active, start);
    if (view == 0) start = logs;
    std::ranges::fill(weights, model::CauseWeight{1, 1});
    for (std::size_t a = 0; a < active.size(); ++a) {
      failures[a][view] = std::exp(logs[active[a]]);
      weights[active[a]][1] = std::min(failures[a][view], 1.0);
    }
    // Eq. (10)
    leaks[view] = 1 - variable.off(view) / work.input.views[view].sums->sum(weights, {});
  }
  values[0] = leaks[0];
  values[1] = jackknife_error(leaks);
  for (std::size_t a = 0; a < active.size(); ++a) {
    values[2 + 2 * active[a]] = failures[a][0];
    values[3 + 2 * active[a]] = jackknife_error(failures[a]);
  }
}

template <class Use>  // void(const Variable&, std::size_t variable, std::span<double> values)
std::vector<double> over_variables(const learners::UnitMeans& means, const Work& work,
                                   const std::string& stage, std::size_t size, const Use& use) {
  const Observations& observed = work.input.observed;
  const std::size_t m = observed.n_observed();
  return learners::unit_values(
      means,
      {stage, "blocks of variables", (m + columns_a_unit - 1) / columns_a_unit,
       columns_a_unit * size},
      [&](std::uint64_t unit, int /*thread*/, std::span<double> values) {
        const std::size_t first = columns_a_unit * static_cast<std::size_t>(unit);
        const std::size_t n = std::min(columns_a_unit, m - first);
        std::vector<Column> columns;
        for (std::size_t c = 0; c < n; ++c) {
          columns.push_back({Column::Kind::observed, static_cast<std::uint32_t>(first + c)});
        }
        const Frequencies counts(observed, work.products.products(), columns);
        for (std::size_t c = 0; c < n; ++c) {
          if (is_anchor(observed, first + c)) continue;
          use(Variable(work, counts, c), first + c, values.subspan(c * size, size));
        }
      });
}

void require_uncertain(const LoadingsInput& input) {
  if (input.options.loadings == Loadings::direct) return;
  const CauseView& causes = input.views.front();
  for (std::uint32_t i = 0; i < input.signs.size(); ++i) {
    for (const std::uint32_t parent : causes.sums->network().tables()[i].parents) {
      const Set both = with({i}, parent);
      const auto joint = causes.moments.table(both);
      // One of them is never there without the other, or never where it is.
      const bool divides =
          std::ranges::any_of(joint.first(3), [](double cell) { return cell < 1e-12; });
      const bool same = joint[1] + joint[2] < 1e-9 || joint[0] + joint[3] < 1e-9;
      if (!same && !(divides && input.options.loadings == Loadings::tree)) continue;
      throw InputError(fmt::format(
          "{}: causes '{}' and '{}' go together without exception (P(neither) = {:.3g}, P(one) = "
          "{:.3g}, P(other) = {:.3g}, P(both) = {:.3g}): {}",
          input.observed.source, input.observed.causes[both[0]], input.observed.causes[both[1]],
          joint[0], joint[1], joint[2], joint[3],
          same ? "what each does cannot be told; make them one cause"
               : "Eq. (9) divides by 0; use --loadings matched, or --regularise .01"));
    }
  }
}

/// Sets of causes of which the estimator takes the tables with a variable.
std::vector<Set> sets_needed(const Work& work) {
  const LoadingsInput& input = work.input;
  std::vector<Set> sets;
  for (std::uint32_t i = 0; i < input.signs.size(); ++i) {
    if (input.options.loadings == Loadings::tree) {
      for (const std::uint32_t k : work.neighbours[i]) sets.push_back(with({i}, k));
    }
    if (input.options.loadings != Loadings::blanket) continue;
    if (work.blankets[i].size() > most_blanket) {
      throw InputError(fmt::format(
          "{}: the Markov blanket of cause '{}' has {} causes; --loadings blanket (Eq. (6)) takes "
          "up to {}, whose states rows can still show: use --loadings matched",
          input.observed.source, input.observed.causes[i], work.blankets[i].size(), most_blanket));
    }
    sets.push_back(with(work.blankets[i], i));
  }
  return sets;
}

}  // namespace

AllLoadings find_loadings(const learners::UnitMeans& means, const LoadingsInput& input) {
  const Options& options = input.options;
  const model::CauseNetwork& network = input.views.front().sums->network();
  require_uncertain(input);
  Work work{input, neighbours_of(network), {}, SignProducts(input.signs, {}), {}};
  for (std::uint32_t i = 0; i < network.n_causes(); ++i) {
    work.blankets.push_back(network.markov_blanket(i));
  }
  work.products = SignProducts(input.signs, sets_needed(work));
  for (const CauseView& view : input.views) work.estimators.emplace_back(view, options);

  const std::size_t n = input.signs.size();
  const std::size_t m = input.observed.n_observed();
  const std::vector<double> all = over_variables(
      means, work, "loadings", 2 * n, [&](const Variable& variable, std::size_t, auto values) {
        estimate_all(work, variable, values);
      });
  const std::vector<Set> kept = significant_edges(all, m, n, input.observed, options.alpha);
  const std::vector<double> values =
      over_variables(means, work, "kept_loadings", 2 * n + 2,
                     [&](const Variable& variable, std::size_t j, auto into) {
                       estimate_kept(work, variable, kept[j], into);
                     });
  AllLoadings loadings;
  for (std::size_t j = 0; j < m; ++j) {
    const auto of = std::span(values).subspan(j * (2 * n + 2), 2 * n + 2);
    VariableLoadings variable;
    if (!is_anchor(input.observed, j)) {
      variable.leak = std::clamp(of[0], 0.0, 1.0);
      variable.leak_error = of[1];
      if (std::isnan(all[2 * n * j])) ++loadings.unsolved;
      for (const std::uint32_t i : kept[j]) {
        if (!(of[2 + 2 * i] < 1)) continue;  // the others explain it
        variable.edges.push_back({i, of[2 + 2 * i], of[3 + 2 * i]});
      }
    }
    loadings.variables.push_back(std::move(variable));
  }
  return loadings;
}

}  // namespace orrery::anchored
