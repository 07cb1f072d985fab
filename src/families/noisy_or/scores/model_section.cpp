// What a model says of itself: its causes, its weakest edges, and in JSON its leaks.
#include <fmt/format.h>

#include <algorithm>

#include "families/noisy_or/scores/sections.hpp"
#include "families/noisy_or/scores/uncertainty.hpp"

namespace orrery::noisy_or {
namespace {

constexpr std::size_t weakest_in_text = 5;
constexpr std::size_t weakest_on_page = 10;
constexpr std::size_t weakest_in_json = 20;

void add_leaks(report::Section& section, const model::LearnedModel& learned) {
  report::Table& leaks = section.table("leaks", "");
  for (std::size_t a = 0; a < learned.network.n_observed(); ++a) {
    const model::Observed& variable = learned.network.observed()[a];
    const auto interval = interval95(variable.leak, learned.errors.leak, a);
    leaks.row()
        .data("observed", variable.name)
        .data("leak", variable.leak)
        .data("leak_interval", interval_json(interval));
  }
}

}  // namespace

void add_weakest_edges(report::Section& section, const model::LearnedModel& learned) {
  std::string note = "those with the least evidence";
  if (learned.stability.resamples > 0) {
    note += fmt::format("; stability is the share of {} bootstrap resamples that have the edge too",
                        learned.stability.resamples);
  }
  report::Table& table = section.table("weakest_edges", "Weakest edges", note);
  table.most_shown = weakest_in_text;
  table.most_on_page = weakest_on_page;
  for (const std::size_t i : weakest_edges(learned, weakest_in_json)) {
    const model::Edge& edge = learned.network.edges()[i];
    const std::string& cause = learned.network.causes()[edge.cause].name;
    const std::string& variable = learned.network.observed()[edge.observed].name;
    report::Record& row = table.row();
    row.tell("cause", cause, "cause", cause).tell("observed", variable, "variable", variable);
    row.tell("failure", edge.failure, "failure", fmt::format("{:.3g}", edge.failure));
    if (!learned.errors.empty()) {
      const auto interval = interval95(edge.failure, learned.errors.failure, i);
      row.tell("failure_interval", interval_json(interval), "95 % interval",
               interval_text(interval));
    }
    if (learned.stability.resamples > 0) {
      const double share = learned.stability.edge[i];
      row.tell("stability", share, "stability", fmt::format("{:.2f}", share));
    }
  }
}

report::Section& add_model(report::Sheet& sheet, const model::LearnedModel& learned,
                           const std::vector<std::int32_t>& depths, bool list_causes) {
  report::Section& section = sheet.section("model", "The model");
  section.sentences.push_back(fmt::format(
      "{} cause{} of {} variables{}{}", learned.network.n_causes(),
      learned.network.n_causes() == 1 ? "" : "s", learned.network.n_observed(),
      learned.errors.empty() ? "" : ", with 95 % intervals",
      learned.stability.resamples == 0
          ? ""
          : fmt::format(", stability from {} bootstrap resamples", learned.stability.resamples)));
  if (learned.stability.resamples > 0) section.data("resamples", learned.stability.resamples);
  report::Table& causes = section.table("causes", list_causes ? "Causes" : "");
  causes.most_shown = many_causes;
  add_causes(causes, learned, depths);
  add_weakest_edges(section, learned);
  if (!learned.errors.empty()) add_leaks(section, learned);
  return section;
}

}  // namespace orrery::noisy_or
