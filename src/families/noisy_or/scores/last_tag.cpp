// The last-tag task: questions, answers by the largest score, and the most likely completion.
#include "families/noisy_or/scores/last_tag.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "base/random.hpp"
#include "base/work_time.hpp"
#include "data/bits.hpp"
#include "learning/noisy_labels.hpp"
#include "model/cause_posterior.hpp"
#include "parallel/team.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
namespace {

using model::NoisyOrNetwork;

/// P(an observed variable is off), all of them, as causes come on.
class OffProbabilities {
 public:
  OffProbabilities(const NoisyOrNetwork& network, std::span<const std::uint16_t> row)
      : network_(network), off_(network.n_observed()), on_(network.n_observed(), 0) {
    for (std::size_t j = 0; j < off_.size(); ++j) off_[j] = 1 - network.observed()[j].leak;
    for (const std::uint16_t j : row) on_[j] = 1;
  }

  /// The cause is on from here.
  void add(std::size_t cause) {
    for (const model::Edge& edge : network_.children(cause)) off_[edge.observed] *= edge.failure;
  }
  /// The difference that a cause more would make; minus infinity where it cannot be.
  [[nodiscard]] double gain(std::size_t cause) const {
    double sum = 0;
    for (const model::Edge& edge : network_.children(cause)) {
      const std::size_t j = edge.observed;
      const double before = term(j, off_[j]);
      const double after = term(j, off_[j] * edge.failure);
      if (std::isinf(after)) return after;
      // What nothing explains yet: whoever explains it is ahead of whoever does not.
      sum += after - std::max(before, unexplained);
    }
    return sum;
  }

 private:
  static constexpr double unexplained = -700;  // about the log of the smallest double

  [[nodiscard]] double term(std::size_t j, double off) const {
    return on_[j] != 0 ? std::log(1 - off) : std::log(off);
  }

  const NoisyOrNetwork& network_;
  std::vector<double> off_;
  std::vector<std::uint8_t> on_;
};

std::uint32_t best_of_others(const LastTag& tag, std::span<const double> scores) {
  auto best = static_cast<std::uint32_t>(scores.size());
  for (std::uint32_t i = 0; i < scores.size(); ++i) {
    if (std::ranges::binary_search(tag.given, i) || std::isnan(scores[i])) continue;
    if (best == scores.size() || scores[i] > scores[best]) best = i;
  }
  return best;
}

}  // namespace

std::vector<LastTag> last_tags(const data::SampleMatrix& labels, std::uint64_t seed) {
  std::vector<LastTag> tags;
  const std::size_t n_causes = labels.n_observed();
  for (std::size_t r = 0; r < labels.n_samples(); ++r) {
    LastTag tag{r, 0, {}};
    bool complete = true;
    for (std::uint32_t i = 0; i < n_causes; ++i) {
      if (labels.missing && labels.missing->at(r, i)) complete = false;
      if (labels.values.at(r, i)) tag.given.push_back(i);
    }
    if (!complete || tag.given.size() < 2) continue;
    const auto last =
        static_cast<std::ptrdiff_t>(RowRandom(seed, Stream::last_tag, r).below(tag.given.size()));
    tag.last = tag.given[static_cast<std::size_t>(last)];
    tag.given.erase(tag.given.begin() + last);
    tags.push_back(std::move(tag));
  }
  return tags;
}

double LastTagAccuracy::standard_error() const noexcept {
  return n == 0 ? 0 : std::sqrt(share() * (1 - share()) / static_cast<double>(n));
}

LastTagAccuracy judge_last_tags(std::span<const LastTag> tags, std::size_t n_causes, int threads,
                                const LastTagScores& scores) {
  std::uint64_t n_right = 0;
#pragma omp parallel num_threads(threads) reduction(+ : n_right)
  {
    std::vector<double> of_causes(n_causes);
#pragma omp for schedule(dynamic, 16)
    for (std::size_t t = 0; t < tags.size(); ++t) {
      std::ranges::fill(of_causes, std::numeric_limits<double>::quiet_NaN());
      scores(tags[t], omp_get_thread_num(), of_causes);
      n_right += best_of_others(tags[t], of_causes) == tags[t].last ? 1 : 0;
    }
  }
  return {tags.size(), n_right};
}

LastTagScores completion_scores(const model::NoisyOrNetwork& network, const data::RowLists& rows) {
  return [&network, &rows](const LastTag& tag, int /*thread*/, std::span<double> scores) {
    OffProbabilities off(network, rows.row(tag.row));
    std::vector<std::uint8_t> values(network.n_causes(), 0);
    for (const std::uint32_t given : tag.given) {
      values[given] = 1;
      off.add(given);
    }
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (values[i] != 0) continue;
      values[i] = 1;
      scores[i] = network.cause_network().log_probability(values) + off.gain(i);
      values[i] = 0;
    }
  };
}

