// Blocks of rows that the ranks draw in turns, whatever they are made of. A `Draws` has
//   Block                             what rows are drawn into
//   bytes_a_row(), block_rows()       of a block but the last
//   draw(first_row, n_rows) -> Block
//   empty(n_rows) -> Block            to be filled
//   values(block) -> span             of the numbers that a block is made of
//   begin(output), append(block), finish(run)    the file, at rank 0 alone
//   bytes_held(n_samples)             optional: that rank 0 holds beside its blocks.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/sample_source.hpp"
#include "cli/summary.hpp"
#include "orrery/base/processor_time.hpp"
#include "orrery/base/progress.hpp"

namespace orrery::cli {

/// Rank 0 writes; block i is drawn by rank i mod ranks. Memory: one block a rank, all of a turn at
/// rank 0: at 1,000 ranks that is 32 GB of bits (2 GB of numbers) at worst, the first thing to
/// break. Collective.
template <class Draws>
void draw_in_turns(const parallel::Team& team, Draws& draws, std::uint64_t n_samples) {
  const std::uint64_t rows = draws.block_rows();
  const std::uint64_t n_blocks = (n_samples + rows - 1) / rows;
  const auto ranks = static_cast<std::uint64_t>(team.size());
  const auto rows_of = [&](std::uint64_t block) {
    return static_cast<std::size_t>(std::min(rows, n_samples - block * rows));
  };
  Progress progress("sample", n_samples, "rows");
  for (std::uint64_t turn = 0; turn < n_blocks; turn += ranks) {
    const std::uint64_t own = turn + static_cast<std::uint64_t>(team.rank());
    typename Draws::Block block = draws.empty(0);
    if (own < n_blocks) block = draws.draw(own * rows, rows_of(own));
    if (ranks == 1) {
      draws.append(block);
    } else {
      const auto values = draws.values(block);
      const auto all = team.gather(std::vector(values.begin(), values.end()));
      auto next = all.begin();
      for (std::uint64_t i = turn; team.is_root() && i < std::min(turn + ranks, n_blocks); ++i) {
        typename Draws::Block part = draws.empty(rows_of(i));
        const auto into = draws.values(part);
        const auto end = next + static_cast<std::ptrdiff_t>(into.size());
        std::copy(next, end, into.begin());
        next = end;
        draws.append(part);
      }
    }
    progress.advance(std::min(rows * ranks, n_samples - turn * rows));
  }
}

/// Draws a few rows; then 300 MB/s to the file. Rank 0 holds a block of every rank.
template <class Draws>
learners::Plan plan_draws(const Arguments& arguments, const parallel::Team& team,
                          const Draws& draws, std::uint64_t n_samples) {
  const learners::Means means = learners::means_of(team, arguments.threads());
  learners::Timing timing(means);
  timing.waits("start", means.start_seconds);
  const auto rows = static_cast<double>(n_samples);
  const std::uint64_t of_block = std::min<std::uint64_t>(n_samples, draws.block_rows());
  const std::uint64_t few = std::min<std::uint64_t>(of_block, 1024);
  const double begin = thread_seconds();
  (void)draws.draw(0, few);
  timing.shared("rows", (thread_seconds() - begin) * rows / static_cast<double>(few));
  timing.waits("write", rows * draws.bytes_a_row() / 3e8);
  learners::Plan plan;
  plan.units = n_samples;
  plan.unit = "rows";
  learners::Parts parts = learners::memory_of_program(means);
  parts.emplace_back("blocks",
                     draws.bytes_a_row() * static_cast<double>(of_block) * (team.size() + 1));
  if constexpr (requires { draws.bytes_held(n_samples); }) {
    parts.emplace_back("table", draws.bytes_held(n_samples));
  }
  learners::raise_memory(plan, std::move(parts));
  timing.into(plan);
  return plan;
}

template <class Draws>
void sample_to_file(const Arguments& arguments, const parallel::Team& team,
                    const SampleSource& source, Draws& draws, std::uint64_t n_samples) {
  const std::string output = arguments.output();
  const Progress clock("total", 0, "");
  if (team.is_root()) draws.begin(output);
  draw_in_turns(team, draws, n_samples);
  const std::uint64_t n_bytes = bytes_read(team);
  if (!team.is_root()) return;
  store::RunInfo run = arguments.run_info(team);
  run.bytes_read = n_bytes;
  run.stages = {{"total", clock.seconds()}};
  draws.finish(run);
  nlohmann::json object{
      {"n_samples", n_samples}, {"n_observed", source.names.size()}, {"output", output}};
  const std::string labels = arguments.text("labels");
  if (!labels.empty()) object["labels"] = labels;
  const std::string truth = describe_truth(source.truth, object);
  print_done(arguments, object,
             fmt::format("{} samples of {} variables ({}) written to {}{}", format_count(n_samples),
                         source.names.size(), truth, output,
                         labels.empty() ? "" : ", the causes behind them to " + labels));
}

}  // namespace orrery::cli
