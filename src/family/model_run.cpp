#include "family/model_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/program_options/options_description.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/log.hpp"
#include "base/output_file.hpp"
#include "base/progress.hpp"
#include "base/work_time.hpp"
#include "cli/arguments.hpp"
#include "cli/printing.hpp"
#include "family/table.hpp"
#include "learning/learner.hpp"
#include "learning/scaling.hpp"
#include "moments/counted_moments.hpp"
#include "orrery/base/error.hpp"

namespace orrery::family {

namespace po = boost::program_options;

void add_model_options(po::options_description& options, learning::TakesMoments moments) {
  using learning::TakesMoments;
  options.add_options()("output,o", po::value<std::string>()->value_name("FILE"),
                        "the model, HDF5");
  if (moments == TakesMoments::none) return;
  const char* const value = moments == TakesMoments::counts    ? "FILE"
                            : moments == TakesMoments::network ? "NETWORK"
                                                               : "FILE|NETWORK";
  const char* const help =
      moments == TakesMoments::counts ? "counts of DATA that `orrery moments` stored"
      : moments == TakesMoments::network
          ? "without DATA: a network, whose exact moments take the place of data"
          : "counts of DATA that `orrery moments` stored; or, without DATA, a network, whose exact "
            "moments take the place of data";
  options.add_options()("moments", po::value<std::string>()->value_name(value), help);
}

MomentInputs moment_inputs(const cli::Arguments& arguments) {
  MomentInputs inputs{arguments.text("data"), arguments.text("moments")};
  if (inputs.data.empty() && inputs.moments.empty()) {
    throw UsageError(
        "DATA is missing; give a file of `orrery import` or `orrery sample` (or "
        "--moments NETWORK, to learn from exact moments)");
  }
  return inputs;
}

namespace {

/// What the learner holds beside program and bits, if that is more than loading takes.
void add_learning(learning::Plan& plan, learning::Parts parts, const learning::Parts& learning) {
  parts.insert(parts.end(), learning.begin(), learning.end());
  learning::raise_memory(plan, std::move(parts));
}

}  // namespace

learning::Plan plan_model(const cli::Arguments& arguments, const parallel::Team& team,
                          const MomentInputs& inputs, const PlanLearning& learning) {
  const learning::Resources resources = learning::resources_of(team, arguments.threads());
  learning::Timing timing(resources);
  timing.waits("start", resources.start_seconds);
  learning::Plan plan;
  learning::Plan learned;
  if (inputs.data.empty()) {
    const double begin = thread_seconds();
    const AnyModel network = load_model(inputs.moments, arguments.seed());
    const auto moments = exact_moments_of(network, inputs.moments);
    timing.alone("load", thread_seconds() - begin);
    learned = learning({resources, *moments, 1, timing});
    add_learning(plan, learning::memory_of_program(resources), learned.memory);
  } else {
    const learning::Pilot pilot = learning::load_pilot(inputs.data, resources, timing);
    learned = learning({resources, *pilot.moments, pilot.scale, timing});
    learning::raise_memory(plan, learning::memory_to_load(pilot, resources));
    learning::raise_memory(plan, learning::memory_to_count_pairs(pilot, resources));
    learning::Parts parts = learning::memory_of_program(resources);
    parts.emplace_back("bits", pilot.bits_bytes);
    add_learning(plan, std::move(parts), learned.memory);
  }
  plan.units = learned.units;
  plan.unit = learned.unit;
  plan.not_forecast = learned.not_forecast;
  timing.into(plan);
  return plan;
}

namespace {

std::string describe_end(const learning::Checkpoints& checkpoints) {
  return fmt::format(
      "--time-limit {} ended the search before it was done: this is the best model "
      "of that time, not what the data say in the end",
      checkpoints.time_limit());
}

/// What a run that ends in a model begins and ends with.
class ModelRun {
 public:
  ModelRun(const cli::Arguments& arguments, const parallel::Team& team)
      : arguments_(arguments), team_(team), clock_("total", 0, "") {
    output_ = arguments.output();
    run_ = arguments.run_info(team);
    if (team.is_root()) OutputFile probe(output_);
    parallel::warn_of_mixed_processors(team);
    log::verbose("{} rank(s) x {} thread(s) on {}, kernel {}", team.size(), arguments.threads(),
                 fmt::join(run_.hosts, ", "), run_.kernel);
  }
  [[nodiscard]] std::vector<Stage>& stages() noexcept { return run_.stages; }

