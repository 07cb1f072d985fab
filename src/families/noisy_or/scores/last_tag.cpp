// The last-tag task: questions, answers by the largest score, and the most likely completion.
#include "families/noisy_or/scores/last_tag.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.hpp"

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

}  // namespace orrery::noisy_or
