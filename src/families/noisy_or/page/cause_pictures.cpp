// The causes of a model as pictures: cards of images, or a heat map.
//
// Of a model whose observed variables are the pixels of an image, cards as in Figure 3 of
// Jernite, Halpern & Sontag 2013: intensity is 1 - f, black is no edge, sections by structural
// depth.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/noisy_or/page/view.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
namespace {

constexpr std::size_t max_card_name = 72;
constexpr std::size_t max_told_name = 40;

/// "nasa: 0.820".
std::string cell_text(const model::NoisyOrNetwork& network, const model::Edge& edge) {
  return fmt::format("{}: {}",
                     report::shorten(network.observed()[edge.observed].name, max_told_name),
                     report::short_number(1 - edge.failure));
}

std::string image_title(const char* which, const std::string& title,
                        const model::NoisyOrNetwork& network, std::size_t cause) {
  return fmt::format("{} {}: prior {}, {}", which, report::shorten(title, max_card_name),
                     report::short_number(network.causes()[cause].prior),
                     report::count_of(count_children(network, cause), "pixel"));
}

std::string draw_cause(const View& view, const model::NoisyOrNetwork& network, std::size_t cause,
                       bool is_truth) {
  const report::Grid& grid = *view.input->grid;
  std::vector<report::Cell> pixels;
  for (const model::Edge& edge : network.children(cause)) {
    const std::size_t pixel = is_truth ? view.model_index[edge.observed] : edge.observed;
    pixels.push_back(
        {pixel / grid.columns, pixel % grid.columns, 1 - edge.failure, cell_text(network, edge)});
  }
  const auto marked = is_truth ? std::vector<std::size_t>{} : quartet_of(*view.input->model, cause);
  const std::string& title = (is_truth ? view.true_titles : view.titles)[cause];
  return report::cause_image(grid, pixels, marked,
                             image_title(is_truth ? "True" : "Learned", title, network, cause));
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

// Of any other model: a heat map causes x observed variables, whose columns are ordered so
// that blocks appear, and tables of the causes with their strongest children. Of many causes no
// row of a map could be read: they have the tables alone.
//
// Cost: O(edges log edges). Size of the page: 10-20 bytes a drawn edge and about 1 kB a cause;
// above max_cells edges only the strongest are drawn.

namespace {

constexpr double least_shade = .05;
constexpr std::size_t max_cells = 120'000;
constexpr std::size_t max_told_cause = 16;
constexpr std::size_t max_labelled_columns = 80;
constexpr std::size_t max_label = 28;
constexpr std::size_t max_row_label = 36;
constexpr double map_width = 1040;  // pixels that wide maps try to stay within

/// Position of each observed variable in the map: by the row of the cause that explains it best
/// (largest prior * (1 - f)), then by falling strength; unexplained ones come last.
std::vector<std::size_t> column_positions(const model::NoisyOrNetwork& network,
                                          const std::vector<std::size_t>& rows) {
  const std::size_t m = network.n_observed();
  std::vector<std::size_t> best_row(m, std::numeric_limits<std::size_t>::max());
  std::vector<double> best_share(m, 0);
  std::vector<double> strength(m, 0);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double prior = network.causes()[rows[r]].prior;
    for (const model::Edge& edge : network.children(rows[r])) {
      const double share = prior * (1 - edge.failure);
      if (share <= best_share[edge.observed]) continue;
      best_share[edge.observed] = share;
      best_row[edge.observed] = r;
      strength[edge.observed] = 1 - edge.failure;
    }
  }
  std::vector<std::size_t> order(m);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(best_row[a], -strength[a], a) < std::tuple(best_row[b], -strength[b], b);
  });
  std::vector<std::size_t> position(m);
  for (std::size_t i = 0; i < m; ++i) position[order[i]] = i;
  return position;
}

struct Maps {
  report::HeatMap learned;
  report::HeatMap truth;  // no rows if there is none
  report::HeatMapScale scale;
  double threshold = least_shade;  // edges at or below it are not drawn
};

double width_of_cells(std::size_t n_columns) {
  return std::clamp(map_width / static_cast<double>(std::max<std::size_t>(n_columns, 1)), .5, 24.0);
}

struct MapRows {
  const model::NoisyOrNetwork* network;
  const std::vector<std::string>* titles;  // of all causes
  std::vector<std::size_t> causes;         // from the top
};

