// The HTML report: header and summary, the causes (gallery, heat map or, of many, a searched
// table), scores, depths, what data say, weakest edges, leaks. One page without anything from
// elsewhere, and without scripts unless there is something to search; the same model gives the same
// bytes.
#include "families/noisy_or/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/noisy_or/page/view.hpp"
#include "families/noisy_or/scores/sections.hpp"
#include "model/learnability.hpp"
#include "orrery/base/error.hpp"
#include "report/page.hpp"
#include "report/sheet.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {

// Learned causes by the structural depth of their network, beside what perfect tests would learn of
// the truth (Jernite, Halpern & Sontag 2013, Table 1).

namespace {

/// The network of Table 1, which is not public.
constexpr std::size_t aqmr_causes = 570;
constexpr std::size_t aqmr_observed = 4075;
constexpr std::size_t aqmr_edges = 45'470;

constexpr std::size_t most_leaks = 10;

struct Column {
  std::string heading;
  std::map<std::int32_t, std::size_t> at_depth;
  std::optional<std::size_t> never;
  std::optional<std::size_t> missed;

  void add(std::int32_t depth) {
    if (depth == model::CauseLearnability::never) {
      never = never.value_or(0) + 1;
    } else {
      ++at_depth[depth];
    }
  }
};

/// The learned causes; with a truth also those that were found.
std::vector<Column> learned_columns(const View& view) {
  const ReportInput& input = *view.input;
  std::vector<Column> columns{{"learned", {}, 0, {}}};
  if (input.truth != nullptr) {
    const Outcome outcome = outcome_of(input);
    columns.push_back({outcome.word, {}, 0, input.truth->n_causes() - outcome.found});
  }
  const auto truth_of = partners(input);
  for (std::size_t k = 0; k < view.depths.size(); ++k) {
    columns[0].add(view.depths[k]);
    if (truth_of[k]) columns[1].add(view.depths[k]);
  }
  return columns;
}

Column perfect_column(const std::string& heading, const model::NoisyOrNetwork& truth,
                      std::size_t set_size) {
  Column column{heading, {}, 0, {}};
  for (const model::CauseLearnability& cause : model::learnability(truth, set_size)) {
    column.add(cause.depth);
  }
  return column;
}

bool is_of_aqmr_size(const model::NoisyOrNetwork& network) {
  return network.n_causes() == aqmr_causes && network.n_observed() == aqmr_observed &&
         network.edges().size() == aqmr_edges;
}

using Number = std::optional<std::size_t>;

/// `cell` gives the number of a column, or nothing.
template <class CellOf>
std::string row(const std::vector<Column>& columns, const std::string& head, const CellOf& cell) {
  std::string out = fmt::format("<tr><th scope=\"row\">{}</th>", head);
  for (const Column& column : columns) {
    const Number count = cell(column);
    out += report::number_cell(count ? format_count(*count) : "");
  }
  return out + "</tr>\n";
}

std::string depth_rows(const std::vector<Column>& columns) {
  std::set<std::int32_t> depths;
  bool any_never = false;
  for (const Column& column : columns) {
    for (const auto& [depth, count] : column.at_depth) depths.insert(depth);
    any_never = any_never || column.never.value_or(0) > 0;
  }
  std::string out;
  for (const std::int32_t depth : depths) {
    out += row(columns, fmt::format("{}", depth), [&](const Column& column) -> Number {
      const auto found = column.at_depth.find(depth);
      return found == column.at_depth.end() ? Number() : found->second;
    });
  }
  if (any_never) {
    out += row(columns, "never", [](const Column& column) { return column.never; });
  }
  if (std::ranges::any_of(columns, [](const Column& c) { return c.missed.value_or(0) > 0; })) {
    out += row(columns, "missed", [](const Column& column) { return column.missed; });
  }
  return out;
}

std::string note(const ReportInput& input) {
  std::string text =
      "Depth: how often the causes of lower depth must be subtracted before quartet tests show a "
      "cause; it follows from the edges of the network (<code>orrery depth</code>). Round: how "
      "often causes found earlier had been subtracted when the search found this one; the refined "
      "search often finds a cause in an earlier round than its depth.";
  if (input.truth == nullptr) return fmt::format("<p class=\"note\">{}</p>", text);
  text +=
      " Perfect tests (of infinitely many samples): what they would learn of the true network by "
      "quartets, or by triplets if its edges were known.";
  if (is_of_aqmr_size(*input.truth)) {
    text += fmt::format(
        " aQMR-DT: the network of the paper's Table 1, another one of the same size, {} "
        "causes, {} variables and {} edges.",
        aqmr_causes, format_count(aqmr_observed), format_count(aqmr_edges));
  }
  return fmt::format("<p class=\"note\">{}</p>", text);
}

}  // namespace

