#include "families/noisy_or/anchor_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "families/noisy_or/columns.hpp"

namespace orrery::noisy_or {
namespace {

using model::Anchor;
using model::AnchorRates;
using model::LearnedModel;
using model::SubsetTables;
using store::Archive;
using store::Need;
using Numbers = std::vector<double>;
using Indices = std::vector<std::uint32_t>;
using Texts = std::vector<std::string>;

constexpr std::int64_t largest_index = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::vector<Anchor> anchors(Archive& archive, bool needed, LearnedModel& learned) {
  const std::vector<Anchor>& known = learned.network.anchors();
  if (!archive.has({"anchors", "anchors"}, !known.empty()) && !needed) return {};
  Indices cause = column(known, &Anchor::cause);
  Indices of_variable = column(known, &Anchor::observed);
  std::vector<Texts> columns = column(known, &Anchor::columns);
  Numbers off = column(learned.rates, &AnchorRates::off);
  Numbers on = column(learned.rates, &AnchorRates::on);
  Numbers off_error = column(learned.rates, &AnchorRates::off_error);
  Numbers on_error = column(learned.rates, &AnchorRates::on_error);
  Texts source = column(learned.rates, &AnchorRates::source);
  const auto list = archive.list({"anchors", "anchors/cause"}, known.size());
  list->integers({"cause", "anchors/cause"}, 0, largest_index, store::required, cause);
  list->integers({"observed", "anchors/observed"}, 0, largest_index, store::required, of_variable);
  list->text_lists({"columns", "anchors/column"}, "anchors/n_columns", false, columns);
  list->numbers({"off", "anchors/off"}, Need::probability, store::all_or_none, off);
  list->numbers({"on", "anchors/on"}, Need::probability, store::all_or_none, on);
  const auto beside = archive.whole(!off.empty(), store::optional(0));
  list->numbers({"off_error", "anchors/off_error"}, Need::error_or_unknown, beside, off_error);
  list->numbers({"on_error", "anchors/on_error"}, Need::error_or_unknown, beside, on_error);
  list->texts({"source", "anchors/source"}, beside, source);
  if (!archive.reads()) return known;
  const std::size_t n = list->size();
  std::vector<Anchor> found(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < columns[i].size(); ++c) {
      if (!columns[i][c].empty()) continue;
      archive.refuse(fmt::format("anchors[{}].columns[{}]: the name of a column is needed", i, c));
    }
    found[i] = {cause[i], of_variable[i], std::move(columns[i])};
  }
  if (off.size() != on.size()) archive.refuse("anchors have \"off\" and \"on\", or neither");
  if (off.empty()) return found;
  off_error.resize(n, 0);
  on_error.resize(n, 0);
  source.resize(n);
  std::vector<AnchorRates> rates(n);
  for (std::size_t i = 0; i < n; ++i) {
    rates[i] = {off[i], on[i], off_error[i], on_error[i], source[i]};
  }
  std::vector<std::size_t> places(n);
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::sort(places, {},
                    [&](std::size_t i) { return std::tuple(found[i].cause, found[i].observed); });
  learned.rates = in_order(rates, places);
  return found;
}

void cause_moments(Archive& archive, std::size_t n_causes, SubsetTables& moments) {
  auto order = static_cast<std::uint32_t>(moments.order());
  if (!archive.has({"moments", "moments"}, order > 0)) return;
  archive.value({"moments_order", "moments@order"}, order);
  const auto refuse = [&](std::size_t n, const char* what) {
    archive.refuse(
        fmt::format("moments are of order {} and {} {}, which is not that many of {} causes at an "
                    "order of 1 to {}",
                    order, n, what, n_causes, SubsetTables::max_order));
  };
  if (order < 1 || order > SubsetTables::max_order) refuse(0, "numbers");
  const std::size_t n_cells = SubsetTables::n_cells(n_causes, order);
  if (!archive.is_json()) {
    Numbers cells(moments.cells().begin(), moments.cells().end());
    archive.numbers({"", "moments/cell"}, Need::almost_probability, n_cells, "", cells, true);
    if (!archive.reads()) return;
    moments = archive.checked([&] { return SubsetTables(n_causes, order); });
    std::ranges::copy(cells, moments.cells().begin());
    return;
  }
  std::vector<Indices> sets;
  std::vector<Numbers> tables;
  for (std::size_t size = 1; size <= order && !archive.reads(); ++size) {
    moments.for_each_set(size, [&](std::span<const std::uint32_t> set) {
      sets.emplace_back(set.begin(), set.end());
      const auto table = moments.table(set);
      tables.emplace_back(table.begin(), table.end());
    });
  }
  const auto list = archive.list({"moments", ""}, sets.size(), {"causes", "probabilities"});
  list->index_lists({"", ""}, "", sets);
  list->number_lists({"", ""}, Need::almost_probability, {}, tables);
  if (!archive.reads()) return;
  // A set has at most 2^order cells: there are at least so many sets.
  if (n_cells >> order > list->size()) refuse(list->size(), "tables");
  moments = archive.checked([&] { return SubsetTables(n_causes, order); });
  std::size_t next = 0;
  for (std::size_t size = 1; size <= order; ++size) {
    moments.for_each_set(size, [&](std::span<const std::uint32_t> set) {
      const auto cells = moments.table(set);
      if (next == sets.size()) refuse(sets.size(), "tables");
      if (!std::ranges::equal(sets[next], set)) {
        archive.refuse(
            fmt::format("moments[{}][0]: the causes [{}] are next, by size, then by the last of "
                        "them, and so on",
                        next, fmt::join(set, ", ")));
      }
      if (tables[next].size() != cells.size()) {
        archive.refuse(fmt::format("moments[{}][1] has {} values; {} are needed", next,
                                   tables[next].size(), cells.size()));
      }
      std::ranges::copy(tables[next++], cells.begin());
    });
  }
  if (next != sets.size()) refuse(sets.size(), "tables");
}

}  // namespace orrery::noisy_or
