// Purpose: categorical networks, and what was learned of them, into and out of files.
// Cost: linear in the tables, which the network limits; all of them are held.
#include "orrery/model/categorical_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "store/categorical.hpp"
#include "store/categorical_lists.hpp"
#include "store/origin.hpp"

namespace orrery::store {

using hdf5::FormatError;
using hdf5::Handle;
using model::CategoricalCause;
using model::CategoricalNetwork;
using model::CategoricalVariable;
using model::LearnedCategorical;
using model::StructureMode;
using Choice = LearnedCategorical::Choice;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

namespace {

// ---- writing

void write_causes(const Handle& parent, const std::vector<CategoricalCause>& causes) {
  Handle group = hdf5::create_group(parent, "causes");
  write_strings(group, "name", gather<std::string>(causes, &CategoricalCause::name));
  write_lists(group, "cardinality", "prior",
              gather<std::vector<double>>(causes, &CategoricalCause::prior));
  group.close();
}

/// Of all variables, one after the other; NaN where a variable's counts are not known.
std::vector<double> counts_of(const std::vector<CategoricalVariable>& variables) {
  std::vector<double> counts;
  bool any = false;
  for (const CategoricalVariable& variable : variables) {
    any = any || !variable.counts.empty();
    counts.insert(counts.end(), variable.counts.begin(), variable.counts.end());
    if (variable.counts.empty()) {
      counts.insert(counts.end(), variable.table.size(), std::numeric_limits<double>::quiet_NaN());
    }
  }
  return any ? counts : std::vector<double>();
}

void write_observed(const Handle& parent, const std::vector<CategoricalVariable>& variables) {
  using Variable = CategoricalVariable;
  Handle group = hdf5::create_group(parent, "observed");
  write_strings(group, "name", gather<std::string>(variables, &Variable::name));
  write_text_lists(group, "n_categories", "category",
                   gather<std::vector<std::string>>(variables, &Variable::categories));
  write_lists(group, "n_parents", "parent",
              gather<std::vector<std::uint32_t>>(variables, &Variable::parents));
  write_array(group, "table",
              Lists(gather<std::vector<double>>(variables, &Variable::table)).values);
  const std::vector<double> counts = counts_of(variables);
  if (!counts.empty()) write_array(group, "counts", counts);
  group.close();
}

void write_structure(const Handle& parent, const LearnedCategorical& learned) {
  if (learned.parent_sets.empty()) return;
  Handle group = hdf5::create_group(parent, "structure");
  write_lists(group, "n_parents", "parent", learned.parent_sets);
  const RowMajor rows = learned.structure;
  write_array(group, "probability", std::span(rows.data(), static_cast<std::size_t>(rows.size())),
              {static_cast<hsize_t>(rows.rows()), static_cast<hsize_t>(rows.cols())});
  group.close();
}

void write_modes(const Handle& parent, const std::vector<StructureMode>& modes) {
  if (modes.empty()) return;
  Handle group = hdf5::create_group(parent, "modes");
  write_array(group, "variable", gather<std::uint32_t>(modes, &StructureMode::variable));
  write_lists(group, "n_parents", "parent",
              gather<std::vector<std::uint32_t>>(modes, &StructureMode::parents));
  write_array(group, "log_evidence", gather<double>(modes, &StructureMode::log_evidence));
  group.close();
}

void write_choices(const Handle& parent, const std::vector<Choice>& choices) {
  if (choices.empty()) return;
  Handle group = hdf5::create_group(parent, "choices");
  write_array(group, "n_causes", gather<std::uint32_t>(choices, &Choice::n_causes));
  write_array(group, "held_out", gather<double>(choices, &Choice::held_out));
  write_array(group, "error", gather<double>(choices, &Choice::error));
  group.close();
}

// ---- reading

std::vector<CategoricalCause> read_categorical_causes(const Handle& parent) {
  const Handle group = hdf5::open_group(parent, "causes");
  std::vector<std::vector<double>> priors = read_lists<double>(group, "cardinality", "prior");
  std::vector<std::string> names = read_strings(group, "name", priors.size());
  std::vector<CategoricalCause> causes;
  for (std::size_t k = 0; k < names.size(); ++k) {
    causes.push_back({std::move(names[k]), std::move(priors[k])});
  }
  return causes;
}

/// L times the product of the cardinalities of a variable's parents.
std::uint64_t table_size(const CategoricalVariable& variable,
                         const std::vector<CategoricalCause>& causes) {
  std::uint64_t size = variable.categories.size();
  for (const std::uint32_t parent : variable.parents) {
    if (parent >= causes.size() ||
        __builtin_mul_overflow(size, causes[parent].cardinality(), &size)) {
      throw FormatError(fmt::format(
          "/categorical_network/observed/parent: parent {} of {} causes, or more of them than a "
          "table can have; write the file anew",
          parent, causes.size()));
    }
  }
  return size;
}

/// The next `size` of `values`, from `begin` on, which moves.
std::vector<double> take(const std::vector<double>& values, std::uint64_t size,
                         std::uint64_t& begin) {
  if (size > values.size() - begin) {
    throw FormatError(
        fmt::format("/categorical_network/observed/table has {} values, which is too few; write "
                    "the file anew",
                    values.size()));
  }
  const auto from = values.begin() + static_cast<std::ptrdiff_t>(begin);
  begin += size;
  return {from, from + static_cast<std::ptrdiff_t>(size)};
}

std::vector<CategoricalVariable> read_observed(const Handle& parent,
                                               const std::vector<CategoricalCause>& causes) {
  const Handle group = hdf5::open_group(parent, "observed");
  const std::vector<std::string> names = read_strings(group, "name");
  auto categories = read_text_lists(group, "n_categories", "category", names.size());
  auto parents = read_lists<std::uint32_t>(group, "n_parents", "parent");
  if (parents.size() != names.size()) {
    throw FormatError(
        fmt::format("{} has {} lists of parents for {} variables; write the file anew",
                    hdf5::object_name(group), parents.size(), names.size()));
  }
  const auto table = read_numbers<double>(group, "table");
  std::vector<double> counts;
  if (hdf5::has_object(group, "counts"))
    counts = read_array<double>(group, "counts", {table.size()});
  std::vector<CategoricalVariable> variables;
  std::uint64_t of_table = 0;
  std::uint64_t of_counts = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    CategoricalVariable variable{names[i], std::move(categories[i]), std::move(parents[i]), {}, {}};
    const std::uint64_t size = table_size(variable, causes);
    variable.table = take(table, size, of_table);
    if (!counts.empty()) variable.counts = take(counts, size, of_counts);
    if (std::ranges::all_of(variable.counts, [](double c) { return std::isnan(c); })) {
      variable.counts.clear();
    }
    variables.push_back(std::move(variable));
  }
  if (of_table != table.size()) {
    throw FormatError(
        fmt::format("{}/table has {} values, of which variables take {}; write the "
                    "file anew",
                    hdf5::object_name(group), table.size(), of_table));
  }
  return variables;
}

void read_structure(const Handle& parent, LearnedCategorical& learned) {
  if (!hdf5::has_object(parent, "structure")) return;
  const Handle group = hdf5::open_group(parent, "structure");
  learned.parent_sets = read_lists<std::uint32_t>(group, "n_parents", "parent");
  const std::size_t d = learned.network.n_observed();
  const std::size_t n_sets = learned.parent_sets.size();
  const auto values = read_array<double>(group, "probability", {d, n_sets});
  learned.structure = Eigen::Map<const RowMajor>(values.data(), static_cast<Eigen::Index>(d),
                                                 static_cast<Eigen::Index>(n_sets));
  // A matrix without a column is none.
  if (n_sets == 0) learned.structure.resize(0, 0);
}

std::vector<StructureMode> read_modes(const Handle& parent) {
  if (!hdf5::has_object(parent, "modes")) return {};
  const Handle group = hdf5::open_group(parent, "modes");
  auto parents = read_lists<std::uint32_t>(group, "n_parents", "parent");
  const auto variable = read_array<std::uint32_t>(group, "variable", {parents.size()});
  const auto log_evidence = read_array<double>(group, "log_evidence", {parents.size()});
  std::vector<StructureMode> modes;
  for (std::size_t m = 0; m < parents.size(); ++m) {
    modes.push_back({variable[m], std::move(parents[m]), log_evidence[m]});
  }
  return modes;
}

std::vector<Choice> read_choices(const Handle& parent) {
  if (!hdf5::has_object(parent, "choices")) return {};
  const Handle group = hdf5::open_group(parent, "choices");
  const auto n_causes = read_numbers<std::uint32_t>(group, "n_causes");
  const auto held_out = read_array<double>(group, "held_out", {n_causes.size()});
  const auto error = read_array<double>(group, "error", {n_causes.size()});
  std::vector<Choice> choices;
  for (std::size_t c = 0; c < n_causes.size(); ++c) {
    choices.push_back({n_causes[c], held_out[c], error[c]});
  }
  return choices;
}

}  // namespace

