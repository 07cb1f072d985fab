#include "families/noisy_or/fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "orrery/model/cause_elimination.hpp"
#include "orrery/model/learnability.hpp"

namespace orrery::noisy_or {
namespace {

using model::Anchor;
using model::AnchorRates;
using model::Cause;
using model::CauseNetwork;
using model::CauseTable;
using model::Edge;
using model::LearnedModel;
using model::NoisyOrNetwork;
using model::Observed;
using model::Provenance;
using model::SubsetTables;
using store::Archive;
using store::Need;
using Numbers = std::vector<double>;
using Indices = std::vector<std::uint32_t>;
using Texts = std::vector<std::string>;

constexpr std::int64_t largest_index = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t largest_count = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t largest_depth = std::numeric_limits<std::int32_t>::max();
/// Of a prior: what another order of sums may differ by.
constexpr double prior_tolerance = 1e-9;

/// What earlier versions called a network with tables of its causes and anchors.
constexpr const char* older_format = "orrery-anchored-1";

template <class Value, class Entry>
std::vector<Value> column(const std::vector<Entry>& entries, Value Entry::*member) {
  std::vector<Value> values;
  values.reserve(entries.size());
  for (const Entry& entry : entries) values.push_back(entry.*member);
  return values;
}

// ---- causes and what is known of them -----------------------------------------------------------

/// What a learner says of the causes, a list per field; empty: nothing.
struct ProvenanceFields {
  std::vector<std::int32_t> depth;
  std::vector<std::int32_t> quartet;  ///< four per cause
  Numbers statistic;
  Numbers statistic_error;
  std::vector<std::uint64_t> support;

