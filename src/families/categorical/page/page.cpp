// The page of a categorical network: what was learned in a line, its structure above the data, the
// number of causes, then tables.
#include "report/page.hpp"

#include <fmt/format.h>

#include <iterator>

#include "base/progress.hpp"
#include "families/categorical/page/view.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"

namespace orrery::categorical {
namespace {

/// Edges that both networks have.
std::size_t common_edges(const CategoricalView& view) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < view.network().n_observed(); ++i) {
    for (const std::uint32_t cause : view.network().variables()[i].parents) {
      n += view.is_true_parent(i, view.true_cause[cause]) ? 1 : 0;
    }
  }
  return n;
}

std::string summary(const CategoricalView& view) {
  if (view.input->truth == nullptr) {
    return fmt::format("{} of {}", report::count_of(view.network().n_causes(), "cause"),
                       report::count_of(view.network().n_observed(), "variable"));
  }
  return fmt::format("{} of {} right", format_count(common_edges(view)),
                     report::count_of(view.input->scores->n_true_edges, "edge"));
}

std::string detail(const CategoricalView& view) {
  const model::LearnedCategorical& learned = *view.input->model;
  std::string out = fmt::format("{}, {}, {}", report::count_of(learned.network.n_causes(), "cause"),
                                report::count_of(learned.network.n_observed(), "variable"),
                                report::count_of(learned.network.n_edges(), "edge"));
  if (learned.n_samples > 0) out += ", " + report::count_of(learned.n_samples, "sample");
  if (!learned.learner.empty()) out += ", learned by " + report::escape(learned.learner);
  if (view.input->truth == nullptr) return out;
  const std::size_t common = common_edges(view);
  return out + report::wrong_and_missed(view.input->scores->n_learned_edges - common,
                                        view.input->scores->n_true_edges - common);
}

}  // namespace

std::string categorical_html_report(const CategoricalReportInput& input) {
  const CategoricalView view = view_categorical(input);
  return report::page_head(input.title, input.source, summary(view), detail(view)) +
         report::remarks_section(input.model->remarks) + structure_section(view) +
         categorical_scores_section(view) + choices_section(view) + modes_section(view) +
         categorical_causes_section(view) + categorical_variables_section(view) +
         report::page_foot(input.model->data_digest,
                           "Causes are numbered as learned; which of a cause's "
                           "states is called 0 means nothing.",
                           "");
}

}  // namespace orrery::categorical
