// orrery sample --network NETWORK --samples N -o FILE
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "cli/anchored_draws.hpp"
#include "cli/commands.hpp"
#include "cli/sample_source.hpp"
#include "cli/sample_turns.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/output_file.hpp"
#include "orrery/model/categorical_sampling.hpp"
#include "orrery/model/contamination.hpp"
#include "orrery/model/linear_sampling.hpp"
#include "orrery/model/sampling.hpp"
#include "orrery/model/tree_sampling.hpp"
#include "orrery/store/categorical.hpp"
#include "orrery/store/dense.hpp"
#include "orrery/store/store.hpp"

namespace orrery::cli {
namespace {

namespace po = boost::program_options;

/// Of noisy-OR networks and trees.
class BitDraws {
 public:
  using Block = data::BitColumns;
  BitDraws(const SampleSource& source, std::uint64_t seed,
           const std::optional<model::Contamination>& flip)
      : source_(source), seed_(seed), flip_(flip) {}

  [[nodiscard]] double bytes_a_row() const { return static_cast<double>(n_observed()) / 8; }
  [[nodiscard]] std::uint64_t block_rows() const { return data::block_rows(n_observed()); }
  [[nodiscard]] Block draw(std::uint64_t first_row, std::size_t n_rows) const {
    Block block = clean_rows(first_row, n_rows);
    if (flip_) model::contaminate(block, *flip_, seed_, first_row);
    return block;
  }
  [[nodiscard]] Block empty(std::size_t n_rows) const { return {n_observed(), n_rows}; }
  static std::span<std::uint64_t> values(Block& block) { return block.words(); }

  void begin(const std::string& output) {
    writer_ = std::make_unique<store::SampleWriter>(output);
    writer_->begin(source_.names);
  }
  void append(const Block& block) { writer_->append(block, nullptr); }
  void finish(const store::RunInfo& run) {
    if (const auto* tree = std::get_if<model::LearnedTree>(&source_.truth)) {
      writer_->finish(run, *tree);
    } else {
      writer_->finish(run, &std::get<model::LearnedModel>(source_.truth));
    }
  }

 private:
  [[nodiscard]] std::size_t n_observed() const noexcept { return source_.names.size(); }
  [[nodiscard]] Block clean_rows(std::uint64_t first_row, std::size_t n_rows) const {
    if (const auto* tree = std::get_if<model::LearnedTree>(&source_.truth)) {
      return model::sample_tree_rows(tree->tree, seed_, first_row, n_rows);
    }
    const auto& network = std::get<model::LearnedModel>(source_.truth).network;
    return model::sample_rows(network, seed_, first_row, n_rows);
  }

  const SampleSource& source_;
  std::uint64_t seed_;
  std::optional<model::Contamination> flip_;
  std::unique_ptr<store::SampleWriter> writer_;
};

/// Of linear networks.
class DenseDraws {
 public:
  using Block = data::DenseBlock;
  DenseDraws(const model::LearnedLinear& truth, std::uint64_t seed) : truth_(truth), seed_(seed) {}

  [[nodiscard]] double bytes_a_row() const { return 8 * static_cast<double>(n_observed()); }
  [[nodiscard]] std::uint64_t block_rows() const { return data::dense_block_rows(n_observed()); }
  [[nodiscard]] Block draw(std::uint64_t first_row, std::size_t n_rows) const {
    return model::sample_linear_rows(truth_.network, seed_, first_row, n_rows);
  }
  [[nodiscard]] Block empty(std::size_t n_rows) const { return {n_rows, n_observed()}; }
  static std::span<double> values(Block& block) { return block.values; }

  void begin(const std::string& output) {
    writer_ = std::make_unique<store::DenseWriter>(output);
    writer_->begin(truth_.network.names());
  }
  void append(const Block& block) { writer_->append(block); }
  void finish(const store::RunInfo& run) { writer_->finish(run, &truth_); }

 private:
  [[nodiscard]] std::size_t n_observed() const noexcept { return truth_.network.n_observed(); }

  const model::LearnedLinear& truth_;
  std::uint64_t seed_;
  std::unique_ptr<store::DenseWriter> writer_;
};

/// Of categorical networks: the file is written from one table.
class CategoricalDraws {
 public:
  using Block = data::CategoricalTable;
  CategoricalDraws(const model::LearnedCategorical& truth, std::uint64_t seed, double missing)
      : truth_(truth), seed_(seed), missing_(missing), table_(draw(0, 0)) {}

  [[nodiscard]] double bytes_a_row() const { return static_cast<double>(n_observed()); }
  /// The table, and once more when what was written is checked.
  [[nodiscard]] double bytes_held(std::uint64_t n_samples) const {
    return 2 * bytes_a_row() * static_cast<double>(n_samples);
  }
  [[nodiscard]] std::uint64_t block_rows() const {
    return std::max<std::uint64_t>(1, (std::uint64_t{1} << 20U) / n_observed());
  }
  [[nodiscard]] Block draw(std::uint64_t first_row, std::size_t n_rows) const {
    return model::sample_categorical(truth_.network, seed_, first_row, n_rows, missing_);
  }
  [[nodiscard]] Block empty(std::size_t n_rows) const {
    Block block;
    block.n_rows = n_rows;
    block.codes.resize(n_rows * n_observed());
    return block;
  }
  static std::span<std::uint8_t> values(Block& block) { return block.codes; }

