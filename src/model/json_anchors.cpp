#include "model/json_anchors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "model/json_layout.hpp"
#include "model/json_uncertainty.hpp"

namespace orrery::model {
namespace {

using Items = std::vector<std::string>;

// Of a moment, beyond 1: what an iteration may leave.
constexpr double stated_tolerance = 1e-9;

/// Places in the file's list of the anchors as a network keeps them.
std::vector<std::size_t> sorted_places(const std::vector<Anchor>& listed) {
  std::vector<std::size_t> places(listed.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::sort(places, {},
                    [&](std::size_t i) { return std::tuple(listed[i].cause, listed[i].observed); });
  return places;
}

AnchorRates read_rates(const JsonEntry& anchor) {
  AnchorRates rates;
  rates.off = anchor.member("off").probability();
  rates.on = anchor.member("on").probability();
  if (anchor.has("off_error")) rates.off_error = read_error(anchor.member("off_error"));
  if (anchor.has("on_error")) rates.on_error = read_error(anchor.member("on_error"));
  if (anchor.has("source")) {
    rates.source = anchor.member("source").text();
    if (rates.source.find('\0') != std::string::npos) {
      anchor.member("source").refuse("a text without a zero byte is needed");
    }
  }
  return rates;
}

void read_moment(const JsonEntry& entry, std::span<const std::uint32_t> set,
                 std::span<double> cells) {
  if (entry.size() != 2) entry.refuse("[causes, probabilities] is needed");
  if (!std::ranges::equal(read_indices(entry.element(0)), set)) {
    entry.element(0).refuse(
        fmt::format("the causes [{}] are next, by size, then by the last of them, and so on",
                    fmt::join(set, ", ")));
  }
  const JsonEntry values = entry.element(1);
  require_json_size(values, cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    cells[c] = values.element(c).number();
    if (cells[c] < 0 || cells[c] > 1 + stated_tolerance) {
      values.element(c).refuse("a probability in [0, 1] is needed");
    }
  }
}

std::string rates_fields(const AnchorRates& rates) {
  return fmt::format(
      ", \"off\": {}, \"on\": {}, \"off_error\": {}, \"on_error\": {}, \"source\": {}", rates.off,
      rates.on, number_or_null(rates.off_error), number_or_null(rates.on_error),
      json_text(rates.source));
}

}  // namespace

std::vector<Anchor> read_anchors(const JsonEntry& list) {
  std::vector<Anchor> anchors;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonEntry entry = list.element(i);
    Anchor anchor{read_index(entry.member("cause")), read_index(entry.member("observed"))};
    if (entry.has("columns")) anchor.columns = read_texts(entry.member("columns"));
    for (std::size_t c = 0; c < anchor.columns.size(); ++c) {
      if (anchor.columns[c].empty()) {
        entry.member("columns").element(c).refuse("the name of a column is needed");
      }
    }
    anchors.push_back(std::move(anchor));
  }
  return anchors;
}

std::vector<AnchorRates> read_anchor_rates(const JsonEntry& list,
                                           const std::vector<Anchor>& listed) {
  const std::vector<std::size_t> places = sorted_places(listed);
  const auto has_rates = [&list](std::size_t place) {
    const JsonEntry anchor = list.element(place);
    return anchor.has("off") || anchor.has("on");
  };
  std::vector<AnchorRates> rates;
  if (std::ranges::none_of(places, has_rates)) return rates;
  for (const std::size_t place : places) rates.push_back(read_rates(list.element(place)));
  return rates;
}

SubsetTables read_cause_moments(const JsonEntry& root, std::size_t n_causes) {
  if (!root.has("moments")) return {};
  const JsonEntry list = root.member("moments");
  const auto order = static_cast<std::size_t>(
      root.member("moments_order").whole_number(1, SubsetTables::max_order));
  // A set has at most 2^order cells: there are at least so many sets.
  if (SubsetTables::n_cells(n_causes, order) >> order > list.size()) {
    list.refuse(
        fmt::format("a table of every set of up to {} of {} causes is needed", order, n_causes));
  }
  SubsetTables moments = in_file(root, [&] { return SubsetTables(n_causes, order); });
  std::size_t n_sets = 0;
  for (std::size_t size = 1; size <= order; ++size) n_sets += moments.n_sets(size);
  require_json_size(list, n_sets);
  std::size_t next = 0;
  for (std::size_t size = 1; size <= order; ++size) {
    moments.for_each_set(size, [&](std::span<const std::uint32_t> set) {
      read_moment(list.element(next++), set, moments.table(set));
    });
  }
  return moments;
}

std::vector<std::string> json_anchors(const LearnedModel& learned) {
  Items items;
  const std::vector<Anchor>& anchors = learned.network.anchors();
  assert(learned.rates.empty() || learned.rates.size() == anchors.size());
  for (std::size_t a = 0; a < anchors.size(); ++a) {
    const Items columns = json_texts(anchors[a].columns);
    items.push_back(fmt::format(
        "{{\"cause\": {}, \"observed\": {}{}{}}}", anchors[a].cause, anchors[a].observed,
        columns.empty() ? "" : fmt::format(", \"columns\": [{}]", fmt::join(columns, ", ")),
        learned.rates.empty() ? "" : rates_fields(learned.rates[a])));
  }
  return items;
}

std::vector<std::string> json_cause_moments(const SubsetTables& moments) {
  Items items;
  for (std::size_t size = 1; size <= moments.order(); ++size) {
    moments.for_each_set(size, [&](std::span<const std::uint32_t> set) {
      items.push_back(
          fmt::format("[[{}], [{}]]", fmt::join(set, ", "), fmt::join(moments.table(set), ", ")));
    });
  }
  return items;
}

}  // namespace orrery::model
