#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "families/noisy_or/anchored/moments/frequencies.hpp"
#include "families/noisy_or/anchored/noise/noise_rates.hpp"
#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

constexpr std::size_t checked_columns_a_unit = 64;
constexpr double independent_level = .01;
constexpr double contradiction_level = .001;
constexpr double moment_rounding = 1e-9;  // of exact moments

/// What is found of an anchor: a number, and the column it was found with.
struct Finding {
  double value = 0;
  double column = 0;
  double cell = 0;  ///< of a contradiction: the probability, and its error
  double error = 0;
};
constexpr std::size_t finding_size = 4;

/// The largest finding of every anchor over all other columns.
template <class Look>  // Finding(const Frequencies&, anchor, column of the block)
std::vector<Finding> largest(const learning::Workers& workers, const Observations& observed,
                             const std::string& stage, const Look& look) {
  const std::size_t n = observed.anchors.size();
  const std::size_t m = observed.n_observed();
  std::vector<Product> products{{}};
  for (const model::Anchor& anchor : observed.anchors) {
    products.push_back({{Column::Kind::observed, anchor.observed}});
  }
  const std::size_t n_units = (m + checked_columns_a_unit - 1) / checked_columns_a_unit;
  const std::vector<double> values = learning::unit_values(
      workers, {stage, "blocks of variables", n_units, n * finding_size},
      [&](std::uint64_t unit, int /*thread*/, std::span<double> into) {
        const std::size_t first = checked_columns_a_unit * static_cast<std::size_t>(unit);
        std::vector<Column> columns;
        for (std::size_t c = first; c < std::min(first + checked_columns_a_unit, m); ++c) {
          columns.push_back({Column::Kind::observed, static_cast<std::uint32_t>(c)});
        }
        const Frequencies counts(observed, products, columns);
        for (std::size_t a = 0; a < n; ++a) {
          Finding best;
          for (std::size_t c = 0; c < columns.size(); ++c) {
            const bool own = std::ranges::any_of(observed.anchors, [&](const model::Anchor& other) {
              return other.cause == observed.anchors[a].cause && other.observed == first + c;
            });
            if (own) continue;
            Finding found = look(counts, a, c);
            found.column = static_cast<double>(first + c);
            if (found.value > best.value) best = found;
          }
          const std::array all{best.value, best.column, best.cell, best.error};
          std::ranges::copy(all, into.begin() + static_cast<std::ptrdiff_t>(a * finding_size));
        }
      });
  std::vector<Finding> found(n);
  for (std::size_t unit = 0; unit < n_units; ++unit) {
    for (std::size_t a = 0; a < n; ++a) {
      const double* const v = values.data() + (unit * n + a) * finding_size;
      if (v[0] > found[a].value) found[a] = {v[0], v[1], v[2], v[3]};
    }
  }
  return found;
}

/// |value| in errors of it; exact values are as they are.
double in_errors(const std::vector<double>& values) {
  if (values.size() == 1) return std::abs(values[0]) > moment_rounding ? std::abs(values[0]) : 0;
  const double error = jackknife_error(values);
  return error > 0 ? std::abs(values[0]) / error : 0;
}

}  // namespace

void require_telling_anchors(const learning::Workers& workers, const Observations& observed) {
  const std::size_t m = observed.n_observed();
  const auto strongest = largest(
      workers, observed, "anchors", [](const Frequencies& counts, std::size_t a, std::size_t c) {
        std::vector<double> covariances;
        for (std::size_t v = 0; v < counts.n_views(); ++v) {
          covariances.push_back(counts.on(v, 1 + a, c) -
                                counts.alone(v, 1 + a) * counts.on(v, 0, c));
        }
        return Finding{in_errors(covariances)};
      });
  std::vector<Product> products;
  for (const model::Anchor& anchor : observed.anchors) {
    products.push_back({{Column::Kind::observed, anchor.observed}});
  }
  const Frequencies singles(observed, products, {});
  for (std::size_t a = 0; a < observed.anchors.size(); ++a) {
    const double on = singles.alone(0, a);
    if (on <= 0 || on >= 1) {
      throw InputError(fmt::format(
          "{}: {} is {} in every row: a sign that never changes tells nothing of its cause; name "
          "another column",
          observed.source, name_of(observed, a), on > 0 ? "on" : "off"));
    }
    const double tests = static_cast<double>(m);
    const bool none =
        observed.exact != nullptr
            ? !(strongest[a].value > 0)
            : tail_probability(strongest[a].value, observed.n_samples) * tests > independent_level;
    if (!none) continue;
    throw InputError(fmt::format(
        "{}: {} is independent of every other column (none of {} covariances is significant): "
        "nothing can be learned of its cause; name another column, leave the cause out, or shuffle "
        "the rows if they are sorted",
        observed.source, name_of(observed, a), m - 1));
  }
}

