// What `infer` says of a tree: scores of predictions, rows one by one where they are few; and where
// rows are written.
#pragma once

#include <concepts>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "cli/arguments.hpp"
#include "family/answers.hpp"
#include "family/explained_causes.hpp"
#include "orrery/model/sign_tree.hpp"
#include "orrery/model/tree_inference.hpp"
#include "store/posterior.hpp"
#include "store/run.hpp"

namespace orrery::sign_tree {

/// Which variables are looked at, and which are told; both ascending or as they were listed.
struct TreeQuestion {
  std::vector<std::uint32_t> given;
  std::vector<std::uint32_t> told;
  bool predicts = false;  ///< what is told was not given: it can be scored
};

/// Rows in order, what is told of each variable after variable.
struct TreeAnswers {
  std::vector<double> log_evidence;
  std::vector<double> probability;       ///< P(hidden sign is +1); NaN: the row is impossible
  std::vector<model::Reading> observed;  ///< of the told variables

  void append(const TreeAnswers& other);
};
/// Calls visit(vector) for everything in it, in one order.
template <class Any, class Visit>
requires std::same_as<std::remove_const_t<Any>, TreeAnswers>
void for_each_list(Any& answers, const Visit& visit) {
  visit(answers.log_evidence);
  visit(answers.probability);
  visit(answers.observed);
}

/// True if the lists are of so many rows.
inline bool is_of_rows(const TreeAnswers& answers, std::size_t n_rows) {
  const std::size_t n_values = answers.probability.size();
  return answers.log_evidence.size() == n_rows && answers.observed.size() == n_values &&
         n_rows > 0 && n_values % n_rows == 0;
}

/// Sums over rows as they come.
class TreeSummary {
 public:
  TreeSummary(const model::SignTree& tree, const TreeQuestion& question);
  void add(const TreeAnswers& answers);

  [[nodiscard]] std::uint64_t n_impossible() const noexcept { return n_impossible_; }
  /// The first of them.
  [[nodiscard]] std::uint64_t impossible_row() const noexcept { return impossible_row_; }
  [[nodiscard]] nlohmann::json json() const;
  [[nodiscard]] std::string text() const;

 private:
  /// A predicted variable against the values that the data have of it.
  struct Score {
    std::uint64_t n = 0;
    std::uint64_t n_right = 0;
    std::uint64_t n_right_alone = 0;  // by the variable's mean alone
    double log_loss = 0;              // sums, nats
    double log_loss_alone = 0;

    void add(double on, double on_alone, bool is_on);
    void add(const Score& other);
  };
  [[nodiscard]] Score total() const;
  [[nodiscard]] static nlohmann::json score_json(const Score& score);
  [[nodiscard]] static std::string describe_score(const Score& score);

  const model::SignTree& tree_;
  const TreeQuestion& question_;
  std::uint64_t n_rows_ = 0;
  std::uint64_t n_impossible_ = 0;
  std::uint64_t impossible_row_ = 0;
  double log_evidence_ = 0;      // sum over possible rows
  std::uint64_t n_changed_ = 0;  // observed signs whose opposite is more probable
  std::vector<Score> scores_;    // of the told variables, if they are predicted
};

/// P(observed as on), of a hidden sign's probability to be +1.
double observed_probability(double hidden, double crossover);

/// What --explain tells of each row; empty without it.
using Explained = std::vector<std::vector<family::ExplainedCause>>;

nlohmann::json tree_rows_json(const TreeAnswers& answers, const model::SignTree& tree,
                              const TreeQuestion& question, const Explained& explained);
std::string describe_tree_rows(const TreeAnswers& answers, const model::SignTree& tree,
                               const TreeQuestion& question, const Explained& explained);

/// True if a hidden sign is more probably the opposite of what was observed.
bool is_changed(double on, model::Reading observed);

/// Rows into the file or to standard output, in order; nothing for the screen.
class TreeOutput {
 public:
  /// Throws EnvironmentError.
  TreeOutput(const cli::Arguments& arguments, const store::PredictionHeader& header);
  void append(const TreeAnswers& answers);
  void finish(const store::RunInfo& run);

 private:
  std::vector<std::string> names_;
  std::uint64_t n_rows_ = 0;  // so far
  std::optional<store::PredictionWriter> file_;
  std::optional<family::AnswerText> text_;
};

}  // namespace orrery::sign_tree
