#include "families/noisy_or/anchored/moments/cause_moments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/random.hpp"
#include "families/noisy_or/anchored/subsets.hpp"
#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

using model::CauseWeight;

std::vector<std::uint8_t> draw_states(const model::CauseNetwork& network, std::uint64_t draws,
                                      std::uint64_t seed) {
  const std::size_t n = network.n_causes();
  std::vector<std::uint8_t> states(static_cast<std::size_t>(draws) * n);
  for (std::uint64_t d = 0; d < draws; ++d) {
    RowRandom random(seed, Stream::inference, d);
    const auto state = std::span(states).subspan(static_cast<std::size_t>(d) * n, n);
    for (const std::uint32_t cause : network.order()) {
      state[cause] = random.bernoulli(network.on(cause, state)) ? 1 : 0;
    }
  }
  return states;
}

}  // namespace

CauseExpectations::CauseExpectations(model::CauseNetwork network, std::uint64_t draws,
                                     std::uint64_t seed)
    : network_(std::move(network)),
      way_(network_.is_forest() ? Way::forest : Way::elimination),
      on_(network_.n_causes()) {
  if (way_ == Way::elimination) {
    elimination_ = std::make_unique<model::CauseElimination>(network_);
    if (!elimination_->is_feasible()) {
      way_ = Way::draws;
      elimination_.reset();
      states_ = draw_states(network_, draws, seed);
    }
  }
  const std::vector<CauseWeight> none(network_.n_causes(), CauseWeight{1, 1});
  sum(none, on_);
}

double CauseExpectations::sum(std::span<const CauseWeight> weights, std::span<double> on) const {
  if (way_ == Way::forest) return sum_forest(weights, on);
  if (way_ == Way::draws) return sum_draws(weights, on);
  const double total = elimination_->expectation(weights);
  if (on.empty()) return total;
  if (total > 0) {
    std::ranges::copy(elimination_->posteriors(weights), on.begin());
  } else {
    std::ranges::fill(on, 0);
  }
  return total;
}

double CauseExpectations::sum_forest(std::span<const CauseWeight> weights,
                                     std::span<double> on) const {
  const std::size_t n = network_.n_causes();
  const auto& tables = network_.tables();
  // Of a cause's subtree: its weights, by the cause's value; and that by the parent's value.
  std::vector<CauseWeight> own(weights.begin(), weights.end());
  std::vector<CauseWeight> message(n);
  double total = 1;
  const auto& order = network_.order();
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const auto& [parents, table] = tables[*it];
    const CauseWeight& w = own[*it];
    if (parents.empty()) {
      total *= (1 - table[0]) * w[0] + table[0] * w[1];
      continue;
    }
    CauseWeight& up = message[*it];
    for (std::size_t v = 0; v < 2; ++v) up[v] = (1 - table[v]) * w[0] + table[v] * w[1];
    CauseWeight& parent = own[parents[0]];
    parent[0] *= up[0];
    parent[1] *= up[1];
  }
  if (on.empty()) return total;
  for (const std::uint32_t cause : order) {
    const auto& [parents, table] = tables[cause];
    const CauseWeight& w = own[cause];
    const auto posterior = [&](double p) {
      const double present = p * w[1];
      const double sum = (1 - p) * w[0] + present;
      return sum > 0 ? present / sum : 0;
    };
    if (parents.empty()) {
      on[cause] = posterior(table[0]);
    } else {
      const double up = on[parents[0]];
      on[cause] = (1 - up) * posterior(table[0]) + up * posterior(table[1]);
    }
  }
  return total;
}

double CauseExpectations::sum_draws(std::span<const CauseWeight> weights,
                                    std::span<double> on) const {
  const std::size_t n = network_.n_causes();
  const std::size_t draws = states_.size() / n;
  std::ranges::fill(on, 0);
  double total = 0;
  for (std::size_t d = 0; d < draws; ++d) {
    const auto state = std::span(states_).subspan(d * n, n);
    double weight = 1;
    for (std::size_t i = 0; i < n; ++i) weight *= weights[i][state[i]];
    total += weight;
    for (std::size_t i = 0; i < on.size(); ++i) on[i] += state[i] != 0 ? weight : 0;
  }
  if (total > 0) {
    for (double& value : on) value /= total;
  }
  return total / static_cast<double>(draws);
}

