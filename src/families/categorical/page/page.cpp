// The page of a categorical network: what was learned in a line, its structure above the data, the
// number of causes, then tables.
#include "families/categorical/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <map>
#include <numeric>

#include "base/progress.hpp"
#include "families/categorical/page/category_map.hpp"
#include "orrery/base/error.hpp"
#include "report/page.hpp"
#include "report/text.hpp"

namespace orrery::categorical {
namespace {

using Eigen::Index;

/// The posterior where it is known, else the network's own edges.
Eigen::MatrixXd membership_of(const model::LearnedCategorical& learned) {
  const auto& variables = learned.network.variables();
  Eigen::MatrixXd membership = Eigen::MatrixXd::Zero(
      static_cast<Index>(variables.size()), static_cast<Index>(learned.network.n_causes()));
  for (Index i = 0; i < membership.rows(); ++i) {
    if (learned.structure.size() == 0) {
      for (const std::uint32_t cause : variables[static_cast<std::size_t>(i)].parents) {
        membership(i, cause) = 1;
      }
      continue;
    }
    for (std::size_t s = 0; s < learned.parent_sets.size(); ++s) {
      for (const std::uint32_t cause : learned.parent_sets[s]) {
        membership(i, cause) += learned.structure(i, static_cast<Index>(s));
      }
    }
  }
  return membership;
}

std::vector<double> certainty_of(const model::LearnedCategorical& learned) {
  if (learned.structure.size() == 0) return {};
  const auto& variables = learned.network.variables();
  std::vector<double> certainty(variables.size(), 0);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const auto set = std::ranges::find(learned.parent_sets, variables[i].parents);
    if (set == learned.parent_sets.end()) continue;  // no parents, and no such set: not likely
    certainty[i] = learned.structure(static_cast<Index>(i), set - learned.parent_sets.begin());
  }
  return certainty;
}

void order_columns(CategoricalView& view) {
  const auto& variables = view.network().variables();
  view.columns.resize(variables.size());
  std::iota(view.columns.begin(), view.columns.end(), std::size_t{0});
  std::ranges::stable_sort(view.columns, [&](std::size_t a, std::size_t b) {
    const auto& left = variables[a].parents;
    const auto& right = variables[b].parents;
    if (left.empty() != right.empty()) return right.empty();
    if (left != right) return left < right;
    return !view.certainty.empty() && view.certainty[a] > view.certainty[b];
  });
  for (std::size_t c = 1; c < view.columns.size(); ++c) {
    if (variables[view.columns[c]].parents != variables[view.columns[c - 1]].parents) {
      view.column_groups.push_back(c);
    }
  }
}

void add_truth(CategoricalView& view) {
  const model::CategoricalNetwork& truth = *view.input->truth;
  view.true_cause.assign(view.network().n_causes(), -1);
  for (std::size_t t = 0; t < view.input->scores->match.size(); ++t) {
    const std::int64_t learned = view.input->scores->match[t];
    if (learned < 0) {
      view.missed.push_back(t);
    } else {
      view.true_cause[static_cast<std::size_t>(learned)] = static_cast<std::int64_t>(t);
    }
  }
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < truth.n_observed(); ++i) places[truth.variables()[i].name] = i;
  for (const model::CategoricalVariable& variable : view.network().variables()) {
    const auto place = places.find(variable.name);
    if (place == places.end()) {
      throw InputError(fmt::format(
          "the true network has no variable \"{}\", which the model has; give the network that the "
          "data came from",
          variable.name));
    }
    view.true_variables.push_back(place->second);
  }
}

}  // namespace

bool CategoricalView::is_parent(std::size_t variable, std::size_t cause) const {
  return std::ranges::binary_search(network().variables()[variable].parents,
                                    static_cast<std::uint32_t>(cause));
}

bool CategoricalView::is_true_parent(std::size_t variable, std::int64_t true_cause_number) const {
  if (true_cause_number < 0) return false;
  return std::ranges::binary_search(input->truth->variables()[true_variables[variable]].parents,
                                    static_cast<std::uint32_t>(true_cause_number));
}

CategoricalView view_categorical(const CategoricalReportInput& input) {
  assert(input.model != nullptr && (input.truth == nullptr) == (input.scores == nullptr));
  CategoricalView view;
  view.input = &input;
  view.membership = membership_of(*input.model);
  view.certainty = certainty_of(*input.model);
  order_columns(view);
  if (input.truth != nullptr) add_truth(view);
  return view;
}

