// Causes by the round in which they were learned, beside what perfect tests would learn of the
// truth (Jernite, Halpern & Sontag 2013, Table 1).
#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "orrery/base/progress.hpp"
#include "orrery/model/learnability.hpp"
#include "report/sections.hpp"
#include "report/view.hpp"

namespace orrery::report {
namespace {

/// The network of Table 1, which is not public.
constexpr std::size_t aqmr_causes = 570;
constexpr std::size_t aqmr_observed = 4075;
constexpr std::size_t aqmr_edges = 45'470;

struct Column {
  std::string heading;
  std::map<std::int32_t, std::size_t> at_depth;
  std::optional<std::size_t> never;
};

/// The learned causes; with a truth also those that were found.
std::vector<Column> learned_columns(const ReportInput& input) {
  std::vector<Column> columns{{"learned", {}, {}}};
  if (input.truth != nullptr) {
    const Outcome outcome = outcome_of(input);
    columns.push_back({outcome.word, {}, input.truth->n_causes() - outcome.found});
  }
  const auto truth_of = partners(input);
  for (std::size_t k = 0; k < truth_of.size(); ++k) {
    const std::int32_t depth = provenance_of(*input.model, k).depth;
    if (depth < 0) continue;
    ++columns[0].at_depth[depth];
    if (truth_of[k]) ++columns[1].at_depth[depth];
  }
  return columns;
}

Column perfect_column(const std::string& heading, const model::NoisyOrNetwork& truth,
                      std::size_t set_size) {
  Column column{heading, {}, 0};
  for (const model::CauseLearnability& cause : model::learnability(truth, set_size)) {
    if (cause.depth == model::CauseLearnability::never) {
      ++*column.never;
    } else {
      ++column.at_depth[cause.depth];
    }
  }
  return column;
}

bool is_of_aqmr_size(const model::NoisyOrNetwork& network) {
  return network.n_causes() == aqmr_causes && network.n_observed() == aqmr_observed &&
         network.edges().size() == aqmr_edges;
}

std::string row(const std::vector<Column>& columns, std::optional<std::int32_t> depth) {
  std::string out = fmt::format("<tr><td>{}</td>", depth ? fmt::format("{}", *depth) : "never");
  for (const Column& column : columns) {
    std::string text;
    if (!depth) {
      text = column.never ? format_count(*column.never) : "";
    } else if (const auto found = column.at_depth.find(*depth); found != column.at_depth.end()) {
      text = format_count(found->second);
    }
    out += number_cell(text);
  }
  return out + "</tr>\n";
}

std::string note(const ReportInput& input) {
  if (input.truth == nullptr) return "";
  std::string text =
      "Rounds of subtracting the causes found before. Perfect tests (of infinitely many samples): "
      "what they would learn of the true network by quartets, or by triplets if its edges were "
      "known.";
  if (is_of_aqmr_size(*input.truth)) {
    text += fmt::format(
        " aQMR-DT: the network of the paper's Table 1, another one of the same size, {} "
        "causes, {} variables and {} edges.",
        aqmr_causes, format_count(aqmr_observed), format_count(aqmr_edges));
  }
  return fmt::format("<p class=\"note\">{}</p>", text);
}

}  // namespace

std::string depth_section(const ReportInput& input) {
  std::vector<Column> columns = learned_columns(input);
  if (columns[0].at_depth.empty()) return "";
  if (input.truth != nullptr) {
    columns.push_back(perfect_column("perfect quartets", *input.truth, model::quartet_size));
    columns.push_back(perfect_column("perfect triplets", *input.truth, model::triplet_size));
    if (is_of_aqmr_size(*input.truth)) {
      columns.push_back({"aQMR-DT, quartets", {{0, 469}, {1, 82}, {2, 13}, {3, 2}}, 4});
      columns.push_back({"aQMR-DT, triplets", {{0, 527}, {1, 39}, {2, 2}}, 2});
    }
  }
  std::set<std::int32_t> depths;
  std::string out = "<section><h2>Depth</h2>" + note(input) +
                    "<div class=\"scroll\" tabindex=\"0\"><table class=\"depths\"><thead><tr><th "
                    "scope=\"col\">depth</th>";
  for (const Column& column : columns) {
    fmt::format_to(std::back_inserter(out), "<th scope=\"col\" class=\"n\">{}</th>",
                   column.heading);
    for (const auto& [depth, count] : column.at_depth) depths.insert(depth);
  }
  out += "</tr></thead><tbody>\n";
  for (const std::int32_t depth : depths) out += row(columns, depth);
  if (input.truth != nullptr) out += row(columns, std::nullopt);
  return out + "</tbody></table></div></section>\n";
}

}  // namespace orrery::report
