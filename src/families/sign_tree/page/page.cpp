// The page of a tree of signs: what was learned in a line, the drawing, the edges as a table.
#include "report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/sign_tree/page/drawing.hpp"
#include "families/sign_tree/page/page.hpp"
#include "families/sign_tree/scores/sections.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"

namespace orrery::sign_tree {
namespace {

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

std::string drawing_section(const TreeReportInput& input, const Comparison& beside) {
  const std::size_t p = input.model->tree.n_variables();
  if (p > most_tree_variables) {
    return fmt::format(
        "<section><h2>The tree</h2><p class=\"note\">{} variables are too many to draw (at most "
        "{}); `orrery export --format dot` or graphml writes it for a program that draws large "
        "graphs.</p></section>\n",
        format_count(p), format_count(most_tree_variables));
  }
  std::string note =
      "<span class=\"key\" style=\"margin-left:0\"></span>alike <span class=\"key "
      "negative\"></span>opposite; the wider, the larger |E[XaXb]| of the hidden signs.";
  if (input.truth != nullptr) {
    note +=
        "<span class=\"key wrong\"></span>not in the true tree <span class=\"key "
        "lacking\"></span>true, not learned.";
  }
  return fmt::format(
      "<section><h2>The tree</h2><p class=\"note\">{} Point at an edge or a variable for its "
      "numbers.</p><div class=\"scroll\" tabindex=\"0\">{}</div></section>\n",
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
  return report::page_head(input.title, input.source, summary(input, beside),
                           detail(input, beside)) +
         report::remarks_section(input.model->remarks) + drawing_section(input, beside) +
         scores_section(input) + edges_section(input, beside) +
         report::page_foot(input.model->data_digest, "Signs: a value that is on is +1.", "");
}

}  // namespace orrery::sign_tree