namespace {

/// The most negative cell of P(y, x), in errors of it; value 0 for none.
Finding worst_cell(const Frequencies& counts, const NoiseRates& noise, std::size_t a,
                   std::size_t c) {
  std::array<std::vector<double>, 4> cells;
  for (std::size_t v = 0; v < counts.n_views(); ++v) {
    const auto [off, on] = noise.views[v][a];
    const double x = counts.on(v, 0, c);
    const double present = (counts.alone(v, 1 + a) - off) / (on - off);
    const double both = (counts.on(v, 1 + a, c) - off * x) / (on - off);
    const std::array values{both, present - both, x - both, 1 - present - x + both};
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i].push_back(values[i]);
  }
  Finding worst;
  for (const std::vector<double>& cell : cells) {
    if (cell[0] >= 0) continue;
    const double size = in_errors(cell);
    if (size > worst.value) worst = {size, 0, cell[0], jackknife_error(cell)};
  }
  return worst;
}

void require_in_range(const Observations& observed, const NoiseRates& noise) {
  std::vector<Product> products;
  for (const model::Anchor& anchor : observed.anchors) {
    products.push_back({{Column::Kind::observed, anchor.observed}});
  }
  const Frequencies singles(observed, products, {});
  for (std::size_t a = 0; a < observed.anchors.size(); ++a) {
    const double shown = singles.alone(0, a);
    const auto [off, on] = noise.views[0][a];
    if (shown > off && shown < on) continue;
    throw InputError(fmt::format(
        "{}: {} is on in {:.4g} of the rows, and with the rates off {:.4g}, on {:.4g} its cause "
        "would be present in {:.3g} of them; correct the rates ({})",
        observed.source, name_of(observed, a), shown, off, on, (shown - off) / (on - off),
        noise.rates[a].source));
  }
}

}  // namespace

std::vector<std::string> find_contradictions(const learning::Workers& workers,
                                             const Observations& observed,
                                             const NoiseRates& noise) {
  require_in_range(observed, noise);
  const auto worst = largest(workers, observed, "contradictions",
                             [&](const Frequencies& counts, std::size_t a, std::size_t c) {
                               return worst_cell(counts, noise, a, c);
                             });
  const double tests = 4 * static_cast<double>(observed.anchors.size() * observed.n_observed());
  std::vector<std::string> remarks;
  for (std::size_t a = 0; a < observed.anchors.size(); ++a) {
    if (!(worst[a].value > 0)) continue;
    if (observed.exact == nullptr &&
        tail_probability(worst[a].value, observed.n_samples) * tests > contradiction_level) {
      continue;
    }
    remarks.push_back(fmt::format(
        "{}: with its noise (off {:.4g}, on {:.4g}) a probability of '{}' and '{}' comes out as "
        "{:.3g} (standard error {:.2g}): its rates are wrong, or the column has another parent too "
        "(Definition 1)",
        name_of(observed, a), noise.views[0][a][0], noise.views[0][a][1],
        observed.causes[observed.anchors[a].cause],
        observed.names[static_cast<std::size_t>(worst[a].column)], worst[a].cell, worst[a].error));
  }
  return remarks;
}

}  // namespace orrery::anchored
