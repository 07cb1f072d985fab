// Learned causes by the structural depth of their network, beside what perfect tests would learn of
// the truth (Jernite, Halpern & Sontag 2013, Table 1).
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/noisy_or/page/view.hpp"
#include "model/learnability.hpp"
#include "report/page.hpp"

namespace orrery::noisy_or {
namespace {

/// The network of Table 1, which is not public.
constexpr std::size_t aqmr_causes = 570;
constexpr std::size_t aqmr_observed = 4075;
constexpr std::size_t aqmr_edges = 45'470;

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
  std::string out = fmt::format("<tr><td>{}</td>", head);
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
  std::string out = "<section><h2>Depth</h2>" + note(input) +
                    "<div class=\"scroll\" tabindex=\"0\"><table class=\"depths\"><thead><tr><th "
                    "scope=\"col\">depth</th>";
  for (const Column& column : columns) {
    append_text(out, "<th scope=\"col\" class=\"n\">{}</th>", column.heading);
  }
  return out + "</tr></thead><tbody>\n" + depth_rows(columns) +
         "</tbody></table></div></section>\n";
}

}  // namespace orrery::noisy_or
