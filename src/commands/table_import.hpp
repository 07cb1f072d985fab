// A table of another program into a file of orrery's own: what `import` does, and `infer` on its
// way to the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/import_tables.hpp"
#include "family/family.hpp"
#include "orrery/data/import.hpp"
#include "store/run.hpp"

namespace orrery::commands {

/// The variables of a model, which a table is brought into line with.
struct ModelVariables {
  std::vector<std::string> names;
  /// By variable, in the model's order; none unless the family's rows are categories.
  std::vector<std::vector<std::string>> categories;
};
/// Throws InputError for a model of which the variables have no names.
[[nodiscard]] ModelVariables variables_of(const family::AnyModel& model);

struct TableImport {
  std::vector<std::string> inputs;  ///< one or more; "-" is standard input
  learning::Input kind = learning::Input::bits;
  data::ImportOptions options;
  data::GivenCategories given;  ///< categories, if the user gave them
  std::optional<ModelVariables> like{};
};

/// What was read, of all inputs.
struct ImportedTable {
  std::string format;
  std::uint64_t n_samples = 0;
  std::uint64_t n_missing = 0;
  std::uint64_t n_ones = 0;  ///< of bits
  std::size_t n_observed = 0;
  std::size_t least_categories = 0, most_categories = 0;
  bool has_row_names = false;
  std::vector<std::string> constant;  ///< columns of one value
};

/// Writes `output`; nothing is left of it after an error. `run` is completed with the time it took
/// and the bytes read. Throws InputError, UsageError and EnvironmentError as the readers do.
ImportedTable import_tables(const TableImport& table, const std::string& output,
                            store::RunInfo run);

}  // namespace orrery::commands
