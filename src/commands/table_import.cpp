#include "commands/table_import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "base/output_file.hpp"
#include "base/progress.hpp"
#include "cli/paths.hpp"
#include "data/joined_tables.hpp"
#include "family/table.hpp"
#include "orrery/base/error.hpp"
#include "store/foreign_table.hpp"
#include "store/store.hpp"
#include "store/tables.hpp"

namespace orrery::commands {

namespace {

/// HDF5 is read in the room of HDF5, every other format in that of data.
bool is_foreign_hdf5(const std::string& input, const data::ImportOptions& options) {
  const bool is_hdf5 = std::filesystem::is_regular_file(input) && store::is_hdf5(input);
  if (is_hdf5 || options.format != data::Format::hdf5) return is_hdf5;
  throw InputError(fmt::format("{}: not an HDF5 file; leave --format out", input));
}

data::ImportSummary read_bits(const std::string& input, const data::ImportOptions& options,
                              data::SampleSink& sink) {
  if (!is_foreign_hdf5(input, options)) return data::import_samples(input, options, sink);
  return data::import_bits(store::open_foreign_table(input, options.dataset), data::Format::hdf5,
                           options, sink);
}

data::DenseImportSummary read_numbers(const std::string& input, const data::ImportOptions& options,
                                      data::DenseSink& sink) {
  if (!is_foreign_hdf5(input, options)) return data::import_dense(input, options, sink);
  return data::import_numbers(store::open_foreign_table(input, options.dataset), data::Format::hdf5,
                              options, sink);
}

data::CategoricalImport read_categories(const std::string& input,
                                        const data::ImportOptions& options,
                                        const data::GivenCategories& given) {
  if (!is_foreign_hdf5(input, options)) return data::import_categorical(input, options, given);
  throw InputError(fmt::format(
      "{}: an HDF5 file holds bits or numbers; leave --categorical out, or save the categories as "
      "csv, tsv or arff",
      input));
}

/// Of a column, over all inputs.
struct ColumnCounts {
  std::uint64_t ones = 0;
  std::uint64_t missing = 0;
  std::uint64_t rows = 0;
};

void complete(store::RunInfo& run, const TableImport& table, const Progress& clock) {
  run.stages = {{"total", clock.seconds()}};
  for (const std::string& input : table.inputs) {
    if (input != "-") run.bytes_read += cli::bytes_of_file(input);
  }
}

/// True if what is written is not one table as it comes.
bool is_joined(const TableImport& table) { return table.inputs.size() > 1 || table.like; }

std::vector<std::string> wanted(const TableImport& table) {
  return table.like ? table.like->names : std::vector<std::string>();
}

/// What the readers of bits and of numbers tell alike.
template <class Summary>
void add(ImportedTable& all, const Summary& summary) {
  all.format = data::format_name(summary.format);
  all.n_samples += summary.n_samples;
  all.n_missing += summary.n_missing;
  all.has_row_names = summary.has_row_names;
  all.n_observed = summary.names.size();
}

/// Values of the model's variables that the table has not.
void count_absent(ImportedTable& all, const TableImport& table) {
  if (!table.like) return;
  const std::size_t n = table.like->names.size();
  all.n_missing += all.n_samples * (n - all.n_observed);
  all.n_observed = n;
}

ImportedTable import_bits(const TableImport& table, const std::string& output,
                          store::RunInfo& run) {
  const Progress clock("total", 0, "");
  store::SampleWriter writer(output);
  data::JoinedBits joined(writer, wanted(table));
  ImportedTable all;
  std::map<std::string, ColumnCounts> counts;
  std::vector<std::string> names;
  for (const std::string& input : table.inputs) {
    joined.set_file(input);
    data::SampleSink& sink = is_joined(table) ? static_cast<data::SampleSink&>(joined) : writer;
    const data::ImportSummary summary = read_bits(input, table.options, sink);
    add(all, summary);
    if (names.empty()) names = summary.names;
    for (std::size_t c = 0; c < summary.names.size(); ++c) {
      ColumnCounts& column = counts[summary.names[c]];
      column.ones += summary.ones[c];
      column.missing += summary.missing[c];
      column.rows += summary.n_samples;
      all.n_ones += summary.ones[c];
    }
  }
  if (is_joined(table)) joined.finish();
  for (const std::string& name : names) {
    const ColumnCounts& column = counts[name];
    const std::uint64_t seen = column.rows - column.missing;
    if (column.ones == 0 || column.ones == seen) all.constant.push_back(name);
  }
  count_absent(all, table);
  complete(run, table, clock);
  writer.finish(run);
  return all;
}

ImportedTable import_numbers(const TableImport& table, const std::string& output,
                             store::RunInfo& run) {
  const Progress clock("total", 0, "");
  store::DenseWriter writer(output);
  data::JoinedNumbers joined(writer, wanted(table));
  ImportedTable all;
  for (const std::string& input : table.inputs) {
    joined.set_file(input);
    data::DenseSink& sink = is_joined(table) ? static_cast<data::DenseSink&>(joined) : writer;
    add(all, read_numbers(input, table.options, sink));
  }
  if (is_joined(table)) joined.finish();
  count_absent(all, table);
  complete(run, table, clock);
  writer.finish(run);
  const store::DenseReader stored(output);
  for (std::size_t c = 0; c < stored.names().size(); ++c) {
    const store::DenseColumn& column = stored.columns()[c];
    if (column.min == column.max) all.constant.push_back(stored.names()[c]);
  }
  return all;
}

/// Columns whose values, those that are there, are all the same: categories were given for them.
std::vector<std::string> constant_columns(const data::CategoricalTable& table) {
  std::vector<std::string> constant;
  for (std::size_t c = 0; c < table.n_columns(); ++c) {
    std::vector<bool> seen(table.categories[c].size(), false);
    for (std::uint64_t n = 0; n < table.n_rows; ++n) {
      const std::uint8_t code = table.row(n)[c];
      if (code != data::missing_code) seen[code] = true;
    }
    if (std::ranges::count(seen, true) < 2) constant.push_back(table.names[c]);
  }
  return constant;
}

data::GivenCategories given_categories(const TableImport& table) {
  if (!table.like) return table.given;
  data::GivenCategories given;
  given.source = "the model";
  for (std::size_t c = 0; c < table.like->names.size(); ++c) {
    given.of_columns.emplace(table.like->names[c], table.like->categories[c]);
  }
  return given;
}

ImportedTable import_categories(const TableImport& table, const std::string& output,
                                store::RunInfo& run) {
  const Progress clock("total", 0, "");
  { OutputFile probe(output); }
  const data::GivenCategories given = given_categories(table);
  ImportedTable all;
  data::CategoricalTable rows;
  data::RowNames row_names;
  for (const std::string& input : table.inputs) {
    data::CategoricalImport found = read_categories(input, table.options, given);
    all.format = data::format_name(found.format);
    all.n_missing += found.n_missing;
    row_names.add(found.row_names);
    if (rows.names.empty()) {
      rows = std::move(found.table);
    } else {
      data::append_rows(rows, found.table, input);
    }
  }
  all.n_samples = rows.n_rows;
  all.n_observed = rows.n_columns();
  all.constant = constant_columns(rows);
  count_absent(all, table);
  if (table.like) rows = data::in_order(rows, table.like->names, table.like->categories);
  const auto [least, most] = std::ranges::minmax(
      rows.categories, {}, [](const auto& categories) { return categories.size(); });
  all.least_categories = least.size();
  all.most_categories = most.size();
  all.has_row_names = data::are_fit(table.inputs.front(), row_names, rows.n_rows);
  if (!all.has_row_names) row_names = {};
  complete(run, table, clock);
  store::write_categorical(output, rows, run, {}, row_names);
  return all;
}

}  // namespace

ModelVariables variables_of(const family::AnyModel& model) {
  const family::Family& family = family::family_of(model);
  ModelVariables found;
  found.names = family.variables(model);
  if (family.input != learning::Input::categories) return found;
  const report::DiscreteNetwork network = family.discrete(model);
  for (const std::string& name : found.names) {
    const auto variable = std::ranges::find(network, name, &report::DiscreteVariable::name);
    found.categories.push_back(variable->states);
  }
  return found;
}

ImportedTable import_tables(const TableImport& table, const std::string& output,
                            store::RunInfo run) {
  TableImport matched = table;
  if (table.like) matched.options.like_columns = table.like->names;
  switch (table.kind) {
    case learning::Input::bits:
      return import_bits(matched, output, run);
    case learning::Input::numbers:
      return import_numbers(matched, output, run);
    case learning::Input::categories:
      return import_categories(matched, output, run);
  }
  return {};
}

}  // namespace orrery::commands
