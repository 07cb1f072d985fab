// orrery sample --network NETWORK --samples N -o FILE
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.hpp"
#include "cli/model_argument.hpp"
#include "cli/summary.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/processor_time.hpp"
#include "orrery/base/progress.hpp"
#include "orrery/model/contamination.hpp"
#include "orrery/model/generators.hpp"
#include "orrery/model/sampling.hpp"
#include "orrery/model/tree_sampling.hpp"
#include "orrery/store/store.hpp"

namespace orrery::cli {
namespace {

namespace po = boost::program_options;

constexpr std::uint64_t max_rows = std::uint64_t{1} << 40U;

/// What rows are drawn from: of each family, what `sample` needs of it.
struct Source {
  model::AnyModel truth;
  std::vector<std::string> names;
  std::uint64_t seed;

  [[nodiscard]] std::size_t n_observed() const noexcept { return names.size(); }
  [[nodiscard]] data::BitColumns rows(std::uint64_t first_row, std::size_t n_rows) const {
    if (const auto* tree = std::get_if<model::LearnedTree>(&truth)) {
      return model::sample_tree_rows(tree->tree, seed, first_row, n_rows);
    }
    return model::sample_rows(std::get<model::LearnedModel>(truth).network, seed, first_row,
                              n_rows);
  }
};

std::vector<std::string> names_of(const model::AnyModel& truth) {
  if (const auto* tree = std::get_if<model::LearnedTree>(&truth)) return tree->tree.names();
  std::vector<std::string> names;
  for (const auto& observed : std::get<model::LearnedModel>(truth).network.observed()) {
    names.push_back(observed.name);
  }
  return names;
}

/// Rank 0 writes; block i is drawn by rank i mod ranks. Memory: one block a rank, all of a turn at
/// rank 0: at 1,000 ranks that is 32 GB of blocks at worst, the first thing to break.
void draw(const parallel::Team& team, const Source& source,
          const std::optional<model::Contamination>& flip, std::uint64_t n_samples,
          store::SampleWriter* writer) {
  const std::uint64_t rows = data::block_rows(source.n_observed());
  const std::uint64_t n_blocks = (n_samples + rows - 1) / rows;
  const auto ranks = static_cast<std::uint64_t>(team.size());
  const auto block_of = [&](std::uint64_t block) {
    return static_cast<std::size_t>(std::min(rows, n_samples - block * rows));
  };
  Progress progress("sample", n_samples, "rows");
  for (std::uint64_t turn = 0; turn < n_blocks; turn += ranks) {
    const std::uint64_t own = turn + static_cast<std::uint64_t>(team.rank());
    data::BitColumns block;
    if (own < n_blocks) {
      block = source.rows(own * rows, block_of(own));
      if (flip) model::contaminate(block, *flip, source.seed, own * rows);
    }
    if (ranks == 1) {
      writer->append(block, nullptr);
    } else {
      std::vector<std::uint64_t> words(block.words().begin(), block.words().end());
      words = team.gather(words);
      std::size_t next = 0;
      for (std::uint64_t i = turn; team.is_root() && i < std::min(turn + ranks, n_blocks); ++i) {
        data::BitColumns part(source.n_observed(), block_of(i));
        std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(next), part.words().size(),
                    part.words().begin());
        next += part.words().size();
        writer->append(part, nullptr);
      }
    }
    progress.advance(std::min(rows * ranks, n_samples - turn * rows));
  }
}

/// Draws a few rows; then 300 MB/s of bits to the file. Rank 0 holds a block of every rank.
learners::Plan make_plan(const Arguments& arguments, const parallel::Team& team,
                         const Source& source, std::uint64_t n_samples) {
  const learners::Means means = learners::means_of(team, arguments.threads());
  learners::Timing timing(means);
  timing.waits("start", means.start_seconds);
  const auto m = static_cast<double>(source.n_observed());
  const auto rows = static_cast<double>(n_samples);
  const std::uint64_t of_block =
      std::min<std::uint64_t>(n_samples, data::block_rows(source.n_observed()));
  const std::uint64_t few = std::min<std::uint64_t>(of_block, 1024);
  const double begin = thread_seconds();
  (void)source.rows(0, few);
  timing.shared("rows", (thread_seconds() - begin) * rows / static_cast<double>(few));
  timing.waits("write", rows * m / 8 / 3e8);
  learners::Plan plan;
  plan.units = n_samples;
  plan.unit = "rows";
  learners::Parts parts = learners::memory_of_program(means);
  parts.emplace_back("blocks", m * static_cast<double>(of_block) / 8 * (team.size() + 1));
  learners::raise_memory(plan, std::move(parts));
  timing.into(plan);
  return plan;
}

std::uint64_t checked_rows(const Arguments& arguments, std::size_t n_observed) {
  if (!arguments.has("samples")) {
    throw UsageError("--samples N is missing; say how many rows to draw");
  }
  const auto n_samples = arguments.get<std::uint64_t>("samples");
  if (n_samples == 0) throw UsageError("--samples 0: must be 1 or more");
  if (n_samples > max_rows) {
    throw UsageError(fmt::format(
        "--samples {}: at most {} (2^40) are drawn; this many rows of {} variables would take {} "
        "of disk",
        n_samples, max_rows, n_observed,
        format_bytes(static_cast<double>(n_samples) * static_cast<double>(n_observed) / 8)));
  }
  return n_samples;
}

std::optional<model::Contamination> flip_of(const Arguments& arguments, std::size_t n_observed) {
  if (!arguments.has("flip")) return std::nullopt;
  return model::parse_contamination("--flip", arguments.text("flip"), n_observed);
}

/// What is said of the truth at the end: "8 hidden causes", and the same in JSON.
std::string describe_truth(const model::AnyModel& truth, nlohmann::json& object) {
  if (const auto* tree = std::get_if<model::LearnedTree>(&truth)) {
    object["n_edges"] = tree->tree.edges().size();
    object["crossover"] = tree->tree.crossover();
    return fmt::format("a tree of {} edges, crossover {}", tree->tree.edges().size(),
                       tree->tree.crossover());
  }
  const std::size_t n_causes = std::get<model::LearnedModel>(truth).network.n_causes();
  object["n_causes"] = n_causes;
  return fmt::format("{} hidden causes", n_causes);
}

void draw_to_file(const Arguments& arguments, const parallel::Team& team, const Source& source,
                  const std::optional<model::Contamination>& flip, std::uint64_t n_samples) {
  const std::string output = arguments.output({model_file(arguments.required("network"))});
  const Progress clock("total", 0, "");
  std::unique_ptr<store::SampleWriter> writer;
  if (team.is_root()) {
    writer = std::make_unique<store::SampleWriter>(output);
    writer->begin(source.names);
  }
  draw(team, source, flip, n_samples, writer.get());
  const std::uint64_t n_bytes = bytes_read(team);
  if (!team.is_root()) return;
  store::RunInfo run = arguments.run_info(team);
  run.bytes_read = n_bytes;
  run.stages = {{"total", clock.seconds()}};
  if (const auto* network = std::get_if<model::LearnedModel>(&source.truth)) {
    writer->finish(run, network);
  } else {
    writer->finish(run, std::get<model::LearnedTree>(source.truth));
  }
  nlohmann::json object{
      {"n_samples", n_samples}, {"n_observed", source.n_observed()}, {"output", output}};
  const std::string truth = describe_truth(source.truth, object);
  print_done(arguments, object,
             fmt::format("{} samples of {} variables ({}) written to {}", format_count(n_samples),
                         source.n_observed(), truth, output));
}

/// --correlations and --crossover: of generated trees; the crossover also replaces a file's.
model::AnyModel load_truth(const Arguments& arguments, const parallel::Team& team) {
  const std::string name = arguments.required("network");
  model::TreeParameters parameters;
  if (arguments.has("correlations")) {
    model::parse_correlations("--correlations", arguments.text("correlations"), parameters);
  }
  if (arguments.has("crossover")) {
    parameters.crossover = arguments.get<double>("crossover");
    if (!(parameters.crossover >= 0 && parameters.crossover < .5)) {
      throw UsageError(
          fmt::format("--crossover {}: must be a probability below .5: at .5 the "
                      "observed signs say nothing of the hidden ones",
                      parameters.crossover));
    }
  }
  model::AnyModel truth = load_model(team, name, arguments.seed(), parameters);
  auto* tree = std::get_if<model::LearnedTree>(&truth);
  if (tree == nullptr) {
    refuse_options(arguments, {"correlations", "crossover"}, name, of_networks);
  } else if (!model::is_tree_spec(name)) {
    refuse_options(arguments, {"correlations"}, name, "a tree with correlations of its own");
    if (arguments.has("crossover")) {
      const model::SignTree& old = tree->tree;
      tree->tree = model::SignTree(old.names(), old.means(), old.edges(), parameters.crossover);
      tree->crossover_error = 0;
    }
  }
  return truth;
}

}  // namespace

