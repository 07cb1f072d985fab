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
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.hpp"
#include "base/work_time.hpp"
#include "cli/arguments.hpp"
#include "cli/printing.hpp"
#include "family/family.hpp"
#include "model/drawn_rows.hpp"
#include "store/store.hpp"

namespace orrery::family {

/// Rank 0 writes; block i is drawn by rank i mod ranks. Memory: one block per rank, all of a turn
/// at rank 0: at 1,000 ranks that is 32 GB of bits (2 GB of numbers) at worst, the first thing to
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
learning::Plan plan_draws(const Arguments& arguments, const parallel::Team& team,
                          const Draws& draws, std::uint64_t n_samples) {
  const learning::Resources resources = learning::resources_of(team, arguments.threads());
  learning::Timing timing(resources);
  timing.waits("start", resources.start_seconds);
  const auto rows = static_cast<double>(n_samples);
  const std::uint64_t of_block = std::min<std::uint64_t>(n_samples, draws.block_rows());
  const std::uint64_t few = std::min<std::uint64_t>(of_block, 1024);
  const double begin = thread_seconds();
  (void)draws.draw(0, few);
  timing.shared("rows", (thread_seconds() - begin) * rows / static_cast<double>(few));
  timing.waits("write", rows * draws.bytes_a_row() / 3e8);
  learning::Plan plan;
  plan.units = n_samples;
  plan.unit = "rows";
  learning::Parts parts = learning::memory_of_program(resources);
  parts.emplace_back("blocks",
                     draws.bytes_a_row() * static_cast<double>(of_block) * (team.size() + 1));
  if constexpr (requires { draws.bytes_held(n_samples); }) {
    parts.emplace_back("table", draws.bytes_held(n_samples));
  }
  learning::raise_memory(plan, std::move(parts));
  timing.into(plan);
  return plan;
}

/// What is said of the rows that were drawn.
struct Drawn {
  std::size_t n_observed = 0;
  std::string truth;             ///< "8 hidden causes"
  nlohmann::json numbers;        ///< the same in JSON
  std::string labels_file = "";  ///< of the causes' values; empty: none
};

template <class Draws>
void draw_to_file(const Arguments& arguments, const parallel::Team& team, Draws& draws,
                  std::uint64_t n_samples, const Drawn& drawn) {
  const std::string output = arguments.output();
  const Progress clock("total", 0, "");
  if (team.is_root()) draws.begin(output);
  draw_in_turns(team, draws, n_samples);
  const std::uint64_t n_bytes = cli::bytes_read(team);
  if (!team.is_root()) return;
  store::RunInfo run = arguments.run_info(team);
  run.bytes_read = n_bytes;
  run.stages = {{"total", clock.seconds()}};
  draws.finish(run);
  nlohmann::json object{
      {"n_samples", n_samples}, {"n_observed", drawn.n_observed}, {"output", output}};
  if (!drawn.labels_file.empty()) object["labels"] = drawn.labels_file;
  object.update(drawn.numbers);
  cli::print_done(
      arguments, object,
      fmt::format(
          "{} samples of {} variables ({}) written to {}{}", format_count(n_samples),
          drawn.n_observed, drawn.truth, output,
          drawn.labels_file.empty() ? "" : ", the causes behind them to " + drawn.labels_file));
}

/// --samples. Throws UsageError if it is missing, or too many.
std::uint64_t rows_to_draw(const Arguments& arguments, double bytes_a_row);
/// Throws UsageError if too much would be held in memory before it is written.
void require_room(std::uint64_t n_samples, double bytes);

/// `sample`: draws --samples rows into -o, or says what that takes. Collective.
template <class Draws>
void draw(const Arguments& arguments, const parallel::Team& team, Draws draws, const Drawn& drawn) {
  const std::uint64_t n_samples = rows_to_draw(arguments, draws.bytes_a_row());
  if constexpr (requires { draws.bytes_held(n_samples); }) {
    require_room(n_samples, draws.bytes_held(n_samples));
  }
  if (!arguments.dry_run()) {
    draw_to_file(arguments, team, draws, n_samples, drawn);
  } else if (team.is_root()) {
    cli::print_plan(arguments, plan_draws(arguments, team, draws, n_samples));
  }
}

/// Draws of bits: `rows(first_row, n_rows)` are some of them.
class BitDraws {
 public:
  using Block = data::BitColumns;
  using Rows = std::function<Block(std::uint64_t first_row, std::size_t n_rows)>;
  /// `truth` stands in the file beside the rows.
  BitDraws(std::vector<std::string> names, Rows rows, store::GroupWriter truth)
      : names_(std::move(names)), rows_(std::move(rows)), truth_(std::move(truth)) {}

  [[nodiscard]] double bytes_a_row() const { return static_cast<double>(names_.size()) / 8; }
  [[nodiscard]] std::uint64_t block_rows() const { return data::block_rows(names_.size()); }
  [[nodiscard]] Block draw(std::uint64_t first_row, std::size_t n_rows) const {
    return rows_(first_row, n_rows);
  }
  [[nodiscard]] Block empty(std::size_t n_rows) const { return {names_.size(), n_rows}; }
  static std::span<std::uint64_t> values(Block& block) { return block.words(); }

  void begin(const std::string& output) {
    writer_ = std::make_unique<store::SampleWriter>(output);
    writer_->begin(names_);
  }
  void append(const Block& block) { writer_->append(block, nullptr); }
  void finish(const store::RunInfo& run) { writer_->finish(run, truth_); }

 private:
  std::vector<std::string> names_;
  Rows rows_;
  store::GroupWriter truth_;
  std::unique_ptr<store::SampleWriter> writer_;
};

/// --flip, which families of bits have.
void add_flip_option(boost::program_options::options_description& options);
std::optional<model::Contamination> flip_option(const Arguments& arguments, std::size_t n_observed);

}  // namespace orrery::family
