// What `infer` does with what it finds: of how many rows, and where it goes: to the screen, or as
// HDF5, CSV or JSON into a file, CSV and JSON also to standard output.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/program_options.hpp"
#include "data/row_names.hpp"
#include "family/posterior_rows.hpp"
#include "store/posterior.hpp"
#include "store/run.hpp"

namespace orrery::cli {
class Arguments;
}

namespace orrery::family {

enum class AnswerFormat : std::uint8_t { screen, hdf5, csv, json };

/// --format.
void add_format_option(boost::program_options::options_description& options);

struct AnswerPlace {
  AnswerFormat format = AnswerFormat::screen;
  std::string path;  ///< empty: standard output

  [[nodiscard]] bool is_screen() const noexcept { return format == AnswerFormat::screen; }
  [[nodiscard]] bool is_text() const noexcept {
    return format == AnswerFormat::csv || format == AnswerFormat::json;
  }
};
/// By --format, or by the end of the file's name. Throws UsageError for a format that is not known,
/// or that cannot go where it should.
AnswerPlace answer_place(const cli::Arguments& arguments);

/// Rows that `infer` shows on the screen.
inline constexpr std::uint64_t most_shown_rows = 10;
/// Rows that are looked at: all of `n_rows` where they are written, else those that are shown.
/// Throws UsageError where some are left out and a checkpoint is to be kept.
std::uint64_t rows_asked(const cli::Arguments& arguments, std::uint64_t n_rows);
/// True if the rows are shown one by one: where there are few, and no text of them is written.
bool shows_rows(const cli::Arguments& arguments, std::uint64_t n_rows);
/// "... and 990 more: add -o FILE", a line; empty if there are none.
std::string describe_more(std::uint64_t n_more);

/// Posteriors below it are not listed: --min-posterior, but for a CSV, which has a column for every
/// cause, 0 by default.
double least_posterior(const cli::Arguments& arguments);
/// `values` of options as the answers depend on them, whatever format they are written in.
std::vector<std::pair<std::string, std::string>> without_format(
    const cli::Arguments& arguments, std::vector<std::pair<std::string, std::string>> values);

/// Rows of answers as text, written in pieces: lines of a CSV, or a list in JSON. Read by R's
/// read.csv and by pandas as it is: a number that is not known is an empty field.
class AnswerText {
 public:
  /// `columns` of a CSV: where two have one name, the later ones get a number. `head`: what stands
  /// before "results" in JSON, an object. `row_names` of all rows, or none: in a CSV a second
  /// column, in JSON "row_name". Throws EnvironmentError.
  AnswerText(const AnswerPlace& place, std::vector<std::string> columns, const nlohmann::json& head,
             data::RowNames row_names = {});
  ~AnswerText();

  [[nodiscard]] bool is_csv() const noexcept;
  // A CSV: one field after the other, then the end of the row.
  void add(double number);
  void add(std::uint64_t number);
  void add(std::string_view text);
  void end_row();
  /// JSON: a whole row.
  void add_row(nlohmann::json row);
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Of the rows that are asked about; none where they have none.
data::RowNames names_of_rows(const cli::Arguments& arguments);

/// Names of columns, each once: of those that are alike the second becomes NAME_2 and so on.
std::vector<std::string> unlike_names(std::vector<std::string> names);

/// Rows by their hidden causes, into the file or to standard output: rows arrive in order. Nothing
/// is written for the screen.
class PosteriorOutput {
 public:
  /// Throws EnvironmentError.
  PosteriorOutput(const cli::Arguments& arguments, const store::PosteriorHeader& header,
                  RowWords words);
  ~PosteriorOutput();
  void append(const store::PosteriorRows& rows);
  /// All rows have come.
  void finish(const store::RunInfo& run);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// What was inferred, and where it was written: on standard output what was asked for.
void print_inference(const cli::Arguments& arguments, nlohmann::json object, std::string text);

}  // namespace orrery::family