report::HeatMap make_map(const MapRows& rows, const std::vector<std::size_t>& position,
                         const std::string& title) {
  const model::NoisyOrNetwork& network = *rows.network;
  report::HeatMap map;
  map.title = title;
  map.n_rows = rows.causes.size();
  map.n_columns = position.size();
  const bool has_tooltips = width_of_cells(map.n_columns) >= report::least_pointed_at &&
                            network.edges().size() <= report::most_tooltips;
  for (std::size_t r = 0; r < rows.causes.size(); ++r) {
    const std::string& cause = (*rows.titles)[rows.causes[r]];
    const std::string begin = report::shorten(cause.substr(0, cause.find(':')), max_told_cause);
    for (const model::Edge& edge : network.children(rows.causes[r])) {
      std::string tooltip;
      if (has_tooltips) tooltip = fmt::format("{} \u2192 {}", begin, cell_text(network, edge));
      map.cells.push_back({r, position[edge.observed], 1 - edge.failure, std::move(tooltip)});
    }
    map.row_labels.push_back(report::shorten(cause, max_row_label));
  }
  return map;
}

/// Drops faint edges; the threshold rises until the page stays small.
double limit_cells(report::HeatMap& a, report::HeatMap& b) {
  double threshold = least_shade;
  const auto drop = [&](report::HeatMap& map) {
    std::erase_if(map.cells, [&](const report::Cell& cell) { return cell.shade <= threshold; });
  };
  drop(a);
  drop(b);
  while (a.cells.size() + b.cells.size() > max_cells && threshold < 1) {
    threshold += .05;
    drop(a);
    drop(b);
  }
  return threshold;
}

report::HeatMapScale make_scale(const report::HeatMap& learned, const report::HeatMap& truth) {
  report::HeatMapScale scale;
  const auto n_rows = static_cast<double>(std::max<std::size_t>({learned.n_rows, truth.n_rows, 1}));
  scale.cell_width = width_of_cells(learned.n_columns);
  scale.cell_height = std::clamp(1200 / n_rows, 12.0, 18.0);
  scale.label_width =
      std::max(report::label_width(learned.row_labels), report::label_width(truth.row_labels));
  return scale;
}

Maps make_maps(const View& view) {
  std::vector<std::size_t> learned_rows;
  std::vector<std::size_t> true_rows;
  for (const Section& section : view.sections) {
    for (const Item& item : section.items) {
      if (item.learned && section.kind != SectionKind::missed)
        learned_rows.push_back(*item.learned);
      if (item.truth) true_rows.push_back(*item.truth);
    }
  }
  const model::NoisyOrNetwork& network = view.input->model->network;
  const auto position = column_positions(network, learned_rows);
  Maps maps;
  maps.learned = make_map({&network, &view.titles, learned_rows}, position,
                          "Learned network: causes by observed variables, shade 1 - f");
  if (position.size() <= max_labelled_columns) {
    maps.learned.column_labels.resize(position.size());
    for (std::size_t a = 0; a < position.size(); ++a) {
      maps.learned.column_labels[position[a]] =
          report::shorten(network.observed()[a].name, max_label);
    }
  }
  if (view.input->truth != nullptr) {
    std::vector<std::size_t> true_position(position.size());
    for (std::size_t a = 0; a < true_position.size(); ++a) {
      true_position[a] = position[view.model_index[a]];
    }
    maps.truth = make_map({view.input->truth, &view.true_titles, true_rows}, true_position,
                          "True network: causes by observed variables, shade 1 - f");
  }
  maps.threshold = limit_cells(maps.learned, maps.truth);
  maps.scale = make_scale(maps.learned, maps.truth);
  return maps;
}

std::string maps_section(const View& view) {
  const Maps maps = make_maps(view);
  const bool with_truth = view.input->truth != nullptr;
  std::string out = fmt::format(
      "<section><h2>Network <small>{}, {}</small></h2><p class=\"note\">A row is a cause, a column "
      "an observed variable. Columns stand by the cause that explains them best. Edges with 1 "
      "&#8722; f up to {:.2f} are left out. <span class=\"legend\">1&nbsp;&#8722;&nbsp;f: "
      "0{}1</span></p>"
      "<div class=\"scroll\" role=\"region\" aria-label=\"Network\" tabindex=\"0\">",
      report::count_of(maps.learned.n_rows, "cause"),
      report::count_of(maps.learned.n_columns, "variable"), maps.threshold,
      report::heat_strip({0, .2, .4, .6, .8, 1}, 1, "shades from 0 to 1"));
  if (with_truth) out += "<p class=\"caption\">learned</p>";
  out += report::heat_map(maps.learned, maps.scale);
  if (with_truth) {
    out += "<p class=\"caption\">true, same columns</p>" + report::heat_map(maps.truth, maps.scale);
  }
  return out + "</div></section>\n";
}

}  // namespace

std::string heat_map_and_tables(const View& view) {
  return is_searched(*view.input) ? cause_tables(view) : maps_section(view) + cause_tables(view);
}

}  // namespace orrery::noisy_or
