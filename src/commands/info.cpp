// orrery info FILE
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <boost/program_options/options_description.hpp>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "base/work_time.hpp"
#include "cli/arguments.hpp"
#include "cli/printing.hpp"
#include "commands/commands.hpp"
#include "family/table.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "report/sheet.hpp"
#include "report/text.hpp"
#include "store/posterior.hpp"
#include "store/run.hpp"
#include "store/store.hpp"
#include "store/tables.hpp"

namespace orrery::commands {
namespace {

namespace po = boost::program_options;
using data::CategoricalTable;
using report::count_of;

// Stored rows: of bits, of numbers, of categories; a section of the sheet each.

struct Count {
  std::uint64_t ones = 0;
  std::uint64_t missing = 0;
};

Count count_column(const data::SampleMatrix& samples, std::size_t c) {
  Count count;
  for (std::size_t w = 0; w < samples.values.n_words(); ++w) {
    count.ones += static_cast<std::uint64_t>(std::popcount(samples.values.word(c, w)));
    if (samples.missing) {
      count.missing += static_cast<std::uint64_t>(std::popcount(samples.missing->word(c, w)));
    }
  }
  return count;
}

std::vector<std::uint64_t> column_words(const data::SampleMatrix& samples, std::size_t c) {
  std::vector<std::uint64_t> words;
  for (std::size_t w = 0; w < samples.values.n_words(); ++w) {
    words.push_back(samples.values.word(c, w));
    if (samples.missing) words.push_back(samples.missing->word(c, w));
  }
  return words;
}

void add_column(report::Record& row, const std::string& name, const Count& count,
                std::uint64_t n_seen) {
  const double marginal =
      n_seen == 0 ? 0 : static_cast<double>(count.ones) / static_cast<double>(n_seen);
  row.tell("name", name, "variable", name);
  row.tell("marginal", marginal, "P(on)", fmt::format("{:.4g}", marginal));
  row.tell("ones", count.ones, "ones", format_count(count.ones));
  row.tell("missing", count.missing, "missing", format_count(count.missing));
}

std::string first_of(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 10;
  const std::vector<std::string> first(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(shown, names.size())));
  return fmt::format("{}{}", fmt::join(first, ", "), names.size() > shown ? ", ..." : "");
}

/// A table with a row per column of the data.
report::Table& columns_table(report::Section& section) {
  report::Table& table = section.table("columns", "Columns");
  table.all_rows = "-v lists all";
  return table;
}

/// Names of columns in JSON; for people the first ten and how many there are, if any.
void add_names(report::Section& section, const char* key, const char* label,
               const std::vector<std::string>& names) {
  section.data(key, names);
  if (names.empty()) return;
  section.show(label, format_count(names.size()), first_of(names));
}

void add_samples(report::Sheet& sheet, const data::SampleMatrix& samples) {
  report::Section& section = sheet.section("samples", "Samples");
  report::Table& columns = columns_table(section);
  std::vector<std::string> constant;
  std::vector<std::string> alike;
  nlohmann::json duplicates = nlohmann::json::array();
  std::map<std::vector<std::uint64_t>, std::size_t> first_seen;
  std::uint64_t n_missing = 0;
  for (std::size_t c = 0; c < samples.n_observed(); ++c) {
    const Count count = count_column(samples, c);
    const std::uint64_t n_seen = samples.n_samples() - count.missing;
    n_missing += count.missing;
    add_column(columns.row(), samples.names[c], count, n_seen);
    if (count.ones == 0 || count.ones == n_seen) {
      constant.push_back(samples.names[c]);
      continue;
    }
    const auto [found, fresh] = first_seen.emplace(column_words(samples, c), c);
    if (fresh) continue;
    const std::string& original = samples.names[found->second];
    duplicates.push_back({samples.names[c], original});
    alike.push_back(fmt::format("{} = {}", samples.names[c], original));
  }
  const std::string digest = fmt::format("{:016x}", samples.digest);
  section.sentences.push_back(fmt::format("samples: {} of {}, {}, digest {}",
                                          report::count_of(samples.n_samples(), "row"),
                                          report::count_of(samples.n_observed(), "variable"),
                                          report::count_of(n_missing, "missing value"), digest));
  section.data("n_samples", samples.n_samples())
      .data("n_observed", samples.n_observed())
      .data("n_missing", n_missing)
      .data("digest", digest);
  add_names(section, "constant", "constant columns", constant);
  add_names(section, "duplicates", "duplicate columns", alike);
  section.data("duplicates", std::move(duplicates));
}

void add_number(report::Record& row, const char* key, double number) {
  const bool known = !std::isnan(number);
  row.tell(key, known ? nlohmann::json(number) : nlohmann::json(), key,
           known ? fmt::format("{:.5g}", number) : "-");
}

/// Goes over the rows, so that their digest is checked.
void add_numbers(report::Sheet& sheet, const store::DenseReader& samples) {
  const store::DenseHeader& header = samples.header();
  samples.visit(0, header.n_samples, [](const double*, std::size_t) {});
  const std::string digest = fmt::format("{:016x}", header.digest);
  report::Section& section = sheet.section("dense", "Numbers");
  section.sentences.push_back(
      fmt::format("dense: {} of {}, {}, digest {}", report::count_of(header.n_samples, "row"),
                  report::count_of(header.n_columns, "number"),
                  report::count_of(header.n_missing, "missing value"), digest));
  section.data("n_samples", header.n_samples)
      .data("n_observed", header.n_columns)
      .data("n_missing", header.n_missing)
      .data("digest", digest);
  report::Table& columns = columns_table(section);
  std::vector<std::string> constant;
  for (std::size_t c = 0; c < samples.names().size(); ++c) {
    const store::DenseColumn& column = samples.columns()[c];
    const std::string& name = samples.names()[c];
    const std::uint64_t n_missing = header.n_samples - column.n_present;
    report::Record& row = columns.row();
    row.tell("name", name, "variable", name);
    add_number(row, "mean", column.mean);
    add_number(row, "sd", column.sd);
    add_number(row, "min", column.min);
    add_number(row, "max", column.max);
    row.tell("missing", n_missing, "missing", format_count(n_missing));
    if (column.n_present == 0 || column.min == column.max) constant.push_back(name);
  }
  add_names(section, "constant", "constant columns", constant);
}

struct Counts {
  std::vector<std::uint64_t> of_category;
  std::uint64_t missing = 0;
};

Counts count_column(const CategoricalTable& table, std::size_t column) {
  Counts counts{std::vector<std::uint64_t>(table.categories[column].size(), 0)};
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    const std::uint8_t code = table.row(n)[column];
    ++(code == data::missing_code ? counts.missing : counts.of_category[code]);
  }
  return counts;
}

