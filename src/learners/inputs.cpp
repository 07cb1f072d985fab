// From a data set to what learners start from.
#include <algorithm>
#include <map>
#include <utility>

#include "orrery/base/error.hpp"
#include "orrery/base/log.hpp"
#include "orrery/base/progress.hpp"
#include "orrery/learners/learner.hpp"

namespace orrery::learners {
namespace {

constexpr std::size_t min_rows = 50;
constexpr std::size_t min_columns = 4;

/// "x3, x17 and 5 more"
std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), shown); ++i) {
    text += (i > 0 ? ", " : "") + names[i];
  }
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::vector<std::uint64_t> column_words(const data::BitPanels& values, std::size_t column) {
  std::vector<std::uint64_t> words(values.n_words());
  for (std::size_t w = 0; w < words.size(); ++w) words[w] = values.word(column, w);
  return words;
}

void warn_of_odd_columns(const data::SampleMatrix& samples, const std::string& source) {
  std::vector<std::string> constant;
  std::vector<std::string> duplicate;
  std::multimap<std::uint64_t, std::size_t> seen;  // by a cheap hash; equal ones are compared
  for (std::size_t c = 0; c < samples.n_observed(); ++c) {
    const auto words = column_words(samples.values, c);
    std::uint64_t hash = 0;
    std::uint64_t ones = 0;
    for (const std::uint64_t word : words) {
      hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
      ones += static_cast<std::uint64_t>(__builtin_popcountll(word));
    }
    if (ones == 0 || ones == samples.n_samples()) {
      constant.push_back(samples.names[c]);
      continue;
    }
    const auto [begin, end] = seen.equal_range(hash);
    const bool again = std::any_of(begin, end, [&](const auto& entry) {
      return column_words(samples.values, entry.second) == words;
    });
    if (again) duplicate.push_back(samples.names[c]);
    seen.emplace(hash, c);
  }
  if (!constant.empty()) {
    log::warning("{}: {} constant column(s) ({}): no cause can be found behind them", source,
                 constant.size(), list_names(constant));
  }
  if (!duplicate.empty()) {
    log::warning(
        "{}: {} column(s) repeat an earlier one ({}): copies look like a cause of their "
        "own; leave them out with `orrery import --drop`",
        source, duplicate.size(), list_names(duplicate));
  }
}

}  // namespace

moments::PairCounts count_pairs(const parallel::Team& team, const data::BitPanels& values) {
  const auto ranks = static_cast<std::size_t>(team.size());
  const auto rank = static_cast<std::size_t>(team.rank());
  std::vector<std::uint64_t> both_on;
  moments::accumulate_pairs(values, values.n_words() * rank / ranks,
                            values.n_words() * (rank + 1) / ranks, both_on);
  team.sum_words(both_on);
  return moments::pair_counts_from_on(values.n_columns(), values.n_rows(), both_on);
}

data::SampleMatrix usable_rows(const data::SampleMatrix& samples, const std::string& source) {
  if (samples.n_observed() < min_columns) {
    throw InputError(fmt::format("{}: {} column(s), but a quartet needs at least {}; add variables",
                                 source, samples.n_observed(), min_columns));
  }
  data::SampleMatrix complete = data::complete_rows(samples);
  const std::size_t dropped = samples.n_samples() - complete.n_samples();
  if (complete.n_samples() < min_rows) {
    throw InputError(fmt::format(
        "{}: {} usable row(s){}, but at least {} are needed to estimate four-way moments; add rows"
        "{}",
        source, complete.n_samples(),
        dropped > 0 ? fmt::format(" ({} of {} hold missing values)", dropped, samples.n_samples())
                    : "",
        min_rows, dropped > 0 ? " or drop the columns with missing values" : ""));
  }
  if (dropped > 0) {
    log::warning("{}: {} of {} rows hold missing values and are left out", source, dropped,
                 samples.n_samples());
  }
  warn_of_odd_columns(complete, source);
  return complete;
}

}  // namespace orrery::learners