  explicit ProvenanceFields(const std::vector<Provenance>& provenance) {
    for (const Provenance& from : provenance) {
      depth.push_back(from.depth);
      quartet.insert(quartet.end(), from.quartet.begin(), from.quartet.end());
      statistic.push_back(from.statistic);
      statistic_error.push_back(from.statistic_error);
      support.push_back(from.support);
    }
  }
  [[nodiscard]] std::vector<Provenance> joined(std::size_t n_causes) const {
    if (depth.empty() && quartet.empty() && statistic.empty() && statistic_error.empty() &&
        support.empty()) {
      return {};
    }
    std::vector<Provenance> provenance(n_causes);
    for (std::size_t i = 0; i < n_causes; ++i) {
      if (!depth.empty()) provenance[i].depth = depth[i];
      if (!quartet.empty()) {
        std::copy_n(quartet.begin() + static_cast<std::ptrdiff_t>(4 * i), 4,
                    provenance[i].quartet.begin());
      }
      if (!statistic.empty()) provenance[i].statistic = statistic[i];
      if (!statistic_error.empty()) provenance[i].statistic_error = statistic_error[i];
      if (!support.empty()) provenance[i].support = support[i];
    }
    return provenance;
  }
};

/// A number, or null for a cause that no quartet finds.
Texts depths_in_words(const LearnedModel& learned) {
  Texts depths;
  for (const std::int32_t depth : model::structural_depths(learned)) {
    const bool never = depth == model::CauseLearnability::never;
    depths.push_back(never ? "null" : fmt::format("{}", depth));
  }
  return depths;
}

struct CauseFields {
  Texts names;
  Numbers priors;  ///< NaN, or empty: to be taken from the tables
  ProvenanceFields provenance;
  bool has_errors = false;
};

void causes(Archive& archive, bool has_tables, const std::string& stem, std::size_t n_observed,
            LearnedModel& learned, CauseFields& fields) {
  const bool measured = learned.stability.resamples > 0;
  Numbers& priors = fields.priors;
  const auto list = archive.list({"causes", "causes/name"}, fields.names.size());
  list->names({"name", "causes/name"}, stem, fields.names);
  list->numbers({"prior", "causes/prior"}, Need::probability,
                archive.whole(true, has_tables && archive.reads() ? store::optional(std::nan(""))
                                                                  : store::required),
                priors);
  if (archive.reads()) priors.resize(list->size(), std::nan(""));
  list->numbers({"prior_error", "causes/prior_error"}, Need::error_or_unknown,
                archive.whole(fields.has_errors, store::optional(std::nan(""))),
                learned.errors.prior);
  ProvenanceFields& from = fields.provenance;
  const bool known = archive.has({"causes", "provenance"}, !learned.provenance.empty());
  list->integers({"depth", "provenance/depth"}, -1, largest_depth,
                 archive.whole(known, store::optional(-1)), from.depth);
  list->tuples({"quartet", "provenance/quartet"}, 4, -1, static_cast<std::int64_t>(n_observed) - 1,
               archive.whole(known, store::optional(-1)), from.quartet);
  list->numbers({"statistic", "provenance/statistic"}, Need::anything,
                archive.whole(known, store::left_out_if_no_number(-1)), from.statistic);
  list->numbers({"statistic_error", "provenance/statistic_error"}, Need::anything,
                store::left_out_if(0), from.statistic_error);
  list->integers({"support", "provenance/support"}, 0, largest_count, store::left_out_if(0),
                 from.support);
  if (!archive.reads() && archive.is_json())
    list->derived("structural_depth", depths_in_words(learned));
  if (measured) {
    list->numbers({"stability", "stability/cause"}, Need::probability, store::required,
                  learned.stability.cause);
  }
}

/// How the causes depend on one another; nothing: they do not.
CauseNetwork cause_tables(Archive& archive, const CauseNetwork& network, bool has_tables,
                          std::size_t n_causes) {
  if (!has_tables) return {};
  std::vector<Indices> parents = column(network.tables(), &CauseTable::parents);
  std::vector<Numbers> on = column(network.tables(), &CauseTable::on);
  const auto list =
      archive.list({"cause_tables", "cause_tables/n_parents"}, network.tables().size());
  if (archive.reads() && list->size() != n_causes) {
    archive.refuse(
        fmt::format("cause_tables has {} values; {} are needed", list->size(), n_causes));
  }
  list->index_lists({"parents", "cause_tables/parent"}, "cause_tables/n_parents", parents);
  list->number_lists(
      {"on", "cause_tables/on"}, Need::probability,
      [&](std::size_t i) {
        if (parents[i].size() > CauseNetwork::max_parents) {
          archive.refuse(fmt::format("cause_tables: {} parents, a cause has at most {}",
                                     parents[i].size(), CauseNetwork::max_parents));
        }
        return std::uint64_t{1} << parents[i].size();
      },
      on);
  if (!archive.reads()) return {};
  std::vector<CauseTable> tables;
  for (std::size_t i = 0; i < list->size(); ++i) {
    tables.push_back({std::move(parents[i]), std::move(on[i])});
  }
  return archive.checked([&] { return CauseNetwork(std::move(tables)); });
}

/// Priors that are left out follow from the tables, where sums over them can be had.
std::vector<Cause> with_priors(const Archive& archive, const CauseFields& fields,
                               const CauseNetwork& tables) {
  std::vector<Cause> causes;
  const bool all_there =
      std::ranges::none_of(fields.priors, [](double prior) { return std::isnan(prior); });
  const bool follow = all_there || model::CauseElimination(tables).is_feasible();
  for (std::size_t i = 0; i < fields.names.size(); ++i) {
    const bool there = !std::isnan(fields.priors[i]);
    if (!there && !follow) {
      archive.refuse(
          fmt::format("causes[{}].prior is missing: the tables are too coupled to say it", i));
    }
    causes.push_back({fields.names[i], there ? fields.priors[i] : 0});
  }
  return causes;
}

void require_priors(const Archive& archive, const Numbers& listed, const NoisyOrNetwork& network) {
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const double prior = network.causes()[i].prior;
    if (std::isnan(listed[i]) || std::abs(listed[i] - prior) <= prior_tolerance) continue;
    archive.refuse(fmt::format(
        "causes[{}].prior = {}; {:.6g} is what the tables of the causes say; leave the prior out",
        i, listed[i], prior));
  }
}

// ---- observed variables, anchors, edges ---------------------------------------------------------

std::vector<Observed> observed(Archive& archive, bool has_errors, LearnedModel& learned) {
  Texts names = column(learned.network.observed(), &Observed::name);
  Numbers leaks = column(learned.network.observed(), &Observed::leak);
  const auto list = archive.list({"observed", "observed/name"}, names.size());
  list->names({"name", "observed/name"}, "x", names);
  list->numbers({"leak", "observed/leak"}, Need::probability, store::required, leaks);
  list->numbers({"leak_error", "observed/leak_error"}, Need::error_or_unknown,
                archive.whole(has_errors, store::optional(std::nan(""))), learned.errors.leak);
  std::vector<Observed> variables;
  for (std::size_t a = 0; a < names.size(); ++a) variables.push_back({names[a], leaks[a]});
  return variables;
}

/// Values in the file's order, in another.
template <class Value>
std::vector<Value> in_order(const std::vector<Value>& values,
                            const std::vector<std::size_t>& places) {
  std::vector<Value> ordered;
  for (const std::size_t place : places) ordered.push_back(values[place]);
  return ordered;
}

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

/// The causes' moments, as recovered: JSON names each set before its table.
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

struct EdgeFields {
  Indices cause, observed;
  Numbers failure;

  explicit EdgeFields(const std::vector<Edge>& edges)
      : cause(column(edges, &Edge::cause)),
        observed(column(edges, &Edge::observed)),
        failure(column(edges, &Edge::failure)) {}

