#include "families/noisy_or/cause_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "model/cause_elimination.hpp"
#include "model/learnability.hpp"

namespace orrery::noisy_or {
namespace {

using model::Cause;
using model::CauseNetwork;
using model::CauseTable;
using model::LearnedModel;
using model::NoisyOrNetwork;
using model::Provenance;
using store::Archive;
using store::Need;
using Numbers = std::vector<double>;
using Indices = std::vector<std::uint32_t>;
using Texts = std::vector<std::string>;

constexpr std::int64_t largest_count = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t largest_depth = std::numeric_limits<std::int32_t>::max();
/// Of a prior: what another order of sums may differ by.
constexpr double prior_tolerance = 1e-9;

/// A number, or null for a cause that no quartet finds.
Texts depths_in_words(const LearnedModel& learned) {
  Texts depths;
  for (const std::int32_t depth : model::structural_depths(learned)) {
    const bool never = depth == model::CauseLearnability::never;
    depths.push_back(never ? "null" : fmt::format("{}", depth));
  }
  return depths;
}

}  // namespace

ProvenanceFields::ProvenanceFields(const std::vector<Provenance>& provenance) {
  for (const Provenance& from : provenance) {
    depth.push_back(from.depth);
    quartet.insert(quartet.end(), from.quartet.begin(), from.quartet.end());
    statistic.push_back(from.statistic);
    statistic_error.push_back(from.statistic_error);
    support.push_back(from.support);
  }
}
std::vector<Provenance> ProvenanceFields::joined(std::size_t n_causes) const {
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

namespace {

using model::Anchor;
using model::AnchorRates;
using model::SubsetTables;

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
