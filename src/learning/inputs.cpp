// What learners ask of their data, and what is odd about the data.
#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <map>
#include <utility>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "learning/learner.hpp"
#include "learning/load.hpp"
#include "orrery/base/error.hpp"

namespace orrery::learning {
namespace {

constexpr std::size_t min_rows = 50;

}  // namespace

std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), shown); ++i) {
    text += (i > 0 ? ", " : "") + names[i];
  }
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

void require_columns(std::size_t n_observed, const std::string& source, const Needs& needs) {
  if (n_observed >= needs.columns) return;
  throw InputError(fmt::format("{}: {} column(s), but {} needs at least {}; add variables", source,
                               n_observed, needs.columns_for, needs.columns));
}

void require_rows(std::uint64_t n_rows, const std::string& source, const Needs& needs) {
  if (n_rows >= needs.rows) return;
  throw InputError(fmt::format("{}: {} row(s), but at least {} are needed {}; add rows", source,
                               n_rows, needs.rows, needs.rows_for));
}

void require_observed(const moments::PairCounts& observed, const std::vector<std::string>& names,
                      const std::string& source) {
  for (std::size_t c = 0; c < observed.n_observed; ++c) {
    if (observed.single(c) >= min_rows) continue;
    throw InputError(fmt::format(
        "{}: column '{}' is observed in {} of {} rows, but at least {} are needed; leave it out "
        "with `orrery import --drop`, or add rows",
        source, names[c], observed.single(c), observed.n_samples, min_rows));
  }
}

void warn_of_missing(const SampleCounts& counts, const std::string& source) {
  if (!counts.observed) return;
  const moments::PairCounts& observed = *counts.observed;
  const std::uint64_t n_values = observed.n_samples * observed.n_observed;
  std::uint64_t n_missing = n_values;
  std::size_t n_columns = 0;
  std::size_t n_apart = 0;  // pairs never observed together
  for (std::size_t c = 0; c < observed.n_observed; ++c) {
    n_missing -= observed.single(c);
    if (observed.single(c) < observed.n_samples) ++n_columns;
    for (std::size_t x = 0; x < c; ++x) n_apart += observed.at(x, c) == 0 ? 1U : 0U;
  }
  log::warning(
      "{}: {} of {} values ({:.2g} %) are missing, in {} rows and {} columns; each moment is taken "
      "from the rows in which its variables are observed, as if values were missing completely at "
      "random",
      source, n_missing, n_values,
      100 * static_cast<double>(n_missing) / static_cast<double>(n_values), counts.n_incomplete,
      n_columns);
  if (n_apart > 0) {
    log::warning("{}: {} pair(s) of columns are never observed together and count as independent",
                 source, n_apart);
  }
}

void warn_of_odd_columns(const SampleCounts& counts, const std::vector<std::string>& names,
                         const std::string& source) {
  // Rows in which both are observed.
  const auto observed = [&](std::size_t x, std::size_t y) {
    return counts.observed ? counts.observed->at(x, y) : counts.off.n_samples;
  };
  std::vector<std::string> constant;
  std::vector<std::string> duplicate;
  std::multimap<std::uint64_t, std::size_t> seen;  // by the number of rows that are off
  for (std::size_t c = 0; c < counts.off.n_observed; ++c) {
    const std::uint64_t off = counts.off.single(c);
    if (off == 0 || off == observed(c, c)) {
      constant.push_back(names[c]);
      continue;
    }
    const auto [begin, end] = seen.equal_range(off);
    // Two columns are equal if they are off as often, and always together; and so observed.
    const auto repeats = [&](const auto& earlier) {
      const std::size_t x = earlier.second;
      return counts.off.at(x, c) == off && observed(x, c) == observed(c, c) &&
             observed(x, x) == observed(c, c);
    };
    if (std::any_of(begin, end, repeats)) {
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
        "{}: {} column(s) repeat an earlier one ({}): copies look like a cause of their own; "
        "`learn "
        "quartet` sets them aside, for other methods leave them out with `orrery import --drop`",
        source, duplicate.size(), list_names(duplicate));
  }
}

namespace {

using data::missing_code;

void require_values_in_rows(const data::CategoricalTable& table, const std::string& source) {
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    if (std::ranges::any_of(table.row(n), [](auto code) { return code != missing_code; })) continue;
    throw InputError(fmt::format(
        "{}: row {} (the first is 0) has no value: it says nothing of any cause; leave it out",
        source, n));
  }
}

void require_values_in_columns(const data::CategoricalTable& table, const std::string& source) {
  std::vector<std::bitset<256>> seen(table.n_columns());
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    const auto row = table.row(n);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] != missing_code) seen[i].set(row[i]);
    }
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i].count() >= 2) continue;
    throw InputError(fmt::format(
        "{}: column '{}' {}: it cannot depend on a cause; leave it out", source, table.names[i],
        seen[i].none() ? "has no value in any row" : "has the same value in all rows"));
  }
}

}  // namespace

void require_learnable(const data::CategoricalTable& table, std::size_t n_causes,
                       const std::string& source) {
  if (table.n_rows < 2) {
    throw InputError(fmt::format("{}: {} row{}; 2 at least are needed to learn from", source,
                                 table.n_rows, table.n_rows == 1 ? "" : "s"));
  }
  if (n_causes > table.n_columns()) {
    throw InputError(
        fmt::format("{}: --causes {} of {} columns; causes that have no variable of their own "
                    "cannot be told apart: ask for {} at most",
                    source, n_causes, table.n_columns(), table.n_columns()));
  }
  require_values_in_columns(table, source);
  require_values_in_rows(table, source);
}

}  // namespace orrery::learning
