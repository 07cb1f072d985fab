#include "learners/quartet/copies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "learners/derived_rows.hpp"
#include "orrery/base/log.hpp"

namespace orrery::quartet {
namespace {

constexpr std::size_t most_copies = 3;  // of a group, the first with them
// Of fewer rows that are on (or off) the correlation says little.
constexpr double least_rows = 20;
// A witness: its correlation with each column of the group; and rows in which two columns differ.
constexpr double least_witness = .3;
constexpr double least_rows_apart = 5;

/// The correlation of two columns; 0 of a constant one.
double likeness(const moments::MomentSource& moments, std::size_t a, std::size_t b) {
  const double off_a = moments.single(a);
  const double off_b = moments.single(b);
  const double variance = off_a * (1 - off_a) * off_b * (1 - off_b);
  return variance > 0 ? (moments.pair(a, b) - off_a * off_b) / std::sqrt(variance) : 0;
}

/// How many times closer the columns of a group are to each other than to any other.
double times_apart(const moments::MomentSource& moments, const std::vector<std::uint32_t>& group) {
  double widest = 0;   // 1 - phi, inside
  double nearest = 1;  // and to the others
  for (const std::uint32_t a : group) {
    for (std::uint32_t b = 0; b < moments.n_observed(); ++b) {
      const double distance = 1 - likeness(moments, a, b);
      if (a == b) continue;
      if (std::ranges::find(group, b) != group.end()) {
        widest = std::max(widest, distance);
      } else {
        nearest = std::min(nearest, distance);
      }
    }
  }
  return widest > 0 ? nearest / widest : std::numeric_limits<double>::infinity();
}

/// Columns that go with all of the group.
std::vector<std::uint32_t> witnesses_of(const moments::MomentSource& moments,
                                        const std::vector<std::uint32_t>& group) {
  std::vector<std::uint32_t> witnesses;
  for (std::uint32_t x = 0; x < moments.n_observed(); ++x) {
    if (std::ranges::all_of(group, [&](std::uint32_t a) {
          return a != x && likeness(moments, a, x) >= least_witness;
        })) {
      witnesses.push_back(x);
    }
  }
  return witnesses;
}

/// P(a and b differ).
double apart(const moments::MomentSource& moments, std::size_t a, std::size_t b) {
  return moments.single(a) + moments.single(b) - 2 * moments.pair(a, b);
}

/// How often witnesses are on where a and b differ, as a share of how often where both are on;
/// `off`: P(a, b, x off) of each x.
double witnessed(const moments::MomentSource& moments, std::size_t a, std::size_t b,
                 const std::vector<std::uint32_t>& witnesses, const std::vector<double>& off) {
  const double differ = apart(moments, a, b);
  const double both = 1 - moments.single(a) - moments.single(b) + moments.pair(a, b);
  double where_differ = 0;
  double where_both = 0;
  for (const std::uint32_t x : witnesses) {
    const double a_off = moments.pair(a, x);
    const double b_off = moments.pair(b, x);
    where_differ += (differ - (a_off + b_off - 2 * off[x])) / differ;
    where_both += (both - (moments.single(x) - a_off - b_off + off[x])) / both;
  }
  return where_both > 0 ? where_differ / where_both : 1;
}

/// The most that witnesses say of any two of the group; empty where there are none, or too few rows
/// in which the two differ.
std::optional<double> most_witnessed(const moments::MomentSource& moments,
                                     const std::vector<std::uint32_t>& group) {
  const std::vector<std::uint32_t> witnesses = witnesses_of(moments, group);
  std::vector<std::array<std::uint32_t, 2>> pairs;
  for (const std::uint32_t a : group) {
    for (const std::uint32_t b : group) {
      const double rows_apart = static_cast<double>(moments.n_samples()) * apart(moments, a, b);
      if (a < b && rows_apart >= least_rows_apart) pairs.push_back({a, b});
    }
  }
  if (witnesses.empty() || pairs.empty()) return {};
  moments.prepare_pairs(pairs);
  const std::vector<std::vector<double>> off =
      moments.triples_of_pairs(pairs, 0, moments.n_observed());
  double most = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    most = std::max(most, witnessed(moments, pairs[p][0], pairs[p][1], witnesses, off[p]));
  }
  return most;
}

bool are_copies(const moments::MomentSource& moments, const std::vector<std::uint32_t>& group) {
  if (group.size() > most_copies) return false;
  const double closer = times_apart(moments, group);
  if (closer < times_closer) return false;
  if (closer >= times_closer_by_far) return true;
  const std::optional<double> heard = most_witnessed(moments, group);
  return heard ? *heard < most_for_copies : closer >= times_closer_alone;
}

/// Columns `kept` of `from`, one after the other; what is beyond the last is 0.
void pick_columns(const data::BitPanels& from, const std::vector<std::uint32_t>& kept,
                  data::BitPanels& to) {
  const std::size_t n_words = to.n_words();
  std::uint64_t* word = to.words().data();
  for (std::size_t p = 0; p < to.n_panels(); ++p) {
    for (std::size_t w = 0; w < n_words; ++w) {
      for (std::size_t lane = 0; lane < data::panel_lanes; ++lane) {
        const std::size_t c = p * data::panel_lanes + lane;
        *word++ = c < kept.size() ? from.word(kept[c], w) : 0;
      }
    }
  }
}

/// 1 - leak in the proportion of the rows that are off.
double leak_of_copy(double leak, double off_original, double off_copy) {
  return off_original > 0 ? std::clamp(1 - (1 - leak) * off_copy / off_original, 0.0, 1.0) : leak;
}

/// "x9 of x3, x12 of x3"
std::string list_copies(const Copies& copies, const std::vector<std::string>& names) {
  std::vector<std::string> named;
  for (std::size_t a = 0; a < names.size(); ++a) {
    if (copies.original[a] != a)
      named.push_back(fmt::format("{} of {}", names[a], names[copies.original[a]]));
  }
  return learners::list_names(named);
}

std::string describe(const Copies& copies, const std::vector<std::string>& names) {
  const std::size_t n_copies = names.size() - copies.kept().size();
  return fmt::format(
      "{} nearly another one's copy ({}): learned from the first of them alone, whose causes are "
      "given to the others",
      n_copies == 1 ? "1 column is" : fmt::format("{} columns are", n_copies),
      list_copies(copies, names));
}

}  // namespace

