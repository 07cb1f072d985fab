// A table of another program where a command takes a file of samples: it is imported on the way.
#pragma once

#include <optional>
#include <string>

#include "base/output_file.hpp"
#include "cli/arguments.hpp"
#include "family/family.hpp"
#include "parallel/team.hpp"

namespace orrery::commands {

/// The rows of --data or the like, brought into line with a model's variables.
class TableOnTheWay {
 public:
  /// If the file of `option` is none of orrery's own, it is imported with the options that `import`
  /// finds out by itself, as the model has its variables, and the option names the result, which
  /// lives as long as this. Else nothing is done. Throws InputError as `import` does, and
  /// UsageError for --dry-run. Collective.
  TableOnTheWay(cli::Arguments& arguments, const std::string& option, const family::AnyModel& model,
                const parallel::Team& team);
  TableOnTheWay(const TableOnTheWay&) = delete;
  TableOnTheWay& operator=(const TableOnTheWay&) = delete;

 private:
  std::optional<OutputFile> scratch_;  // of which the temporary file is the result; at root
};

}  // namespace orrery::commands
