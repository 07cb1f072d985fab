// The causes of a network as rows of a sheet's table.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/progress.hpp"
#include "families/noisy_or/scores/sections.hpp"
#include "model/learnability.hpp"
#include "report/titles.hpp"

namespace orrery::noisy_or {
namespace {

using model::LearnedModel;
using model::NoisyOrNetwork;
using nlohmann::json;

std::string quartet_names(const LearnedModel& model, const model::Provenance& from) {
  std::string text;
  for (const std::int32_t x : from.quartet) {
    if (x < 0) continue;
    text += (text.empty() ? "" : ", ") + model.network.observed()[static_cast<std::size_t>(x)].name;
  }
  return text;
}

/// "x4, x1, x7": the variables that the cause switches on most surely.
std::string strongest_names(const NoisyOrNetwork& network, std::size_t cause) {
  constexpr std::size_t most = 3;
  const auto children = network.children(cause);
  std::vector<model::Edge> edges(children.begin(), children.end());
  std::ranges::stable_sort(edges, {}, &model::Edge::failure);
  std::string names;
  for (std::size_t e = 0; e < edges.size() && e < most; ++e) {
    names += (e == 0 ? "" : ", ") + network.observed()[edges[e].observed].name;
  }
  return names;
}

void add_prior(report::Record& row, const LearnedModel& model, std::size_t cause) {
  const double prior = model.network.causes()[cause].prior;
  row.tell("prior", prior, "prior", fmt::format("{:.4g}", prior));
  if (model.errors.empty()) return;
  const auto interval = interval95(prior, model.errors.prior, cause);
  row.data("prior_interval", interval_json(interval));
  row.show("95 % interval", interval_text(interval));
}

void add_evidence(report::Record& row, const LearnedModel& model, std::size_t cause,
                  const std::vector<std::int32_t>& depths) {
  const model::Provenance& from = model.provenance[cause];
  row.data("depth", from.depth);
  if (!depths.empty()) {
    row.tell("structural_depth", depth_json(depths[cause]), "depth", depth_text(depths[cause]));
  }
  row.data("quartet", from.quartet).data("statistic", from.statistic);
  if (from.statistic_error > 0) row.data("statistic_error", from.statistic_error);
  if (from.support > 0) {
    row.tell("support", from.support, "support", format_count(from.support));
  }
}

/// As learned, or else as the parameters say.
model::AnchorRates rates_of(const LearnedModel& learned, std::size_t anchor) {
  if (!learned.rates.empty()) return learned.rates[anchor];
  const auto [off, on] = learned.network.anchor_rates(anchor);
  return {off, on, 0, 0, ""};
}

/// "a (0.05, 0.7)": the anchors of a cause, and how often each is on without and with it.
void add_anchors(report::Record& row, const LearnedModel& learned, std::size_t cause) {
  const NoisyOrNetwork& network = learned.network;
  json list = json::array();
  std::string text;
  for (std::size_t i = 0; i < network.anchors().size(); ++i) {
    const model::Anchor& anchor = network.anchors()[i];
    if (anchor.cause != cause) continue;
    const model::AnchorRates rates = rates_of(learned, i);
    const std::string& name = network.observed()[anchor.observed].name;
    list.push_back({{"name", name},
                    {"columns", anchor.columns},
                    {"off", rates.off},
                    {"on", rates.on},
                    {"off_error", report::finite_or_null(rates.off_error)},
                    {"on_error", report::finite_or_null(rates.on_error)},
                    {"source", rates.source}});
    text +=
        fmt::format("{}{} ({:.3g}, {:.3g})", text.empty() ? "" : ", ", name, rates.off, rates.on);
  }
  row.tell("anchors", std::move(list), "anchors, on without and with the cause",
           text.empty() ? "none" : text);
}

}  // namespace

std::string describe_depths(const std::vector<std::int32_t>& depths) {
  std::map<std::int32_t, std::size_t> count;
  std::size_t n_never = 0;
  for (const std::int32_t depth : depths) {
    if (depth == model::CauseLearnability::never) {
      ++n_never;
    } else {
      ++count[depth];
    }
  }
  std::string text;
  for (const auto& [depth, n] : count) {
    text += fmt::format("{}{} at depth {}", text.empty() ? "" : ", ", n, depth);
  }
  if (n_never > 0) text += fmt::format("{}{} never by quartets", text.empty() ? "" : ", ", n_never);
  return text;
}

std::string depth_text(std::int32_t depth) {
  return depth == model::CauseLearnability::never ? "never" : fmt::format("{}", depth);
}

json depth_json(std::int32_t depth) {
  return depth == model::CauseLearnability::never ? json(nullptr) : json(depth);
}

json interval_json(const std::optional<Interval>& interval) {
  if (!interval) return nullptr;
  return {interval->low, interval->high};
}

std::string interval_text(const std::optional<Interval>& interval) {
  return interval ? fmt::format("{:.3g} to {:.3g}", interval->low, interval->high) : "";
}

void add_causes(report::Table& table, const LearnedModel& learned,
                const std::vector<std::int32_t>& depths) {
  const NoisyOrNetwork& network = learned.network;
  const std::vector<std::string> titles = report::titles_of_causes(network);
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    report::Record& row = table.row();
    const std::size_t n_children = network.children(u).size();
    row.tell("name", network.causes()[u].name, "cause", titles[u]).data("title", titles[u]);
    add_prior(row, learned, u);
    row.tell("children", n_children, "children", format_count(n_children));
    if (!learned.provenance.empty()) add_evidence(row, learned, u, depths);
    if (learned.stability.resamples > 0) {
      const double share = learned.stability.cause[u];
      row.tell("stability", share, "stability", fmt::format("{:.2f}", share));
    }
    const std::string members =
        learned.provenance.empty() ? "" : quartet_names(learned, learned.provenance[u]);
    if (!members.empty()) row.show("learned from", members);
    if (members.empty() && !report::is_automatic_name(network.causes()[u].name)) {
      row.show("strongest children", strongest_names(network, u));  // others have them in the title
    }
  }
}

void add_anchored_causes(report::Table& table, const LearnedModel& learned) {
  const NoisyOrNetwork& network = learned.network;
  for (std::size_t i = 0; i < network.n_causes(); ++i) {
    json parents = json::array();
    for (const std::uint32_t parent : network.cause_network().tables()[i].parents) {
      parents.push_back(network.causes()[parent].name);
    }
    report::Record& row = table.row();
    const model::Cause& cause = network.causes()[i];
    const std::size_t n_children = network.children(i).size();
    const std::string title = report::title_of_cause(network, i);
    row.tell("name", cause.name, "cause", title).data("title", title);
    row.tell("prior", cause.prior, "prior", fmt::format("{:.3g}", cause.prior));
    row.data("parents", std::move(parents));
    row.tell("children", n_children, "children", format_count(n_children));
    add_anchors(row, learned, i);
  }
}

}  // namespace orrery::noisy_or
