#include "family/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <cmath>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "cli/arguments.hpp"
#include "cli/printing.hpp"
#include "data/cells.hpp"
#include "data/row_writers.hpp"
#include "orrery/base/error.hpp"
#include "store/store.hpp"

namespace orrery::family {
namespace {

namespace po = boost::program_options;

constexpr std::size_t piece_bytes = std::size_t{1} << 20U;

AnswerFormat format_of(const std::string& name) {
  if (name == "csv") return AnswerFormat::csv;
  if (name == "json") return AnswerFormat::json;
  if (name == "hdf5") return AnswerFormat::hdf5;
  throw UsageError(fmt::format("--format {}: must be csv, json or hdf5", data::in_quotes(name)));
}

void refuse_standard_output(const cli::Arguments& arguments, const AnswerPlace& place) {
  if (place.format == AnswerFormat::hdf5) {
    throw UsageError(
        "HDF5 cannot go to standard output: name a file with -o FILE, or give "
        "--format csv or json");
  }
  if (arguments.json()) {
    throw UsageError(
        "--json and --format both go to standard output: name a file with -o FILE, or "
        "leave out --json");
  }
  if (arguments.has("checkpoint")) {
    throw UsageError(
        "--checkpoint: what went to standard output cannot be taken back when the run "
        "goes on; name a file with -o FILE");
  }
}

/// Bytes that are no UTF-8 become U+FFFD.
std::string dump(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

void add_format_option(po::options_description& options) {
  options.add_options()("format", po::value<std::string>()->value_name("FORMAT"),
                        "of the posteriors: csv, a line per row and a column per cause; json; or "
                        "hdf5. By default what the name of -o ends in, else hdf5. csv and json go "
                        "to standard output without -o");
}

AnswerPlace answer_place(const cli::Arguments& arguments) {
  AnswerPlace place;
  const bool has_format = arguments.has("format");
  if (has_format) place.format = format_of(arguments.text("format"));
  const bool to_file = arguments.has("output") && arguments.text("output") != "-";
  if (to_file) {
    place.path = arguments.output();
    if (!has_format) {
      place.format = place.path.ends_with(".csv")    ? AnswerFormat::csv
                     : place.path.ends_with(".json") ? AnswerFormat::json
                                                     : AnswerFormat::hdf5;
    }
  } else if (arguments.has("output") && !has_format) {
    place.format = AnswerFormat::hdf5;
  }
  if (!to_file && !place.is_screen()) refuse_standard_output(arguments, place);
  return place;
}

std::uint64_t rows_asked(const cli::Arguments& arguments, std::uint64_t n_rows) {
  if (!answer_place(arguments).is_screen() || n_rows <= most_shown_rows) return n_rows;
  if (arguments.has("checkpoint")) {
    throw UsageError(fmt::format(
        "--checkpoint: without -o FILE the first {} of {} rows are shown, which is soon "
        "done; name a file with -o FILE",
        most_shown_rows, format_count(n_rows)));
  }
  return most_shown_rows;
}

bool shows_rows(const cli::Arguments& arguments, std::uint64_t n_rows) {
  return n_rows <= most_shown_rows && !answer_place(arguments).is_text();
}

std::string describe_more(std::uint64_t n_more) {
  return n_more == 0 ? "" : fmt::format("... and {} more: add -o FILE\n", format_count(n_more));
}

double least_posterior(const cli::Arguments& arguments) {
  const bool is_default = arguments.values()["min-posterior"].defaulted();
  if (is_default && answer_place(arguments).format == AnswerFormat::csv) return 0;
  return arguments.get<double>("min-posterior");
}

std::vector<std::pair<std::string, std::string>> without_format(
    const cli::Arguments& arguments, std::vector<std::pair<std::string, std::string>> values) {
  std::erase_if(values, [](const auto& value) { return value.first == "--format"; });
  for (auto& [option, value] : values) {
    if (option == "--min-posterior") value = fmt::format("{}", least_posterior(arguments));
  }
  return values;
}

data::RowNames names_of_rows(const cli::Arguments& arguments) {
  return arguments.has("data") ? store::read_row_names(arguments.text("data")) : data::RowNames();
}

std::vector<std::string> unlike_names(std::vector<std::string> names) {
  std::set<std::string> taken(names.begin(), names.end());
  std::set<std::string> seen;
  for (std::string& name : names) {
    if (seen.insert(name).second) continue;
    for (std::uint64_t i = 2;; ++i) {
      const std::string other = fmt::format("{}_{}", name, i);
      if (!taken.insert(other).second) continue;
      name = other;
      break;
    }
  }
  return names;
}

// ------------------------------------------------------------------------------------------ text

struct AnswerText::State {
  bool is_csv;
  cli::TextOutput output;
  data::RowNames row_names{};
  std::string text{};
  bool begins = true;        // the row, or the list
  bool awaits_name = false;  // of the row at hand: behind its first field
  std::uint64_t n_rows = 0;  // that have ended

  void take_rest() {
    output.write(text);
    text.clear();
  }
  void separate() {
    if (!begins) text += ',';
    begins = false;
  }
  /// Behind a field of a CSV.
  void end_field() {
    if (!awaits_name) return;
    awaits_name = false;
    text += ',';
    text += data::csv_field(std::string(row_names.at(n_rows)));
  }
  void end_piece() {
    if (text.size() >= piece_bytes) take_rest();
  }
};

AnswerText::AnswerText(const AnswerPlace& place, std::vector<std::string> columns,
                       const nlohmann::json& head, data::RowNames row_names)
    : state_(new State{place.format == AnswerFormat::csv, cli::TextOutput(place.path),
                       std::move(row_names)}) {
  const bool has_names = !state_->row_names.empty();
  if (state_->is_csv) {
    if (has_names) columns.insert(columns.begin() + 1, "row_name");
    for (const std::string& name : unlike_names(std::move(columns))) add(std::string_view(name));
    state_->text += '\n';
    state_->begins = true;
    state_->awaits_name = has_names;
    return;
  }
  state_->text = dump(head);
  state_->text.pop_back();  // the brace: the list is one more member
  state_->text += state_->text.size() > 1 ? ",\"results\":[" : "\"results\":[";
}

AnswerText::~AnswerText() = default;

bool AnswerText::is_csv() const noexcept { return state_->is_csv; }

void AnswerText::add(double number) {
  state_->separate();
  if (std::isinf(number)) {
    state_->text += number < 0 ? "-Inf" : "Inf";  // as R has it
  } else if (!std::isnan(number)) {
    append_text(state_->text, "{}", number);
  }
  state_->end_field();
}

void AnswerText::add(std::uint64_t number) {
  state_->separate();
  append_text(state_->text, "{}", number);
  state_->end_field();
}

void AnswerText::add(std::string_view text) {
  state_->separate();
  state_->text += data::csv_field(std::string(text));
  state_->end_field();
}

void AnswerText::end_row() {
  state_->text += '\n';
  state_->begins = true;
  ++state_->n_rows;
  state_->awaits_name = state_->n_rows < state_->row_names.size();
  state_->end_piece();
}

void AnswerText::add_row(nlohmann::json row) {
  const std::uint64_t number = state_->n_rows++;
  if (number < state_->row_names.size()) row["row_name"] = state_->row_names.at(number);
  state_->separate();
  state_->text += '\n';
  state_->text += dump(row);
  state_->end_piece();
}

void AnswerText::finish() {
  if (!state_->is_csv) state_->text += "\n]}\n";
  state_->take_rest();
  state_->output.finish();
}

// ------------------------------------------------------------------------------------- posteriors

namespace {

std::vector<std::string> columns_of(const store::PosteriorHeader& header) {
  std::vector<std::string> columns{"row"};
  columns.insert(columns.end(), header.causes.begin(), header.causes.end());
  for (const char* name :
       {"log_evidence", "log_evidence_error", "method", "effective_samples", "posterior_error"}) {
    columns.emplace_back(name);
  }
  for (std::uint32_t k = 1; k <= header.top; ++k) {
    columns.push_back(fmt::format("explanation_{}", k));
    columns.push_back(fmt::format("explanation_{}_probability", k));
    columns.push_back(fmt::format("explanation_{}_proven", k));
  }
  return columns;
}

nlohmann::json head_of(const store::PosteriorHeader& header) {
  return {{"n_samples", header.n_samples},
          {"data_digest", fmt::format("{:016x}", header.data_digest)},
          {"min_posterior", header.min_posterior},
          {"top", header.top},
          {"causes", header.causes}};
}

void add_explanations(const FoundRow& found, std::uint32_t top, const RowWords& words,
                      AnswerText& text) {
  for (std::size_t k = 0; k < top; ++k) {
    if (k >= found.explanations.size()) {
      for (int field = 0; field < 3; ++field) text.add(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const FoundRow::State& state = found.explanations[k];
    std::string causes;
    for (const std::uint32_t cause : state.present) {
      causes += (causes.empty() ? "" : "; ") + words.causes[cause];
    }
    text.add(std::string_view(causes.empty() ? "no cause" : causes));
    text.add(std::exp(state.log_probability));
    text.add(std::uint64_t{state.proven});
  }
}

/// A line of a CSV. A posterior that is not listed is an empty field.
void add_line(const FoundRow& found, const store::PosteriorRows& rows, std::uint64_t row,
              std::uint32_t top, const RowWords& words, AnswerText& text) {
  std::vector<double> posteriors(words.causes.size(), std::numeric_limits<double>::quiet_NaN());
  double largest_error = 0;
  for (std::size_t k = 0; k < found.causes.size(); ++k) {
    posteriors[found.causes[k]] = found.probabilities[k];
    largest_error = std::max(largest_error, found.errors[k]);
  }
  text.add(row);
  for (const double posterior : posteriors) text.add(posterior);
  text.add(rows.log_evidence[found.place]);
  text.add(rows.log_evidence_error[found.place]);
  text.add(std::string_view(method_name(rows.method[found.place])));
  text.add(rows.effective_samples[found.place]);
  text.add(largest_error);
  add_explanations(found, top, words, text);
  text.end_row();
}

}  // namespace

struct PosteriorOutput::State {
  RowWords words;
  std::uint32_t top = 0;
  std::uint64_t n_rows = 0;  // so far
  std::optional<store::PosteriorWriter> file{};
  std::optional<AnswerText> text{};

  void append_text(const store::PosteriorRows& rows) {
    for_each_row(rows, top, [&](const FoundRow& found) {
      if (text->is_csv()) {
        add_line(found, rows, n_rows++, top, words, *text);
      } else {
        text->add_row(row_json(found, rows, n_rows++, words));
      }
    });
  }
};

PosteriorOutput::PosteriorOutput(const cli::Arguments& arguments,
                                 const store::PosteriorHeader& header, RowWords words)
    : state_(new State{std::move(words), header.top}) {
  const AnswerPlace place = answer_place(arguments);
  if (place.format == AnswerFormat::hdf5) state_->file.emplace(place.path, header);
  if (place.is_text()) {
    state_->text.emplace(place, columns_of(header), head_of(header), names_of_rows(arguments));
  }
}

PosteriorOutput::~PosteriorOutput() = default;

void PosteriorOutput::append(const store::PosteriorRows& rows) {
  if (state_->file) state_->file->append(rows);
  if (state_->text) state_->append_text(rows);
}

void PosteriorOutput::finish(const store::RunInfo& run) {
  if (state_->file) state_->file->finish(run);
  if (state_->text) state_->text->finish();
}

void print_inference(const cli::Arguments& arguments, nlohmann::json object, std::string text) {
  const AnswerPlace place = answer_place(arguments);
  if (place.is_screen()) {
    // The text is what was asked for.
    if (arguments.json()) {
      cli::print_json(object);
    } else {
      std::cout << text << '\n';
    }
  } else if (place.path.empty()) {
    log::write_info(text);  // standard output is what was asked for
  } else {
    object["output"] = place.path;
    cli::print_done(arguments, object, text + "\nwritten to " + place.path);
  }
}

}  // namespace orrery::family
