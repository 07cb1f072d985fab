// The causes of a model whose observed variables are the pixels of an image, as in Figure 3 of
// Jernite, Halpern & Sontag 2013: intensity is 1 - f, black is no edge, sections by structural
// depth.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/noisy_or/page/view.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
namespace {

constexpr std::size_t max_card_name = 48;

std::string image_title(const char* which, const model::NoisyOrNetwork& network,
                        std::size_t cause) {
  return fmt::format("{} {}: prior {}, {}", which,
                     report::shorten(network.causes()[cause].name, max_card_name),
                     report::short_number(network.causes()[cause].prior),
                     report::count_of(count_children(network, cause), "pixel"));
}

std::string draw_cause(const View& view, const model::NoisyOrNetwork& network, std::size_t cause,
                       bool is_truth) {
  const report::Grid& grid = *view.input->grid;
  std::vector<report::Cell> pixels;
  for (const model::Edge& edge : network.children(cause)) {
    const std::size_t pixel = is_truth ? view.model_index[edge.observed] : edge.observed;
    pixels.push_back({pixel / grid.columns, pixel % grid.columns, 1 - edge.failure});
  }
  const auto marked = is_truth ? std::vector<std::size_t>{} : quartet_of(*view.input->model, cause);
  return report::cause_image(grid, pixels, marked,
                             image_title(is_truth ? "True" : "Learned", network, cause));
}

/// A column of the card: a caption over an image, or over the words that say why there is none.
std::string plate(const char* caption, const std::string& image, const char* absent) {
  return fmt::format("<div class=\"plate\">{}{}</div>", caption,
                     image.empty() ? fmt::format("<p class=\"absent\">{}</p>", absent) : image);
}

std::string quartet_text(const model::LearnedModel& model, std::size_t cause) {
  std::string text;
  for (const std::size_t a : quartet_of(model, cause)) {
    if (!text.empty()) text += ", ";
    text += report::escape(report::shorten(model.network.observed()[a].name, 20));
  }
  return text;
}

struct Fact {
  const char* label;
  std::string learned;
  std::string truth;
};

void add_learned_facts(const View& view, std::size_t k, std::vector<Fact>& facts) {
  const model::LearnedModel& model = *view.input->model;
  const model::Provenance from = provenance_of(model, k);
  if (!view.depths.empty()) facts.push_back({"depth", structural_depth_text(view, k), ""});
  if (from.depth >= 0) facts.push_back({"found in", "round " + round_text(view, k), ""});
  if (from.statistic >= 0) facts.push_back({"statistic", statistic_of(from), ""});
  if (from.support > 0) facts.push_back({"support", format_count(from.support), ""});
  if (has_stability(model)) {
    facts.push_back({"stability", fmt::format("{:.2f}", model.stability.cause[k]), ""});
  }
}

std::vector<Fact> facts_of(const View& view, const Item& item) {
  const model::LearnedModel& model = *view.input->model;
  std::vector<Fact> facts{{"prior", "", ""}, {"children", "", ""}};
  if (item.learned) {
    facts[0].learned = prior_text(model, *item.learned);
    facts[1].learned = fmt::format("{}", count_children(model.network, *item.learned));
    add_learned_facts(view, *item.learned, facts);
  }
  if (item.truth) {
    const model::NoisyOrNetwork& truth = *view.input->truth;
    facts[0].truth = report::short_number(truth.causes()[*item.truth].prior);
    facts[1].truth = fmt::format("{}", count_children(truth, *item.truth));
  }
  return facts;
}

std::string facts_table(const View& view, const Item& item) {
  const bool with_truth = view.input->truth != nullptr;
  std::string out = "<table class=\"facts\">";
  for (const Fact& fact : facts_of(view, item)) {
    append_text(out, "<tr><th scope=\"row\">{}</th><td>{}</td>", fact.label, fact.learned);
    if (with_truth) append_text(out, "<td>{}</td>", fact.truth);
    out += "</tr>";
  }
  const std::string quartet = item.learned ? quartet_text(*view.input->model, *item.learned) : "";
  if (!quartet.empty()) {
    const bool is_triplet = quartet_of(*view.input->model, *item.learned).size() == 3;
    append_text(out, "<tr><th scope=\"row\">{}</th><td{}>{}</td></tr>",
                is_triplet ? "triplet" : "quartet", with_truth ? " colspan=\"2\"" : "", quartet);
  }
  return out + "</table>";
}

std::string card(const View& view, SectionKind kind, const Item& item) {
  const bool with_truth = view.input->truth != nullptr;
  std::string out =
      fmt::format("<article class=\"card{}\"><h3>{}</h3><div class=\"plates\">",
                  with_truth ? " two" : "", item_name(view, kind, item, max_card_name));
  const std::string learned =
      item.learned ? draw_cause(view, view.input->model->network, *item.learned, false) : "";
  out += plate(with_truth ? "<span>learned</span>" : "", learned, "not learned");
  if (with_truth) {
    const std::string truth =
        item.truth ? draw_cause(view, *view.input->truth, *item.truth, true) : "";
    out += plate("<span>true</span>", truth, "no such cause");
  }
  return out + "</div>" + facts_table(view, item) + "</article>\n";
}

}  // namespace

std::string gallery(const View& view) {
  std::string out;
  for (const Section& section : view.sections) {
    out += section_head(section) + "<div class=\"cards\">\n";
    for (const Item& item : section.items) out += card(view, section.kind, item);
    out += "</div></section>\n";
  }
  return out;
}

}  // namespace orrery::noisy_or