// Signs, and the views of the rows.

namespace {

using Set = std::vector<std::uint32_t>;

constexpr std::size_t products_a_unit = 8;

/// Number of a set among all of fewer members and then, of as many, in colexicographic order.
std::size_t number_of(std::span<const std::uint32_t> set, std::size_t n) {
  std::size_t number = 0;
  for (std::size_t size = 0; size < set.size(); ++size) number += binomial(n, size);
  for (std::size_t i = 0; i < set.size(); ++i) number += binomial(set[i], i + 1);
  return number;
}

/// Sets of fewer than `order` of n, in the order of number_of.
std::vector<Set> small_sets(std::size_t n, std::size_t order) {
  std::vector<Set> sets{{}};
  const model::SubsetTables shape(n, std::max<std::size_t>(1, order - 1));
  for (std::size_t size = 1; size < order; ++size) {
    shape.for_each_set(size, [&](std::span<const std::uint32_t> set) {
      sets.emplace_back(set.begin(), set.end());
    });
  }
  return sets;
}

}  // namespace

std::vector<Sign> anchor_signs(const Observations& observed, const NoiseRates& noise,
                               const std::vector<std::size_t>& mains) {
  std::vector<Sign> signs;
  for (const std::size_t anchor : mains) {
    Sign sign{{Column::Kind::observed, observed.anchors[anchor].observed}, {}};
    for (const auto& rates : noise.views) {
      sign.rates.push_back(rates[anchor]);
      // A group without a labelled row of one kind tells nothing: as of all rows.
      if (!(sign.rates.back()[1] > sign.rates.back()[0]))
        sign.rates.back() = noise.views[0][anchor];
    }
    signs.push_back(std::move(sign));
  }
  return signs;
}

std::vector<Sign> label_signs(const Observations& observed) {
  std::vector<Sign> signs;
  const data::BitPanels& known = observed.labels->known;
  for (std::uint32_t cause = 0; cause < observed.n_causes(); ++cause) {
    for (std::uint64_t row = 0; row < observed.n_samples; ++row) {
      if (known.at(static_cast<std::size_t>(row), cause)) continue;
      throw InputError(
          fmt::format("{}: row {}, column '{}': not labelled; the oracle methods need every label: "
                      "use --method "
                      "moments, which takes anchors, and labels of some rows for their noise",
                      observed.labels->file, row + 1, observed.causes[cause]));
    }
    signs.push_back({{Column::Kind::label_on, cause},
                     std::vector<std::array<double, 2>>(n_views(observed.n_samples), {0, 1})});
  }
  return signs;
}

SignCounts::SignCounts(const learning::Workers& workers, const Observations& observed,
                       const std::vector<Sign>& signs, std::size_t order)
    : n_views_(anchored::n_views(observed.n_samples)), n_signs_(signs.size()), order_(order) {
  const std::vector<Set> sets = small_sets(n_signs_, order);
  std::vector<Column> columns;
  columns.reserve(signs.size());
  for (const Sign& sign : signs) columns.push_back(sign.column);
  const std::size_t size = n_views_ * (n_signs_ + 1);
  const std::size_t n_units = (sets.size() + products_a_unit - 1) / products_a_unit;
  on_ = learning::unit_values(
      workers, {"anchor_moments", "blocks of products", n_units, products_a_unit * size},
      [&](std::uint64_t unit, int /*thread*/, std::span<double> values) {
        const std::size_t first = products_a_unit * static_cast<std::size_t>(unit);
        const std::size_t n = std::min(products_a_unit, sets.size() - first);
        std::vector<Product> products;
        for (std::size_t p = 0; p < n; ++p) {
          Product product;
          for (const std::uint32_t sign : sets[first + p]) product.push_back(columns[sign]);
          products.push_back(std::move(product));
        }
        const Frequencies counts(observed, products, columns);
        std::size_t next = 0;
        for (std::size_t p = 0; p < n; ++p) {
          for (std::size_t view = 0; view < n_views_; ++view) {
            for (std::size_t c = 0; c <= n_signs_; ++c) values[next++] = counts.on(view, p, c);
          }
        }
      });
}