// The task on rows with labels.

namespace {

using model::CausePosterior;
using model::CauseState;

/// Posteriors of rows by one thread, and how they were found.
struct Seeker {
  CausePosterior posterior;
  std::vector<std::uint64_t> words;
  std::vector<CauseState> known;
  std::uint64_t n_sampled = 0;
  std::uint64_t n_impossible = 0;

  /// Fills the odds of every cause, given those of the tag.
  void score(const LastTag& tag, std::span<const std::uint16_t> row, std::span<double> scores) {
    data::set_bits(row, std::span(words));
    std::ranges::fill(known, CauseState::unknown);
    for (const std::uint32_t given : tag.given) known[given] = CauseState::on;
    posterior.evaluate(tag.row, words, {}, known);
    if (posterior.method() == model::PosteriorMethod::sampled) ++n_sampled;
    if (posterior.method() == model::PosteriorMethod::impossible) {
      ++n_impossible;
      return;
    }
    for (std::size_t i = 0; i < scores.size(); ++i) {
      // Near 1 the rest tells causes apart, where the posterior itself has no digits left.
      scores[i] = std::log(posterior.posterior()[i]) - std::log(posterior.absence()[i]);
    }
  }
};

/// The same question with causes numbered as the network numbers them.
LastTag renumbered(const LastTag& tag, const std::vector<std::uint32_t>& cause) {
  LastTag moved{tag.row, cause[tag.last], {}};
  for (const std::uint32_t given : tag.given) moved.given.push_back(cause[given]);
  std::ranges::sort(moved.given);
  return moved;
}

/// Scores by the network's numbers, as scores by the labels' numbers.
LastTagScores in_order_of_labels(const LastTagScores& scores,
                                 const std::vector<std::uint32_t>& cause) {
  return [&scores, &cause](const LastTag& tag, int thread, std::span<double> into) {
    std::vector<double> of_network(into.begin(), into.end());
    scores(renumbered(tag, cause), thread, of_network);
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = of_network[cause[i]];
  };
}

/// P(Y = 1 | the anchors that count), by their noise rates. `silent`: anchors that are off count.
class AnchorPosterior {
 public:
  AnchorPosterior(const model::LearnedModel& learned,
                  const learning::NoisyLabelClassifiers& classifiers)
      : learned_(learned), classifiers_(classifiers) {}

  /// NaN: none of the cause's anchors counts.
  [[nodiscard]] double operator()(std::uint32_t cause, std::span<const std::uint16_t> row,
                                  bool silent) const {
    const double prior = classifiers_.classifier(cause).prior;
    double with = prior;
    double without = 1 - prior;
    bool any = false;
    const auto& anchors = learned_.network.anchors();
    for (std::size_t a = 0; a < anchors.size(); ++a) {
      if (anchors[a].cause != cause) continue;
      const bool on = std::ranges::binary_search(row, anchors[a].observed);
      if (!on && !silent) continue;
      any = true;
      const auto [off_rate, on_rate] = learning::anchor_rates(learned_, a);
      with *= on ? on_rate : 1 - on_rate;
      without *= on ? off_rate : 1 - off_rate;
    }
    return any ? with / (with + without) : std::nan("");
  }

 private:
  const model::LearnedModel& learned_;
  const learning::NoisyLabelClassifiers& classifiers_;
};

learning::NoisyLabelClassifiers train(const model::LearnedModel& learned,
                                      const data::SampleMatrix& samples, int threads) {
  const parallel::Team alone;
  learning::Checkpoints checkpoints;
  std::vector<Stage> stages;
  const data::RowLists rows(samples.values, threads);
  return learning::train_noisy_labels({alone, threads, checkpoints, stages}, rows,
                                      samples.n_observed(), learning::noisy_labels(learned));
}

void add_accuracy(report::Record& record, const std::string& path, const std::string& who,
                  const LastTagAccuracy& accuracy, const std::string& note = "") {
  record.data(path + "/accuracy", accuracy.share())
      .data(path + "/standard_error", accuracy.standard_error())
      .data(path + "/right", accuracy.n_right);
  record.show(who, fmt::format("{:.4f} +- {:.4f}", accuracy.share(), accuracy.standard_error()),
              note);
}

void add_answers(report::Record& record, const std::string& path, const std::string& who,
                 const NetworkAnswers& answers) {
  std::string note;
  if (answers.n_sampled > 0) {
    note = report::count_of(answers.n_sampled, "row") + " sampled";
  }
  if (answers.n_impossible > 0) {
    note += fmt::format("{}{} impossible", note.empty() ? "" : ", ",
                        report::count_of(answers.n_impossible, "row"));
  }
  record.data(path + "/sampled_rows", answers.n_sampled)
      .data(path + "/impossible_rows", answers.n_impossible);
  add_accuracy(record, path + "/posterior", who, answers.posterior, note);
  add_accuracy(record, path + "/completion", who + ", one more known to be on", answers.completion);
}

}  // namespace

