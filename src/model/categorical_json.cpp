// Purpose: categorical networks from JSON (the layout is in categorical_json.hpp). Keys that are
// not known are passed over.
#include "orrery/model/categorical_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "model/json_layout.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

std::vector<double> read_numbers(const JsonEntry& list) {
  std::vector<double> values;
  for (std::size_t i = 0; i < list.size(); ++i) values.push_back(list.element(i).number());
  return values;
}

double read_score(const JsonEntry& entry) {
  return entry.is_null() ? std::nan("") : entry.number();
}

/// Rows of `n_columns` numbers, one after the other.
std::vector<double> read_rows(const JsonEntry& list, std::size_t n_columns) {
  std::vector<double> values;
  for (std::size_t j = 0; j < list.size(); ++j) {
    const JsonEntry row = list.element(j);
    require_json_size(row, n_columns);
    const std::vector<double> numbers = read_numbers(row);
    values.insert(values.end(), numbers.begin(), numbers.end());
  }
  return values;
}

std::vector<CategoricalCause> read_categorical_causes(const JsonEntry& list) {
  JsonNames names;
  std::vector<CategoricalCause> causes;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const JsonEntry entry = list.element(k);
    causes.push_back({names.read(entry, "h", k), read_numbers(entry.member("prior"))});
  }
  return causes;
}

std::vector<CategoricalVariable> read_categorical_observed(const JsonEntry& list) {
  JsonNames names;
  std::vector<CategoricalVariable> variables;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonEntry entry = list.element(i);
    CategoricalVariable variable;
    variable.name = names.read(entry, "x", i);
    variable.categories = read_texts(entry.member("categories"));
    variable.parents = read_indices(entry.member("parents"));
    variable.table = read_rows(entry.member("table"), variable.n_categories());
    if (entry.has("counts")) {
      variable.counts = read_rows(entry.member("counts"), variable.n_categories());
    }
    variables.push_back(std::move(variable));
  }
  return variables;
}

void read_structure(const JsonEntry& root, LearnedCategorical& learned) {
  if (!root.has("parent_sets") && !root.has("structure")) return;
  const JsonEntry sets = root.member("parent_sets");
  for (std::size_t s = 0; s < sets.size(); ++s) {
    learned.parent_sets.push_back(read_indices(sets.element(s)));
  }
  const JsonEntry rows = root.member("structure");
  const std::vector<double> values = read_rows(rows, sets.size());
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  learned.structure =
      Eigen::Map<const RowMajor>(values.data(), static_cast<Eigen::Index>(rows.size()),
                                 static_cast<Eigen::Index>(sets.size()));
}

std::vector<StructureMode> read_modes(const JsonEntry& list) {
  std::vector<StructureMode> modes;
  for (std::size_t m = 0; m < list.size(); ++m) {
    const JsonEntry entry = list.element(m);
    modes.push_back({read_index(entry.member("variable")), read_indices(entry.member("parents")),
                     read_score(entry.member("log_evidence"))});
  }
  return modes;
}

std::vector<LearnedCategorical::Choice> read_choices(const JsonEntry& list) {
  std::vector<LearnedCategorical::Choice> choices;
  for (std::size_t c = 0; c < list.size(); ++c) {
    const JsonEntry entry = list.element(c);
    choices.push_back({read_index(entry.member("n_causes")), read_score(entry.member("held_out")),
                       read_score(entry.member("error"))});
  }
  return choices;
}

void read_what_was_learned(const JsonEntry& root, LearnedCategorical& learned) {
  read_structure(root, learned);
  if (root.has("modes")) learned.modes = read_modes(root.member("modes"));
  if (root.has("choices")) learned.choices = read_choices(root.member("choices"));
  if (root.has("log_evidence")) learned.log_evidence = read_score(root.member("log_evidence"));
  if (root.has("evidence_kind")) learned.evidence_kind = root.member("evidence_kind").text();
  static_cast<Origin&>(learned) = read_origin(root);
}

}  // namespace

LearnedCategorical categorical_from_json(const JsonEntry& root) {
  LearnedCategorical learned;
  std::vector<CategoricalCause> causes = read_categorical_causes(root.member("causes"));
  std::vector<CategoricalVariable> variables = read_categorical_observed(root.member("observed"));
  learned.network =
      in_file(root, [&] { return CategoricalNetwork(std::move(causes), std::move(variables)); });
  read_what_was_learned(root, learned);
  in_file(root, [&] { check(learned); });
  return learned;
}

LearnedCategorical categorical_from_json(const std::string& text, const std::string& source) {
  const nlohmann::json document = parse_json(text, source);
  const JsonEntry root(document, source);
  const JsonEntry format = root.member("format");
  if (format.text() != categorical_format) {
    format.refuse(fmt::format("a categorical network, \"{}\", is needed", categorical_format));
  }
  return categorical_from_json(root);
}

}  // namespace orrery::model
