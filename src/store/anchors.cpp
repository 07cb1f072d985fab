// Lists of lists (the columns of anchors) lie one behind the other, beside how long each is.
#include "store/anchors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <string>

#include "orrery/base/error.hpp"
#include "store/dataset.hpp"
#include "store/network_parts.hpp"

namespace orrery::store {

using hdf5::FormatError;
using hdf5::Handle;
using model::Anchor;
using model::AnchorRates;
using model::LearnedModel;
using model::SubsetTables;

namespace {

void write_rates(const Handle& group, const std::vector<AnchorRates>& rates) {
  const auto sources = gather<std::string>(rates, &AnchorRates::source);
  require_storable_names(sources);
  write_array(group, "off", gather<double>(rates, &AnchorRates::off));
  write_array(group, "on", gather<double>(rates, &AnchorRates::on));
  write_array(group, "off_error", gather<double>(rates, &AnchorRates::off_error));
  write_array(group, "on_error", gather<double>(rates, &AnchorRates::on_error));
  write_strings(group, "source", sources);
}

/// A dataset of as many numbers as it holds.
template <class T>
std::vector<T> read_list(const Handle& group, const std::string& name) {
  return read_array<T>(group, name, Dataset::open(group, name, hdf5::number_type<T>(), 1).shape());
}

std::uint64_t total(const std::vector<std::uint32_t>& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
}

}  // namespace

// ---- writing

void write_anchors(const Handle& parent, const LearnedModel& learned) {
  const std::vector<Anchor>& anchors = learned.network.anchors();
  if (anchors.empty()) return;
  assert(learned.rates.empty() || learned.rates.size() == anchors.size());
  std::vector<std::uint32_t> n_columns;
  std::vector<std::string> columns;
  for (const Anchor& anchor : anchors) {
    n_columns.push_back(static_cast<std::uint32_t>(anchor.columns.size()));
    columns.insert(columns.end(), anchor.columns.begin(), anchor.columns.end());
  }
  require_storable_names(columns);
  Handle group = hdf5::create_group(parent, "anchors");
  write_array(group, "cause", gather<std::uint32_t>(anchors, &Anchor::cause));
  write_array(group, "observed", gather<std::uint32_t>(anchors, &Anchor::observed));
  write_array(group, "n_columns", n_columns);
  write_strings(group, "column", columns);
  if (!learned.rates.empty()) write_rates(group, learned.rates);
  group.close();
}

void write_cause_moments(const Handle& parent, const SubsetTables& moments) {
  if (moments.order() == 0) return;
  Handle group = hdf5::create_group(parent, "moments");
  hdf5::write_attribute(group, "order", static_cast<std::uint32_t>(moments.order()));
  const std::vector<double> cells(moments.cells().begin(), moments.cells().end());
  write_array(group, "cell", cells);
  group.close();
}

// ---- reading

std::vector<Anchor> read_anchors(const Handle& parent) {
  if (!hdf5::has_object(parent, "anchors")) return {};
  const Handle group = hdf5::open_group(parent, "anchors");
  const auto causes = read_list<std::uint32_t>(group, "cause");
  const auto observed = read_array<std::uint32_t>(group, "observed", {causes.size()});
  const auto n_columns = read_array<std::uint32_t>(group, "n_columns", {causes.size()});
  const auto columns = read_strings(group, "column", total(n_columns));
  std::vector<Anchor> anchors(causes.size());
  auto column = columns.begin();
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    const auto n = static_cast<std::ptrdiff_t>(n_columns[i]);
    anchors[i] = {causes[i], observed[i], {column, column + n}};
    column += n;
  }
  return anchors;
}

std::vector<AnchorRates> read_anchor_rates(const Handle& parent, std::size_t n_anchors) {
  if (!hdf5::has_object(parent, "anchors")) return {};
  const Handle group = hdf5::open_group(parent, "anchors");
  if (!hdf5::has_object(group, "off")) return {};
  const auto read = [&](const char* name, double greatest, bool or_nan) {
    auto values = read_array<double>(group, name, {n_anchors});
    require_range(values, greatest, or_nan, fmt::format("{}/{}", hdf5::object_name(group), name));
    return values;
  };
  constexpr double large = std::numeric_limits<double>::max();
  const auto off = read("off", 1, false);
  const auto on = read("on", 1, false);
  const auto off_error = read("off_error", large, true);
  const auto on_error = read("on_error", large, true);
  const auto sources = read_strings(group, "source", n_anchors);
  std::vector<AnchorRates> rates(n_anchors);
  for (std::size_t i = 0; i < n_anchors; ++i) {
    rates[i] = {off[i], on[i], off_error[i], on_error[i], sources[i]};
  }
  return rates;
}

SubsetTables read_cause_moments(const Handle& parent, std::size_t n_causes) {
  if (!hdf5::has_object(parent, "moments")) return {};
  const Handle group = hdf5::open_group(parent, "moments");
  const auto order = hdf5::read_attribute<std::uint32_t>(group, "order");
  const Shape shape = Dataset::open(group, "cell", hdf5::number_type<double>(), 1).shape();
  if (order < 1 || order > SubsetTables::max_order ||
      SubsetTables::n_cells(n_causes, order) != shape[0]) {
    throw FormatError(
        fmt::format("{} are of order {} and {} numbers, which is not that many of {} causes at an "
                    "order of 1 to "
                    "{}; write the file anew",
                    hdf5::object_name(group), order, shape[0], n_causes, SubsetTables::max_order));
  }
  const auto cells = read_array<double>(group, "cell", shape);
  // Recovered by an iteration: a cell may be a rounding error beyond 1.
  require_range(cells, 1 + 1e-9, false, hdf5::object_name(group) + "/cell");
  try {
    SubsetTables moments(n_causes, order);
    std::copy(cells.begin(), cells.end(), moments.cells().begin());
    return moments;
  } catch (const InputError& error) {
    throw FormatError(fmt::format("{}: {}", hdf5::object_name(group), error.what()));
  }
}

}  // namespace orrery::store
