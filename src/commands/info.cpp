// orrery info FILE
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "cli/printing.hpp"
#include "commands/categorical_output.hpp"
#include "commands/commands.hpp"
#include "commands/dense_output.hpp"
#include "family/model_argument.hpp"
#include "family/table.hpp"
#include "store/categorical.hpp"
#include "store/checkpoint.hpp"
#include "store/posterior.hpp"
#include "store/prediction.hpp"
#include "store/store.hpp"

namespace orrery::commands {
namespace {

namespace po = boost::program_options;
using family::Family;

struct Column {
  std::uint64_t ones = 0;
  std::uint64_t missing = 0;
};

std::vector<std::uint64_t> column_words(const data::SampleMatrix& samples, std::size_t c) {
  std::vector<std::uint64_t> words;
  for (std::size_t w = 0; w < samples.values.n_words(); ++w) {
    words.push_back(samples.values.word(c, w));
    if (samples.missing) words.push_back(samples.missing->word(c, w));
  }
  return words;
}

Column count_column(const data::SampleMatrix& samples, std::size_t c) {
  Column column;
  for (std::size_t w = 0; w < samples.values.n_words(); ++w) {
    column.ones += static_cast<std::uint64_t>(__builtin_popcountll(samples.values.word(c, w)));
    if (samples.missing) {
      column.missing +=
          static_cast<std::uint64_t>(__builtin_popcountll(samples.missing->word(c, w)));
    }
  }
  return column;
}

nlohmann::json describe_samples(const data::SampleMatrix& samples) {
  nlohmann::json columns = nlohmann::json::array();
  nlohmann::json constant = nlohmann::json::array();
  nlohmann::json duplicates = nlohmann::json::array();
  std::map<std::vector<std::uint64_t>, std::size_t> first_seen;
  std::uint64_t n_missing = 0;
  for (std::size_t c = 0; c < samples.n_observed(); ++c) {
    const Column column = count_column(samples, c);
    const std::uint64_t seen = samples.n_samples() - column.missing;
    n_missing += column.missing;
    columns.push_back(
        {{"name", samples.names[c]},
         {"ones", column.ones},
         {"missing", column.missing},
         {"marginal",
          seen == 0 ? 0.0 : static_cast<double>(column.ones) / static_cast<double>(seen)}});
    if (column.ones == 0 || column.ones == seen) {
      constant.push_back(samples.names[c]);
      continue;
    }
    const auto [found, fresh] = first_seen.emplace(column_words(samples, c), c);
    if (!fresh) duplicates.push_back({samples.names[c], samples.names[found->second]});
  }
  return {{"n_samples", samples.n_samples()},
          {"n_observed", samples.n_observed()},
          {"n_missing", n_missing},
          {"digest", fmt::format("{:016x}", samples.digest)},
          {"columns", std::move(columns)},
          {"constant", std::move(constant)},
          {"duplicates", std::move(duplicates)}};
}

nlohmann::json describe_checkpoint(const store::Checkpoint& checkpoint) {
  nlohmann::json options = nlohmann::json::object();
  for (const auto& [name, value] : checkpoint.options) options[name] = value;
  nlohmann::json arrays = nlohmann::json::object();
  for (const auto& [name, values] : checkpoint.words) arrays["words/" + name] = values.size();
  for (const auto& [name, values] : checkpoint.reals) arrays["reals/" + name] = values.size();
  return {{"learner", checkpoint.learner},
          {"n_samples", checkpoint.n_samples},
          {"n_observed", checkpoint.n_observed},
          {"data_digest", fmt::format("{:016x}", checkpoint.data_digest)},
          {"state_digest", fmt::format("{:016x}", store::digest_of_state(checkpoint))},
          {"options", std::move(options)},
          {"arrays", std::move(arrays)}};
}

nlohmann::json describe_posterior(const store::PosteriorHeader& header) {
  return {{"n_samples", header.n_samples},
          {"n_causes", header.causes.size()},
          {"data_digest", fmt::format("{:016x}", header.data_digest)},
          {"min_posterior", header.min_posterior},
          {"top", header.top}};
}

nlohmann::json describe_prediction(const store::PredictionHeader& header) {
  return {{"n_samples", header.n_samples},
          {"n_variables", header.variables.size()},
          {"given", header.n_given},
          {"crossover", header.crossover},
          {"data_digest", fmt::format("{:016x}", header.data_digest)}};
}

nlohmann::json describe_run(const store::RunInfo& run) {
  nlohmann::json stages = nlohmann::json::array();
  for (const Stage& stage : run.stages) {
    stages.push_back({{"name", stage.name},
                      {"seconds", stage.seconds},
                      {"units", stage.units},
                      {"imbalance", stage.imbalance}});
  }
  return {{"command_line", run.command_line},
          {"version", run.version},
          {"host", run.host},
          {"started", run.started},
          {"kernel", run.kernel},
          {"seed", run.seed},
          {"ranks", run.ranks},
          {"threads", run.threads},
          {"hosts", run.hosts},
          {"bytes_read", run.bytes_read},
          {"stages", std::move(stages)}};
}

void print_samples(const nlohmann::json& samples, bool every_column) {
  std::cout << fmt::format("samples: {} rows of {} variables, {} missing values, digest {}\n",
                           format_count(samples["n_samples"].get<std::uint64_t>()),
                           samples["n_observed"].get<std::size_t>(),
                           format_count(samples["n_missing"].get<std::uint64_t>()),
                           samples["digest"].get<std::string>());
  cli::print_names("constant columns", samples["constant"]);
  cli::print_names("duplicate columns", samples["duplicates"]);
  const auto& columns = samples["columns"];
  const std::size_t n = cli::columns_shown(columns.size(), every_column);
  std::cout << fmt::format("  {:20} {:>10} {:>12} {:>10}\n", "variable", "P(on)", "ones",
                           "missing");
  for (std::size_t c = 0; c < n; ++c) {
    std::cout << fmt::format(
        "  {:20} {:10.4g} {:>12} {:>10}\n", columns[c]["name"].get<std::string>(),
        columns[c]["marginal"].get<double>(), format_count(columns[c]["ones"].get<std::uint64_t>()),
        format_count(columns[c]["missing"].get<std::uint64_t>()));
  }
  if (n < columns.size())
    std::cout << fmt::format("  ... {} more; -v lists all\n", columns.size() - n);
}

void print_checkpoint(const nlohmann::json& checkpoint) {
  std::cout << fmt::format("checkpoint: learner {}, {} rows of {} variables, of data {}\n",
                           checkpoint["learner"].get<std::string>(),
                           format_count(checkpoint["n_samples"].get<std::uint64_t>()),
                           checkpoint["n_observed"].get<std::size_t>(),
                           checkpoint["data_digest"].get<std::string>());
  for (const auto& [name, value] : checkpoint["options"].items()) {
    std::cout << fmt::format("  option {} = {}\n", name, value.get<std::string>());
  }
  for (const auto& [name, length] : checkpoint["arrays"].items()) {
    std::cout << fmt::format("  {}: {} values\n", name, format_count(length.get<std::uint64_t>()));
  }
}

void print_posterior(const nlohmann::json& posterior) {
  std::cout << fmt::format(
      "posterior: {} rows, {} causes, listed from {}, {} explanation(s) a row, of data {}\n",
      format_count(posterior["n_samples"].get<std::uint64_t>()),
      posterior["n_causes"].get<std::size_t>(), posterior["min_posterior"].get<double>(),
      posterior["top"].get<std::uint32_t>(), posterior["data_digest"].get<std::string>());
}

void print_prediction(const nlohmann::json& prediction) {
  std::cout << fmt::format(
      "prediction: {} rows, {} variables given {}, crossover {}, of data {}\n",
      format_count(prediction["n_samples"].get<std::uint64_t>()),
      prediction["n_variables"].get<std::size_t>(), prediction["given"].get<std::uint64_t>(),
      prediction["crossover"].get<double>(), prediction["data_digest"].get<std::string>());
}

void print_run(const nlohmann::json& run) {
  std::cout << fmt::format(
      "run: {}\n  orrery {} on {}, {}, {} rank(s) x {} thread(s), kernel {}, {} read\n",
      run["command_line"].get<std::string>(), run["version"].get<std::string>(),
      fmt::join(run["hosts"].get<std::vector<std::string>>(), " "),
      run["started"].get<std::string>(), run["ranks"].get<unsigned>(),
      run["threads"].get<unsigned>(), run["kernel"].get<std::string>(),
      format_bytes(run["bytes_read"].get<double>()));
  if (run["stages"].empty()) return;
  std::cout << fmt::format("  {:24} {:>12} {:>12} {:>10}\n", "stage", "seconds", "units",
                           "imbalance");
  for (const auto& stage : run["stages"]) {
    const auto imbalance = stage["imbalance"].get<double>();
    const auto units = stage["units"].get<std::uint64_t>();
    std::cout << fmt::format("  {:24} {:12.3f} {:>12} {:>10}\n", stage["name"].get<std::string>(),
                             stage["seconds"].get<double>(), units > 0 ? format_count(units) : "-",
                             imbalance > 0 ? fmt::format("{:.3f}", imbalance) : "-");
  }
}

void print_text(const nlohmann::json& contents, const std::string& path, bool verbose) {
  std::cout << fmt::format("{}: orrery file, schema {}\n", path,
                           contents["schema"].get<std::uint32_t>());
  if (contents.contains("samples")) print_samples(contents["samples"], verbose);
  if (contents.contains("dense")) print_dense(contents["dense"], verbose);
  if (contents.contains("moments")) {
    const auto& moments = contents["moments"];
    std::cout << fmt::format("moments: order {}, {} variables, {} rows, of data {}\n",
                             moments["order"].get<int>(), moments["n_observed"].get<std::size_t>(),
                             format_count(moments["n_samples"].get<std::uint64_t>()),
                             moments["data_digest"].get<std::string>());
  }
  if (contents.contains("categorical")) print_table(contents["categorical"], verbose);
  for (const family::Family* family : family::families()) {
    const std::string& group = family->groups.front();
    if (contents.contains(group)) std::cout << family->describe_info(contents[group]);
  }
  if (contents.contains("checkpoint")) print_checkpoint(contents["checkpoint"]);
  if (contents.contains("posterior")) print_posterior(contents["posterior"]);
  if (contents.contains("prediction")) print_prediction(contents["prediction"]);
  if (contents.contains("run")) print_run(contents["run"]);
}

/// Bits are held, numbers go by in blocks.
learning::Plan make_plan(const std::string& path, const store::FileContents& contents) {
  double held = 1e6;
  double read = 1e6;
  if (contents.has("samples")) {
    const store::SampleHeader header = store::read_sample_header(path);
    read = static_cast<double>(header.n_samples) * static_cast<double>(header.n_observed) / 8;
    held = 2 * read;
  } else if (contents.has("dense")) {
    const store::DenseHeader header = store::DenseReader(path).header();
    read = static_cast<double>(header.n_samples) * static_cast<double>(header.n_columns) * 8;
    held = 2e7;
  } else if (contents.has("categorical")) {
    // Nothing but the whole table says how large it is.
    read = static_cast<double>(std::filesystem::file_size(path));
    held = read;
  }
  return {held, 1, "file", read / 5e8};
}

}  // namespace

void run_info(const cli::CommandLine& line, const parallel::Team& team) {
  const cli::Arguments arguments(
      {"info",
       "FILE.h5",
       "Says what a file holds: marginals, constant and duplicate columns, models, who made it.",
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
  nlohmann::json found{{"schema", contents.schema}};
  if (contents.has("samples")) found["samples"] = describe_samples(store::read_samples(path));
  if (contents.has("dense")) found["dense"] = describe_dense(store::DenseReader(path));
  if (contents.has("moments")) {
    const store::MomentsReader moments(path);
    found["moments"] = {{"order", moments.order()},
                        {"n_observed", moments.pairs().n_observed},
                        {"n_samples", moments.pairs().n_samples},
                        {"data_digest", fmt::format("{:016x}", moments.data_digest())}};
  }
  if (contents.has("categorical"))
    found["categorical"] = describe_table(store::read_categorical(path));
  if (family::holds_model(contents)) {
    const family::AnyModel model = family::read_model_file(path);
    const family::Family& family = family::family_of(model);
    found[family.groups.front()] = family.info(model);
  }
  if (contents.has("checkpoint"))
    found["checkpoint"] = describe_checkpoint(store::read_checkpoint(path));
  if (contents.has("posterior")) {
    found["posterior"] = describe_posterior(store::read_posterior_header(path));
  }
  if (contents.has("prediction")) {
    found["prediction"] = describe_prediction(store::read_prediction_header(path));
  }
  if (contents.run) found["run"] = describe_run(*contents.run);
  if (arguments.json()) {
    cli::print_json(found);
  } else {
    print_text(found, path, arguments.get<bool>("verbose"));
  }
}

}  // namespace orrery::commands