LastTagTask::LastTagTask(const data::SampleMatrix& labels, std::uint64_t seed, int threads)
    : tags_(last_tags(labels, seed)),
      n_causes_(labels.n_observed()),
      seed_(seed),
      threads_(threads) {}

double LastTagTask::chance() const noexcept {
  double sum = 0;
  for (const LastTag& tag : tags_) sum += 1 / static_cast<double>(n_causes_ - tag.given.size());
  return tags_.empty() ? 0 : sum / static_cast<double>(tags_.size());
}

NetworkAnswers LastTagTask::ask(const NoisyOrNetwork& network, const data::SampleMatrix& samples,
                                const std::vector<std::uint32_t>& cause) const {
  const data::RowLists rows(samples.values, threads_);
  const model::PreparedAnchored prepared(network);
  model::CausePosteriorOptions options;
  options.seed = seed_;
  std::vector<Seeker> seekers;
  for (int t = 0; t < threads_; ++t) {
    seekers.push_back({CausePosterior(prepared, options),
                       std::vector<std::uint64_t>((network.n_observed() + 63) / 64),
                       std::vector<CauseState>(network.n_causes())});
  }
  Progress progress("last tags", tags_.size(), "rows");
  const LastTagScores by_posterior = [&](const LastTag& tag, int thread, std::span<double> scores) {
    seekers[static_cast<std::size_t>(thread)].score(tag, rows.row(tag.row), scores);
    progress.advance(1);
  };
  NetworkAnswers answers;
  answers.posterior =
      judge_last_tags(tags_, n_causes_, threads_, in_order_of_labels(by_posterior, cause));
  for (const Seeker& seeker : seekers) {
    answers.n_sampled += seeker.n_sampled;
    answers.n_impossible += seeker.n_impossible;
  }
  const LastTagScores by_completion = completion_scores(network, rows);
  answers.completion =
      judge_last_tags(tags_, n_causes_, threads_, in_order_of_labels(by_completion, cause));
  return answers;
}

BaselineAnswers LastTagTask::ask_baselines(const model::LearnedModel& learned,
                                           const data::SampleMatrix& samples,
                                           const data::SampleMatrix& train_samples) const {
  const learning::NoisyLabelClassifiers classifiers = train(learned, train_samples, threads_);
  const AnchorPosterior by_anchors(learned, classifiers);
  const data::RowLists rows(samples.values, threads_);
  const auto judge = [&](const auto& score) {
    return judge_last_tags(tags_, n_causes_, threads_,
                           [&](const LastTag& tag, int, std::span<double> scores) {
                             for (std::uint32_t i = 0; i < scores.size(); ++i)
                               scores[i] = score(i, rows.row(tag.row));
                           });
  };
  using Row = std::span<const std::uint16_t>;
  BaselineAnswers answers;
  answers.classifiers =
      judge([&](std::uint32_t i, const Row& row) { return classifiers.estimate(i, row); });
  answers.anchor_first = judge([&](std::uint32_t i, const Row& row) {
    const double by_anchor = by_anchors(i, row, false);
    return std::isnan(by_anchor) ? classifiers.estimate(i, row) : by_anchor;
  });
  answers.anchors_alone =
      judge([&](std::uint32_t i, const Row& row) { return by_anchors(i, row, true); });
  return answers;
}

double BaselineAnswers::best() const noexcept {
  return std::max({classifiers.share(), anchor_first.share(), anchors_alone.share()});
}

void add_last_tag(report::Sheet& sheet, const LastTagResults& results) {
  report::Section& section = sheet.section("last_tag", "The last tag");
  section.sentences.push_back(
      fmt::format("Last tag: {} ask for one of two or more true causes; shares of right answers",
                  report::count_of(results.n_rows, "row")));
  section.data("rows", results.n_rows);
  section.tell("chance", results.chance, "guessing", fmt::format("{:.4f}", results.chance));
  add_answers(section, "model", "this model", results.model);
  if (results.truth) add_answers(section, "truth", "true network", *results.truth);
  if (!results.baselines) return;
  const BaselineAnswers& baselines = *results.baselines;
  section.data("baselines/best", baselines.best());
  add_accuracy(section, "baselines/classifiers", "classifiers of anchors", baselines.classifiers);
  add_accuracy(section, "baselines/anchor_first", "anchors that are on, else classifiers",
               baselines.anchor_first);
  add_accuracy(section, "baselines/anchors_alone", "anchors alone", baselines.anchors_alone);
}

}  // namespace orrery::noisy_or