/// "no 12, yes 30"; of many the first few.
std::string describe_counts(const std::vector<std::string>& categories, const Counts& counts) {
  constexpr std::size_t listed = 8;
  std::string text;
  for (std::size_t c = 0; c < std::min(categories.size(), listed); ++c) {
    text += fmt::format("{}{} {}", c == 0 ? "" : ", ", categories[c],
                        format_count(counts.of_category[c]));
  }
  return text + (categories.size() > listed ? ", ..." : "");
}

void add_categories(report::Sheet& sheet, const store::StoredTable& stored) {
  const CategoricalTable& table = stored.table;
  report::Section& section = sheet.section("categorical", "Categories");
  report::Table& columns = columns_table(section);
  std::vector<std::string> constant;
  std::uint64_t n_missing = 0;
  for (std::size_t c = 0; c < table.n_columns(); ++c) {
    const Counts counts = count_column(table, c);
    n_missing += counts.missing;
    columns.row()
        .tell("name", table.names[c], "variable", table.names[c])
        .tell("missing", counts.missing, "missing", format_count(counts.missing))
        .data("categories", table.categories[c])
        .data("counts", counts.of_category)
        .show("values", describe_counts(table.categories[c], counts));
    const auto n_unseen = static_cast<std::size_t>(std::ranges::count(counts.of_category, 0U));
    if (counts.of_category.size() - n_unseen < 2) constant.push_back(table.names[c]);
  }
  const std::string digest = fmt::format("{:016x}", stored.digest);
  section.sentences.push_back(fmt::format("categorical: {} of {}, {}, digest {}",
                                          report::count_of(table.n_rows, "row"),
                                          report::count_of(table.n_columns(), "variable"),
                                          report::count_of(n_missing, "missing value"), digest));
  section.data("n_samples", table.n_rows)
      .data("n_observed", table.n_columns())
      .data("n_missing", n_missing)
      .data("digest", digest);
  add_names(section, "constant", "constant columns", constant);
}

