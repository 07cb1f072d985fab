// Purpose: categorical networks to JSON (the layout is in categorical_json.hpp), the variables
// last.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/json_layout.hpp"
#include "model/json_uncertainty.hpp"
#include "orrery/model/categorical_json.hpp"

namespace orrery::model {
namespace {

using Items = std::vector<std::string>;

/// "[[...], [...]]" of rows that stand one after the other.
std::string table_rows(const std::vector<double>& values, std::size_t n_columns) {
  std::string out = "[";
  for (std::size_t begin = 0; begin < values.size(); begin += n_columns) {
    const auto row = values.begin() + static_cast<std::ptrdiff_t>(begin);
    out += fmt::format("{}[{}]", begin == 0 ? "" : ", ",
                       fmt::join(row, row + static_cast<std::ptrdiff_t>(n_columns), ", "));
  }
  return out + "]";
}

Items causes_of(const CategoricalNetwork& network) {
  Items items;
  for (const CategoricalCause& cause : network.causes()) {
    items.push_back(fmt::format("{{\"name\": {}, \"prior\": [{}]}}", json_text(cause.name),
                                fmt::join(cause.prior, ", ")));
  }
  return items;
}

Items observed_of(const CategoricalNetwork& network) {
  Items items;
  for (const CategoricalVariable& variable : network.variables()) {
    const std::size_t n = variable.n_categories();
    const std::string counts =
        variable.counts.empty() ? "" : ", \"counts\": " + table_rows(variable.counts, n);
    items.push_back(
        fmt::format("{{\"name\": {}, \"categories\": [{}], \"parents\": [{}], \"table\": {}{}}}",
                    json_text(variable.name), fmt::join(json_texts(variable.categories), ", "),
                    fmt::join(variable.parents, ", "), table_rows(variable.table, n), counts));
  }
  return items;
}

Items sets_of(const std::vector<std::vector<std::uint32_t>>& sets) {
  Items items;
  for (const auto& set : sets) items.push_back(fmt::format("[{}]", fmt::join(set, ", ")));
  return items;
}

Items structure_of(const Eigen::MatrixXd& structure) {
  Items items;
  for (Eigen::Index i = 0; i < structure.rows(); ++i) {
    const std::vector<double> row(structure.row(i).begin(), structure.row(i).end());
    items.push_back(fmt::format("[{}]", fmt::join(row, ", ")));
  }
  return items;
}

Items modes_of(const std::vector<StructureMode>& modes) {
  Items items;
  for (const StructureMode& mode : modes) {
    items.push_back(fmt::format("{{\"variable\": {}, \"parents\": [{}], \"log_evidence\": {}}}",
                                mode.variable, fmt::join(mode.parents, ", "),
                                number_or_null(mode.log_evidence)));
  }
  return items;
}

Items choices_of(const std::vector<LearnedCategorical::Choice>& choices) {
  Items items;
  for (const auto& choice : choices) {
    items.push_back(fmt::format("{{\"n_causes\": {}, \"held_out\": {}, \"error\": {}}}",
                                choice.n_causes, number_or_null(choice.held_out),
                                number_or_null(choice.error)));
  }
  return items;
}

}  // namespace

std::string categorical_to_json(const LearnedCategorical& learned) {
  std::string out = json_head(categorical_format, learned);
  const auto append = [&out](std::string_view key, const Items& items) {
    append_json_list(out, key, items, ",");
  };
  if (!learned.evidence_kind.empty()) {
    out += fmt::format("  \"log_evidence\": {},\n  \"evidence_kind\": {},\n",
                       number_or_null(learned.log_evidence), json_text(learned.evidence_kind));
  }
  append("causes", causes_of(learned.network));
  if (!learned.parent_sets.empty()) {
    append("parent_sets", sets_of(learned.parent_sets));
    append("structure", structure_of(learned.structure));
  }
  if (!learned.modes.empty()) append("modes", modes_of(learned.modes));
  if (!learned.choices.empty()) append("choices", choices_of(learned.choices));
  if (!learned.remarks.empty()) append("remarks", json_texts(learned.remarks));
  append_json_list(out, "observed", observed_of(learned.network), "");
  return out + "}\n";
}

}  // namespace orrery::model