std::string depth_section(const View& view) {
  if (view.depths.empty()) return "";
  const ReportInput& input = *view.input;
  std::vector<Column> columns = learned_columns(view);
  if (input.truth != nullptr) {
    columns.push_back(perfect_column("perfect quartets", *input.truth, model::quartet_size));
    columns.push_back(perfect_column("perfect triplets", *input.truth, model::triplet_size));
    if (is_of_aqmr_size(*input.truth)) {
      columns.push_back({"aQMR-DT, quartets", {{0, 469}, {1, 82}, {2, 13}, {3, 2}}, 4, {}});
      columns.push_back({"aQMR-DT, triplets", {{0, 527}, {1, 39}, {2, 2}}, 2, {}});
    }
  }
  std::string out =
      "<section><h2>Depth</h2>" + note(input) +
      "<div class=\"scroll\" role=\"region\" aria-label=\"Depth\" tabindex=\"0\"><table "
      "class=\"depths\"><thead><tr><th "
      "scope=\"col\">depth</th>";
  for (const Column& column : columns) {
    append_text(out, "<th scope=\"col\" class=\"n\">{}</th>", column.heading);
  }
  return out + "</tr></thead><tbody>\n" + depth_rows(columns) +
         "</tbody></table></div></section>\n";
}

// The page.