std::vector<std::uint32_t> Copies::kept() const {
  std::vector<std::uint32_t> kept;
  for (std::uint32_t a = 0; a < original.size(); ++a) {
    if (original[a] == a) kept.push_back(a);
  }
  return kept;
}

Copies find_copies(const moments::MomentSource& moments) {
  const auto m = static_cast<std::uint32_t>(moments.n_observed());
  const auto n_rows = static_cast<double>(moments.n_samples());
  std::vector<std::uint32_t> first(m);  // of the group, by column
  std::iota(first.begin(), first.end(), 0U);
  for (std::uint32_t a = 0; a < m; ++a) {
    const double off = moments.single(a);
    if (n_rows * std::min(off, 1 - off) < least_rows) continue;
    for (std::uint32_t b = a + 1; b < m; ++b) {
      if (first[a] == first[b] || likeness(moments, a, b) < least_likeness) continue;
      const auto [low, high] = std::minmax({first[a], first[b]});  // values, not references
      std::ranges::replace(first, high, low);
    }
  }
  std::vector<std::vector<std::uint32_t>> groups(m);
  for (std::uint32_t a = 0; a < m; ++a) groups[first[a]].push_back(a);
  for (const auto& group : groups) {
    if (group.size() <= 1 || are_copies(moments, group)) continue;
    for (const std::uint32_t a : group) first[a] = a;
  }
  return {std::move(first)};
}

