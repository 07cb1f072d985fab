// Of many causes: those that no learned one matches, and what may be the reason.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/progress.hpp"
#include "families/noisy_or/page/view.hpp"
#include "model/learnability.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
namespace {

constexpr std::size_t max_missed_name = 56;
constexpr std::size_t max_children = 6;
/// What a cause of so many rows or children, or a twin so close, cannot be blamed on.
constexpr double enough_rows = 50;
constexpr double twin_cosine = .7;

std::string name_of(const model::NoisyOrNetwork& network, std::int64_t cause) {
  return report::escape(
      report::shorten(network.causes()[static_cast<std::size_t>(cause)].name, max_missed_name));
}

std::string nearest_cell(const Nearest& nearest, const model::NoisyOrNetwork& network) {
  if (nearest.cause < 0) return report::number_cell("");
  return fmt::format("<td class=\"n near\">{:.2f} <small>{}</small></td>", nearest.cosine,
                     name_of(network, nearest.cause));
}

/// The first that applies; nothing if none does.
std::string reason(const View& view, std::size_t t, bool is_learnable) {
  const model::NoisyOrNetwork& truth = *view.input->truth;
  const TrueLikeness& cause = view.input->evaluation->likeness.truth[t];
  if (cause.learned.cosine > alike_cosine) {
    return "one learned cause stands for two: it is closer to another";
  }
  if (cause.twin.cosine > twin_cosine) return "near-twin of " + name_of(truth, cause.twin.cause);
  const std::uint64_t n = view.input->model->n_samples;
  const double rows = static_cast<double>(n) * truth.causes()[t].prior;
  if (n > 0 && rows < enough_rows) return fmt::format("rare: present in some {:.0f} rows", rows);
  if (count_children(truth, t) < model::quartet_size)
    return "too few children of 1 &#8722; f &gt; 0.1";
  return is_learnable ? "" : "perfect quartet tests do not find it either";
}

constexpr const char* missed_table_head =
    "<div class=\"scroll pane\" tabindex=\"0\"><table class=\"causes sorted\"><thead><tr>"
    "<th scope=\"col\">true cause</th><th scope=\"col\">true prior</th>"
    "<th scope=\"col\">true children</th><th scope=\"col\" class=\"near\">nearest true</th>"
    "<th scope=\"col\" class=\"near\">nearest learned</th><th scope=\"col\" class=\"why\">why</th>"
    "<th scope=\"col\">strongest true children, 1&nbsp;&#8722;&nbsp;f</th></tr></thead><tbody>\n";

std::string row(const View& view, std::size_t t, bool is_learnable) {
  const model::NoisyOrNetwork& truth = *view.input->truth;
  const TrueLikeness& cause = view.input->evaluation->likeness.truth[t];
  const std::string children = strongest_children(truth, t, max_children, [&](std::size_t i) {
    return fmt::format("{:.2f}", 1 - truth.edges()[i].failure);
  });
  return fmt::format(
      "<tr><th scope=\"row\">{}</th>{}{}{}{}<td class=\"why\">{}</td><td "
      "class=\"list\">{}</td></tr>\n",
      name_of(truth, static_cast<std::int64_t>(t)),
      report::number_cell(report::short_number(truth.causes()[t].prior)),
      report::number_cell(format_count(count_children(truth, t))), nearest_cell(cause.twin, truth),
      nearest_cell(cause.learned, view.input->model->network), reason(view, t, is_learnable),
      children);
}

}  // namespace

std::string missed_table(const View& view, const Section& section) {
  const auto perfect = model::learnability(*view.input->truth, model::quartet_size);
  std::string out = section_head(section) + missed_table_head;
  for (const Item& item : section.items) {
    const std::size_t t = *item.truth;
    out += row(view, t, perfect[t].depth != model::CauseLearnability::never);
  }
  return out + "</tbody></table></div></section>\n";
}

}  // namespace orrery::noisy_or
