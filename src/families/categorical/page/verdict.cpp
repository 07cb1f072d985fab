// What the page says below its headline: what the model achieves, and what to distrust.
#include "report/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "families/categorical/page/page.hpp"
#include "report/text.hpp"

namespace orrery::categorical {
namespace {

constexpr double sure = .5;  // probability of a variable's parents

struct HeldOut {
  double model = 0;        // nats per row
  double independent = 0;  // by independent variables
};

/// Of rows that the network was not learned from: those that are given, or those that its number of
/// causes was chosen by. None: nothing is known of such rows.
std::optional<HeldOut> held_out_rows(const CategoricalView& view) {
  const CategoricalReportInput& input = *view.input;
  if (input.likelihood != nullptr && input.held_out) {
    return HeldOut{input.likelihood->mean, input.independent->mean};
  }
  const auto& choices = input.model->choices;
  const auto of = [&](std::size_t n_causes) {
    return std::ranges::find(choices, n_causes, &model::LearnedCategorical::Choice::n_causes);
  };
  const auto chosen = of(view.network().n_causes());
  if (of(0) == choices.end() || chosen == choices.end()) return std::nullopt;
  return HeldOut{chosen->held_out, of(0)->held_out};
}

/// A network that predicts rows no better than its frequencies alone has found nothing, however
/// probable the parents are that it gives to variables.
void judge_prediction(const CategoricalView& view, report::Verdict& verdict) {
  const auto rows = held_out_rows(view);
  if (!rows) {
    verdict.doubts.emplace_back(
        "It is not known whether the network predicts rows that it was not learned from better "
        "than independent variables do: `orrery report MODEL --data ROWS` tells");
    return;
  }
  if (view.network().n_edges() == 0) return;  // is independent variables
  const bool better = rows->model > rows->independent;
  const std::string numbers =
      fmt::format("{} nats per row instead of {}", report::short_number(rows->model),
                  report::short_number(rows->independent));
  if (better) {
    verdict.achieved.push_back(fmt::format(
        "The network predicts held-out rows better than independent variables do, with {}",
        numbers));
  } else {
    verdict.doubts.push_back(fmt::format(
        "The network predicts held-out rows no better than independent variables do, with {}",
        numbers));
  }
}

}  // namespace

report::Verdict verdict_of(const CategoricalView& view) {
  const model::LearnedCategorical& learned = *view.input->model;
  report::Verdict verdict;
  if (view.input->scores != nullptr) {
    const std::size_t n_common = view.n_common_edges();
    verdict.add_found(n_common, view.input->scores->n_true_edges, "edges were found");
    verdict.add_wrong(view.input->scores->n_learned_edges - n_common, "learned edge");
  }
  if (!learned.learner.empty()) judge_prediction(view, verdict);
  const auto n_unsure = static_cast<std::size_t>(
      std::ranges::count_if(view.certainty, [](double p) { return p < sure; }));
  if (n_unsure > 0) {
    verdict.doubts.push_back(
        fmt::format("The parents of {} are less probable than all others "
                    "together",
                    report::count_of(n_unsure, "variable")));
  } else if (!view.certainty.empty()) {
    verdict.achieved.emplace_back(
        "The parents of every variable are more probable than all others together");
  }
  if (!learned.modes.empty()) {
    verdict.doubts.emplace_back("More than one structure remains possible");
  }
  if (learned.network.n_edges() == 0) verdict.doubts.emplace_back("No variable has a cause");
  if (!learned.remarks.empty()) {
    verdict.doubts.push_back(fmt::format("The learner has {} on this table: see below",
                                         report::count_of(learned.remarks.size(), "remark")));
  }
  const bool is_judged = held_out_rows(view).has_value();  // else a doubt says how
  if (view.input->likelihood == nullptr && is_judged && !learned.learner.empty()) {
    verdict.not_judged =
        "No rows were given to judge it by: `orrery report MODEL --data ROWS` says how likely they "
        "are";
  }
  return verdict;
}

}  // namespace orrery::categorical
