// What the page says below its headline: what the model achieves, and what to distrust.
#include "report/verdict.hpp"

#include <algorithm>
#include <cstddef>

#include "families/categorical/page/page.hpp"
#include "report/text.hpp"

namespace orrery::categorical {
namespace {

constexpr double sure = .5;  // probability of a variable's parents

}  // namespace

report::Verdict verdict_of(const CategoricalView& view) {
  const model::LearnedCategorical& learned = *view.input->model;
  report::Verdict verdict;
  if (view.input->scores != nullptr) {
    const std::size_t n_common = view.n_common_edges();
    verdict.add_found(n_common, view.input->scores->n_true_edges, "edges were found");
    verdict.add_wrong(view.input->scores->n_learned_edges - n_common, "learned edge");
  }
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
  if (view.input->likelihood == nullptr && !learned.learner.empty()) {
    verdict.not_judged =
        "No rows were given to judge it by: `orrery report MODEL --data ROWS` says how likely they "
        "are";
  }
  return verdict;
}

}  // namespace orrery::categorical
