// orrery sample --network NETWORK --samples N -o FILE
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.hpp"
#include "cli/network_argument.hpp"
#include "cli/summary.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/processor_time.hpp"
#include "orrery/base/progress.hpp"
#include "orrery/model/contamination.hpp"
#include "orrery/model/generators.hpp"
#include "orrery/model/sampling.hpp"
#include "orrery/store/store.hpp"

namespace orrery::cli {
namespace {

namespace po = boost::program_options;

constexpr std::uint64_t max_rows = std::uint64_t{1} << 40U;

/// Rank 0 writes; block i is drawn by rank i mod ranks. Memory: one block a rank, all of a turn at
/// rank 0: at 1,000 ranks that is 32 GB of blocks at worst, the first thing to break.
void draw(const parallel::Team& team, const model::NoisyOrNetwork& network,
          const std::optional<model::Contamination>& flip, std::uint64_t seed,
          std::uint64_t n_samples, store::SampleWriter* writer) {
  const std::uint64_t rows = data::block_rows(network.n_observed());
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
      block = model::sample_rows(network, seed, own * rows, block_of(own));
      if (flip) model::contaminate(block, *flip, seed, own * rows);
    }
    if (ranks == 1) {
      writer->append(block, nullptr);
    } else {
      std::vector<std::uint64_t> words(block.words().begin(), block.words().end());
      words = team.gather(words);
      std::size_t next = 0;
      for (std::uint64_t i = turn; team.is_root() && i < std::min(turn + ranks, n_blocks); ++i) {
        data::BitColumns part(network.n_observed(), block_of(i));
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
                         const model::NoisyOrNetwork& network, std::uint64_t n_samples) {
  const learners::Means means = learners::means_of(team, arguments.threads());
  learners::Timing timing(means);
  timing.waits("start", means.start_seconds);
  const auto m = static_cast<double>(network.n_observed());
  const auto rows = static_cast<double>(n_samples);
  const std::uint64_t of_block =
      std::min<std::uint64_t>(n_samples, data::block_rows(network.n_observed()));
  const std::uint64_t few = std::min<std::uint64_t>(of_block, 1024);
  const double begin = thread_seconds();
  (void)model::sample_rows(network, arguments.seed(), 0, few);
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

void draw_to_file(const Arguments& arguments, const parallel::Team& team,
                  const model::LearnedModel& truth, const std::optional<model::Contamination>& flip,
                  std::uint64_t n_samples) {
  const std::string output = arguments.output({network_file(arguments.required("network"))});
  const Progress clock("total", 0, "");
  std::unique_ptr<store::SampleWriter> writer;
  if (team.is_root()) {
    writer = std::make_unique<store::SampleWriter>(output);
    std::vector<std::string> names;
    for (const auto& observed : truth.network.observed()) names.push_back(observed.name);
    writer->begin(names);
  }
  draw(team, truth.network, flip, arguments.seed(), n_samples, writer.get());
  const std::uint64_t n_bytes = bytes_read(team);
  if (!team.is_root()) return;
  store::RunInfo run = arguments.run_info(team);
  run.bytes_read = n_bytes;
  run.stages = {{"total", clock.seconds()}};
  writer->finish(run, &truth);
  print_done(arguments,
             {{"n_samples", n_samples},
              {"n_observed", truth.network.n_observed()},
              {"n_causes", truth.network.n_causes()},
              {"output", output}},
             fmt::format("{} samples of {} variables ({} hidden causes) written to {}",
                         format_count(n_samples), truth.network.n_observed(),
                         truth.network.n_causes(), output));
}

}  // namespace

void run_sample(const CommandLine& line, const parallel::Team& team) {
  po::options_description own("Options");
  const std::string network_help = "what to sample: " + model::generator_help() +
                                   ", or a network file (FILE:NAME for one of several)";
  own.add_options()("network", po::value<std::string>()->value_name("NETWORK"),
                    network_help.c_str())("samples", po::value<std::uint64_t>()->value_name("N"),
                                          "number of rows")(
      "flip", po::value<std::string>()->value_name("SHARE:STEP"),
      "contamination: in this share of the rows every STEPth variable (0, STEP, ...) is the "
      "opposite of what the network says; /model stays the clean truth")(
      "output,o", po::value<std::string>()->value_name("FILE"),
      "the samples, HDF5, with the network beside them as /model");
  const Arguments arguments(
      {"sample",
       "--network NETWORK --samples N -o FILE",
       "Draws samples of a noisy-OR network. A row depends on the seed and its number alone.",
       "orrery sample --network img --samples 10000 --seed 3 -o data.h5",
       {}},
      own, line, team);
  if (arguments.helped()) return;
  const std::string source = arguments.required("network");
  const model::LearnedModel truth = load_network(team, source, arguments.seed());
  const std::size_t n_observed = truth.network.n_observed();
  if (n_observed == 0) {
    throw InputError(
        fmt::format("{}: the network has no observed variable; there is nothing to draw", source));
  }
  const std::uint64_t n_samples = checked_rows(arguments, n_observed);
  const auto flip = flip_of(arguments, n_observed);
  if (!arguments.dry_run()) {
    draw_to_file(arguments, team, truth, flip, n_samples);
  } else if (team.is_root()) {
    print_plan(arguments, make_plan(arguments, team, truth.network, n_samples));
  }
}

}  // namespace orrery::cli
