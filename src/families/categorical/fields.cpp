// The fields of a categorical network, once: in HDF5 and in JSON, to be written and to be read.
#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "families/categorical/commands.hpp"

namespace orrery::categorical {
namespace {

using model::CategoricalCause;
using model::CategoricalNetwork;
using model::CategoricalVariable;
using model::LearnedCategorical;
using model::StructureMode;
using store::Need;
using Choice = LearnedCategorical::Choice;
using Numbers = std::vector<double>;
using Indices = std::vector<std::uint32_t>;
using Texts = std::vector<std::string>;

constexpr std::int64_t largest_index = std::numeric_limits<std::uint32_t>::max();

template <class Value, class Entry>
std::vector<Value> column(const std::vector<Entry>& entries, Value Entry::*member) {
  std::vector<Value> values;
  for (const Entry& entry : entries) values.push_back(entry.*member);
  return values;
}

void causes(store::Archive& archive, std::vector<CategoricalCause>& causes) {
  Texts names = column(causes, &CategoricalCause::name);
  std::vector<Numbers> priors = column(causes, &CategoricalCause::prior);
  const auto list = archive.list({"causes", "causes/name"}, causes.size());
  list->names({"name", "causes/name"}, "h", names);
  list->number_lists({"prior", "causes/prior"}, "causes/cardinality", priors);
  if (!archive.reads()) return;
  causes.clear();
  for (std::size_t k = 0; k < list->size(); ++k) {
    causes.push_back({std::move(names[k]), std::move(priors[k])});
  }
}

/// L times the product of the cardinalities of the parents.
std::uint64_t table_size(const store::Archive& archive, std::size_t n_categories,
                         const Indices& parents, const std::vector<CategoricalCause>& causes) {
  std::uint64_t size = n_categories;
  for (const std::uint32_t parent : parents) {
    if (parent >= causes.size() ||
        __builtin_mul_overflow(size, causes[parent].cardinality(), &size)) {
      archive.refuse(fmt::format(
          "observed/parent: parent {} of {} causes, or more of them than a table can have", parent,
          causes.size()));
    }
  }
  return size;
}

void observed(store::Archive& archive, const std::vector<CategoricalCause>& causes,
              std::vector<CategoricalVariable>& variables) {
  using Variable = CategoricalVariable;
  Texts names = column(variables, &Variable::name);
  std::vector<Texts> categories = column(variables, &Variable::categories);
  std::vector<Indices> parents = column(variables, &Variable::parents);
  std::vector<Numbers> tables = column(variables, &Variable::table);
  std::vector<Numbers> counts = column(variables, &Variable::counts);
  const auto list = archive.list({"observed", "observed/name"}, variables.size());
  list->names({"name", "observed/name"}, "x", names);
  list->text_lists({"categories", "observed/category"}, "observed/n_categories", true, categories);
  list->index_lists({"parents", "observed/parent"}, "observed/n_parents", parents);
  const auto width = [&](std::size_t i) { return categories[i].size(); };
  const auto length = [&](std::size_t i) {
    return table_size(archive, categories[i].size(), parents[i], causes);
  };
  list->tables({"table", "observed/table"}, width, length, true, tables);
  list->tables({"counts", "observed/counts"}, width, length, false, counts);
  if (!archive.reads()) return;
  variables.clear();
  for (std::size_t i = 0; i < list->size(); ++i) {
    variables.push_back({std::move(names[i]), std::move(categories[i]), std::move(parents[i]),
                         std::move(tables[i]), std::move(counts[i])});
  }
}

void modes(store::Archive& archive, std::vector<StructureMode>& modes) {
  if (!archive.has({"modes", "modes"}, !modes.empty())) return;
  Indices variable = column(modes, &StructureMode::variable);
  std::vector<Indices> parents = column(modes, &StructureMode::parents);
  Numbers log_evidence = column(modes, &StructureMode::log_evidence);
  const auto list = archive.list({"modes", "modes/variable"}, modes.size());
  list->integers({"variable", "modes/variable"}, 0, largest_index, store::required, variable);
  list->index_lists({"parents", "modes/parent"}, "modes/n_parents", parents);
  list->numbers({"log_evidence", "modes/log_evidence"}, Need::number_or_unknown, store::required,
                log_evidence);
  modes.clear();
  for (std::size_t m = 0; m < list->size(); ++m) {
    modes.push_back({variable[m], std::move(parents[m]), log_evidence[m]});
  }
}

void choices(store::Archive& archive, std::vector<Choice>& choices) {
  if (!archive.has({"choices", "choices"}, !choices.empty())) return;
  Indices n_causes = column(choices, &Choice::n_causes);
  Numbers held_out = column(choices, &Choice::held_out);
  Numbers error = column(choices, &Choice::error);
  const auto list = archive.list({"choices", "choices/n_causes"}, choices.size());
  list->integers({"n_causes", "choices/n_causes"}, 0, largest_index, store::required, n_causes);
  list->numbers({"held_out", "choices/held_out"}, Need::number_or_unknown, store::required,
                held_out);
  list->numbers({"error", "choices/error"}, Need::number_or_unknown, store::required, error);
  choices.clear();
  for (std::size_t c = 0; c < list->size(); ++c) {
    choices.push_back({n_causes[c], held_out[c], error[c]});
  }
}

}  // namespace

void fields(store::Archive& archive, LearnedCategorical& learned) {
  if (!archive.reads()) model::check(learned);
  std::vector<CategoricalCause> all_causes = learned.network.causes();
  std::vector<CategoricalVariable> variables = learned.network.variables();
  const bool has_evidence = !learned.evidence_kind.empty();
  archive.origin(learned);
  archive.value({"log_evidence", "@log_evidence"}, learned.log_evidence, Need::number_or_unknown,
                has_evidence);
  archive.value({"evidence_kind", "@evidence_kind"}, learned.evidence_kind, has_evidence);
  causes(archive, all_causes);
  archive.index_lists({"parent_sets", "structure/parent"}, "structure/n_parents",
                      learned.parent_sets);
  // Variables come last; who reads needs to know here how many there are.
  if (archive.reads()) observed(archive, all_causes, variables);
  archive.matrix({"structure", "structure/probability"}, Need::anything,
                 static_cast<Eigen::Index>(variables.size()),
                 static_cast<Eigen::Index>(learned.parent_sets.size()), learned.structure);
  // A matrix without a column is none.
  if (learned.parent_sets.empty()) learned.structure.resize(0, 0);
  modes(archive, learned.modes);
  choices(archive, learned.choices);
  archive.remarks(learned);
  if (!archive.reads()) {
    observed(archive, all_causes, variables);
    return;
  }
  archive.checked([&] {
    learned.network = CategoricalNetwork(std::move(all_causes), std::move(variables));
    model::check(learned);
    return 0;
  });
}

family::AnyModel renamed(const LearnedCategorical& learned, const family::NewName& new_name) {
  using family::NodeKind;
  std::vector<CategoricalCause> all_causes = learned.network.causes();
  for (CategoricalCause& cause : all_causes) cause.name = new_name(NodeKind::cause, cause.name);
  std::vector<CategoricalVariable> variables = learned.network.variables();
  for (CategoricalVariable& variable : variables) {
    variable.name = new_name(NodeKind::variable, variable.name);
  }
  LearnedCategorical copy = learned;
  copy.network = CategoricalNetwork(std::move(all_causes), std::move(variables));
  return copy;
}

}  // namespace orrery::categorical
