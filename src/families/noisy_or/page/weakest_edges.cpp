// The edges that a reader should doubt first.
#include <fmt/format.h>

#include <string>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/noisy_or/page/view.hpp"
#include "families/noisy_or/scores/uncertainty.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
namespace {

constexpr std::size_t max_edges = 10;
constexpr std::size_t max_weak_edge_name = 28;

}  // namespace

std::string weakest_edges_section(const model::LearnedModel& model) {
  const auto edges = weakest_edges(model, max_edges);
  if (edges.empty() || (model.errors.empty() && !has_stability(model))) return "";
  std::string note = "Edges with the least evidence, worst first";
  if (has_stability(model)) {
    note += fmt::format("; stability is the share of {} that have the edge too",
                        report::count_of(model.stability.resamples, "bootstrap resample"));
  }
  std::string out = fmt::format(
      "<section><h2>Weakest edges</h2><p class=\"note\">{}.</p><div class=\"scroll\" "
      "tabindex=\"0\"><table class=\"patterns\"><thead><tr><th scope=\"col\">cause</th><th "
      "scope=\"col\">variable</th><th scope=\"col\" "
      "class=\"n\">1&nbsp;&#8722;&nbsp;f</th>{}</tr></thead><tbody>\n",
      note, has_stability(model) ? "<th scope=\"col\" class=\"n\">stability</th>" : "");
  for (const std::size_t i : edges) {
    const model::Edge& edge = model.network.edges()[i];
    append_text(out, "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td>{}</tr>\n",
                report::escape(
                    report::shorten(model.network.causes()[edge.cause].name, max_weak_edge_name)),
                report::escape(report::shorten(model.network.observed()[edge.observed].name,
                                               max_weak_edge_name)),
                strength_text(model, i),
                has_stability(model)
                    ? fmt::format("<td class=\"n\">{:.2f}</td>", model.stability.edge[i])
                    : "");
  }
  return out + "</tbody></table></div></section>\n";
}

}  // namespace orrery::noisy_or
