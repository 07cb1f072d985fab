// orrery sample --network NETWORK --samples N -o FILE
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/network_argument.hpp"
#include "cli/summary.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/progress.hpp"
#include "orrery/model/generators.hpp"
#include "orrery/model/sampling.hpp"
#include "orrery/store/store.hpp"

namespace orrery::cli {
namespace {

namespace po = boost::program_options;

/// Rank 0 writes; block i is drawn by rank i mod ranks. Memory: one block a rank, all of a turn at
/// rank 0: at 1,000 ranks that is 32 GB of blocks at worst, the first thing to break.
void draw(const parallel::Team& team, const model::NoisyOrNetwork& network, std::uint64_t seed,
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
    if (own < n_blocks) block = model::sample_rows(network, seed, own * rows, block_of(own));
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

}  // namespace

void run_sample(const CommandLine& line, const parallel::Team& team) {
  po::options_description own("Options");
  own.add_options()("network", po::value<std::string>()->value_name("NETWORK"),
                    ("what to sample: " + model::generator_help() +
                     ", or a network file (FILE:NAME for one of several)")
                        .c_str())("samples", po::value<std::uint64_t>()->value_name("N"),
                                  "number of rows")(
      "output,o", po::value<std::string>()->value_name("FILE"),
      "the samples, HDF5, with the network beside them as /model");
  const Arguments arguments(
      {"orrery sample --network NETWORK --samples N -o FILE",
       "Draws samples of a noisy-OR network. A row depends on the seed and its number alone.",
       "orrery sample --network img --samples 10000 --seed 1 -o data.h5",
       {}},
      own, line, team);
  if (arguments.helped()) return;
  const model::LearnedModel truth = load_network(arguments.required("network"), arguments.seed());
  if (!arguments.has("samples")) throw UsageError("--samples N is missing; see --help");
  const auto n_samples = arguments.get<std::uint64_t>("samples");
  if (n_samples == 0) throw UsageError("--samples 0: at least 1");
  if (truth.network.n_observed() == 0) throw UsageError("the network has no observed variable");
  if (arguments.dry_run()) {
    const auto m = static_cast<double>(truth.network.n_observed());
    const auto block = static_cast<double>(data::block_rows(truth.network.n_observed()));
    const auto rows = static_cast<double>(n_samples);
    // About 3 ns a leak, and an edge of a present cause.
    if (team.is_root()) {
      print_plan(arguments,
                 {m * block / 4, n_samples, "rows",
                  rows * m * 4e-9 / (team.size() * arguments.threads()) + rows * m / 8 / 3e8});
    }
    return;
  }
  const std::string output = arguments.required("output");
  const Progress clock("sample", 0, "");
  std::unique_ptr<store::SampleWriter> writer;
  if (team.is_root()) {
    writer = std::make_unique<store::SampleWriter>(output);
    std::vector<std::string> names;
    for (const auto& observed : truth.network.observed()) names.push_back(observed.name);
    writer->begin(names);
  }
  draw(team, truth.network, arguments.seed(), n_samples, writer.get());
  if (!team.is_root()) return;
  store::RunInfo run = arguments.run_info(team);
  run.stage_seconds["total"] = clock.seconds();
  writer->finish(run, &truth);
  if (arguments.json()) {
    std::cout << nlohmann::json{{"n_samples", n_samples},
                                {"n_observed", truth.network.n_observed()},
                                {"n_causes", truth.network.n_causes()},
                                {"output", output}}
                     .dump(2)
              << '\n';
  } else if (!arguments.get<bool>("quiet")) {
    std::cout << fmt::format("{} samples of {} variables ({} hidden causes) written to {}\n",
                             format_count(n_samples), truth.network.n_observed(),
                             truth.network.n_causes(), output);
  }
}

}  // namespace orrery::cli
