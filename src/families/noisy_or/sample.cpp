// `sample` for noisy-OR networks: rows, and of anchored ones with --labels the causes behind them,
// in a file of their own. See family/draws.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "cli/arguments.hpp"
#include "cli/paths.hpp"
#include "families/noisy_or/commands.hpp"
#include "family/draws.hpp"
#include "family/table.hpp"
#include "model/anchored_generators.hpp"
#include "model/drawn_rows.hpp"
#include "orrery/base/error.hpp"
#include "orrery/data/bit_columns.hpp"
#include "orrery/model/generators.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/model/sampling.hpp"
#include "store/store.hpp"

namespace orrery::noisy_or {
namespace {

namespace po = boost::program_options;
using model::LearnedModel;

// Order of draws: rows as model::sample_anchored_rows says; which causes of a row are labelled from
// RowRandom(seed, Stream::labels, row), a draw a cause. Labels of a smaller share are labels of a
// larger one too.

/// --labels FILE and --label-share S.
struct LabelOptions {
  std::string path;  ///< empty: none
  double share = 1;  ///< probability that a value is labelled; the rest are missing
};

/// Takes rows in blocks of any multiple of 64 rows but the last, writes them in blocks of the
/// file's.
class LabelWriter {
 public:
  LabelWriter(const std::string& path, const std::vector<std::string>& names);
  void append(const data::BitColumns& values, const data::BitColumns& missing);
  /// Checks all that was written; commit() then makes the file appear.
  void prepare(const store::RunInfo& run);
  void commit() { writer_.commit(); }

 private:
  void flush();

  store::SampleWriter writer_;
  data::BitColumns values_;
  data::BitColumns missing_;
  std::size_t n_rows_ = 0;  // waiting
};

class AnchoredDraws {
 public:
  /// Columns: the observed variables; with labels, the causes, and which of them are not labelled.
  using Block = data::BitColumns;
  /// `truth` must outlive it.
  AnchoredDraws(const model::LearnedModel& truth, std::uint64_t seed, LabelOptions labels,
                const std::optional<model::Contamination>& flip)
      : truth_(truth), seed_(seed), labels_(std::move(labels)), flip_(flip) {}

  [[nodiscard]] double bytes_a_row() const { return static_cast<double>(n_columns()) / 8; }
  [[nodiscard]] std::uint64_t block_rows() const { return data::block_rows(n_observed()); }
  [[nodiscard]] Block draw(std::uint64_t first_row, std::size_t n_rows) const;
  [[nodiscard]] Block empty(std::size_t n_rows) const { return {n_columns(), n_rows}; }
  static std::span<std::uint64_t> values(Block& block) { return block.words(); }

  void begin(const std::string& output);
  void append(const Block& block);
  /// Both files appear, or neither does.
  void finish(const store::RunInfo& run);

 private:
  [[nodiscard]] std::size_t n_observed() const noexcept { return truth_.network.n_observed(); }
  [[nodiscard]] std::size_t n_causes() const noexcept { return truth_.network.n_causes(); }
  [[nodiscard]] bool with_labels() const noexcept { return !labels_.path.empty(); }
  [[nodiscard]] std::size_t n_columns() const noexcept {
    return n_observed() + (with_labels() ? 2 * n_causes() : 0);
  }

