// What a command tells: on standard output when it is done, a short text, or JSON; in the log, what
// is odd about its run. And results that are text of any length.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/output_file.hpp"
#include "cli/arguments.hpp"
#include "learning/plan.hpp"
#include "parallel/team.hpp"
#include "report/sheet.hpp"
#include "store/run.hpp"

namespace orrery::cli {

/// Names of files are any bytes, JSON is UTF-8: what is none becomes U+FFFD.
void print_json(const nlohmann::json& object);
/// --json: the object; else the line, unless quiet.
void print_done(const Arguments& arguments, const nlohmann::json& object, const std::string& line);
/// --json: one object; else text, with colours on a terminal, and with -v every row of its tables.
void print_sheet(const Arguments& arguments, const report::Sheet& sheet);
/// Says how many columns of what was imported are constant, if any.
void warn_of_constants(const std::vector<std::string>& constant, std::size_t n_columns,
                       const std::string& input);
/// Every stage of a run in the log (-v).
void log_stages(const store::RunInfo& run);
/// --ranks: the numbers of ranks that it names, each with as many threads as this run; empty
/// without. Throws UsageError.
[[nodiscard]] std::vector<int> asked_ranks(const Arguments& arguments);
/// The time on those numbers of ranks, and what limits it.
void tell_scaling(const Arguments& arguments, const std::vector<learning::StageCost>& costs,
                  report::Sheet& sheet);
/// --dry-run: memory, units, time.
void print_plan(const Arguments& arguments, const learning::Plan& plan);

/// Text in pieces: into a file, which appears whole or not at all, or to standard output.
class TextOutput {
 public:
  /// An empty path is standard output. Throws EnvironmentError as OutputFile does.
  explicit TextOutput(const std::string& path);
  /// Throws EnvironmentError where nothing more can be written.
  void write(std::string_view piece);
  /// The file appears.
  void finish();

 private:
  std::optional<StreamedOutput> file_;
};

}  // namespace orrery::cli
