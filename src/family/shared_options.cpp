#include "family/shared_options.hpp"

#include <fmt/format.h>

#include <boost/program_options/options_description.hpp>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/output_file.hpp"
#include "cli/arguments.hpp"
#include "family/table.hpp"
#include "orrery/base/error.hpp"
#include "store/store.hpp"
#include "store/tables.hpp"

namespace orrery::family {

namespace po = boost::program_options;

void add_data_option(po::options_description& options) {
  options.add_options()("data", po::value<std::string>()->value_name("DATA"),
                        "samples, best such as the model was not learned from: their mean "
                        "log-likelihood per row, and what of them the model does not predict");
}

void add_train_option(po::options_description& options) {
  options.add_options()("train", po::value<std::string>()->value_name("DATA"),
                        "the samples that the model was learned from: simpler models are fitted to "
                        "them and score --data too");
}

void require_with(const cli::Arguments& arguments, const char* option, const char* needed) {
  if (!arguments.has(option) || arguments.values()[option].defaulted() || arguments.has(needed)) {
    return;
  }
  throw UsageError(
      fmt::format("--{} says nothing without --{}: give both or neither", option, needed));
}

std::string title_of(const cli::Arguments& arguments, const char* otherwise) {
  return arguments.has("title") ? arguments.text("title") : otherwise;
}

namespace {

/// Words of a command line as Arguments writes it; quotes stay.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; stream >> word;) words.push_back(std::move(word));
  return words;
}

/// The first word behind `learn LEARNER`, or another command, that is neither an option nor its
/// value; empty if none can be told.
std::string data_file_of(const std::string& command_line) {
  const std::vector<std::string> words = words_of(command_line);
  if (words.size() < 2) return "";
  for (std::size_t w = words[1] == "learn" ? 3 : 2; w < words.size(); ++w) {
    const bool is_option = words[w].starts_with('-');
    const bool is_value =
        words[w - 1].starts_with('-') && words[w - 1].find('=') == std::string::npos;
    if (!is_option && !is_value) return words[w];
  }
  return "";
}

void add_run(const std::string& file, report::Colophon& colophon) {
  if (file.empty() || !store::is_hdf5(file)) return;
  const std::optional<store::RunInfo> run = store::inspect(file).run;
  if (!run) return;
  colophon.made_by = report::MadeBy{run->command_line, run->version, run->started, run->host,
                                    run->seed,         run->ranks,   run->threads};
  if (colophon.data_digest != 0) colophon.data_file = data_file_of(run->command_line);
}

}  // namespace

report::Colophon colophon_of(const cli::Arguments& arguments, model::AnyModel model) {
  const std::string source = arguments.required("model");
  report::Colophon colophon;
  colophon.file = std::filesystem::path(source).filename().string();
  const model::Origin& origin = model.origin();
  colophon.data_digest = origin.data_digest;
  colophon.n_samples = origin.n_samples;
  colophon.model_digest = digest_of(model);
  const std::map<std::string, std::string>& papers = family_of(model).papers;
  if (const auto paper = papers.find(origin.learner); paper != papers.end()) {
    colophon.paper = paper->second;
  }
  add_run(model_file(source), colophon);
  return colophon;
}

void add_checkpoint_options(po::options_description& options) {
  options.add_options()("checkpoint", po::value<std::string>()->value_name("FILE"),
                        "save the state of the run in this file, so that the run can be stopped "
                        "(by the signals USR1, TERM, HUP or INT, with exit code 75) and resumed")(
      "every", po::value<std::string>()->value_name("TIME")->default_value("5min"),
      "time between two checkpoints")(
      "resume", po::bool_switch(),
      "continue from the checkpoint if it is there, on any number of ranks and threads");
}

void add_time_limit_option(po::options_description& options) {
  options.add_options()(
      "time-limit", po::value<std::string>()->value_name("TIME"),
      "stop after this time, such as 10min, and write the best model found so far, with a remark "
      "that says so; with --checkpoint the run can be resumed (default: no limit)");
}

