// The causes of any model as tables, a row a cause: priors, numbers of children, evidence, and the
// strongest children by name. Size on the page: below 2 kB a cause, however long the names are.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "report/text.hpp"
#include "report/view.hpp"

namespace orrery::report {
namespace {

constexpr std::size_t max_name = 56;
constexpr std::size_t max_child_name = 28;
constexpr double least_strength = .05;

std::string children_text(const model::NoisyOrNetwork& network, std::size_t cause,
                          std::size_t max_children) {
  const auto children = network.children(cause);
  std::vector<model::Edge> strongest(children.begin(), children.end());
  std::erase_if(strongest, [](const model::Edge& e) { return 1 - e.failure <= least_strength; });
  std::stable_sort(
      strongest.begin(), strongest.end(),
      [](const model::Edge& a, const model::Edge& b) { return a.failure < b.failure; });
  std::string out;
  for (std::size_t i = 0; i < std::min(strongest.size(), max_children); ++i) {
    const std::string& name = network.observed()[strongest[i].observed].name;
    fmt::format_to(std::back_inserter(out), "{}<span>{}&nbsp;<b>{:.2f}</b></span>",
                   i > 0 ? " " : "", escape(shorten(name, max_child_name)),
                   1 - strongest[i].failure);
  }
  if (strongest.size() > max_children) {
    fmt::format_to(std::back_inserter(out), " <i>and {} more</i>", strongest.size() - max_children);
  }
  return out;
}

std::string quartet_line(const model::LearnedModel& model, std::size_t cause) {
  std::string out;
  for (const std::size_t a : quartet_of(model, cause)) {
    out += out.empty() ? "<br><small>learned from " : " &#183; ";
    out += escape(shorten(model.network.observed()[a].name, max_child_name));
  }
  return out.empty() ? out : out + "</small>";
}

std::string prior_and_children(const model::NoisyOrNetwork& network,
                               const std::optional<std::size_t>& cause) {
  return fmt::format("<td class=\"n\">{}</td><td class=\"n\">{}</td>",
                     cause ? short_number(network.causes()[*cause].prior) : "",
                     cause ? fmt::format("{}", count_children(network, *cause)) : "");
}

/// Depth, statistic and children: of the learned cause, of a missed one the true children alone.
std::string evidence(const View& view, SectionKind kind, const Item& item,
                     std::size_t max_children) {
  const model::LearnedModel& model = *view.input->model;
  if (kind == SectionKind::missed) {
    return "<td></td><td></td><td class=\"list\">" +
           children_text(*view.input->truth, *item.truth, max_children) + "</td>";
  }
  const model::Provenance from = provenance_of(model, *item.learned);
  return fmt::format("<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"list\">{}{}</td>",
                     from.depth >= 0 ? fmt::format("{}", from.depth) : "",
                     from.statistic >= 0 ? short_number(from.statistic) : "",
                     children_text(model.network, *item.learned, max_children),
                     quartet_line(model, *item.learned));
}

std::string section_table(const View& view, const Section& section, std::size_t max_children) {
  const bool with_truth = view.input->truth != nullptr;
  std::string out = section_head(section);
  fmt::format_to(
      std::back_inserter(out),
      "<div class=\"scroll\" tabindex=\"0\"><table class=\"causes\"><thead><tr>"
      "<th scope=\"col\">cause</th><th scope=\"col\">prior</th><th scope=\"col\">children</th>{}"
      "<th scope=\"col\">depth</th><th scope=\"col\">statistic</th>"
      "<th scope=\"col\">strongest {}children, 1&nbsp;&#8722;&nbsp;f</th></tr></thead><tbody>\n",
      with_truth ? "<th scope=\"col\">true prior</th><th scope=\"col\">true children</th>" : "",
      section.kind == SectionKind::missed ? "true " : "");
  for (const Item& item : section.items) {
    fmt::format_to(std::back_inserter(out), "<tr><th scope=\"row\">{}</th>{}{}{}</tr>\n",
                   item_name(view, section.kind, item, max_name),
                   prior_and_children(view.input->model->network, item.learned),
                   with_truth ? prior_and_children(*view.input->truth, item.truth) : "",
                   evidence(view, section.kind, item, max_children));
  }
  return out + "</tbody></table></div></section>\n";
}

}  // namespace

std::string cause_tables(const View& view) {
  const std::size_t max_children = view.input->model->network.n_causes() <= 100 ? 12 : 6;
  std::string out;
  for (const Section& section : view.sections) out += section_table(view, section, max_children);
  return out;
}

}  // namespace orrery::report
