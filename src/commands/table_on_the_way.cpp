#include "commands/table_on_the_way.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "cli/arguments.hpp"
#include "commands/table_import.hpp"
#include "data/import_tables.hpp"
#include "family/table.hpp"
#include "orrery/base/error.hpp"
#include "store/store.hpp"

namespace orrery::commands {

namespace {

/// Where all ranks can read it: beside the output, or, for one rank, where temporary files are.
std::filesystem::path scratch_name(const cli::Arguments& arguments, const parallel::Team& team) {
  const std::string output = arguments.text("output");
  if (!output.empty() && output != "-") return output + ".rows";
  if (team.size() > 1) return "orrery.rows";
  return std::filesystem::temp_directory_path() / "orrery.rows";
}

bool is_table(const std::string& path) {
  if (path.empty()) return false;
  if (path == "-") return true;
  std::error_code ignored;
  return std::filesystem::exists(data::plink_file(path), ignored) &&
         !(std::filesystem::is_regular_file(path, ignored) && store::is_hdf5(path));
}

}  // namespace

TableOnTheWay::TableOnTheWay(cli::Arguments& arguments, const std::string& option,
                             const family::AnyModel& model, const parallel::Team& team) {
  const std::string path = arguments.text(option);
  std::vector<std::byte> name;
  if (team.is_root() && is_table(path)) {
    if (arguments.dry_run()) {
      throw UsageError(fmt::format(
          "--dry-run: {} is read into a file of samples on the way; make that file first: orrery "
          "import {} --like {} -o FILE",
          path, path, arguments.text("model")));
    }
    scratch_.emplace(scratch_name(arguments, team));
    TableImport table;
    table.inputs = {data::plink_file(path).string()};
    table.kind = family::family_of(model).input;
    table.like = variables_of(model);
    const std::string rows = scratch_->temporary().string();
    const ImportedTable found = import_tables(table, rows, arguments.run_info(team));
    log::info("{}: {} rows read as {}", path, format_count(found.n_samples), found.format);
    const auto* bytes = reinterpret_cast<const std::byte*>(rows.data());
    name.assign(bytes, bytes + rows.size());
  }
  team.broadcast(name);
  if (name.empty()) return;
  arguments.replace(option, {reinterpret_cast<const char*>(name.data()), name.size()});
}

}  // namespace orrery::commands
