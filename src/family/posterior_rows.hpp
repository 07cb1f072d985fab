// What `infer` says of rows by their hidden causes: rows one by one where they are few, a summary
// otherwise; as JSON and as text. States of a cause may stand in the place of causes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/program_options.hpp"
#include "data/row_names.hpp"
#include "family/explained_causes.hpp"
#include "store/posterior.hpp"

namespace orrery::cli {
class Arguments;
}

namespace orrery::family {

/// --min-posterior and --top.
void add_posterior_options(boost::program_options::options_description& options);
struct PosteriorOptions {
  double min_posterior = 0;  ///< of a cause that is listed
  std::uint32_t top = 1;     ///< explanations per row
};
/// Throws UsageError for a value out of range.
PosteriorOptions posterior_options(const cli::Arguments& arguments, std::uint32_t most_top);

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

/// One of some rows: what was found of it.
struct FoundRow {
  std::size_t place = 0;  ///< among the rows
  std::span<const std::uint32_t> causes;
  std::span<const double> probabilities, errors;  ///< of the causes
  struct State {
    double log_probability = 0;
    bool proven = false;
    std::span<const std::uint32_t> present;
  };
  std::vector<State> explanations;  ///< those that the row has

  /// Places among its causes, the most probable first.
  [[nodiscard]] std::vector<std::size_t> by_probability() const;
};
/// In order. The rows must outlive the calls.
void for_each_row(const store::PosteriorRows& rows, std::uint32_t top,
                  const std::function<void(const FoundRow& found)>& visit);

/// "exact", "sampled", "impossible".
const char* method_name(std::uint32_t method);

/// What causes and findings are called, and how probable each cause is in general.
struct RowWords {
  std::vector<std::string> causes;
  std::vector<double> priors;
  std::vector<std::string> findings;
};

/// The findings of each row that are present, beside what was inferred from it.
struct ShownRows {
  store::PosteriorRows rows;
  std::vector<std::vector<std::uint32_t>> positive;
  std::vector<std::uint64_t> n_missing;
  /// What --explain tells of each row; empty without it.
  std::vector<std::vector<ExplainedCause>> explained{};
  data::RowNames names{};  ///< of all rows; empty: they have none
};
/// "17", or "17 (patient 18)" of a row that has a name.
std::string name_of_row(std::uint64_t row, const data::RowNames& names);
/// A row by its number in the data, without its findings.
nlohmann::json row_json(const FoundRow& found, const store::PosteriorRows& rows, std::uint64_t row,
                        const RowWords& words);
nlohmann::json rows_json(const ShownRows& shown, std::uint32_t top, const RowWords& words);
std::string describe_rows(const ShownRows& shown, std::uint32_t top, const RowWords& words);
/// "72.3 %", "72.3 % (+-0.5)".
std::string percent(double probability, double error);

/// Rows as bytes for a checkpoint, and back; throws InputError unless the bytes are of `n_rows`
/// rows.
std::vector<std::byte> pack_answers(const store::PosteriorRows& rows);
store::PosteriorRows unpack_answers(const std::vector<std::byte>& bytes, std::size_t n_rows);

}  // namespace orrery::family