  void finish(AnyModel learned, const learning::Checkpoints& checkpoints) {
    run_.bytes_read = cli::bytes_read(team_);
    if (!team_.is_root()) return;
    if (checkpoints.is_cut_short()) {
      const std::string remark = describe_end(checkpoints);
      learned.origin().remarks.push_back(remark);
      log::warning("{}; {}", remark,
                   checkpoints.has_file()
                       ? "the same command with --resume goes on from the checkpoint"
                       : "a longer limit may find more, and with --checkpoint a run can go on");
    }
    run_.stages.push_back({"total", clock_.seconds()});
    cli::log_stages(run_);
    const Family& family = family_of(learned);
    store::write_group(output_, group_of(learned), run_);
    if (!checkpoints.is_cut_short()) checkpoints.remove();
    tell(family, learned);
  }

 private:
  void tell(const Family& family, const AnyModel& learned) const {
    const double seconds = clock_.seconds();
    report::Sheet sheet;
    report::Section& section = sheet.section("", "");
    family.summary(learned, section);
    section.data("output", output_).data("seconds", seconds);
    const std::string next =
        family.report.run ? fmt::format("; see it with: orrery report {}", output_) : "";
    sheet.section("", "").sentences.push_back(
        fmt::format("written to {} after {}{}", output_, format_duration(seconds), next));
    cli::tell_scaling(arguments_, learning::noted_costs(team_.size()), sheet);
    if (arguments_.json() || !arguments_.quiet()) cli::print_sheet(arguments_, sheet);
  }

