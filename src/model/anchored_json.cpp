// Purpose: anchored networks from JSON (the layout is in anchored_json.hpp). Keys that are not
// known are passed over. Nothing is allocated for what a file claims before it is seen to hold it.
#include "orrery/model/anchored_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "model/json_cause_tables.hpp"
#include "model/json_layout.hpp"
#include "model/json_loadings.hpp"
#include "model/json_uncertainty.hpp"
#include "orrery/base/output_file.hpp"
#include "orrery/model/cause_elimination.hpp"

namespace orrery::model {
namespace {

// Of a moment, beyond 1: what an iteration may leave.
constexpr double stated_tolerance = 1e-9;

/// Priors that are left out are NaN.
std::vector<Cause> read_anchored_causes(const JsonEntry& list) {
  std::vector<Cause> causes;
  JsonNames names;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonEntry entry = list.element(i);
    causes.push_back({names.read(entry, "y", i), std::nan("")});
    if (entry.has("prior")) causes.back().prior = entry.member("prior").probability();
  }
  return causes;
}

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

/// Places in the file's list of the anchors as a network keeps them.
std::vector<std::size_t> sorted_places(const std::vector<Anchor>& listed) {
  std::vector<std::size_t> places(listed.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::sort(places, {},
                    [&](std::size_t i) { return std::tuple(listed[i].cause, listed[i].observed); });
  return places;
}

AnchorRates read_anchor_rates(const JsonEntry& anchor) {
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

/// Of every anchor or of none, by the places given.
std::vector<AnchorRates> read_rates(const JsonEntry& list, const std::vector<std::size_t>& places) {
  const auto has_rates = [&list](std::size_t place) {
    const JsonEntry anchor = list.element(place);
    return anchor.has("off") || anchor.has("on");
  };
  std::vector<AnchorRates> rates;
  if (std::ranges::none_of(places, has_rates)) return rates;
  for (const std::size_t place : places) rates.push_back(read_anchor_rates(list.element(place)));
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

SubsetTables read_moments(const JsonEntry& root, std::size_t n_causes) {
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

/// A prior that is left out is needed where the tables do not give it.
void fill_priors(const JsonEntry& list, const CauseNetwork& tables, std::vector<Cause>& causes) {
  const auto without =
      std::ranges::find_if(causes, [](const Cause& cause) { return std::isnan(cause.prior); });
  if (without == causes.end()) return;
  if (!CauseElimination(tables).is_feasible()) {
    (void)list.element(static_cast<std::size_t>(without - causes.begin())).member("prior");
  }
  for (Cause& cause : causes) {
    if (std::isnan(cause.prior)) cause.prior = 0;  // until the network takes it from the tables
  }
}

AnchoredNetwork read_network(const JsonEntry& root, const std::vector<Anchor>& anchors,
                             std::vector<Edge> edges) {
  const JsonEntry list = root.member("causes");
  const std::vector<Cause> listed = read_anchored_causes(list);
  std::vector<Observed> observed = read_observed(root.member("observed"));
  require_json_size(root.member("cause_tables"), listed.size());
  std::vector<CauseTable> tables = read_cause_tables(root.member("cause_tables"));
  CauseNetwork causes = in_file(root, [&] { return CauseNetwork(std::move(tables)); });
  std::vector<Cause> with_priors = listed;
  fill_priors(list, causes, with_priors);
  AnchoredNetwork network = in_file(root, [&] {
    return AnchoredNetwork(
        NoisyOrNetwork(std::move(with_priors), std::move(observed), std::move(edges)),
        std::move(causes), anchors);
  });
  require_priors(list, listed, network.loadings());
  return network;
}

}  // namespace

LearnedAnchored anchored_from_json(const JsonEntry& root) {
  LearnedAnchored learned;
  std::vector<Edge> edges = read_edges(root.member("edges"));
  const std::vector<std::size_t> kept = kept_edges(edges);
  const std::vector<Anchor> anchors = read_anchors(root.member("anchors"));
  learned.network = read_network(root, anchors, std::move(edges));
  learned.errors = read_errors(root, kept);
  learned.rates = read_rates(root.member("anchors"), sorted_places(anchors));
  learned.moments = read_moments(root, learned.network.n_causes());
  static_cast<Origin&>(learned) = read_origin(root);
  return learned;
}

LearnedAnchored read_anchored_json(const std::filesystem::path& path) {
  const std::string file = path.string();
  const nlohmann::json document = parse_json(read_text_file(path), file);
  const JsonEntry root(document, file);
  const JsonEntry format = root.member("format");
  if (format.text() != anchored_format) {
    format.refuse(fmt::format("an anchored network, \"{}\", is needed", anchored_format));
  }
  return anchored_from_json(root);
}

}  // namespace orrery::model
