// The last-tag task on rows with labels: the model's answers, and those of classifiers that know
// nothing of how causes depend on one another (Halpern, Horng, Sontag 2015, Sec. 5.5).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "families/noisy_or/scores/last_tag.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/learned_model.hpp"
#include "report/sheet.hpp"

namespace orrery::noisy_or {

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
