#include "families/noisy_or/quartet/copies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "base/log.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "learning/row_sums.hpp"
#include "moments/chosen_moments.hpp"

namespace orrery::quartet {
namespace {

using Pair = std::array<std::uint32_t, 2>;
using Group = std::vector<std::uint32_t>;  // ascending

/// The correlation of two columns with these singles; 0 of a constant one.
double likeness(double off_a, double off_b, double both_off) {
  const double variance = off_a * (1 - off_a) * off_b * (1 - off_b);
  return variance > 0 ? (both_off - off_a * off_b) / std::sqrt(variance) : 0;
}
double likeness(const moments::MomentSource& moments, std::size_t a, std::size_t b) {
  return likeness(moments.single(a), moments.single(b), moments.pair(a, b));
}

/// How many times closer the columns of a group are to each other than to any other.
double times_apart(const moments::MomentSource& moments, const Group& group) {
  double widest = 0;   // 1 - phi, inside
  double nearest = 1;  // and to the others
  for (const std::uint32_t a : group) {
    for (std::uint32_t b = 0; b < moments.n_observed(); ++b) {
      const double distance = std::max(1 - likeness(moments, a, b), 0.0);
      if (a == b) continue;
      if (std::ranges::find(group, b) != group.end()) {
        widest = std::max(widest, distance);
      } else {
        nearest = std::min(nearest, distance);
      }
    }
  }
  constexpr double rounding = 1e-12;
  if (nearest <= rounding) return 0;
  return widest > rounding ? nearest / widest : std::numeric_limits<double>::infinity();
}

using PairAlike = std::pair<double, Pair>;  // 1 - phi

/// Column `a` with the most_in_group columns that are most like it, of those that are alike at all.
/// `off`: the singles of all.
std::vector<PairAlike> pairs_of_column(const moments::MomentSource& moments,
                                       const std::vector<double>& off, std::uint32_t a) {
  const auto m = static_cast<std::uint32_t>(moments.n_observed());
  const double n_rarer = static_cast<double>(moments.n_samples()) * std::min(off[a], 1 - off[a]);
  if (n_rarer < constants::copies::least_rows) return {};
  std::vector<PairAlike> pairs;
  for (std::uint32_t b = 0; b < m; ++b) {
    const double phi = a == b ? 0 : likeness(off[a], off[b], moments.pair(a, b));
    if (phi >= constants::copies::least_likeness)
      pairs.push_back({1 - phi, {std::min(a, b), std::max(a, b)}});
  }
  std::ranges::sort(pairs);
  pairs.resize(std::min(pairs.size(), constants::copies::most_in_group));
  return pairs;
}

/// Those of all columns, the most alike first.
std::vector<Pair> pairs_alike(const moments::MomentSource& moments, int threads) {
  std::vector<double> off;
  for (std::size_t a = 0; a < moments.n_observed(); ++a) off.push_back(moments.single(a));
  std::vector<std::vector<PairAlike>> of_columns(off.size());
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
  for (std::uint32_t a = 0; a < of_columns.size(); ++a) {
    of_columns[a] = pairs_of_column(moments, off, a);
  }
  std::vector<PairAlike> pairs;
  for (const auto& some : of_columns) pairs.insert(pairs.end(), some.begin(), some.end());
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::vector<Pair> sorted;
  sorted.reserve(pairs.size());
  for (const auto& [distance, pair] : pairs) sorted.push_back(pair);
  return sorted;
}

/// What witnesses say of two columns a and b: columns that go with both.
struct Testimony {
  /// How often witnesses are on where a and b differ, as a share of how often where both are on.
  double where_apart = 0;
  /// The correlation of a and b in the rows where a witness is on: their mean.
  double likeness_beside = 0;

