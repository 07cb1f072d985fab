#include "families/sign_tree/infer_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/progress.hpp"
#include "cli/printing.hpp"
#include "report/sheet.hpp"

namespace orrery::sign_tree {
namespace {

using model::Reading;
using nlohmann::json;

constexpr std::size_t listed_readings = 10;
constexpr const char* reading_names[] = {"off", "on", "not known"};

const char* name_of(Reading reading) { return reading_names[static_cast<std::size_t>(reading)]; }

double per(double sum, std::uint64_t n) { return n == 0 ? 0 : sum / static_cast<double>(n); }
double share(std::uint64_t part, std::uint64_t n) { return per(static_cast<double>(part), n); }

}  // namespace

bool is_changed(double on, Reading observed) {
  return (observed == Reading::on && on < .5) || (observed == Reading::off && on > .5);
}

double observed_probability(double hidden, double crossover) {
  return crossover + (1 - 2 * crossover) * hidden;
}

void TreeAnswers::append(const TreeAnswers& other) {
  log_evidence.insert(log_evidence.end(), other.log_evidence.begin(), other.log_evidence.end());
  probability.insert(probability.end(), other.probability.begin(), other.probability.end());
  observed.insert(observed.end(), other.observed.begin(), other.observed.end());
}

void TreeSummary::Score::add(double on, double on_alone, bool is_on) {
  ++n;
  // 0.5 counts as a prediction of off.
  if ((on > .5) == is_on) ++n_right;
  if ((on_alone > .5) == is_on) ++n_right_alone;
  log_loss -= std::log(is_on ? on : 1 - on);
  log_loss_alone -= std::log(is_on ? on_alone : 1 - on_alone);
}

void TreeSummary::Score::add(const Score& other) {
  n += other.n;
  n_right += other.n_right;
  n_right_alone += other.n_right_alone;
  log_loss += other.log_loss;
  log_loss_alone += other.log_loss_alone;
}

TreeSummary::TreeSummary(const model::SignTree& tree, const TreeQuestion& question)
    : tree_(tree), question_(question), scores_(question.predicts ? question.told.size() : 0) {}

void TreeSummary::add(const TreeAnswers& answers) {
  const std::size_t k = question_.told.size();
  for (std::size_t r = 0; r < answers.log_evidence.size(); ++r, ++n_rows_) {
    if (std::isinf(answers.log_evidence[r])) {
      if (n_impossible_++ == 0) impossible_row_ = n_rows_;
      continue;
    }
    log_evidence_ += answers.log_evidence[r];
    for (std::size_t j = 0; j < k; ++j) {
      const Reading observed = answers.observed[r * k + j];
      if (observed == Reading::missing) continue;
      const double on = answers.probability[r * k + j];
      if (!question_.predicts) {
        if (is_changed(on, observed)) ++n_changed_;
        continue;
      }
      const double q = tree_.crossover();
      const double alone = (1 + tree_.means()[question_.told[j]]) / 2;
      scores_[j].add(observed_probability(on, q), observed_probability(alone, q),
                     observed == Reading::on);
    }
  }
}

TreeSummary::Score TreeSummary::total() const {
  Score all;
  for (const Score& score : scores_) all.add(score);
  return all;
}

json TreeSummary::score_json(const Score& score) {
  if (score.n == 0) return {{"n", 0}};
  return {{"n", score.n},
          {"log_loss", report::finite_or_null(per(score.log_loss, score.n))},
          {"accuracy", share(score.n_right, score.n)},
          {"log_loss_of_means", report::finite_or_null(per(score.log_loss_alone, score.n))},
          {"accuracy_of_means", share(score.n_right_alone, score.n)}};
}

std::string TreeSummary::describe_score(const Score& score) {
  return fmt::format("log loss {:.4f} nats, {:.1f} % right (by the means alone: {:.4f}, {:.1f} %)",
                     per(score.log_loss, score.n), 100 * share(score.n_right, score.n),
                     per(score.log_loss_alone, score.n), 100 * share(score.n_right_alone, score.n));
}

json TreeSummary::json() const {
  nlohmann::json object{{"rows", n_rows_},
                        {"impossible", n_impossible_},
                        {"mean_log_evidence", n_rows_ == n_impossible_
                                                  ? nlohmann::json(nullptr)
                                                  : report::finite_or_null(per(
                                                        log_evidence_, n_rows_ - n_impossible_))}};
  if (!question_.predicts) {
    object["corrected_signs"] = n_changed_;
    return object;
  }
  object["score"] = score_json(total());
  nlohmann::json variables = nlohmann::json::array();
  for (std::size_t j = 0; j < scores_.size(); ++j) {
    nlohmann::json entry = score_json(scores_[j]);
    entry["name"] = tree_.names()[question_.told[j]];
    variables.push_back(std::move(entry));
  }
  object["variables"] = std::move(variables);
  return object;
}

std::string TreeSummary::text() const {
  std::string text = fmt::format("{} row{}", format_count(n_rows_), n_rows_ == 1 ? "" : "s");
  if (n_impossible_ > 0) text += fmt::format(", {} impossible", format_count(n_impossible_));
  if (n_rows_ > n_impossible_) {
    text += fmt::format(": log evidence {:.4f} nats per row",
                        per(log_evidence_, n_rows_ - n_impossible_));
  }
  if (!question_.predicts) {
    return text + fmt::format("; {} observed signs are more probably flipped than not",
                              format_count(n_changed_));
  }
  const Score all = total();
  if (all.n == 0) return text + "; no value of a predicted variable is known, so none is scored";
  text += fmt::format("\n{} predicted values: {}", format_count(all.n), describe_score(all));
  for (std::size_t j = 0; j < std::min(scores_.size(), listed_readings); ++j) {
    if (scores_[j].n == 0) continue;
    text +=
        fmt::format("\n  {:20} {}", tree_.names()[question_.told[j]], describe_score(scores_[j]));
  }
  if (scores_.size() > listed_readings) {
    text += fmt::format("\n  ... {} more; --json lists all", scores_.size() - listed_readings);
  }
  return text;
}

json tree_rows_json(const TreeAnswers& answers, const model::SignTree& tree,
                    const TreeQuestion& question, const Explained& explained) {
  json rows = json::array();
  const std::size_t k = question.told.size();
  for (std::size_t r = 0; r < answers.log_evidence.size(); ++r) {
    json variables = json::array();
    for (std::size_t j = 0; j < k; ++j) {
      const double on = answers.probability[r * k + j];
      const Reading observed = answers.observed[r * k + j];
      json entry{{"name", tree.names()[question.told[j]]}, {"on", report::finite_or_null(on)}};
      if (question.predicts)
        entry["observed_on"] = report::finite_or_null(observed_probability(on, tree.crossover()));
      entry["observed"] =
          observed == Reading::missing ? json(nullptr) : json(observed == Reading::on);
      variables.push_back(std::move(entry));
    }
    rows.push_back({{"row", r},
                    {"log_evidence", report::finite_or_null(answers.log_evidence[r])},
                    {"variables", std::move(variables)}});
    if (!explained.empty()) rows.back()["explained"] = family::as_json(explained[r]);
  }
  return rows;
}

std::string describe_tree_rows(const TreeAnswers& answers, const model::SignTree& tree,
                               const TreeQuestion& question, const Explained& explained) {
  std::string text;
  const std::size_t k = question.told.size();
  for (std::size_t r = 0; r < answers.log_evidence.size(); ++r) {
    if (std::isinf(answers.log_evidence[r])) {
      text += fmt::format("row {}: impossible under this tree\n", r);
      continue;
    }
    text += fmt::format("row {}: log evidence {:.4f} nats\n", r, answers.log_evidence[r]);
    std::size_t n_as_observed = 0;
    for (std::size_t j = 0; j < k; ++j) {
      const double on = answers.probability[r * k + j];
      const Reading observed = answers.observed[r * k + j];
      if (!question.predicts && observed != Reading::missing && !is_changed(on, observed)) {
        ++n_as_observed;
        continue;
      }
      const double shown = question.predicts ? observed_probability(on, tree.crossover()) : on;
      text += fmt::format("  {:20} on with {:.3g} %, {}{}\n", tree.names()[question.told[j]],
                          100 * shown, observed == Reading::missing ? "" : "observed ",
                          name_of(observed));
    }
    if (!question.predicts) {
      text += fmt::format("  {} hidden sign{} most probably as observed\n", n_as_observed,
                          n_as_observed == 1 ? " is" : "s are");
    }
    if (!explained.empty()) text += family::describe(explained[r]);
  }
  return explained.empty() ? text : text + family::odds_remark;
}

namespace {

std::vector<std::string> columns_of(const store::PredictionHeader& header) {
  std::vector<std::string> columns{"row"};
  columns.insert(columns.end(), header.variables.begin(), header.variables.end());
  columns.emplace_back("log_evidence");
  return columns;
}

json head_of(const store::PredictionHeader& header) {
  return {{"n_samples", header.n_samples},
          {"data_digest", fmt::format("{:016x}", header.data_digest)},
          {"given", header.n_given},
          {"crossover", header.crossover},
          {"variables", header.variables}};
}

}  // namespace

TreeOutput::TreeOutput(const cli::Arguments& arguments, const store::PredictionHeader& header)
    : names_(header.variables) {
  const family::AnswerPlace place = family::answer_place(arguments);
  if (place.format == family::AnswerFormat::hdf5) file_.emplace(place.path, header);
  if (place.is_text()) {
    text_.emplace(place, columns_of(header), head_of(header), family::names_of_rows(arguments));
  }
}

void TreeOutput::append(const TreeAnswers& answers) {
  if (file_) file_->append({answers.log_evidence, answers.probability});
  const double* on = answers.probability.data();
  for (std::size_t r = 0; text_ && r < answers.log_evidence.size(); ++r, ++n_rows_) {
    if (text_->is_csv()) {
      text_->add(n_rows_);
      for (std::size_t j = 0; j < names_.size(); ++j) text_->add(*on++);
      text_->add(answers.log_evidence[r]);
      text_->end_row();
      continue;
    }
    json variables = json::array();
    for (const std::string& name : names_) {
      variables.push_back({{"name", name}, {"on", report::finite_or_null(*on++)}});
    }
    text_->add_row({{"row", n_rows_},
                    {"log_evidence", report::finite_or_null(answers.log_evidence[r])},
                    {"variables", std::move(variables)}});
  }
}

void TreeOutput::finish(const store::RunInfo& run) {
  if (file_) file_->finish(run);
  if (text_) text_->finish();
}

}  // namespace orrery::sign_tree
