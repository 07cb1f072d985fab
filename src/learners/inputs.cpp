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

}  // namespace

void require_columns(std::size_t n_observed, const std::string& source) {
  if (n_observed >= min_columns) return;
  throw InputError(fmt::format("{}: {} column(s), but a quartet needs at least {}; add variables",
                               source, n_observed, min_columns));
}

void require_rows(std::uint64_t n_usable, std::uint64_t n_all, const std::string& source) {
  const std::uint64_t dropped = n_all - n_usable;
  if (n_usable < min_rows) {
    throw InputError(fmt::format(
        "{}: {} usable row(s){}, but at least {} are needed to estimate four-way moments; add rows"
        "{}",
        source, n_usable,
        dropped > 0 ? fmt::format(" ({} of {} hold missing values)", dropped, n_all) : "", min_rows,
        dropped > 0 ? " or drop the columns with missing values" : ""));
  }
  if (dropped > 0) {
    log::warning("{}: {} of {} rows hold missing values and are left out", source, dropped, n_all);
  }
}

void warn_of_odd_columns(const moments::PairCounts& counts, const std::vector<std::string>& names,
                         const std::string& source) {
  std::vector<std::string> constant;
  std::vector<std::string> duplicate;
  std::multimap<std::uint64_t, std::size_t> seen;  // by the number of rows that are off
  for (std::size_t c = 0; c < counts.n_observed; ++c) {
    const std::uint64_t off = counts.single(c);
    if (off == 0 || off == counts.n_samples) {
      constant.push_back(names[c]);
      continue;
    }
    const auto [begin, end] = seen.equal_range(off);
    // Two columns are equal if they are off as often, and always together.
    if (std::any_of(begin, end, [&](const auto& x) { return counts.at(x.second, c) == off; })) {
      duplicate.push_back(names[c]);
    } else {
      seen.emplace(off, c);
    }
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

}  // namespace orrery::learners