namespace {

std::string summary(const ReportInput& input) {
  if (input.evaluation != nullptr) {
    const Outcome outcome = outcome_of(input);
    return fmt::format("{} of {} {}", format_count(outcome.found),
                       report::count_of(input.evaluation->n_true, "cause"), outcome.word);
  }
  const std::string causes = report::count_of(input.model->network.n_causes(), "cause");
  if (input.model->n_samples > 0) {
    return fmt::format("{} found in {}", causes,
                       report::count_of(input.model->n_samples, "sample"));
  }
  return input.model->learner.empty() ? causes : causes + " found from exact moments";
}

/// What the summary leaves out: learner, samples, sizes, missed and extra causes.
std::string detail(const ReportInput& input) {
  const model::LearnedModel& model = *input.model;
  std::string out = report::count_of(model.network.n_observed(), "observed variable") + ", " +
                    report::count_of(model.network.edges().size(), "edge");
  if (!model.learner.empty()) out += ", learner " + report::escape(model.learner);
  if (input.evaluation == nullptr) return out;
  if (model.n_samples > 0) out += ", " + report::count_of(model.n_samples, "sample");
  const Outcome outcome = outcome_of(input);
  const std::size_t missed = input.evaluation->n_true - outcome.found;
  if (missed > 0) {
    append_text(out, ", <span class=\"missed\">{} missed</span>", missed);
  }
  if (outcome.extra > 0) {
    append_text(out, ", <span class=\"extra\">{} extra</span>", outcome.extra);
  }
  return out;
}

/// The largest leaks, learned beside true.
std::string leak_section(const View& view) {
  const ReportInput& input = *view.input;
  const std::vector<model::Observed>& observed = input.model->network.observed();
  if (observed.empty()) return {};
  std::vector<std::size_t> largest(observed.size());
  std::iota(largest.begin(), largest.end(), std::size_t{0});
  std::ranges::stable_sort(largest, std::ranges::greater{},
                           [&](std::size_t a) { return observed[a].leak; });
  std::vector<double> truth(input.truth != nullptr ? observed.size() : 0);
  for (std::size_t a = 0; a < truth.size(); ++a) {
    truth[view.model_index[a]] = input.truth->observed()[a].leak;
  }
  if (truth.empty() && input.model->errors.empty() && observed.size() > 1 &&
      observed[largest.front()].leak == observed[largest.back()].leak) {
    return report::empty_section("Leaks",
                                 "Every variable is on with every cause absent with probability " +
                                     report::short_number(observed.front().leak) + ".");
  }
  const std::size_t n_shown = std::min(observed.size(), most_leaks);
  std::string note = "How often a variable is on with every cause absent, the largest first";
  if (n_shown < observed.size()) {
    note += fmt::format("; the other {} are at most {}", format_count(observed.size() - n_shown),
                        report::short_number(observed[largest[n_shown]].leak));
  }
  report::Section section;
  report::Table& table = section.table("", "Leaks", note + ".");
  for (const std::size_t a : std::span(largest).first(n_shown)) {
    report::Record& row = table.row();
    row.show("variable", observed[a].name)
        .show_share("leak", report::short_number(observed[a].leak), observed[a].leak);
    if (!input.model->errors.empty()) {
      row.show("95 % interval",
               interval_text(interval95(observed[a].leak, input.model->errors.leak, a)));
    }
    if (!truth.empty()) row.show("true leak", report::short_number(truth[a]));
  }
  return report::as_html(section);
}

/// How much of the truth was found, if it is known.
std::string scores_sections(const View& view) {
  const ReportInput& input = *view.input;
  if (input.evaluation == nullptr) return "";
  report::Sheet sheet;
  add_truth(sheet, *input.evaluation, *input.model, *input.truth, view.depths);
  return report::as_html(sheet.sections.front());
}

/// What data say of the model, and the edges to doubt first.
std::string evidence_sections(const ReportInput& input) {
  report::Sheet sheet;
  if (input.scores != nullptr) add_data(sheet, *input.scores, input.model->network);
  if (!input.model->errors.empty() || has_stability(*input.model)) {
    add_weakest_edges(sheet.section("", ""), *input.model);
  }
  std::string out;
  for (const report::Section& section : sheet.sections) out += report::as_html(section);
  return out;
}

/// Why there is nothing to show.
std::string no_causes_section(const model::LearnedModel& model) {
  if (model.network.n_causes() > 0) return "";
  return report::empty_section(
      "Causes",
      model.learner.empty()
          ? "This network has no cause: its variables are on by their leaks alone."
          : fmt::format("<code>orrery learn {}</code> found no cause that the data show surely: "
                        "the variables may be independent, or there are too few rows to tell. More "
                        "rows, or fewer and less rare variables, show weaker causes.",
                        report::escape(model.learner)));
}

std::string how_to_read(const ReportInput& input) {
  if (!input.grid) return {};
  bool marked = false;
  for (std::size_t k = 0; k < input.model->network.n_causes(); ++k) {
    marked = marked || !quartet_of(*input.model, k).empty();
  }
  return fmt::format(
      "<p class=\"note reading\">Each image is a cause, each pixel an observed "
      "variable: white is 1&nbsp;&#8722;&nbsp;f = 1, black is no edge.{}</p>\n",
      marked ? " Dotted pixels are those that the cause was learned from." : "");
}

void require_matching_grid(const ReportInput& input) {
  const std::size_t m = input.model->network.n_observed();
  if (!input.grid || input.grid->rows * input.grid->columns == m) return;
  throw UsageError(fmt::format(
      "--grid {}x{} has {} pixels, but the model has {} observed variables: give a grid "
      "of {} pixels, or none for a heat map",
      input.grid->rows, input.grid->columns, input.grid->rows * input.grid->columns, m, m));
}

/// 0 if `text` is not a whole number from 1 to a million.
std::size_t parse_side(std::string_view text) {
  constexpr std::size_t longest = 1'000'000;
  std::size_t side = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), side);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole && side <= longest ? side : 0;
}

}  // namespace

report::Grid parse_grid(const std::string& text) {
  const std::size_t x = text.find('x');
  if (x != std::string::npos) {
    const std::string_view view = text;
    const report::Grid grid{parse_side(view.substr(0, x)), parse_side(view.substr(x + 1))};
    if (grid.rows > 0 && grid.columns > 0) return grid;
  }
  throw UsageError(fmt::format(
      "--grid '{}' is not a grid: give ROWSxCOLUMNS as whole numbers up to 1000000, e.g. 8x8",
      report::shorten(text, 40)));
}

std::string html_report(const ReportInput& input) {
  assert(input.model != nullptr && (input.truth == nullptr) == (input.evaluation == nullptr));
  require_matching_grid(input);
  const View view = make_view(input);
  std::string body = how_to_read(input) + report::remarks_section(input.model->remarks) +
                     no_causes_section(*input.model);
  if (input.model->network.n_causes() > 0 || input.truth != nullptr) {
    body += input.grid ? gallery(view) : heat_map_and_tables(view);
  }
  body += "<div class=\"columns\">" + scores_sections(view) + depth_section(view) + "</div>\n" +
          evidence_sections(input) + leak_section(view);
  return report::html_page(
      {input.title, summary(input), detail(input), verdict_of(view), std::move(body),
       "Children are edges with 1&nbsp;&#8722;&nbsp;f &gt; 0.1.",
       is_searched(input) ? search_script(input.model->network) : ""},
      input.colophon);
}

}  // namespace orrery::noisy_or
