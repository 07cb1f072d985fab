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
#include "report/sections.hpp"
#include "report/text.hpp"

namespace orrery::sign_tree {
namespace {

constexpr std::size_t most_tree_variables = 2'000;  // variables
constexpr std::size_t most_tree_edges = 2'000;      // edges
constexpr std::size_t max_tree_name = 40;

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
  std::string note = "The strongest first";
  if (order.size() > most_tree_edges) {
    order.resize(most_tree_edges);
    note +=
        fmt::format(", {} of {}", format_count(most_tree_edges), format_count(tree.edges().size()));
  }
  const bool has_truth = input.truth != nullptr;
  std::string out = fmt::format(
      "<section><h2>Edges</h2><p class=\"note\">{}. E[XaXb] is of the hidden signs, E[YaYb] of the "
      "observed ones.</p><div class=\"scroll pane\" tabindex=\"0\"><table class=\"patterns\">"
      "<thead><tr><th scope=\"col\">a</th><th scope=\"col\">b</th><th scope=\"col\" "
      "class=\"n\">E[XaXb]</th><th scope=\"col\" class=\"n\">E[YaYb]</th>{}</tr></thead><tbody>\n",
      note, has_truth ? "<th scope=\"col\" class=\"n\">true E[XaXb]</th>" : "");
  const double channel = (1 - 2 * tree.crossover()) * (1 - 2 * tree.crossover());
  for (const std::size_t e : order) {
    const model::TreeEdge& edge = tree.edges()[e];
    std::string truth;
    if (has_truth) {
      const auto found = beside.true_moments.find({edge.a, edge.b});
      truth = found == beside.true_moments.end()
                  ? "<td class=\"n\">no edge</td>"
                  : fmt::format("<td class=\"n\">{}</td>", report::short_number(found->second));
    }
    append_text(out,
                "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>{}"
                "</tr>\n",
                report::escape(report::shorten(tree.names()[edge.a], max_tree_name)),
                report::escape(report::shorten(tree.names()[edge.b], max_tree_name)),
                moment_text(*input.model, e), report::short_number(channel * edge.moment), truth);
  }
  return out + "</tbody></table></div></section>\n";
}

std::string scores_section(const TreeReportInput& input) {
  if (input.scores == nullptr) return {};
  const TreeScores& scores = *input.scores;
  const auto& names = input.model->tree.names();
  std::string rows;
  const auto row = [&](const char* what, const std::string& value, const std::string& note) {
    append_text(rows, "<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", what, value, note);
  };
  row("ssTV of pairs", report::short_number(scores.small_set.distance),
      names.size() < 2 ? ""
                       : fmt::format("the greatest total variation of two signs: {} and {}",
                                     report::escape(names[scores.small_set.pair[0]]),
                                     report::escape(names[scores.small_set.pair[1]])));
  row("KL(truth || learned)", report::short_number(scores.kl_from_truth),
      "nats, of the hidden signs");
  row("KL(learned || truth)", report::short_number(scores.kl_to_truth), "nats");
  row("largest error of a moment", report::short_number(scores.largest_moment_error),
      "of the edges that both have");
  if (scores.n_with_error > 0) {
    row("inside their intervals", fmt::format("{} of {}", scores.n_covered, scores.n_with_error),
        "true moments of these edges, 95 % intervals");
  }
  return "<section><h2>Beside the true tree</h2><table class=\"scores\"><tbody>\n" + rows +
         "</tbody></table></section>\n";
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