model::LearnedModel with_copies(const model::LearnedModel& kept, const Copies& copies,
                                const std::vector<std::string>& names,
                                const moments::MomentSource& moments) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const model::NoisyOrNetwork& network = kept.network;
  const std::vector<std::uint32_t> columns = copies.kept();
  std::vector<std::size_t> place(names.size());  // in `columns`, of the original
  for (std::size_t i = 0; i < columns.size(); ++i) place[columns[i]] = i;
  for (std::size_t a = 0; a < names.size(); ++a) place[a] = place[copies.original[a]];

  model::LearnedModel model = kept;
  std::vector<model::Observed> observed;
  model.errors.leak.clear();
  for (std::size_t a = 0; a < names.size(); ++a) {
    const std::uint32_t original = copies.original[a];
    const double leak = network.observed()[place[a]].leak;
    observed.push_back(
        {names[a],
         original == a ? leak : leak_of_copy(leak, moments.single(original), moments.single(a))});
    if (!kept.errors.leak.empty()) {
      model.errors.leak.push_back(original == a ? kept.errors.leak[place[a]] : unknown);
    }
  }
  // Edges by cause and variable, as the network has them.
  std::vector<model::Edge> edges;
  model.errors.failure.clear();
  model.stability.edge.clear();
  for (std::uint32_t c = 0; c < network.n_causes(); ++c) {
    const auto children = network.children(c);
    const auto first = static_cast<std::size_t>(children.data() - network.edges().data());
    for (std::uint32_t a = 0; a < names.size(); ++a) {
      const auto edge = std::ranges::lower_bound(children, place[a], {}, &model::Edge::observed);
      if (edge == children.end() || edge->observed != place[a]) continue;
      const std::size_t e = first + static_cast<std::size_t>(edge - children.begin());
      edges.push_back({c, a, edge->failure});
      if (!kept.errors.failure.empty()) {
        model.errors.failure.push_back(copies.original[a] == a ? kept.errors.failure[e] : unknown);
      }
      if (!kept.stability.edge.empty()) model.stability.edge.push_back(kept.stability.edge[e]);
    }
  }
  model.network = {network.causes(), std::move(observed), std::move(edges),
                   network.cause_network()};
  for (model::Provenance& origin : model.provenance) {
    for (std::int32_t& column : origin.quartet) {
      if (column >= 0)
        column = static_cast<std::int32_t>(columns[static_cast<std::size_t>(column)]);
    }
  }
  model.remarks.push_back(describe(copies, names));
  return model;
}

model::LearnedModel learn_without_copies(
    const learners::LearnContext& context,
    const std::function<model::LearnedModel(const learners::LearnContext& context)>& learn) {
  if (context.rows == nullptr || context.known != nullptr) return learn(context);
  const Copies copies = find_copies(context.moments);
  if (copies.none()) return learn(context);
  const std::vector<std::uint32_t> kept = copies.kept();
  const bool is_room = context.rows->values() != nullptr &&
                       (context.memory_bytes == 0 ||
                        learners::DerivedRows::bytes(context, kept.size()) < context.memory_bytes);
  if (!is_room) {
    log::warning(
        "--memory leaves no room for the rows without columns that are nearly another one's copy "
        "({}): such columns may look like a cause of their own; allow more, or leave the copies "
        "out with `orrery import --drop`",
        list_copies(copies, context.names));
    return learn(context);
  }
  std::vector<std::string> names;
  for (const std::uint32_t a : kept) names.push_back(context.names[a]);
  learners::DerivedRows rows(context, std::move(names), "without_copies");
  rows.fill(
      [&](const data::BitPanels& from, data::BitPanels& to) { pick_columns(from, kept, to); });
  return with_copies(learn(rows.context(context.stages)), copies, context.names, context.moments);
}

}  // namespace orrery::quartet