void write_categorical_network_group(const Handle& root, const LearnedCategorical& learned) {
  if (!learned.remarks.empty()) require_storable_names(learned.remarks);
  model::check(learned);
  Handle group = hdf5::create_group(root, "categorical_network");
  write_origin(group, learned);
  hdf5::write_attribute(group, "log_evidence", learned.log_evidence);
  hdf5::write_attribute(group, "evidence_kind", learned.evidence_kind);
  write_causes(group, learned.network.causes());
  write_observed(group, learned.network.variables());
  write_structure(group, learned);
  write_modes(group, learned.modes);
  write_choices(group, learned.choices);
  if (!learned.remarks.empty()) write_strings(group, "remarks", learned.remarks);
  group.close();
}

LearnedCategorical read_categorical_network_group(const StoredFile& file) {
  const Handle group = file.group("categorical_network");
  LearnedCategorical learned;
  static_cast<model::Origin&>(learned) = read_origin(group);
  learned.log_evidence = hdf5::read_attribute<double>(group, "log_evidence");
  learned.evidence_kind = hdf5::read_attribute<std::string>(group, "evidence_kind");
  std::vector<CategoricalCause> causes = read_categorical_causes(group);
  std::vector<CategoricalVariable> variables = read_observed(group, causes);
  try {
    learned.network = CategoricalNetwork(std::move(causes), std::move(variables));
    read_structure(group, learned);
    learned.modes = read_modes(group);
    learned.choices = read_choices(group);
    model::check(learned);
  } catch (const InputError& error) {
    throw FormatError(fmt::format("/categorical_network: {}", error.what()));
  }
  return learned;
}

GroupWriter group_of(const LearnedCategorical& learned) {
  return [&learned](const Handle& root) { write_categorical_network_group(root, learned); };
}

LearnedCategorical read_categorical_network(const std::filesystem::path& path) {
  return reading(path, [&] { return read_categorical_network_group(StoredFile(path)); });
}

}  // namespace orrery::store