  /// Where a copy is wrong nobody knows of it, and where the witness is on, and hence their cause,
  /// the copy fails with its original. Of two children of a cause one has failed, each by itself.
  [[nodiscard]] bool says_copies() const {
    return where_apart < constants::copies::most_for_copies &&
           likeness_beside >= constants::copies::least_beside;
  }
};

/// P(a and b differ).
double apart(const moments::MomentSource& moments, const Pair& pair) {
  const auto [a, b] = pair;
  return moments.single(a) + moments.single(b) - 2 * moments.pair(a, b);
}

/// `off`: P(a, b, x off) of each x; empty without witnesses.
std::optional<Testimony> testimony_of(const moments::MomentSource& moments, const Pair& pair,
                                      const std::vector<double>& off) {
  const auto [a, b] = pair;
  const double differ = apart(moments, pair);
  const double both = 1 - moments.single(a) - moments.single(b) + moments.pair(a, b);
  double where_differ = 0;
  double where_both = 0;
  double beside = 0;
  double n_witnesses = 0;
  for (std::uint32_t x = 0; x < moments.n_observed(); ++x) {
    const bool is_witness = x != a && x != b &&
                            likeness(moments, a, x) >= constants::copies::least_witness &&
                            likeness(moments, b, x) >= constants::copies::least_witness;
    if (!is_witness) continue;
    n_witnesses += 1;
    const double off_a = moments.pair(a, x);
    const double off_b = moments.pair(b, x);
    where_differ += (differ - (off_a + off_b - 2 * off[x])) / differ;
    where_both += (both - (moments.single(x) - off_a - off_b + off[x])) / both;
    const double on = 1 - moments.single(x);  // and of the rows where x is on
    const double a_off = (moments.single(a) - off_a) / on;
    const double b_off = (moments.single(b) - off_b) / on;
    const double variance = a_off * (1 - a_off) * b_off * (1 - b_off);
    const double together = (moments.pair(a, b) - off[x]) / on - a_off * b_off;
    if (variance > 0) beside += together / std::sqrt(variance);
  }
  if (n_witnesses == 0 || where_both <= 0) return {};
  return Testimony{where_differ / where_both, beside / n_witnesses};
}

/// Of each pair; empty where there are no witnesses, or too few rows in which the two differ.
std::vector<std::optional<Testimony>> hear_witnesses(const moments::MomentSource& moments,
                                                     const std::vector<Pair>& pairs) {
  constexpr std::size_t at_once = 8;  // as MomentSource takes them
  std::vector<std::optional<Testimony>> heard(pairs.size());
  std::vector<std::size_t> asked;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto rows_apart = static_cast<double>(moments.n_samples()) * apart(moments, pairs[p]);
    if (rows_apart >= constants::copies::least_rows_apart) asked.push_back(p);
  }
  for (std::size_t first = 0; first < asked.size(); first += at_once) {
    const std::size_t last = std::min(first + at_once, asked.size());
    std::vector<Pair> some;
    for (std::size_t i = first; i < last; ++i) some.push_back(pairs[asked[i]]);
    moments.prepare_pairs(some);
    const std::vector<std::vector<double>> off =
        moments.triples_of_pairs(some, 0, moments.n_observed());
    for (std::size_t i = first; i < last; ++i) {
      heard[asked[i]] = testimony_of(moments, pairs[asked[i]], off[i - first]);
    }
  }
  return heard;
}

/// Columns in groups that grow together: by column the first of its group.
class Groups {
 public:
  explicit Groups(std::size_t n_columns) : first_(n_columns) {
    std::iota(first_.begin(), first_.end(), 0U);
  }

  [[nodiscard]] const std::vector<std::uint32_t>& first() const { return first_; }

  void join(std::uint32_t a, std::uint32_t b) {
    const auto [low, high] = std::minmax({first_[a], first_[b]});  // values, not references
    std::ranges::replace(first_, high, low);
  }

  [[nodiscard]] Group with(std::uint32_t a) const {
    Group group;
    for (std::uint32_t b = 0; b < first_.size(); ++b) {
      if (first_[b] == first_[a]) group.push_back(b);
    }
    return group;
  }

 private:
  std::vector<std::uint32_t> first_;
};

/// Groups that are far from all other columns: without testimony times_closer_alone, else
/// times_closer_by_far. `pairs`: the most alike first, so that each group is met whole.
Groups groups_apart(const moments::MomentSource& moments, const std::vector<Pair>& pairs,
                    const std::vector<std::optional<Testimony>>& heard) {
  Groups near(moments.n_observed());  // single linkage
  Groups apart(moments.n_observed());
  for (const auto& [a, b] : pairs) {
    if (likeness(moments, a, b) < constants::copies::least_likeness_apart) break;
    if (near.first()[a] == near.first()[b]) continue;
    near.join(a, b);
    const Group group = near.with(a);
    if (group.size() > constants::copies::most_in_group) continue;
    bool is_heard = false;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      is_heard = is_heard || (heard[p] && std::ranges::includes(group, pairs[p]));
    }
    const double closer = times_apart(moments, group);
    if (closer <
        (is_heard ? constants::copies::times_closer_by_far : constants::copies::times_closer_alone))
      continue;
    for (const std::uint32_t c : group) apart.join(group.front(), c);
  }
  return apart;
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
  return learning::list_names(named);
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

Copies find_copies(const moments::MomentSource& moments, int threads) {
  const std::vector<Pair> pairs = pairs_alike(moments, threads);
  const std::vector<std::optional<Testimony>> heard = hear_witnesses(moments, pairs);
  const Groups apart = groups_apart(moments, pairs, heard);
  Groups together = apart;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (heard[p] && heard[p]->says_copies()) together.join(pairs[p][0], pairs[p][1]);
  }
  std::vector<std::uint32_t> original = together.first();
  for (std::uint32_t a = 0; a < original.size(); ++a) {
    // Four that agree may be the children of a strong cause.
    if (together.with(a).size() > constants::copies::most_in_group) original[a] = apart.first()[a];
  }
  return {std::move(original)};
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
    const learning::LearnContext& context,
    const std::function<model::LearnedModel(const learning::LearnContext& context)>& learn) {
  if (context.rows == nullptr || context.known != nullptr) return learn(context);
  const Copies copies = find_copies(context.moments, context.threads);
  if (copies.none()) return learn(context);
  const std::vector<std::uint32_t> kept = copies.kept();
  const moments::ChosenMoments moments(context.moments, kept);
  const learning::RowPass rows = context.rows->with_columns(kept);
  std::vector<std::string> names;
  names.reserve(kept.size());
  for (const std::uint32_t a : kept) names.push_back(context.names[a]);
  const model::LearnedModel model =
      learn({context.team, context.threads, context.seed, moments, names, nullptr, &rows,
             context.memory_bytes, context.stages, context.checkpoints});
  return with_copies(model, copies, context.names, context.moments);
}

}  // namespace orrery::quartet
