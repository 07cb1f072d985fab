// The page of a linear network: what was learned in a line, the loadings, how causes depend on each
// other, then tables.
#include "families/linear/page/page.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <iterator>

#include "base/progress.hpp"
#include "report/page.hpp"
#include "report/text.hpp"

namespace orrery::linear {
namespace {

std::string summary(const LinearView& view) {
  const model::LinearNetwork& network = view.learned.network;
  if (!view.truth) {
    return fmt::format("{} of {}", report::count_of(network.n_causes(), "cause"),
                       report::count_of(network.n_observed(), "variable"));
  }
  const LinearScores& scores = *view.input->scores;
  return fmt::format("{} of {} right", format_count(scores.n_common_edges),
                     report::count_of(scores.n_true_edges, "edge"));
}

std::string detail(const LinearView& view) {
  const model::LearnedLinear& learned = view.learned;
  const model::LinearNetwork& network = learned.network;
  std::string out = fmt::format("{}, {}, {}", report::count_of(network.n_causes(), "cause"),
                                report::count_of(network.n_observed(), "variable"),
                                report::count_of(network.n_edges(), "edge"));
  if (learned.n_samples > 0) out += ", " + report::count_of(learned.n_samples, "sample");
  if (!network.upper().empty()) {
    out += fmt::format(", {} above the causes", report::count_of(network.upper().size(), "level"));
  }
  if (network.has_coupling()) out += ", causes coupled";
  if (view.input->scores == nullptr) return out;
  const LinearScores& scores = *view.input->scores;
  return out + report::wrong_and_missed(scores.n_learned_edges - scores.n_common_edges,
                                        scores.n_true_edges - scores.n_common_edges);
}

TruthBeside view_truth(const LinearReportInput& input) {
  TruthBeside beside;
  beside.network = input.truth->canonical();
  beside.of.assign(input.model->network.n_causes(), -1);
  beside.sign.assign(input.model->network.n_causes(), 1);
  for (std::size_t t = 0; t < input.scores->partner.size(); ++t) {
    const std::int64_t partner = input.scores->partner[t];
    if (partner < 0) {
      beside.missed.push_back(t);
      continue;
    }
    beside.of[static_cast<std::size_t>(partner)] = static_cast<std::int64_t>(t);
    beside.sign[static_cast<std::size_t>(partner)] = input.scores->sign[t];
  }
  return beside;
}

}  // namespace

std::optional<double> TruthBeside::loading(std::size_t i, std::size_t cause) const {
  if (of[cause] < 0) return std::nullopt;
  return sign[cause] * network.loadings()(static_cast<Eigen::Index>(i), of[cause]);
}

std::optional<double> TruthBeside::between(const Eigen::MatrixXd& of_causes, std::size_t row,
                                           std::size_t column) const {
  if (of[row] < 0 || of[column] < 0) return std::nullopt;
  return sign[row] * sign[column] * of_causes(of[row], of[column]);
}

std::string value_text(double value, const Eigen::MatrixXd& errors, Eigen::Index row,
                       Eigen::Index column) {
  if (errors.size() == 0 || !std::isfinite(errors(row, column))) return report::short_number(value);
  return fmt::format("{} ± {}", report::short_number(value),
                     report::short_number(errors(row, column)));
}

double in_deviations(const LinearView& view, std::size_t i, double loading) {
  const double deviation = view.deviations(static_cast<Eigen::Index>(i));
  return deviation > 0 ? loading / deviation : loading;
}

LinearView view_linear(const LinearReportInput& input) {
  assert(input.model != nullptr && (input.truth == nullptr) == (input.scores == nullptr));
  LinearView view;
  view.input = &input;
  view.learned = canonical(*input.model);
  const model::LinearNetwork& network = view.learned.network;
  const Eigen::MatrixXd half = network.loadings() * network.covariance();
  // No rounding error may make a variance negative.
  const Eigen::VectorXd variances =
      half.cwiseProduct(network.loadings()).rowwise().sum() + network.noise();
  view.deviations = variances.cwiseMax(0).cwiseSqrt();
  if (input.truth != nullptr) view.truth = view_truth(input);
  return view;
}

std::string linear_html_report(const LinearReportInput& input) {
  const LinearView view = view_linear(input);
  return report::page_head(input.title, input.source, summary(view), detail(view)) +
         report::remarks_section(view.learned.remarks) + loadings_section(view) +
         dependence_section(view) + linear_scores_section(view) + causes_section(view) +
         rank_section(view) + variables_section(view) +
         report::page_foot(view.learned.data_digest, "Causes are scaled to variance 1.", "");
}

}  // namespace orrery::linear