std::string parents_text(const model::CategoricalNetwork& network,
                         const std::vector<std::uint32_t>& parents) {
  std::string out;
  for (const std::uint32_t cause : parents) {
    if (!out.empty()) out += ", ";
    out += network.causes()[cause].name;
  }
  return out.empty() ? "none" : out;
}

// Which variables the maps of the structure and of the data show, and where: column under column.

namespace {

constexpr double layout_width = 1100;  // pixels, of cells

}  // namespace

std::vector<std::size_t> thinned(std::size_t n, std::size_t shown) {
  std::vector<std::size_t> places(std::min(n, shown));
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i * n / places.size();
  return places;
}

std::vector<std::size_t> groups_among(const std::vector<std::size_t>& kept,
                                      const std::vector<std::size_t>& groups) {
  std::vector<std::size_t> out;
  for (std::size_t i = 1; i < kept.size(); ++i) {
    const auto first = std::ranges::upper_bound(groups, kept[i - 1]);
    if (first != groups.end() && *first <= kept[i]) out.push_back(i);
  }
  return out;
}

CategoricalLayout categorical_layout(const CategoricalView& view,
                                     const std::vector<std::string>& row_labels) {
  CategoricalLayout layout;
  const std::vector<std::size_t> kept = thinned(view.columns.size(), most_map_columns);
  for (const std::size_t c : kept) layout.variables.push_back(view.columns[c]);
  layout.column_groups = groups_among(kept, view.column_groups);
  const auto columns = static_cast<double>(std::max<std::size_t>(kept.size(), 1));
  // At most 24 pixels: no numbers are written into narrower cells (signed_map), colour says it all.
  layout.scale.cell_width = std::clamp(layout_width / columns, 3., 24.);
  layout.scale.cell_height = 18;
  layout.scale.label_width = report::label_width(row_labels);
  if (view.input->data != nullptr) {
    layout.scale.label_width =
        std::max(layout.scale.label_width, states_width(view.network().n_causes()));
  }
  return layout;
}

namespace {

/// Edges that both networks have.
std::size_t common_edges(const CategoricalView& view) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < view.network().n_observed(); ++i) {
    for (const std::uint32_t cause : view.network().variables()[i].parents) {
      n += view.is_true_parent(i, view.true_cause[cause]) ? 1 : 0;
    }
  }
  return n;
}

std::string summary(const CategoricalView& view) {
  if (view.input->truth == nullptr) {
    return fmt::format("{} of {}", report::count_of(view.network().n_causes(), "cause"),
                       report::count_of(view.network().n_observed(), "variable"));
  }
  return fmt::format("{} of {} right", format_count(common_edges(view)),
                     report::count_of(view.input->scores->n_true_edges, "edge"));
}

std::string detail(const CategoricalView& view) {
  const model::LearnedCategorical& learned = *view.input->model;
  std::string out = fmt::format("{}, {}, {}", report::count_of(learned.network.n_causes(), "cause"),
                                report::count_of(learned.network.n_observed(), "variable"),
                                report::count_of(learned.network.n_edges(), "edge"));
  if (learned.n_samples > 0) out += ", " + report::count_of(learned.n_samples, "sample");
  if (!learned.learner.empty()) out += ", learned by " + report::escape(learned.learner);
  if (view.input->truth == nullptr) return out;
  const std::size_t common = common_edges(view);
  return out + report::wrong_and_missed(view.input->scores->n_learned_edges - common,
                                        view.input->scores->n_true_edges - common);
}

}  // namespace

std::string categorical_html_report(const CategoricalReportInput& input) {
  const CategoricalView view = view_categorical(input);
  return report::page_head(input.title, input.source, summary(view), detail(view)) +
         report::remarks_section(input.model->remarks) + structure_section(view) +
         categorical_scores_section(view) + choices_section(view) + modes_section(view) +
         categorical_causes_section(view) + categorical_variables_section(view) +
         report::page_foot(input.model->data_digest,
                           "Causes are numbered as learned; which of a cause's "
                           "states is called 0 means nothing.",
                           "");
}

}  // namespace orrery::categorical
