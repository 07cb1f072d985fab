#include "families/noisy_or/page/view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>

#include "families/noisy_or/scores/sections.hpp"
#include "model/cause_elimination.hpp"
#include "model/learnability.hpp"
#include "report/text.hpp"
#include "report/titles.hpp"

namespace orrery::noisy_or {
namespace {

using model::CauseElimination;
using model::CauseNetwork;
using model::CauseTable;

double correlation(const CauseElimination& elimination, std::uint32_t a, std::uint32_t b,
                   const std::vector<model::CauseWeight>& none) {
  const std::array<std::uint32_t, 2> pair{std::min(a, b), std::max(a, b)};
  const std::vector<double> p = elimination.table(pair, none);
  const double first = p[1] + p[3];
  const double second = p[2] + p[3];
  const double scale = std::sqrt(first * (1 - first) * second * (1 - second));
  return scale > 0 ? (p[3] - first * second) / scale : std::numeric_limits<double>::quiet_NaN();
}

double effect(const CauseTable& table, std::size_t parent) {
  double sum = 0;
  for (std::size_t state = 0; state < table.on.size(); ++state) {
    sum += ((state >> parent) & 1U) != 0 ? table.on[state] : -table.on[state];
  }
  return sum / (static_cast<double>(table.on.size()) / 2);
}

}  // namespace

CauseEdges cause_edges(const CauseNetwork& network) {
  CauseEdges found;
  const CauseElimination elimination(network);
  found.exact = elimination.is_feasible();
  const std::vector<model::CauseWeight> none(network.n_causes(), {1, 1});
  for (std::uint32_t child = 0; child < network.n_causes(); ++child) {
    const CauseTable& table = network.tables()[child];
    for (std::size_t i = 0; i < table.parents.size(); ++i) {
      const std::uint32_t parent = table.parents[i];
      found.edges.push_back(
          {parent, child,
           found.exact ? correlation(elimination, parent, child, none) : effect(table, i)});
    }
  }
  std::ranges::sort(found.edges, [](const CauseEdge& a, const CauseEdge& b) {
    return a.parent != b.parent ? a.parent < b.parent : a.child < b.child;
  });
  return found;
}

// Causes in sections.

namespace {

/// Nothing: depths are not known.
using Depth = std::optional<std::int32_t>;

Section found_section(Depth depth, const model::LearnedModel& model) {
  Section section;
  if (!depth) {
    section.heading = "Causes";
  } else if (*depth == model::CauseLearnability::never) {
    section.heading = "never by quartets";
    section.note =
        "no four of their children are singly coupled, whatever is subtracted: quartet tests "
        "alone do not show these causes";
    if (model.learner == "params") {
      section.note += "; the parameters were learned by triplets of the given structure";
    }
  } else {
    section.heading = fmt::format("d = {}", *depth);
    section.note = *depth == 0 ? "quartet tests show these causes in the samples as they are"
                               : fmt::format(
                                     "quartet tests show these causes after {} of subtracting the "
                                     "causes above",
                                     report::count_of(static_cast<std::size_t>(*depth), "round"));
  }
  return section;
}

/// Rising depths, then those that quartets never find.
struct NeverLast {
  bool operator()(Depth a, Depth b) const {
    const auto key = [](Depth depth) { return static_cast<std::uint32_t>(depth.value_or(0)); };
    return key(a) < key(b);
  }
};

/// Found causes by structural depth; within a depth by the true cause, as the figure of the paper,
/// else by the learned index.
std::vector<Section> found_sections(const ReportInput& input,
                                    const std::vector<std::int32_t>& depths) {
  const auto truth_of = partners(input);
  std::map<Depth, std::vector<Item>, NeverLast> by_depth;
  for (std::size_t k = 0; k < truth_of.size(); ++k) {
    if (input.truth != nullptr && !truth_of[k]) continue;
    by_depth[depths.empty() ? Depth() : depths[k]].push_back({k, truth_of[k]});
  }
  std::vector<Section> sections;
  for (auto& [depth, items] : by_depth) {
    std::stable_sort(items.begin(), items.end(),
                     [](const Item& a, const Item& b) { return a.truth < b.truth; });
    sections.push_back(found_section(depth, *input.model));
    sections.back().items = std::move(items);
  }
  return sections;
}

/// True if the two have an edge in common; without one the partner is but what was left over.
bool share_a_child(const View& view, std::size_t learned, std::size_t truth) {
  const auto children = view.input->truth->children(truth);
  return std::any_of(children.begin(), children.end(), [&](const model::Edge& edge) {
    const double f = view.input->model->network.failure(learned, view.model_index[edge.observed]);
    return 1 - edge.failure > edge_strength && 1 - f > edge_strength;
  });
}

void add_missed_and_extra(View& view) {
  const Evaluation& evaluation = *view.input->evaluation;
  Section missed{SectionKind::missed,
                 "Missed",
                 "true causes that were not recovered, beside the "
                 "nearest learned one if it shares a child",
                 {}};
  for (std::size_t t = 0; t < evaluation.causes.size(); ++t) {
    const CauseMatch& match = evaluation.causes[t];
    if (match.recovered) continue;
    Item item{std::nullopt, t};
    if (match.learned >= 0 && share_a_child(view, static_cast<std::size_t>(match.learned), t)) {
      item.learned = static_cast<std::size_t>(match.learned);
    }
    missed.items.push_back(item);
  }
  Section extra{SectionKind::extra, "Extra", "learned causes that recover no true one", {}};
  for (const std::size_t k : evaluation.extra) extra.items.push_back({k, std::nullopt});
  for (Section* section : {&missed, &extra}) {
    if (!section->items.empty()) view.sections.push_back(std::move(*section));
  }
}

std::vector<Section> searched_sections(const ReportInput& input) {
  Section found{SectionKind::found, "Causes", "", {}};
  const auto truth_of = partners(input);
  for (std::size_t k = 0; k < truth_of.size(); ++k) found.items.push_back({k, truth_of[k]});
  std::vector<Section> sections{std::move(found)};
  if (input.truth == nullptr) return sections;
  Section missed{
      SectionKind::missed,
      "Missed",
      "True causes that no learned one matches: no cosine of 1 &#8722; f is above 0.9, or "
      "the learned cause is closer to another.",
      {}};
  const auto& truth = input.evaluation->likeness.truth;
  for (std::size_t t = 0; t < truth.size(); ++t) {
    if (truth[t].match < 0) missed.items.push_back({std::nullopt, t});
  }
  std::ranges::stable_sort(missed.items, std::ranges::greater{}, [&](const Item& item) {
    return input.truth->causes()[*item.truth].prior;
  });
  if (!missed.items.empty()) sections.push_back(std::move(missed));
  return sections;
}

/// Two numbers with a dash between, smaller.
std::string interval_text(const std::string& low, const std::string& high) {
  return fmt::format(" <small>{}&#8211;{}</small>", low, high);
}

}  // namespace

View make_view(const ReportInput& input) {
  View view;
  view.input = &input;
  view.depths = model::structural_depths(*input.model);
  view.titles = report::titles_of_causes(input.model->network);
  view.sections =
      is_searched(input) ? searched_sections(input) : found_sections(input, view.depths);
  if (input.truth == nullptr) return view;
  view.true_titles = report::titles_of_causes(*input.truth);
  const auto truth_index = align_observed(input.model->network, *input.truth);
  view.model_index.resize(truth_index.size());
  for (std::size_t a = 0; a < truth_index.size(); ++a) view.model_index[truth_index[a]] = a;
  if (!is_searched(input)) add_missed_and_extra(view);
  return view;
}

bool is_searched(const ReportInput& input) {
  const std::size_t n_true = input.truth == nullptr ? 0 : input.truth->n_causes();
  return !input.grid && std::max(n_true, input.model->network.n_causes()) > many_causes;
}

Outcome outcome_of(const ReportInput& input) {
  const Evaluation& evaluation = *input.evaluation;
  const Likeness& likeness = evaluation.likeness;
  if (is_searched(input)) return {"matched", likeness.matched, likeness.extra};
  return {"recovered", evaluation.recovered, evaluation.extra.size()};
}

std::vector<std::optional<std::size_t>> partners(const ReportInput& input) {
  std::vector<std::optional<std::size_t>> truth_of(input.model->network.n_causes());
  if (input.evaluation == nullptr) return truth_of;
  const auto& causes = input.evaluation->causes;
  const auto& alike = input.evaluation->likeness.truth;
  const bool searched = is_searched(input);
  for (std::size_t t = 0; t < causes.size(); ++t) {
    const std::int64_t learned =
        searched ? alike[t].match : (causes[t].recovered ? causes[t].learned : -1);
    if (learned >= 0) truth_of[static_cast<std::size_t>(learned)] = t;
  }
  return truth_of;
}

std::string structural_depth_text(const View& view, std::size_t cause) {
  if (view.depths.empty()) return "";
  const std::int32_t depth = view.depths[cause];
  return depth == model::CauseLearnability::never ? "never" : fmt::format("{}", depth);
}

std::string round_text(const View& view, std::size_t cause) {
  const std::int32_t round = provenance_of(*view.input->model, cause).depth;
  return round < 0 ? "" : fmt::format("{}", round);
}

std::string statistic_of(const model::Provenance& from) {
  const std::string statistic = report::short_number(from.statistic);
  if (!(from.statistic_error > 0)) return statistic;
  return fmt::format("{} ± {}", statistic, report::short_number(from.statistic_error));
}

model::Provenance provenance_of(const model::LearnedModel& model, std::size_t cause) {
  return cause < model.provenance.size() ? model.provenance[cause] : model::Provenance{};
}

std::vector<std::size_t> quartet_of(const model::LearnedModel& model, std::size_t cause) {
  std::vector<std::size_t> members;
  for (const std::int32_t a : provenance_of(model, cause).quartet) {
    if (a >= 0 && static_cast<std::size_t>(a) < model.network.n_observed()) {
      members.push_back(static_cast<std::size_t>(a));
    }
  }
  return members;
}

bool has_support(const model::LearnedModel& model) {
  return std::ranges::any_of(model.provenance,
                             [](const model::Provenance& from) { return from.support > 0; });
}

std::string prior_text(const model::LearnedModel& model, std::size_t cause) {
  const double prior = model.network.causes()[cause].prior;
  const auto interval = interval95(prior, model.errors.prior, cause);
  const std::string text = report::short_number(prior);
  if (!interval) return text;
  return text +
         interval_text(report::short_number(interval->low), report::short_number(interval->high));
}

std::string strength_text(const model::LearnedModel& model, std::size_t edge) {
  const auto two_digits = [](double value) { return fmt::format("{:.2f}", value); };
  const double failure = model.network.edges()[edge].failure;
  const auto interval = interval95(failure, model.errors.failure, edge);
  const std::string text = two_digits(1 - failure);
  if (!interval) return text;
  return text + interval_text(two_digits(1 - interval->high), two_digits(1 - interval->low));
}

bool is_anchor(const model::NoisyOrNetwork& network, const model::Edge& edge) {
  const auto pair_of = [](const model::Anchor& anchor) {
    return std::pair(anchor.cause, anchor.observed);
  };
  return std::ranges::binary_search(network.anchors(), std::pair(edge.cause, edge.observed), {},
                                    pair_of);
}

std::size_t count_children(const model::NoisyOrNetwork& network, std::size_t cause) {
  const auto children = network.children(cause);
  return static_cast<std::size_t>(
      std::count_if(children.begin(), children.end(),
                    [](const model::Edge& edge) { return 1 - edge.failure > edge_strength; }));
}

std::string section_head(const Section& section) {
  constexpr const char* style_class[] = {"found", "missed", "extra"};
  return fmt::format(
      "<section class=\"{}\"><h2>{} <small>{}</small></h2>\n<p class=\"note\">{}</p>\n",
      style_class[static_cast<std::size_t>(section.kind)], section.heading,
      report::count_of(section.items.size(), "cause"), section.note);
}

std::string item_name(const View& view, SectionKind kind, const Item& item,
                      std::size_t max_characters) {
  std::string learned;
  std::string truth;
  if (item.learned) {
    learned = report::escape(report::shorten(view.titles[*item.learned], max_characters));
  }
  if (item.truth) {
    truth = report::escape(report::shorten(view.true_titles[*item.truth], max_characters));
  }
  if (!item.truth) return learned;
  if (!item.learned) return truth;
  return kind == SectionKind::missed ? fmt::format("{} <small>nearest: {}</small>", truth, learned)
                                     : fmt::format("{} <small>true: {}</small>", learned, truth);
}

}  // namespace orrery::noisy_or