  const model::LearnedModel& truth_;
  std::uint64_t seed_;
  LabelOptions labels_;
  std::optional<model::Contamination> flip_;
  std::string output_;
  std::unique_ptr<store::SampleWriter> writer_;
  std::unique_ptr<LabelWriter> label_writer_;
};

using data::BitColumns;

/// Some columns of a block.
BitColumns columns_of(const BitColumns& block, std::size_t first, std::size_t n) {
  BitColumns part(n, block.n_rows());
  const auto words = block.words().subspan(first * block.words_per_column(), part.words().size());
  std::ranges::copy(words, part.words().begin());
  return part;
}

/// The rows of `from`, behind the first `n_rows` of `into`, which is a multiple of 64.
void put_rows(const BitColumns& from, std::size_t from_row, std::size_t n_rows, BitColumns& into,
              std::size_t into_row) {
  const std::size_t n_words = (n_rows + 63) / 64;
  for (std::size_t c = 0; c < from.n_columns(); ++c) {
    const auto words = from.column(c).subspan(from_row / 64, n_words);
    std::ranges::copy(words, into.column(c).begin() + static_cast<std::ptrdiff_t>(into_row / 64));
  }
}

/// Names of the causes, which are the columns of the file.
std::vector<std::string> cause_names(const model::NoisyOrNetwork& network) {
  std::vector<std::string> names;
  for (const model::Cause& cause : network.causes()) names.push_back(cause.name);
  return names;
}

/// The share that is not labelled: its values become 0, as those of every missing value are.
void hide_labels(std::uint64_t seed, double share, std::uint64_t first_row, std::size_t first,
                 std::size_t n_causes, BitColumns& block) {
  const std::size_t n_rows = block.n_rows();
  const std::size_t n_groups = block.words_per_column();
  // A thread owns whole groups of 64 rows: no two threads write one word.
#pragma omp parallel for schedule(static)
  for (std::size_t group = 0; group < n_groups; ++group) {
    for (std::size_t row = 64 * group; row < std::min(n_rows, 64 * (group + 1)); ++row) {
      RowRandom random(seed, Stream::labels, first_row + row);
      for (std::size_t i = 0; i < n_causes; ++i) {
        if (random.bernoulli(share)) continue;
        block.set(row, first + n_causes + i);
        block.column(first + i)[group] &= ~(std::uint64_t{1} << (row % 64));
      }
    }
  }
}

/// Throws UsageError for a share that is no probability, that is given without a file, or a file
/// that is that of -o.
LabelOptions label_options(const cli::Arguments& arguments) {
  LabelOptions labels{arguments.text("labels"), arguments.get<double>("label-share")};
  if (!(labels.share >= 0 && labels.share <= 1)) {
    throw UsageError(fmt::format(
        "--label-share {}: must be a probability, 0 to 1: each value is labelled with it",
        labels.share));
  }
  if (labels.path.empty()) {
    if (arguments.has("labels")) throw UsageError("--labels '': name the file of the labels");
    if (!arguments.values()["label-share"].defaulted()) {
      throw UsageError("--label-share is of no use without --labels FILE");
    }
  }
  if (labels.path.empty()) return labels;
  if (!std::filesystem::path(labels.path).has_filename()) {
    throw UsageError(fmt::format("--labels '{}': no file name; name a file to write", labels.path));
  }
  return labels;
}

LabelWriter::LabelWriter(const std::string& path, const std::vector<std::string>& names)
    : writer_(path),
      values_(names.size(), data::block_rows(names.size())),
      missing_(names.size(), data::block_rows(names.size())) {
  writer_.begin(names);
}

void LabelWriter::append(const BitColumns& values, const BitColumns& missing) {
  for (std::size_t row = 0; row < values.n_rows();) {
    const std::size_t n = std::min(values.n_rows() - row, values_.n_rows() - n_rows_);
    put_rows(values, row, n, values_, n_rows_);
    put_rows(missing, row, n, missing_, n_rows_);
    row += n;
    n_rows_ += n;
    if (n_rows_ == values_.n_rows()) flush();
  }
}

void LabelWriter::flush() {
  if (n_rows_ == 0) return;
  const std::size_t n_columns = values_.n_columns();
  values_.truncate(n_rows_);
  missing_.truncate(n_rows_);
  writer_.append(values_, &missing_);
  values_ = BitColumns(n_columns, data::block_rows(n_columns));
  missing_ = values_;
  n_rows_ = 0;
}

void LabelWriter::prepare(const store::RunInfo& run) {
  flush();
  writer_.prepare(run);
}

BitColumns AnchoredDraws::draw(std::uint64_t first_row, std::size_t n_rows) const {
  Block observed = model::sample_anchored_rows(truth_.network, seed_, first_row, n_rows);
  if (flip_) model::contaminate(observed, *flip_, seed_, first_row);
  if (!with_labels()) return observed;
  Block block = empty(n_rows);
  const auto rest = std::ranges::copy(observed.words(), block.words().begin()).out;
  const Block causes =
      model::sample_cause_rows(truth_.network.cause_network(), seed_, first_row, n_rows);
  std::ranges::copy(causes.words(), rest);
  if (labels_.share < 1) {
    hide_labels(seed_, labels_.share, first_row, n_observed(), n_causes(), block);
  }
  return block;
}

void AnchoredDraws::begin(const std::string& output) {
  output_ = output;
  writer_ = std::make_unique<store::SampleWriter>(output);
  writer_->begin(truth_.network.observed_names());
  if (with_labels()) {
    label_writer_ = std::make_unique<LabelWriter>(labels_.path, cause_names(truth_.network));
  }
}

void AnchoredDraws::append(const Block& block) {
  if (!with_labels()) {
    writer_->append(block, nullptr);
    return;
  }
  writer_->append(columns_of(block, 0, n_observed()), nullptr);
  label_writer_->append(columns_of(block, n_observed(), n_causes()),
                        columns_of(block, n_observed() + n_causes(), n_causes()));
}

void AnchoredDraws::finish(const store::RunInfo& run) {
  writer_->prepare(run, family::group_of(truth_));
  if (!with_labels()) {
    writer_->commit();
    return;
  }
  // Whatever can fail does so before the first file appears, but for the last renaming itself.
  label_writer_->prepare(run);
  const cli::PreviousFile labels(labels_.path);
  const cli::PreviousFile samples(output_);
  try {
    label_writer_->commit();
    writer_->commit();
  } catch (const EnvironmentError& error) {
    if (samples.replaced() || !labels.replaced()) throw;
    throw EnvironmentError(fmt::format(
        "{} ({})", error.what(),
        labels.put_back() ? fmt::format("{} is as it was before: labels are of no use without "
                                        "their samples",
                                        labels_.path)
                          : fmt::format("{} is the new file already, and its samples are not "
                                        "there: write both again",
                                        labels_.path)));
  }
}

// The options.

/// "OFF,ON", probabilities, OFF < ON.
std::pair<double, double> parse_anchor_rates(const std::string& text) {
  const auto fail = [&] {
    return UsageError(
        fmt::format("--anchor-rates {}: must be OFF,ON: how often an anchor is on without and with "
                    "its cause, 0 <= OFF < ON <= 1, such as 0.05,0.7",
                    text));
  };
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) throw fail();
  const auto number = [&](const std::string& part) {
    double value = 0;
    const char* end = part.data() + part.size();
    const auto read = std::from_chars(part.data(), end, value);
    if (read.ec != std::errc() || read.ptr != end) throw fail();
    return value;
  };
  const std::pair rates{number(text.substr(0, comma)), number(text.substr(comma + 1))};
  if (!(rates.first >= 0 && rates.first < rates.second && rates.second <= 1)) throw fail();
  return rates;
}

model::AnchoredChoices choices_of(const Arguments& arguments) {
  model::AnchoredChoices choices;
  if (arguments.has("anchor-rates")) {
    choices.rates = parse_anchor_rates(arguments.text("anchor-rates"));
  }
  if (arguments.has("violations")) {
    choices.violations = arguments.get<double>("violations");
    if (!(choices.violations >= 0 && choices.violations <= 1)) {
      throw UsageError(fmt::format("--violations {}: must be a share of the anchors, 0 to 1",
                                   choices.violations));
    }
  }
  return choices;
}

family::Drawn describe_truth(const LearnedModel& learned, const std::string& labels) {
  const model::NoisyOrNetwork& network = learned.network;
  family::Drawn drawn{network.n_observed(), "", {{"n_causes", network.n_causes()}}, labels};
  if (network.is_plain()) {
    drawn.truth = fmt::format("{} hidden causes", network.n_causes());
    return drawn;
  }
  drawn.numbers["n_edges"] = network.edges().size();
  drawn.numbers["n_cause_edges"] = network.cause_network().n_edges();
  drawn.numbers["n_anchors"] = network.anchors().size();
  drawn.truth =
      fmt::format("{} of {} hidden causes, {} edges among them, {} anchors", describe_kind(learned),
                  network.n_causes(), network.cause_network().n_edges(), network.anchors().size());
  return drawn;
}

}  // namespace

