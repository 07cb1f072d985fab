// infer --explain: which findings of a row speak for its likely causes and which against them, and
// how strongly. The weight of a finding is what the log odds of the cause lose if nobody had looked
// at it: the engine's own posterior, once with the finding and once without. A cause may be a state
// of one, or a hidden sign.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/program_options.hpp"

namespace orrery::cli {
class Arguments;
}

namespace orrery::family {

struct WeighedFinding {
  std::string name;
  std::string value;            ///< "present", "absent"; or a category
  std::optional<bool> present;  ///< of a variable that is on or off
  double weight = 0;            ///< nats
};

struct ExplainedCause {
  std::string name;
  double posterior = 0, error = 0;
  double prior = 0;
  double prior_log_odds = 0, log_odds = 0;
  std::vector<WeighedFinding> findings;  ///< the most for the cause first, the most against it last
};

/// --explain and --cause.
void add_explain_options(boost::program_options::options_description& options);
struct ExplainOptions {
  bool is_asked = false;
  std::optional<std::uint64_t> row;  ///< of this row alone, in detail; else of those that are shown
  std::string cause;                 ///< of it alone; empty: of the likely ones
};
/// Throws UsageError for what --explain cannot be given with.
ExplainOptions explain_options(const cli::Arguments& arguments);
/// Throws UsageError unless there is such a row.
void require_row(const ExplainOptions& options, std::uint64_t n_rows);

/// Places of the causes to explain, the most probable first. Of rows that are shown: those that are
/// at least 5 % likely, five at most, and in any case the most probable; of one row in detail the
/// three most probable.
std::vector<std::uint32_t> likely_causes(const ExplainOptions& options,
                                         const std::vector<double>& posteriors);
/// log(present / absent), within +-700.
double log_odds(double present, double absent);
/// By falling weight; without those that weigh nothing.
void sort_findings(std::vector<WeighedFinding>& findings);

/// "flu is 93.8 % likely: fever present (odds x 79.5) speaks for it; no finding against it."
std::string sentence_of(const ExplainedCause& cause);
/// Below sentences: what their numbers are.
inline constexpr const char* odds_remark =
    "odds x N: looking at the finding multiplies the odds of the cause by N, given all other "
    "findings\n";
/// Sentences, a line each, below a row on the screen.
std::string describe(const std::vector<ExplainedCause>& causes);
/// All findings of each cause with their weights, of one row: `row` is what it is called.
std::string describe_in_detail(const std::string& row, const std::vector<ExplainedCause>& causes);
nlohmann::json as_json(const std::vector<ExplainedCause>& causes);

/// --explain ROW: prints all of it.
void print_explained(const cli::Arguments& arguments, std::uint64_t row,
                     const std::vector<ExplainedCause>& causes);

}  // namespace orrery::family
