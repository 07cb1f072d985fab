// The page of a linear network: what was learned in a line, the loadings, how causes depend on each
// other, then tables.
#include "families/linear/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/linear/scores/scores.hpp"
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
  view.titles = titles_of_causes(network);
  if (input.truth != nullptr) view.truth = view_truth(input);
  return view;
}

namespace {

constexpr double most_off = 3;          ///< standard errors that a rank test may be off
constexpr double least_explained = .1;  ///< of a variable's variance

/// What the number of causes that was chosen leaves unexplained.
void judge_by_rank(const model::LearnedLinear& learned, report::Verdict& verdict) {
  for (const model::RankStep& step : learned.rank_test) {
    if (step.rank != learned.network.n_causes() || !(step.error > 0)) continue;
    const double off = (step.statistic - step.expected) / step.error;
    const std::string what =
        fmt::format("What {} leave of the covariance is {:.1f} standard errors from noise",
                    report::count_of(step.rank, "cause"), off);
    (off > most_off ? verdict.doubts : verdict.achieved).push_back(what);
  }
}

/// The share of a variable's variance that is not noise.
double explained(const LinearView& view, Eigen::Index i) {
  const double variance = view.deviations(i) * view.deviations(i);
  return variance > 0 ? 1 - view.learned.network.noise()(i) / variance : 0;
}

report::Verdict verdict_of(const LinearView& view) {
  report::Verdict verdict;
  const model::LearnedLinear& learned = view.learned;
  if (const LinearScores* scores = view.input->scores) {
    verdict.add_found(scores->n_common_edges, scores->n_true_edges, "edges were found");
    verdict.add_wrong(scores->n_learned_edges - scores->n_common_edges, "learned edge");
  }
  judge_by_rank(learned, verdict);
  std::size_t n_unexplained = 0;
  for (Eigen::Index i = 0; i < view.deviations.size(); ++i) {
    n_unexplained += explained(view, i) < least_explained ? 1 : 0;
  }
  if (learned.network.n_causes() == 0) {
    verdict.doubts.emplace_back("No cause was found");
  } else if (n_unexplained > 0 && !learned.learner.empty()) {
    verdict.doubts.push_back(fmt::format("Causes explain less than {:.0f} % of the variance of {}",
                                         100 * least_explained,
                                         report::count_of(n_unexplained, "variable")));
  }
  if (!learned.remarks.empty()) {
    verdict.doubts.push_back(fmt::format("The learner has {} on this table: see below",
                                         report::count_of(learned.remarks.size(), "remark")));
  }
  if (view.input->scores == nullptr && !learned.learner.empty()) {
    verdict.not_judged = report::evaluate_it;
  }
  return verdict;
}

}  // namespace

std::string linear_html_report(const LinearReportInput& input) {
  const LinearView view = view_linear(input);
  return report::html_page({input.title, summary(view), detail(view), verdict_of(view),
                            report::remarks_section(view.learned.remarks) + loadings_section(view) +
                                dependence_section(view) + linear_scores_section(view) +
                                causes_section(view) + rank_section(view) + variables_section(view),
                            "Causes are scaled to variance 1."},
                           input.colophon);
}

// ---- tables: scores, causes, the rank test, variables

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t most_loadings_shown = 8;
constexpr std::size_t max_linear_name = 40;

/// Those first that it moves most in their own standard deviations, as its title has them.
std::string strongest_edges(const LinearView& view, std::size_t cause) {
  const auto column = static_cast<Index>(cause);
  const VectorXd loadings = view.learned.network.loadings().col(column);
  VectorXd scaled = loadings;
  for (Index i = 0; i < scaled.size(); ++i) {
    scaled(i) = in_deviations(view, static_cast<std::size_t>(i), loadings(i));
  }
  const auto entries = strongest(scaled);
  std::string out;
  for (std::size_t e = 0; e < std::min(entries.size(), most_loadings_shown); ++e) {
    const auto i = static_cast<std::size_t>(entries[e].row);
    append_text(
        out, "<span>{} <i>{}</i></span>",
        report::escape(report::shorten(view.learned.network.names()[i], max_linear_name)),
        value_text(loadings(entries[e].row), view.learned.loading_errors, entries[e].row, column));
  }
  if (entries.size() > most_loadings_shown) {
    append_text(out, "<i>and {} more</i>", format_count(entries.size() - most_loadings_shown));
  }
  return out;
}