void run_sample(const CommandLine& line, const parallel::Team& team) {
  po::options_description own("Options");
  const std::string network_help = "what to sample: " + model::generator_help() + ", " +
                                   model::tree_generator_help() +
                                   ", or a model file (FILE:NAME for one of several networks)";
  own.add_options()("network", po::value<std::string>()->value_name("NETWORK"),
                    network_help.c_str())("samples", po::value<std::uint64_t>()->value_name("N"),
                                          "number of rows")(
      "flip", po::value<std::string>()->value_name("SHARE:STEP"),
      "contamination: in this share of the rows every STEPth variable (0, STEP, ...) is the "
      "opposite of what the network says; /model stays the clean truth")(
      "correlations", po::value<std::string>()->value_name("LO,HI[,signed]"),
      "of a tree:...'s edges: uniform on [LO, HI] (.2,.8 without it); with signed, half of them, "
      "at "
      "random, are negative")(
      "crossover", po::value<double>()->value_name("Q"),
      "of a tree: each sign is observed as its opposite with this probability (0, or the file's, "
      "without it)")("output,o", po::value<std::string>()->value_name("FILE"),
                     "the samples, HDF5, with the truth beside them as /model or /tree");
  const Arguments arguments(
      {"sample",
       "--network NETWORK --samples N -o FILE",
       "Draws samples of a noisy-OR network, or of signs on a tree that are seen through a noisy "
       "channel. A row depends on the seed and its number alone.",
       "orrery sample --network img --samples 10000 --seed 3 -o data.h5",
       {}},
      own, line, team);
  if (arguments.helped()) return;
  Source source{load_truth(arguments, team), {}, arguments.seed()};
  source.names = names_of(source.truth);
  const std::size_t n_observed = source.n_observed();
  if (n_observed == 0) {
    throw InputError(
        fmt::format("{}: the network has no observed variable; there is nothing to draw",
                    arguments.required("network")));
  }
  const std::uint64_t n_samples = checked_rows(arguments, n_observed);
  const auto flip = flip_of(arguments, n_observed);
  if (!arguments.dry_run()) {
    draw_to_file(arguments, team, source, flip, n_samples);
  } else if (team.is_root()) {
    print_plan(arguments, make_plan(arguments, team, source, n_samples));
  }
}

}  // namespace orrery::cli
