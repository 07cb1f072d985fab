// orrery info FILE
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "cli/printing.hpp"
#include "commands/commands.hpp"
#include "commands/info_samples.hpp"
#include "family/model_argument.hpp"
#include "family/table.hpp"
#include "report/text.hpp"
#include "store/categorical.hpp"
#include "store/checkpoint.hpp"
#include "store/posterior.hpp"
#include "store/prediction.hpp"
#include "store/store.hpp"

namespace orrery::commands {
namespace {

namespace po = boost::program_options;
using report::count_of;

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
  section.sentences.push_back(fmt::format(
      "  orrery {} on {}, {}, {} x {}, kernel {}, {} read", run.version, fmt::join(run.hosts, " "),
      run.started, count_of(run.ranks, "rank"), count_of(run.threads, "thread"), run.kernel,
      format_bytes(static_cast<double>(run.bytes_read))));
  section.data("command_line", run.command_line)
      .data("version", run.version)
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
                   const store::FileContents& contents, bool every_column) {
  report::Section& section = sheet.section("", "");
  section.data("schema", contents.schema);
  section.sentences.push_back(fmt::format("{}: orrery file, schema {}", path, contents.schema));
  if (contents.has("samples")) add_samples(sheet, store::read_samples(path), every_column);
  if (contents.has("dense")) add_numbers(sheet, store::DenseReader(path), every_column);
  if (contents.has("moments")) add_moments(sheet, store::MomentsReader(path));
  if (contents.has("categorical")) {
    add_categories(sheet, store::read_categorical(path), every_column);
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
  tell_contents(sheet, path, contents, arguments.get<bool>("verbose"));
  cli::print_sheet(arguments, sheet);
}

}  // namespace orrery::commands