void add_sample_options(po::options_description& options) {
  family::add_flip_option(options);
  options.add_options()(
      "anchor-rates", po::value<std::string>()->value_name("OFF,ON"),
      "of an anchored:...: how often each anchor is on without and with its cause (drawn without "
      "it)")("violations", po::value<double>()->value_name("SHARE"),
             "of an anchored:...: this share of the anchors has other causes too, which breaks "
             "what anchors promise (0 without it)")(
      "labels", po::value<std::string>()->value_name("FILE"),
      "of an anchored network: the values of the causes, as a file of samples whose columns are "
      "the causes")("label-share", po::value<double>()->value_name("S")->default_value(1),
                    "with --labels: each value is there with this probability, the rest are "
                    "missing");
}

std::optional<family::AnyModel> generate(const std::string& argument, std::uint64_t seed,
                                         const Arguments* arguments) {
  LearnedModel learned;
  if (auto network = model::generate_network(argument, seed)) {
    learned.network = std::move(*network);
    return learned;
  }
  const auto spec = model::parse_anchored_spec(argument);
  if (!spec) return std::nullopt;
  const auto choices = arguments != nullptr ? choices_of(*arguments) : model::AnchoredChoices();
  learned.network = model::generate_anchored(*spec, choices, seed);
  return learned;
}

void sample(const LearnedModel& learned, const Arguments& arguments, const parallel::Team& team) {
  const std::string name = arguments.text("network");
  const model::NoisyOrNetwork& network = learned.network;
  const std::uint64_t seed = arguments.seed();
  if (network.is_plain()) {
    family::refuse_options(arguments, {"anchor-rates", "violations", "labels", "label-share"}, name,
                           describe_kind(learned));
    const auto flip = family::flip_option(arguments, network.n_observed());
    const auto rows = [&](std::uint64_t first_row, std::size_t n_rows) {
      data::BitColumns block = model::sample_rows(network, seed, first_row, n_rows);
      if (flip) model::contaminate(block, *flip, seed, first_row);
      return block;
    };
    family::draw(arguments, team,
                 family::BitDraws(network.observed_names(), rows, family::group_of(learned)),
                 describe_truth(learned, ""));
    return;
  }
  if (!model::is_anchored_spec(name)) {
    family::refuse_options(arguments, {"anchor-rates", "violations"}, name,
                           "a network with anchors of its own");
  }
  const auto flip = family::flip_option(arguments, network.n_observed());
  const LabelOptions labels = label_options(arguments);
  family::draw(arguments, team, AnchoredDraws(learned, seed, labels, flip),
               describe_truth(learned, labels.path));
}

}  // namespace orrery::noisy_or