  void begin(const std::string& output) {
    OutputFile probe(output);
    output_ = output;
  }
  void append(const Block& block) {
    table_.n_rows += block.n_rows;
    table_.codes.insert(table_.codes.end(), block.codes.begin(), block.codes.end());
  }
  void finish(const store::RunInfo& run) {
    store::write_categorical(output_, table_, run, &truth_);
  }

 private:
  [[nodiscard]] std::size_t n_observed() const noexcept { return truth_.network.n_observed(); }

  const model::LearnedCategorical& truth_;
  std::uint64_t seed_;
  double missing_;
  Block table_;
  std::string output_;
};

std::uint64_t checked_rows(const Arguments& arguments, double bytes_a_row) {
  constexpr std::uint64_t most = std::uint64_t{1} << 40U;
  if (!arguments.has("samples")) {
    throw UsageError("--samples N is missing; say how many rows to draw");
  }
  const auto n_samples = arguments.get<std::uint64_t>("samples");
  if (n_samples == 0) throw UsageError("--samples 0: must be 1 or more");
  if (n_samples > most) {
    throw UsageError(
        fmt::format("--samples {}: at most {} (2^40) are drawn; this many rows would take {} of "
                    "disk",
                    n_samples, most, format_bytes(static_cast<double>(n_samples) * bytes_a_row)));
  }
  return n_samples;
}

double missing_share(const Arguments& arguments) {
  if (!arguments.has("missing-share")) return 0;
  const auto share = arguments.get<double>("missing-share");
  if (share >= 0 && share < 1) return share;
  throw UsageError(fmt::format(
      "--missing-share {}: must be a probability below 1: nothing would be left", share));
}

/// Of what is held in memory before it is written.
void require_room(std::uint64_t n_samples, double bytes) {
  constexpr double most_bytes = 0x1p35;
  if (bytes <= most_bytes) return;
  throw UsageError(fmt::format(
      "--samples {}: a table of categories is held in memory, which would take {}; at most {}",
      n_samples, format_bytes(bytes), format_bytes(most_bytes)));
}

template <class Draws>
void sample(const Arguments& arguments, const parallel::Team& team, const SampleSource& source,
            Draws draws) {
  const std::uint64_t n_samples = checked_rows(arguments, draws.bytes_a_row());
  if constexpr (requires { draws.bytes_held(n_samples); }) {
    require_room(n_samples, draws.bytes_held(n_samples));
  }
  if (!arguments.dry_run()) {
    sample_to_file(arguments, team, source, draws, n_samples);
  } else if (team.is_root()) {
    print_plan(arguments, plan_draws(arguments, team, draws, n_samples));
  }
}

}  // namespace

void run_sample(const CommandLine& line, const parallel::Team& team) {
  po::options_description own("Options");
  add_source_options(own);
  own.add_options()("samples", po::value<std::uint64_t>()->value_name("N"), "number of rows")(
      "output,o", po::value<std::string>()->value_name("FILE"),
      "the samples, HDF5, with the truth beside them as /model, /tree, /linear or "
      "/categorical_network");
  const Arguments arguments(
      {"sample",
       "--network NETWORK --samples N -o FILE",
       "Draws samples of a noisy-OR network, of signs on a tree that are seen through a noisy "
       "channel, of causes that depend on one another, (numbers) of a linear network, or "
       "(categories) of a categorical network. A row depends on the seed and its number alone.",
       "orrery sample --network img --samples 10000 --seed 3 -o data.h5",
       {},
       {"output", "labels"}},
      own, line, team);
  if (arguments.helped()) return;
  const SampleSource source = load_source(arguments, team);
  if (const auto* categorical = std::get_if<model::LearnedCategorical>(&source.truth)) {
    sample(arguments, team, source,
           CategoricalDraws(*categorical, arguments.seed(), missing_share(arguments)));
    return;
  }
  if (const auto* linear = std::get_if<model::LearnedLinear>(&source.truth)) {
    sample(arguments, team, source, DenseDraws(*linear, arguments.seed()));
    return;
  }
  std::optional<model::Contamination> flip;
  if (arguments.has("flip")) {
    flip = model::parse_contamination("--flip", arguments.text("flip"), source.names.size());
  }
  const auto* learned = std::get_if<model::LearnedModel>(&source.truth);
  if (learned != nullptr && !learned->network.is_plain()) {
    sample(arguments, team, source,
           AnchoredDraws(*learned, arguments.seed(), label_options(arguments), flip));
    return;
  }
  sample(arguments, team, source, BitDraws(source, arguments.seed(), flip));
}

}  // namespace orrery::cli
