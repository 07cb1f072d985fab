// What `infer` says: rows one by one where they are few, a summary otherwise; as JSON and as text.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/inference_run.hpp"
#include "orrery/model/finding_weights.hpp"
#include "orrery/model/network.hpp"
#include "orrery/store/posterior.hpp"

namespace orrery::cli {

/// Counts and sums over rows as they come.
struct InferenceSummary {
  std::uint64_t n_rows = 0;
  std::uint64_t n_of_method[3] = {};  ///< exact, sampled, impossible
  std::uint64_t n_unproven = 0;       ///< rows with an explanation that is not proven
  double sum_log_evidence = 0;        ///< of possible rows
  double largest_error = 0;           ///< of a listed posterior

  void add(const store::PosteriorRows& rows, std::uint32_t top);
};
nlohmann::json summary_json(const InferenceSummary& summary);
std::string describe_summary(const InferenceSummary& summary);

/// The findings of each row that are present, beside what was inferred from it.
struct ShownRows {
  store::PosteriorRows rows;
  std::vector<std::vector<std::uint32_t>> positive;
  std::vector<std::uint64_t> n_missing;
};
nlohmann::json rows_json(const ShownRows& shown, std::uint32_t top,
                         const model::NoisyOrNetwork& network);
std::string describe_rows(const ShownRows& shown, std::uint32_t top,
                          const model::NoisyOrNetwork& network);

/// Rows that `infer` shows on the screen, of either family.
inline constexpr std::uint64_t most_shown_rows = 10;
/// Throws UsageError if -o is one of what is read, or lacks though there are too many rows to show;
/// `fits_screen`: what is asked for can be shown of any number of rows.
void require_inference_output(const Arguments& arguments, const std::string& data,
                              std::uint64_t n_rows, bool fits_screen);
/// What was inferred, and where it was written: on standard output what was asked for.
void print_inference(const Arguments& arguments, nlohmann::json object, std::string text);

/// A cause of a row.
struct ExplainedCause {
  std::uint32_t cause;
  double posterior, error;
  model::CauseEvidence evidence;
};
nlohmann::json explained_json(std::uint64_t row, const std::vector<ExplainedCause>& causes,
                              const model::NoisyOrNetwork& network);
std::string describe_explained(std::uint64_t row, const std::vector<ExplainedCause>& causes,
                               const model::NoisyOrNetwork& network);

}  // namespace orrery::cli
