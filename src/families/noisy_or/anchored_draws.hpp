// What `orrery sample` draws of an anchored network: the observed variables, and with --labels the
// causes behind them, in a file of their own. See family/draws.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "model/contamination.hpp"
#include "orrery/data/bit_columns.hpp"
#include "orrery/model/learned_model.hpp"
#include "store/store.hpp"

namespace orrery::noisy_or {

/// --labels FILE and --label-share S.
struct LabelOptions {
  std::string path;  ///< empty: none
  double share = 1;  ///< probability that a value is labelled; the rest are missing
};
/// Throws UsageError for a share that is no probability, that is given without a file, or a file
/// that is that of -o.
LabelOptions label_options(const cli::Arguments& arguments);

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

}  // namespace orrery::noisy_or