// Moments, models and what runs left.

std::string hexadecimal(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

void add_moments(report::Sheet& sheet, const store::MomentsReader& moments) {
  const std::size_t n_observed = moments.pairs().n_observed;
  const std::uint64_t n_samples = moments.pairs().n_samples;
  const std::string digest = hexadecimal(moments.data_digest());
  report::Section& section = sheet.section("moments", "Moments");
  section.sentences.push_back(fmt::format("moments: order {}, {}, {}, of data {}", moments.order(),
                                          count_of(n_observed, "variable"),
                                          count_of(n_samples, "row"), digest));
  section.data("order", moments.order())
      .data("n_observed", n_observed)
      .data("n_samples", n_samples)
      .data("data_digest", digest);
}

void add_model(report::Sheet& sheet, const std::string& path) {
  const family::AnyModel model = family::read_model_file(path);
  const family::Family& family = family::family_of(model);
  family.info(model, sheet.section(family.groups.front(), "The model"));
}

void add_checkpoint(report::Sheet& sheet, const store::Checkpoint& checkpoint) {
  const std::string digest = hexadecimal(checkpoint.data_digest);
  report::Section& section = sheet.section("checkpoint", "Checkpoint");
  section.sentences.push_back(fmt::format("checkpoint: learner {}, {} of {}, of data {}",
                                          checkpoint.learner, count_of(checkpoint.n_samples, "row"),
                                          count_of(checkpoint.n_observed, "variable"), digest));
  section.data("learner", checkpoint.learner)
      .data("n_samples", checkpoint.n_samples)
      .data("n_observed", checkpoint.n_observed)
      .data("data_digest", digest)
      .data("state_digest", hexadecimal(store::digest_of_state(checkpoint)));
  nlohmann::json options = nlohmann::json::object();
  for (const auto& [name, value] : checkpoint.options) {
    options[name] = value;
    section.show(name, value);
  }
  nlohmann::json arrays = nlohmann::json::object();
  const auto add_arrays = [&](const char* kind, const auto& of_kind) {
    for (const auto& [name, values] : of_kind) {
      arrays[kind + name] = values.size();
      section.show(kind + name, count_of(values.size(), "value"));
    }
  };
  add_arrays("words/", checkpoint.words);
  add_arrays("reals/", checkpoint.reals);
  section.data("options", std::move(options)).data("arrays", std::move(arrays));
}

void add_posterior(report::Sheet& sheet, const store::PosteriorHeader& header) {
  const std::string digest = hexadecimal(header.data_digest);
  report::Section& section = sheet.section("posterior", "Posterior");
  section.sentences.push_back(
      fmt::format("posterior: {}, {}, listed from {}, {} per row, of data {}",
                  count_of(header.n_samples, "row"), count_of(header.causes.size(), "cause"),
                  header.min_posterior, count_of(header.top, "explanation"), digest));
  section.data("n_samples", header.n_samples)
      .data("n_causes", header.causes.size())
      .data("data_digest", digest)
      .data("min_posterior", header.min_posterior)
      .data("top", header.top);
}

void add_prediction(report::Sheet& sheet, const store::PredictionHeader& header) {
  const std::string digest = hexadecimal(header.data_digest);
  report::Section& section = sheet.section("prediction", "Prediction");
  section.sentences.push_back(fmt::format(
      "prediction: {}, {} given {}, crossover {}, of data {}", count_of(header.n_samples, "row"),
      count_of(header.variables.size(), "variable"), header.n_given, header.crossover, digest));
  section.data("n_samples", header.n_samples)
      .data("n_variables", header.variables.size())
      .data("given", header.n_given)
      .data("crossover", header.crossover)
      .data("data_digest", digest);
}

void add_stages(report::Section& section, const std::vector<Stage>& stages) {
  report::Table& table = section.table("stages", "Stages");
  table.most_shown = stages.size();
  for (const Stage& stage : stages) {
    table.row()
        .tell("name", stage.name, "stage", stage.name)
        .tell("seconds", stage.seconds, "seconds", fmt::format("{:.3f}", stage.seconds))
        .tell("units", stage.units, "units", stage.units > 0 ? format_count(stage.units) : "-")
        .tell("imbalance", stage.imbalance, "imbalance",
              stage.imbalance > 0 ? fmt::format("{:.3f}", stage.imbalance) : "-");
  }
}

void add_run(report::Sheet& sheet, const store::RunInfo& run) {
  report::Section& section = sheet.section("run", "The run");
  section.sentences.push_back("run: " + run.command_line);
  section.sentences.push_back(
      fmt::format("  orrery {} (commit {}) on {}, {}, {} x {}, kernel {}, {} read", run.version,
                  run.commit, fmt::join(run.hosts, " "), run.started, count_of(run.ranks, "rank"),
                  count_of(run.threads, "thread"), run.kernel,
                  format_bytes(static_cast<double>(run.bytes_read))));
  section.data("command_line", run.command_line)
      .data("version", run.version)
      .data("commit", run.commit)
      .data("host", run.host)
      .data("started", run.started)
      .data("kernel", run.kernel)
      .data("seed", run.seed)
      .data("ranks", run.ranks)
      .data("threads", run.threads)
      .data("hosts", run.hosts)
      .data("bytes_read", run.bytes_read);
  add_stages(section, run.stages);
}

/// Bits are held, numbers go by in blocks.
learning::Plan make_plan(const std::string& path, const store::FileContents& contents) {
  double held = 1e6;
  if (contents.has("samples")) {
    const store::SampleHeader header = store::read_sample_header(path);
    held = static_cast<double>(header.n_samples) * static_cast<double>(header.n_observed) / 4;
  } else if (contents.has("dense")) {
    held = 2e7;
  } else if (contents.has("categorical")) {
    // Nothing but the whole table says how large it is.
    held = static_cast<double>(std::filesystem::file_size(path));
  }
  return {held, 1, "file"};
}

void tell_contents(report::Sheet& sheet, const std::string& path,
                   const store::FileContents& contents) {
  report::Section& section = sheet.section("", "");
  section.data("schema", contents.schema);
  section.sentences.push_back(fmt::format("{}: orrery file, schema {}", path, contents.schema));
  if (contents.has("samples")) add_samples(sheet, store::read_samples(path));
  if (contents.has("dense")) add_numbers(sheet, store::DenseReader(path));
  if (contents.has("moments")) add_moments(sheet, store::MomentsReader(path));
  if (contents.has("categorical")) {
    add_categories(sheet, store::read_categorical(path));
  }
  if (family::holds_model(contents)) add_model(sheet, path);
  if (contents.has("checkpoint")) add_checkpoint(sheet, store::read_checkpoint(path));
  if (contents.has("posterior")) add_posterior(sheet, store::read_posterior_header(path));
  if (contents.has("prediction")) add_prediction(sheet, store::read_prediction_header(path));
  if (contents.run) add_run(sheet, *contents.run);
}

}  // namespace

void run_info(const cli::CommandLine& line, const parallel::Team& team) {
  const cli::Arguments arguments({"info",
                                  "FILE.h5",
                                  "Tells what a file holds: frequencies, constant and duplicate "
                                  "columns, models, and the run that made it.",
                                  "orrery info data.h5 -v",
                                  {"file"}},
                                 po::options_description(), line, team);
  if (arguments.helped() || !team.is_root()) return;
  const std::string path = arguments.required("file");
  const store::FileContents contents = store::inspect(path);
  if (arguments.dry_run()) {
    cli::print_plan(arguments, make_plan(path, contents));
    return;
  }
  report::Sheet sheet;
  tell_contents(sheet, path, contents);
  cli::print_sheet(arguments, sheet);
}

}  // namespace orrery::commands
