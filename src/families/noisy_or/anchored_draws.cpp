// Order of draws: rows as model::sample_anchored_rows says; which causes of a row are labelled from
// RowRandom(seed, Stream::labels, row), a draw a cause. Labels of a smaller share are labels of a
// larger one too.
#include "families/noisy_or/anchored_draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/random.hpp"
#include "cli/paths.hpp"
#include "family/table.hpp"
#include "model/anchored_sampling.hpp"
#include "orrery/base/error.hpp"

namespace orrery::noisy_or {
namespace {

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

}  // namespace

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
  std::vector<std::string> names;
  for (const auto& observed : truth_.network.observed()) names.push_back(observed.name);
  writer_ = std::make_unique<store::SampleWriter>(output);
  writer_->begin(names);
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

}  // namespace orrery::noisy_or