  [[nodiscard]] std::vector<Edge> joined() const {
    std::vector<Edge> edges;
    edges.reserve(cause.size());
    for (std::size_t i = 0; i < cause.size(); ++i) {
      edges.push_back({cause[i], observed[i], failure[i]});
    }
    return edges;
  }
  /// Of the edges that a network keeps, in its order. A failure of 1 is no edge.
  [[nodiscard]] std::vector<std::size_t> kept() const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < cause.size(); ++i) {
      if (failure[i] != 1) places.push_back(i);
    }
    std::ranges::sort(places, {}, [&](std::size_t i) { return std::tuple(cause[i], observed[i]); });
    return places;
  }
};

EdgeFields edges(Archive& archive, bool has_errors, LearnedModel& learned) {
  EdgeFields fields(learned.network.edges());
  {
    const auto list = archive.list({"edges", "edges/failure"}, fields.cause.size(),
                                   {"cause", "observed", "failure"});
    list->integers({"", "edges/cause"}, 0, largest_index, store::required, fields.cause);
    list->integers({"", "edges/observed"}, 0, largest_index, store::required, fields.observed);
    list->numbers({"", "edges/failure"}, Need::probability, store::required, fields.failure);
  }
  const std::size_t n = fields.cause.size();
  archive.numbers({"failure_errors", "edges/failure_error"}, Need::error_or_unknown, n, "edges",
                  learned.errors.failure, has_errors);
  if (learned.stability.resamples > 0) {
    archive.numbers({"edge_stability", "stability/edge"}, Need::probability, n, "edges",
                    learned.stability.edge, true);
    if (learned.stability.edge.size() != n) archive.refuse("edge_stability is missing; add it");
  }
  return fields;
}

/// Where some errors are known, those of all parameters are there: NaN is not known.
void complete(model::StandardErrors& errors, std::size_t n_causes, std::size_t n_observed,
              std::size_t n_edges) {
  if (errors.prior.empty() && errors.leak.empty() && errors.failure.empty()) return;
  errors.prior.resize(n_causes, std::nan(""));
  errors.leak.resize(n_observed, std::nan(""));
  errors.failure.resize(n_edges, std::nan(""));
}

}  // namespace

void fields(Archive& archive, LearnedModel& learned) {
  const NoisyOrNetwork& network = learned.network;
  std::string format;
  if (archive.reads() && archive.is_json()) archive.value({"format", ""}, format);
  const bool is_older = format == older_format;
  CauseFields of_causes{column(network.causes(), &Cause::name),
                        column(network.causes(), &Cause::prior),
                        ProvenanceFields(learned.provenance)};
  const auto has_error = [&](const char* hdf5) {
    return archive.has({"", hdf5}, !learned.errors.empty());
  };
  of_causes.has_errors = archive.is_json() ? !learned.errors.empty()
                                           : has_error("causes/prior_error") ||
                                                 has_error("observed/leak_error") ||
                                                 has_error("edges/failure_error");
  // What is said of causes names variables: who reads needs to know here how many there are.
  std::vector<Observed> variables;
  if (archive.reads()) {
    variables = observed(archive, of_causes.has_errors, learned);
    if (archive.is_json() && variables.empty()) {
      archive.refuse("observed = []; at least one observed variable is needed");
    }
  }
  archive.origin(learned);
  archive.remarks(learned);
  archive.value({"resamples", "stability@resamples"}, learned.stability.resamples,
                learned.stability.resamples > 0);
  if (archive.has({"resamples", "stability"}, false) && learned.stability.resamples == 0) {
    archive.refuse("resamples = 0; at least 1 is needed");
  }
  const bool has_tables =
      archive.has({"cause_tables", "cause_tables"}, network.has_dependent_causes()) || is_older;
  causes(archive, has_tables, is_older ? "y" : "cause", variables.size(), learned, of_causes);
  const std::size_t n_causes = of_causes.names.size();
  CauseNetwork tables = cause_tables(archive, network.cause_network(), has_tables, n_causes);
  if (!archive.reads()) observed(archive, of_causes.has_errors, learned);
  std::vector<Anchor> its_anchors = anchors(archive, is_older, learned);
  cause_moments(archive, n_causes, learned.moments);
  const EdgeFields of_edges = edges(archive, of_causes.has_errors, learned);
  if (!archive.reads()) return;
  const std::size_t n_observed = variables.size();
  std::vector<Cause> all_causes = with_priors(archive, of_causes, tables);
  learned.network = archive.checked([&] {
    return NoisyOrNetwork(std::move(all_causes), std::move(variables), of_edges.joined(),
                          std::move(tables), std::move(its_anchors));
  });
  if (has_tables) require_priors(archive, of_causes.priors, learned.network);
  learned.provenance = of_causes.provenance.joined(n_causes);
  complete(learned.errors, n_causes, n_observed, of_edges.cause.size());
  const std::vector<std::size_t> kept = of_edges.kept();
  if (!learned.errors.empty()) learned.errors.failure = in_order(learned.errors.failure, kept);
  if (learned.stability.resamples > 0) {
    learned.stability.edge = in_order(learned.stability.edge, kept);
  }
}

}  // namespace orrery::noisy_or