namespace {

/// The network of exact moments that a checkpoint is of.
void identify_network(const cli::Arguments& arguments, const MomentInputs& inputs,
                      store::Checkpoint& identity) {
  const AnyModel model = load_model(inputs.moments, arguments.seed());
  identity.data_digest = digest_of(model);
  identity.n_observed = family_of(model).variables(model).size();
}

/// The data that it is of.
void identify_data(const std::string& data, learning::Input input, store::Checkpoint& identity) {
  switch (input) {
    case learning::Input::bits: {
      const store::SampleHeader header = store::read_sample_header(data);
      identity.data_digest = header.digest;
      identity.n_samples = header.n_samples;
      identity.n_observed = header.n_observed;
      break;
    }
    case learning::Input::numbers: {
      const store::DenseHeader header = store::DenseReader(data).header();
      identity.data_digest = header.digest;
      identity.n_samples = header.n_samples;
      identity.n_observed = header.n_columns;
      break;
    }
    case learning::Input::categories: {
      const store::StoredTable stored = store::read_categorical(data);
      identity.data_digest = stored.digest;
      identity.n_samples = stored.table.n_rows;
      identity.n_observed = stored.table.n_columns();
      break;
    }
  }
}

/// What a file says, not where it is: it may be edited before the run goes on.
std::string digest_of_content(const learning::OptionFile& file) {
  const std::uint64_t digest = file.samples ? store::read_sample_header(file.path).digest
                                            : store::digest_of_text(read_text_file(file.path));
  return fmt::format("{:016x}", digest);
}

/// --checkpoint, --every and --resume.
learning::Checkpoints open_file(const cli::Arguments& arguments, const parallel::Team& team,
                                const MomentInputs& inputs, learning::Input input,
                                const std::string& learner,
                                std::vector<std::pair<std::string, std::string>> options,
                                const std::vector<learning::OptionFile>& files) {
  const double every = cli::parse_duration("every", arguments.get<std::string>("every"));
  if (!(every > 0)) throw UsageError("--every 0: must be more than 0");
  const std::string path = arguments.text("checkpoint");
  require_with(arguments, "every", "checkpoint");
  if (path.empty()) {
    if (arguments.get<bool>("resume")) {
      throw UsageError("--resume: from what? Name the file with --checkpoint FILE");
    }
    return {};
  }
  refuse_moments_of(input, inputs);
  store::Checkpoint identity;
  identity.learner = learner;
  identity.options = std::move(options);
  if (team.is_root()) {
    if (inputs.data.empty()) {
      identify_network(arguments, inputs, identity);
    } else {
      identify_data(inputs.data, input, identity);
    }
    for (const learning::OptionFile& file : files) {
      identity.options.emplace_back(file.option, digest_of_content(file));
    }
  }
  return {team,
          path,
          arguments.get<bool>("resume"),
          every,
          std::move(identity),
          arguments.run_info(team)};
}

}  // namespace

learning::Checkpoints open_checkpoints(const cli::Arguments& arguments, const parallel::Team& team,
                                       const MomentInputs& inputs, learning::Input input,
                                       const std::string& learner,
                                       std::vector<std::pair<std::string, std::string>> options,
                                       const std::vector<learning::OptionFile>& files) {
  const std::string limit = arguments.text("time-limit");
  const double seconds = limit.empty() ? 0 : cli::parse_duration("time-limit", limit);
  if (!limit.empty() && !(seconds > 0)) {
    throw UsageError(fmt::format("--time-limit {}: must be more than 0", limit));
  }
  auto checkpoints = open_file(arguments, team, inputs, input, learner, std::move(options), files);
  if (!limit.empty()) checkpoints.limit_time(seconds, limit);
  return checkpoints;
}

}  // namespace orrery::family
