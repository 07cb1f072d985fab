#include "families/categorical/page/view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>

#include "orrery/base/error.hpp"

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

}  // namespace orrery::categorical