  const cli::Arguments& arguments_;
  const parallel::Team& team_;
  Progress clock_;
  std::string output_;
  store::RunInfo run_;
};

/// Bytes of --memory; 0 without.
std::size_t memory_option(const cli::Arguments& arguments) {
  return arguments.has("memory")
             ? static_cast<std::size_t>(cli::parse_size("memory", arguments.text("memory")))
             : 0;
}

}  // namespace

void refuse_moments_of(learning::Input input, const MomentInputs& inputs) {
  if (inputs.moments.empty()) return;
  if (input == learning::Input::categories) {
    throw UsageError(fmt::format(
        "--moments {}: this learner goes over rows of categories; leave it out, and give DATA, a "
        "file of `orrery import --categorical`",
        inputs.moments));
  }
  if (input == learning::Input::bits || inputs.data.empty()) return;
  throw UsageError(fmt::format(
      "--moments {}: this learner goes over numbers, of which there are no stored counts; leave it "
      "out, or leave out DATA if it names a network to learn from",
      inputs.moments));
}

void run_model(const cli::Arguments& arguments, const parallel::Team& team,
               const MomentInputs& inputs, learning::Checkpoints checkpoints, const Learn& learn) {
  ModelRun run(arguments, team);
  const LearnerInput input = load_learner_input(team, arguments, inputs, checkpoints, run.stages());
  const learning::LearnContext context{team,
                                       arguments.threads(),
                                       arguments.seed(),
                                       input.moments(),
                                       input.names,
                                       input.samples.complete(),
                                       input.samples.rows.get(),
                                       input.samples.memory_left,
                                       run.stages(),
                                       checkpoints};
  AnyModel learned = learn(context);
  learned.origin().data_digest = input.digest;
  run.finish(std::move(learned), checkpoints);
}

namespace {

/// The network of --moments, where there is no DATA, of which `input` could be drawn.
AnyModel load_exact(const Arguments& arguments, const MomentInputs& inputs, learning::Input input) {
  AnyModel loaded = load_model(inputs.moments, arguments.seed());
  if (family_of(loaded).input == input) return loaded;
  refuse(loaded, inputs.moments,
         input == learning::Input::numbers ? "a network of numbers is needed here"
                                           : "a network of binary variables is needed here");
}

}  // namespace

void run_data_model(const cli::Arguments& arguments, const parallel::Team& team,
                    const MomentInputs& inputs, learning::Input input,
                    learning::Checkpoints checkpoints, const LearnData& learn) {
  refuse_moments_of(input, inputs);
  ModelRun run(arguments, team);
  std::optional<AnyModel> exact;
  if (inputs.data.empty()) {
    exact = team.root_first([&] { return load_exact(arguments, inputs, input); });
  }
  std::unique_ptr<store::MomentsReader> stored;
  if (!exact && !inputs.moments.empty()) stored = read_counts(team, inputs);
  const learning::DataContext context{.team = team,
                                      .threads = arguments.threads(),
                                      .seed = arguments.seed(),
                                      .path = inputs.data,
                                      .exact = exact ? &*exact : nullptr,
                                      .memory_bytes = memory_option(arguments),
                                      .stored = stored ? &stored->pairs() : nullptr,
                                      .stages = run.stages(),
                                      .checkpoints = checkpoints};
  run.finish(learn(context), checkpoints);
}

learning::Plan plan_data_model(const cli::Arguments& arguments, const parallel::Team& team,
                               const MomentInputs& inputs, learning::Input input,
                               const PlanData& plan) {
  refuse_moments_of(input, inputs);
  const learning::Resources resources = learning::resources_of(team, arguments.threads());
  learning::Timing timing(resources);
  timing.waits("start", resources.start_seconds);
  std::optional<AnyModel> exact;
  if (inputs.data.empty()) {
    const double begin = thread_seconds();
    exact = load_exact(arguments, inputs, input);
    timing.alone("load", thread_seconds() - begin);
  }
  learning::Plan whole = plan({.team = team,
                               .resources = resources,
                               .path = inputs.data,
                               .exact = exact ? &*exact : nullptr,
                               .memory_bytes = memory_option(arguments),
                               .stored = !exact && !inputs.moments.empty(),
                               .timing = timing});
  timing.into(whole);
  return whole;
}

namespace {

/// Refuses moments of other data, naming both.
void check_same_data(const store::MomentsReader& stored, const MomentInputs& inputs) {
  const store::SampleHeader data = store::read_sample_header(inputs.data);
  if (data.has_missing) {
    throw InputError(fmt::format(
        "--moments {}: {} has missing values, whose rows are counted for each set anew; leave "
        "--moments out",
        inputs.moments, inputs.data));
  }
  if (stored.data_digest() != data.digest || stored.pairs().n_observed != data.n_observed) {
    throw InputError(fmt::format(
        "{}: counted from other data (digest {:016x}, {} rows, {} columns) than {} (digest "
        "{:016x}, {} rows, {} columns); count again with `orrery moments`",
        inputs.moments, stored.data_digest(), stored.pairs().n_samples, stored.pairs().n_observed,
        inputs.data, data.digest, data.n_samples, data.n_observed));
  }
}

}  // namespace

std::unique_ptr<moments::MomentSource> exact_moments_of(const AnyModel& model,
                                                        const std::string& source) {
  const Family& family = family_of(model);
  if (!family.exact_moments) {
    refuse(model, source, "a network whose moments can be computed is needed here");
  }
  return family.exact_moments(model, source);
}

std::vector<std::string> variable_names(const parallel::Team& team, const cli::Arguments& arguments,
                                        const MomentInputs& inputs) {
  if (!inputs.data.empty()) return learning::read_names(team, inputs.data);
  const AnyModel network = load_model(team, inputs.moments, arguments.seed());
  return family_of(network).variables(network);
}

std::unique_ptr<store::MomentsReader> read_counts(const parallel::Team& team,
                                                  const MomentInputs& inputs) {
  auto stored = team.root_first([&] {
    auto reader = std::make_unique<store::MomentsReader>(inputs.moments);
    check_same_data(*reader, inputs);
    return reader;
  });
  log::verbose("{}: counts of order {} reused", inputs.moments, stored->order());
  return stored;
}

LearnerInput load_learner_input(const parallel::Team& team, const cli::Arguments& arguments,
                                const MomentInputs& inputs, learning::Checkpoints& checkpoints,
                                std::vector<Stage>& stages) {
  LearnerInput input;
  if (inputs.data.empty()) {
    input.network = std::make_unique<AnyModel>(load_model(team, inputs.moments, arguments.seed()));
    input.names = family_of(*input.network).variables(*input.network);
    input.exact = team.root_first([&] { return exact_moments_of(*input.network, inputs.moments); });
    return input;
  }
  std::optional<learning::StoredCounts> counts;
  if (!inputs.moments.empty()) {
    input.stored = read_counts(team, inputs);
    counts.emplace();
    counts->pairs = input.stored->pairs();
    if (input.stored->order() >= 3) {
      counts->triples = [reader = input.stored.get()](std::size_t a) {
        return reader->read_triples(a);
      };
    }
  }
  const double memory =
      arguments.has("memory") ? cli::parse_size("memory", arguments.text("memory")) : 0;
  input.samples = learning::load_samples(team, arguments.threads(), inputs.data,
                                         static_cast<std::size_t>(memory), std::move(counts),
                                         checkpoints, stages);
  input.names = input.samples.names;
  input.digest = input.samples.digest;
  return input;
}

}  // namespace orrery::family
