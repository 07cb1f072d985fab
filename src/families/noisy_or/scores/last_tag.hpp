// The last-tag task (Halpern, Horng, Sontag 2015, Sec. 5.5): of a row's true causes all but one are
// told; which is the last? The questions, and how a network answers them beside classifiers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/row_lists.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/learned_model.hpp"
#include "report/sheet.hpp"

namespace orrery::noisy_or {

struct LastTag {
  std::uint64_t row = 0;
  std::uint32_t last = 0;
  std::vector<std::uint32_t> given;  ///< the other causes that are on; rising
  bool operator==(const LastTag&) const = default;
};

/// A question of every row in which all causes are labelled and two at least are on; which of those
/// is the last is a draw keyed by (seed, row).
std::vector<LastTag> last_tags(const data::SampleMatrix& labels, std::uint64_t seed);

/// Fills a score per cause, larger for what is more likely the last; those of the given are not
/// looked at. Called from `threads` threads at once; must not throw.
using LastTagScores = std::function<void(const LastTag& tag, int thread, std::span<double> scores)>;

struct LastTagAccuracy {
  std::uint64_t n = 0;
  std::uint64_t n_right = 0;

  [[nodiscard]] double share() const noexcept {
    return n == 0 ? 0 : static_cast<double>(n_right) / static_cast<double>(n);
  }
  [[nodiscard]] double standard_error() const noexcept;
};

/// The answer is the cause with the largest score of those not given, the lower of two equal ones.
/// NaN is no score.
LastTagAccuracy judge_last_tags(std::span<const LastTag> tags, std::size_t n_causes, int threads,
                                const LastTagScores& scores);

/// log P(the given and this one are on, the others off; the row's observations) + a constant of the
/// row: what is most likely when just one more is known to be on. Needs no sum over causes; takes
/// O(k^2 + edges) a row. `rows`: of the network's observed variables. Both must outlive the result.
LastTagScores completion_scores(const model::NoisyOrNetwork& network, const data::RowLists& rows);

// The task on rows with labels: the model's answers, and those of classifiers that know nothing of
// how causes depend on one another.

/// Answers of a network.
struct NetworkAnswers {
  /// By P(cause | the row, the given causes are on): the others may be on too.
  LastTagAccuracy posterior;
  std::uint64_t n_sampled = 0;     ///< rows of which the posterior was not exact
  std::uint64_t n_impossible = 0;  ///< rows that the network rules out: answered by nothing
  /// By P(the given, this cause, and no other | the row): it is known that one more is on.
  LastTagAccuracy completion;
};

/// Answers of classifiers trained on anchors as noisy labels.
struct BaselineAnswers {
  LastTagAccuracy classifiers;  ///< without the cause's own anchors
  /// Where a cause's anchor is there, its noise rates alone; else its classifier.
  LastTagAccuracy anchor_first;
  LastTagAccuracy anchors_alone;  ///< noise rates, whether the anchor is there or not

  [[nodiscard]] double best() const noexcept;
};

struct LastTagResults {
  std::uint64_t n_rows = 0;  ///< with a question
  double chance = 0;         ///< share right by guessing
  NetworkAnswers model;
  std::optional<NetworkAnswers> truth;
  std::optional<BaselineAnswers> baselines;
};

/// Questions about rows of a data file.
class LastTagTask {
 public:
  /// `labels`: a row each of the data, column i is cause i.
  LastTagTask(const data::SampleMatrix& labels, std::uint64_t seed, int threads);

  /// `rows`: of the network's observed variables. `cause[i]`: the network's cause that is column i.
  [[nodiscard]] NetworkAnswers ask(const model::NoisyOrNetwork& network,
                                   const data::SampleMatrix& rows,
                                   const std::vector<std::uint32_t>& cause) const;
  /// Classifiers trained on the rows of `train`.
  [[nodiscard]] BaselineAnswers ask_baselines(const model::LearnedModel& learned,
                                              const data::SampleMatrix& rows,
                                              const data::SampleMatrix& train) const;
  [[nodiscard]] std::uint64_t n_rows() const noexcept { return tags_.size(); }
  [[nodiscard]] double chance() const noexcept;

 private:
  std::vector<LastTag> tags_;
  std::size_t n_causes_;
  std::uint64_t seed_;
  int threads_;
};

/// The answers, beside those of guessing; a section of its own.
void add_last_tag(report::Sheet& sheet, const LastTagResults& results);

}  // namespace orrery::noisy_or
