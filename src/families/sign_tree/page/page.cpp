// The page of a tree of signs: what was learned in a line, the drawing, the edges as a table.
#include "families/sign_tree/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/sign_tree/scores/scores.hpp"
#include "orrery/model/sign_tree.hpp"
#include "report/page.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"

namespace orrery::sign_tree {
namespace {

/// An edge's standing beside a true tree.
enum class Standing { right, wrong };

constexpr double ring_distance = 72;  // pixels, from a variable to those that hang from it
constexpr double ring_gap = 15;       // between neighbours on a ring
constexpr double narrowest = 1.2;
constexpr double widest = 9;
constexpr double variable_radius = 4.5;
constexpr std::size_t max_drawn_name = 14;

void draw_curve(const std::array<Point, 4>& curve, double width, std::string_view classes,
                const std::string& tooltip, std::string& out) {
  append_text(out,
              "<path class=\"{}\" d=\"M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}\" "
              "stroke-width=\"{:.1f}\"><title>{}</title></path>\n",
              classes, curve[0].x, curve[0].y, curve[1].x, curve[1].y, curve[2].x, curve[2].y,
              curve[3].x, curve[3].y, width, tooltip);
}

std::string pair_text(const model::SignTree& tree, const model::TreeEdge& edge) {
  return report::escape(tree.names()[edge.a]) + " &#8211; " + report::escape(tree.names()[edge.b]);
}

/// A name reads from left to right wherever it points.
void draw_variable(const model::SignTree& tree, std::uint32_t a, const TreeLayout& layout,
                   std::string& out) {
  const Point& at = layout.places[a];
  const NamePlace& name = layout.names[a];
  double degrees = std::remainder(name.angle * 180 / std::numbers::pi, 360);
  const bool leftwards = std::abs(degrees) > 90;
  if (leftwards) degrees += degrees > 0 ? -180 : 180;
  const bool begins = name.outwards != leftwards;
  std::string tooltip = report::escape(tree.names()[a]);
  if (tree.means()[a] != 0) tooltip += ": mean " + report::short_number(tree.means()[a]);
  append_text(out,
              "<g transform=\"translate({:.1f} {:.1f})\"><circle r=\"{}\"><title>{}</title>"
              "</circle><text transform=\"rotate({:.1f})\" x=\"{}\" dy=\"{}\" "
              "text-anchor=\"{}\">{}</text></g>\n",
              at.x, at.y, variable_radius, tooltip, degrees + 0.0,
              begins ? variable_radius + 3 : -(variable_radius + 3),
              name.outwards ? "0.35em" : "-0.3em", begins ? "start" : "end",
              report::escape(report::shorten(tree.names()[a], max_drawn_name)));
}

/// "0.52 ± 0.01".
std::string moment_text(const model::LearnedTree& learned, std::size_t edge) {
  std::string moment = report::short_number(learned.tree.edges()[edge].moment);
  if (learned.edge_errors.empty()) return moment;
  return fmt::format("{} ± {}", moment, report::short_number(learned.edge_errors[edge]));
}

/// Edges as wide as their moments are large, blue for +, red for -; names point away from the
/// edges; what there is to say of a variable and an edge is a tooltip. `standing`: an edge, or
/// empty; wrong ones are dashed. `lacking`: true edges that the tree does not have, dotted.
std::string draw_tree(const model::LearnedTree& learned, const std::vector<Standing>& standing,
                      const std::vector<model::TreeEdge>& lacking) {
  const model::SignTree& tree = learned.tree;
  std::size_t longest = 0;
  for (const std::string& name : tree.names()) {
    longest = std::max(longest, report::count_characters(report::shorten(name, max_drawn_name)));
  }
  const TreeLayout layout =
      lay_out(tree, ring_distance, ring_gap,
              report::character_width * static_cast<double>(longest) + 4 * variable_radius);
  std::string out = fmt::format(
      "{}\n", report::open_svg(layout.width, layout.height, "tree",
                               "The tree of " + report::count_of(tree.n_variables(), "variable")));
  for (const model::TreeEdge& edge : lacking) {
    const Point from = layout.places[edge.a];
    const Point to = layout.places[edge.b];
    draw_curve({from, from, to, to}, 2, "lacking",
               fmt::format("{}: not learned; true moment {}", pair_text(tree, edge),
                           report::short_number(edge.moment)),
               out);
  }
  for (std::size_t e = 0; e < tree.edges().size(); ++e) {
    const model::TreeEdge& edge = tree.edges()[e];
    const bool wrong = !standing.empty() && standing[e] == Standing::wrong;
    const std::string classes =
        fmt::format("{}{}", edge.moment < 0 ? "negative" : "positive", wrong ? " wrong" : "");
    draw_curve(layout.curves[e],
               narrowest + (widest - narrowest) * std::min(std::abs(edge.moment), 1.0), classes,
               fmt::format("{}: {}{}", pair_text(tree, edge), moment_text(learned, e),
                           wrong ? ", not in the true tree" : ""),
               out);
  }
  for (std::uint32_t a = 0; a < tree.n_variables(); ++a) draw_variable(tree, a, layout, out);
  return out + "</svg>\n";
}

constexpr std::size_t most_tree_variables = 2'000;  // variables

using EdgeEnds = std::pair<std::uint32_t, std::uint32_t>;

/// The learned tree beside the true one.
struct Comparison {
  std::map<EdgeEnds, double> true_moments;
  std::vector<Standing> standing;        // an edge; empty without a truth
  std::vector<model::TreeEdge> lacking;  // of the truth
};

Comparison compare(const TreeReportInput& input) {
  Comparison found;
  if (input.truth == nullptr) return found;
  const model::SignTree& tree = input.model->tree;
  assert(input.truth->n_variables() == tree.n_variables());
  for (const model::TreeEdge& edge : input.truth->edges()) {
    found.true_moments[{edge.a, edge.b}] = edge.moment;
  }
  std::map<EdgeEnds, bool> learned;
  for (const model::TreeEdge& edge : tree.edges()) {
    const bool right = found.true_moments.contains({edge.a, edge.b});
    found.standing.push_back(right ? Standing::right : Standing::wrong);
    learned[{edge.a, edge.b}] = true;
  }
  for (const model::TreeEdge& edge : input.truth->edges()) {
    if (!learned.contains({edge.a, edge.b})) found.lacking.push_back(edge);
  }
  return found;
}

std::string summary(const TreeReportInput& input, const Comparison& beside) {
  const model::LearnedTree& model = *input.model;
  const std::size_t n = model.tree.edges().size();
  if (input.truth != nullptr) {
    const std::size_t n_true = input.truth->edges().size();
    return fmt::format("{} of {} right", format_count(n_true - beside.lacking.size()),
                       report::count_of(n_true, "edge"));
  }
  std::string edges = report::count_of(n, "edge");
  if (model.n_samples > 0) {
    return fmt::format("{} among {}", edges,
                       report::count_of(model.tree.n_variables(), "variable"));
  }
  return edges;
}

std::string detail(const TreeReportInput& input, const Comparison& beside) {
  const model::LearnedTree& model = *input.model;
  const std::size_t p = model.tree.n_variables();
  const std::size_t n_parts = p - model.tree.edges().size();
  std::string out = report::count_of(p, "variable");
  if (n_parts > 1) out += fmt::format(" in {}", report::count_of(n_parts, "tree"));
  if (model.n_samples > 0) out += ", " + report::count_of(model.n_samples, "sample");
  out += fmt::format(", crossover {}", report::short_number(model.tree.crossover()));
  if (model.crossover_error > 0) {
    out += fmt::format(" ± {} (estimated)", report::short_number(model.crossover_error));
  }
  out += model.tree.is_uniform() ? ", uniform marginals" : ", free marginals";
  if (input.scores == nullptr) return out;
  return out + report::wrong_and_missed(input.scores->wrong.size(), beside.lacking.size());
}

report::Verdict verdict_of(const TreeReportInput& input, const Comparison& beside) {
  const model::LearnedTree& learned = *input.model;
  report::Verdict verdict;
  if (input.truth != nullptr) {
    const std::size_t n_true = input.truth->edges().size();
    verdict.add_found(n_true - beside.lacking.size(), n_true, "edges were found");
  }
  std::size_t n_unsure = 0;
  for (std::size_t e = 0; e < learned.edge_errors.size(); ++e) {
    const double size = std::abs(learned.tree.edges()[e].moment);
    n_unsure += size > 2 * learned.edge_errors[e] ? 0 : 1;
  }
  if (n_unsure > 0) {
    verdict.doubts.push_back(fmt::format(
        "{} less than two standard errors from no dependence",
        n_unsure == 1 ? "The moment of 1 edge is"
                      : fmt::format("The moments of {} edges are", format_count(n_unsure))));
  } else if (!learned.edge_errors.empty()) {
    verdict.achieved.emplace_back("Every edge is more than two standard errors from no dependence");
  }
  if (learned.tree.edges().empty()) verdict.doubts.emplace_back("No edge was found");
  if (!learned.remarks.empty()) {
    verdict.doubts.push_back(fmt::format("The learner has {} on this table: see below",
                                         report::count_of(learned.remarks.size(), "remark")));
  }
  if (input.truth == nullptr && !learned.learner.empty()) {
    verdict.not_judged = report::evaluate_it;
  }
  return verdict;
}

std::string drawing_section(const TreeReportInput& input, const Comparison& beside) {
  const std::size_t p = input.model->tree.n_variables();
  if (p > most_tree_variables) {
    return fmt::format(
        "<section><h2>The tree</h2><p class=\"note\">{} variables are too many to draw (at most "
        "{}); `orrery export --format dot` or graphml writes it for a program that draws large "
        "graphs.</p></section>\n",
        format_count(p), format_count(most_tree_variables));
  }
  std::string note = report::legend_key("plus", "alike") +
                     report::legend_key("negative", "opposite") +
                     "The wider, the larger |E[XaXb]| of the hidden signs. ";
  if (input.truth != nullptr) {
    note += report::legend_key("wrong", "not in the true tree") +
            report::legend_key("lacking", "true, not learned");
  }
  return fmt::format(
      "<section><h2>The tree</h2><p class=\"note\">{} Point at an edge or a variable for its "
      "numbers.</p><div class=\"scroll\" role=\"region\" aria-label=\"The tree\" "
      "tabindex=\"0\">{}</div></section>\n",
      note, draw_tree(*input.model, beside.standing, beside.lacking));
}

std::string edges_section(const TreeReportInput& input, const Comparison& beside) {
  const model::SignTree& tree = input.model->tree;
  std::vector<std::size_t> order(tree.edges().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t e, std::size_t f) {
    return std::abs(tree.edges()[e].moment) > std::abs(tree.edges()[f].moment);
  });
  report::Section section;
  report::Table& table = section.table(
      "", "Edges",
      "The strongest first. E[XaXb] is of the hidden signs, E[YaYb] of the observed ones.");
  const double channel = (1 - 2 * tree.crossover()) * (1 - 2 * tree.crossover());
  for (const std::size_t e : order) {
    const model::TreeEdge& edge = tree.edges()[e];
    report::Record& row = table.row();
    row.show("a", tree.names()[edge.a])
        .show("b", tree.names()[edge.b])
        .show("E[XaXb]", moment_text(*input.model, e))
        .show("E[YaYb]", report::short_number(channel * edge.moment));
    if (input.truth == nullptr) continue;
    const auto found = beside.true_moments.find({edge.a, edge.b});
    row.show("true E[XaXb]",
             found == beside.true_moments.end() ? "-" : report::short_number(found->second));
  }
  return report::as_html(section);
}

std::string scores_section(const TreeReportInput& input) {
  if (input.scores == nullptr) return "";
  report::Sheet sheet;
  add_truth(sheet, *input.scores, input.model->tree);
  return report::as_html(sheet.sections.front());
}

}  // namespace

std::string tree_html_report(const TreeReportInput& input) {
  assert(input.model != nullptr && (input.truth == nullptr) == (input.scores == nullptr));
  const Comparison beside = compare(input);
  return report::html_page(
      {input.title, summary(input, beside), detail(input, beside), verdict_of(input, beside),
       report::remarks_section(input.model->remarks) + drawing_section(input, beside) +
           scores_section(input) + edges_section(input, beside),
       "Signs: a value that is on is +1."},
      input.colophon);
}

}  // namespace orrery::sign_tree