double SignCounts::all_on(std::size_t view, std::span<const std::uint32_t> set) const {
  if (set.empty()) return 1;
  const std::size_t product = number_of(set.first(set.size() - 1), n_signs_);
  return on_[(product * n_views_ + view) * (n_signs_ + 1) + set.back()];
}

std::vector<double> SignCounts::table(std::size_t view, std::span<const std::uint32_t> set) const {
  std::vector<double> cells(std::size_t{1} << set.size());
  Set members;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    members.clear();
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (((cell >> i) & 1U) != 0) members.push_back(set[i]);
    }
    cells[cell] = all_on(view, members);
  }
  // From "these are on" to "these alone are on", a member at a time.
  for (std::size_t i = 0; i < set.size(); ++i) {
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      if (((cell >> i) & 1U) == 0) cells[cell] -= cells[cell | (std::size_t{1} << i)];
    }
  }
  for (double& cell : cells) cell = std::max(cell, 0.0);  // rounding
  return cells;
}

AnchorTables SignCounts::tables(const std::vector<Sign>& signs) const {
  AnchorTables anchors{model::SubsetTables(n_signs_, order_), {}};
  for (std::size_t size = 1; size <= order_; ++size) {
    anchors.observed.for_each_set(size, [&](std::span<const std::uint32_t> set) {
      std::ranges::copy(table(0, set), anchors.observed.table(set).begin());
    });
  }
  for (const Sign& sign : signs) anchors.rates.push_back(sign.rates[0]);
  return anchors;
}

namespace {

/// Every set whose table a view needs, with all its subsets.
std::set<Set> needed_sets(const CauseStructure& structure) {
  std::vector<Set> largest;
  for (std::uint32_t cause = 0; cause < structure.parents.size(); ++cause) {
    Set family = structure.parents[cause];
    family.push_back(cause);
    std::ranges::sort(family);
    largest.push_back(std::move(family));
  }
  std::set<Set> all;
  for (const Set& set : largest) {
    for (std::size_t kept = 1; kept < (std::size_t{1} << set.size()); ++kept) {
      Set subset;
      for (std::size_t i = 0; i < set.size(); ++i) {
        if (((kept >> i) & 1U) != 0) subset.push_back(set[i]);
      }
      all.insert(std::move(subset));
    }
  }
  return all;
}

std::vector<double> recover(std::span<const double> observed, const Set& set,
                            const std::vector<Sign>& signs, std::size_t view,
                            const model::SubsetTables& singles, double regularise) {
  std::vector<std::array<double, 2>> rates;
  std::vector<double> independent;
  for (const std::uint32_t member : set) rates.push_back(signs[member].rates[view]);
  if (regularise > 0 && set.size() > 1) {
    independent.assign(std::size_t{1} << set.size(), 1);
    for (std::size_t cell = 0; cell < independent.size(); ++cell) {
      for (std::size_t i = 0; i < set.size(); ++i) {
        const double on = singles.on(set[i]);
        independent[cell] *= ((cell >> i) & 1U) != 0 ? on : 1 - on;
      }
    }
  }
  return recover_table(observed, rates, independent.empty() ? 0 : regularise, independent);
}

}  // namespace

std::vector<CauseView> view_causes(const SignCounts& counts, const std::vector<Sign>& signs,
                                   const model::SubsetTables& recovered,
                                   const CauseStructure& structure, const Options& options) {
  const std::set<Set> needed = needed_sets(structure);
  std::vector<Set> by_size(needed.begin(), needed.end());
  std::ranges::stable_sort(by_size, {}, &Set::size);  // singles first: the regulariser needs them
  std::vector<CauseView> views;
  for (std::size_t view = 0; view < counts.n_views(); ++view) {
    CauseView causes;
    for (const Sign& sign : signs) causes.rates.push_back(sign.rates[view]);
    if (view == 0) {
      causes.moments = recovered;
    } else {
      causes.moments = model::SubsetTables(signs.size(), counts.order());
      for (const Set& set : by_size) {
        std::ranges::copy(recover(counts.table(view, set), set, signs, view, causes.moments,
                                  options.recovery.regularise),
                          causes.moments.table(set).begin());
      }
    }
    causes.sums = std::make_unique<CauseExpectations>(fit_tables(causes.moments, structure.parents),
                                                      options.draws, options.seed);
    views.push_back(std::move(causes));
  }
  return views;
}

}  // namespace orrery::anchored
