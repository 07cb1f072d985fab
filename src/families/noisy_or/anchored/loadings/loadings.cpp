#include "families/noisy_or/anchored/loadings/loadings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "families/noisy_or/anchored/loadings/failure_estimators.hpp"
#include "families/noisy_or/anchored/moments/frequencies.hpp"
#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

using Set = std::vector<std::uint32_t>;

bool is_anchor(const Observations& observed, std::size_t variable) {
  return std::ranges::any_of(observed.anchors,
                             [&](const model::Anchor& a) { return a.observed == variable; });
}

/// f and error of every cause: 2 K numbers.
void estimate_all(const FailureWork& work, const VariableFailures& variable,
                  std::span<double> values) {
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
void estimate_kept(const FailureWork& work, const VariableFailures& variable, const Set& active,
                   std::span<double> values) {
  const std::size_t n = work.input.signs.size();
  const std::size_t n_views = work.input.views.size();
  std::vector<std::vector<double>> failures(active.size(), std::vector<double>(n_views));
  std::vector<double> leaks(n_views);
  std::vector<double> start;
  std::vector<double> all(n, 1);
  for (std::size_t view = 0; view < n_views; ++view) {
    const std::vector<double> logs = variable.estimate(view, active, start);
    if (view == 0) start = logs;
    for (std::size_t a = 0; a < active.size(); ++a) {
      failures[a][view] = all[active[a]] = std::exp(logs[active[a]]);
    }
    leaks[view] = leak(variable.off(view), all, *work.input.views[view].sums);
  }
  values[0] = leaks[0];
  values[1] = jackknife_error(leaks);
  for (std::size_t a = 0; a < active.size(); ++a) {
    values[2 + 2 * active[a]] = failures[a][0];
    values[3 + 2 * active[a]] = jackknife_error(failures[a]);
  }
}

/// use(const VariableFailures&, std::size_t variable, std::span<double> values)
template <class Use>
std::vector<double> over_variables(const learning::Workers& workers, const FailureWork& work,
                                   const std::string& stage, std::size_t size, const Use& use) {
  const Observations& observed = work.input.observed;
  const std::size_t m = observed.n_observed();
  return learning::unit_values(
      workers,
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
          use(VariableFailures(work, counts, c), first + c, values.subspan(c * size, size));
        }
      });
}

void require_uncertain(const LoadingsInput& input) {
  if (input.options.loadings == Loadings::direct) return;
  const CauseView& causes = input.views.front();
  for (std::uint32_t i = 0; i < input.signs.size(); ++i) {
    for (const std::uint32_t parent : causes.sums->network().tables()[i].parents) {
      const Set both{std::min(i, parent), std::max(i, parent)};
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
               : "Eq. (9) divides by 0; use --loadings matched, or --regularise 0.01"));
    }
  }
}

}  // namespace

AllLoadings find_loadings(const learning::Workers& workers, const LoadingsInput& input) {
  const Options& options = input.options;
  require_uncertain(input);
  const FailureWork work(input);
  const std::size_t n = input.signs.size();
  const std::size_t m = input.observed.n_observed();
  const std::vector<double> all =
      over_variables(workers, work, "loadings", 2 * n,
                     [&](const VariableFailures& variable, std::size_t, auto values) {
                       estimate_all(work, variable, values);
                     });
  const std::vector<Set> kept = significant_edges(all, m, n, input.observed, options.alpha);
  const std::vector<double> values =
      over_variables(workers, work, "kept_loadings", 2 * n + 2,
                     [&](const VariableFailures& variable, std::size_t j, auto into) {
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

namespace {

constexpr double failure_rounding = 1e-7;

struct Test {
  double p;
  std::uint32_t variable;
  std::uint32_t cause;
  auto operator<=>(const Test&) const = default;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> significant_edges(std::span<const double> values,
                                                          std::size_t n_observed,
                                                          std::size_t n_causes,
                                                          const Observations& observed,
                                                          double alpha) {
  const bool exact = observed.n_samples == 0;
  std::vector<bool> is_anchor(n_observed, false);
  for (const model::Anchor& anchor : observed.anchors) is_anchor[anchor.observed] = true;
  std::vector<Test> tests;
  for (std::uint32_t j = 0; j < n_observed; ++j) {
    if (is_anchor[j]) continue;
    for (std::uint32_t i = 0; i < n_causes; ++i) {
      const double failure = values[2 * (j * n_causes + i)];
      const double error = values[2 * (j * n_causes + i) + 1];
      double p = 1;
      if (std::isfinite(failure) && failure < 1) {
        const double t =
            error > 0 ? (1 - failure) / error : std::numeric_limits<double>::infinity();
        if (exact) {
          p = failure < 1 - failure_rounding ? 0 : 1;
        } else if (!std::isnan(error)) {
          p = tail_probability(t, observed.n_samples) / 2;
        }
      }
      tests.push_back({p, j, i});
    }
  }
  std::ranges::sort(tests);
  std::size_t n_kept = 0;
  for (std::size_t r = 0; r < tests.size(); ++r) {
    const double limit = alpha * static_cast<double>(r + 1) / static_cast<double>(tests.size());
    if (tests[r].p <= limit) n_kept = r + 1;
  }
  std::vector<std::vector<std::uint32_t>> kept(n_observed);
  for (std::size_t r = 0; r < n_kept; ++r) kept[tests[r].variable].push_back(tests[r].cause);
  for (auto& causes : kept) std::ranges::sort(causes);
  return kept;
}

}  // namespace orrery::anchored