void show_true_cause(report::Record& row, const LinearView& view, std::size_t cause) {
  const std::int64_t t = view.truth->of[cause];
  const auto at = static_cast<std::size_t>(std::max<std::int64_t>(t, 0));
  row.show("true cause", t < 0 ? "none"
                               : fmt::format("{}{}", view.truth->sign[cause] < 0 ? "-" : "",
                                             view.truth->network.cause_names()[at]));
  row.show("|cosine|", t < 0 ? "" : report::short_number(view.input->scores->cosine[at]));
}

}  // namespace

std::string causes_section(const LinearView& view) {
  const model::LinearNetwork& network = view.learned.network;
  report::Section section;
  report::Table& table = section.table(
      "", "Causes",
      network.has_coupling() ? "Innovation: the variance that other causes do not explain."
                             : "Each with the variables that it moves most.");
  table.is_stacked = true;
  for (std::size_t j = 0; j < network.n_causes(); ++j) {
    const auto column = static_cast<Index>(j);
    const auto n_edges =
        static_cast<std::uint64_t>((network.loadings().col(column).array() != 0).count());
    report::Record& row = table.row();
    row.show("cause", view.titles[j]).show("edges", format_count(n_edges));
    if (network.has_coupling()) {
      row.show("innovation", report::short_number(network.innovation()(column)));
    }
    if (view.truth) show_true_cause(row, view, j);
    row.show_html("strongest variables", "", strongest_edges(view, j));
  }
  return report::as_html(section);
}

std::string variables_section(const LinearView& view) {
  const model::LinearNetwork& network = view.learned.network;
  const MatrixXd errors = view.learned.noise_errors;  // n x 1, or empty
  report::Section section;
  report::Table& table =
      section.table("", "Variables", "Explained: the share of the variance that is not noise.");
  for (std::size_t i = 0; i < network.n_observed(); ++i) {
    const auto at = static_cast<Index>(i);
    const double share = explained(view, at);
    report::Record& row = table.row();
    row.show("variable", network.names()[i])
        .show("mean", report::short_number(network.means()(at)))
        .show("standard deviation", report::short_number(view.deviations(at)))
        .show("noise variance", value_text(network.noise()(at), errors, at, 0));
    if (view.truth) {
      row.show("true noise variance", report::short_number(view.truth->network.noise()(at)));
    }
    row.show_share("explained", fmt::format("{:.3f}", share), std::max(share, 0.0));
  }
  return report::as_html(section);
}

std::string rank_section(const LinearView& view) {
  report::Section section;
  report::Table& table = section.table(
      "", "How many causes",
      "If there are so many causes, what they leave of the covariance is noise: the statistic is "
      "about as large as expected. Off: in standard errors.");
  for (const model::RankStep& step : view.learned.rank_test) {
    const bool chosen = step.rank == view.learned.network.n_causes();
    const double z = step.error > 0 ? (step.statistic - step.expected) / step.error : 0;
    table.row()
        .show("causes", fmt::format("{}{}", step.rank, chosen ? " (chosen)" : ""))
        .show("statistic", report::short_number(step.statistic))
        .show("expected", report::short_number(step.expected))
        .show("standard error", report::short_number(step.error))
        .show("off", step.error > 0 ? fmt::format("{:.1f}", z) : "");
  }
  return report::as_html(section);
}

std::string linear_scores_section(const LinearView& view) {
  if (view.input->scores == nullptr) return "";
  report::Sheet sheet;
  add_truth(sheet, *view.input->scores, *view.input->truth, view.learned.network);
  return report::as_html(sheet.sections.front());
}

}  // namespace orrery::linear
