// Structural EM for hidden causes of categorical variables: Friedman 1998, "The Bayesian structural
// EM algorithm", with the score of Cheeseman and Stutz, as Lazic, Bishop, Winn 2013 ("Structural
// expectation propagation", section 6.1) compare with.
//
//   paper                       code                      what
//   G, theta                    CategoricalNetwork        parents, tables and priors
//   D                           Data                      rows, shared by ranks and threads
//   M_0: fully connected        random_start              every cause a parent of every variable
//   E-step, M-step              expected_counts, advance  theta = posterior means
//   D'                          joint_counts              data completed once a search
//   log P(D'|G) - log P(D'|theta,G) + log P(D|theta,G)    score.hpp
//   greedy hill climbing        climb                     an edge of a variable at a time
//   M_n+1, theta_n+1            Search::judge             kept if the score is higher after EM
//   restarts                    Search                    the best score
//
// Cost: a pass of EM N (S G + the rows of all tables), S the number of joint states and G that of
// different sets of parents; a climb some K rounds of N D K S. Memory: tables of D L S numbers, 56
// bytes a number and thread for their sums. At 1,000 ranks the all-reduce of 48 bytes a count,
// twice for each pass of some milliseconds, comes to matter first; S is limited to 2^16.
//
// Departures from the paper, each an option:
// - While the structure takes shape EM is cut short (--early-iterations 0: it is not).
// - Starts are products of effects of each cause (--start rows: rows of tables drawn by
// themselves).
// - All variables' changes are tried at once, then the better half of them, and so on: a step that
//   EM finds worse is taken back.
// Missing values are left out of the completed data.
#include "learning/learner.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "families/categorical/structural_em/options.hpp"
#include "families/categorical/structural_em/search.hpp"
#include "learning/load.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/categorical_network.hpp"
#include "store/categorical.hpp"

namespace orrery::structural_em {
namespace {

const char* name_of(ScoreKind kind) { return kind == ScoreKind::bic ? "bic" : "cheeseman-stutz"; }

void require_memory(const learning::DataContext& context, const data::CategoricalTable& table,
                    const Options& options) {
  const std::size_t n_states =
      count_joint_states(table, options.causes, options.cardinality, context.path);
  const double needed = learning::total(memory_to_learn(table, n_states, context.threads));
  if (context.memory_bytes == 0 || needed <= static_cast<double>(context.memory_bytes)) return;
  throw UsageError(fmt::format(
      "--memory allows {} a rank, but tables by {} joint states of {} causes take {} with {} "
      "thread(s); allow more, or use fewer threads or --causes",
      format_bytes(static_cast<double>(context.memory_bytes)), n_states, options.causes,
      format_bytes(needed), context.threads));
}

std::vector<std::string> remarks_on(const Fit& fit, const Options& options) {
  std::vector<std::string> remarks;
  if (!fit.has_converged) {
    remarks.push_back(fmt::format(
        "EM was still rising after {} passes in the network that was kept; a higher --iterations, "
        "or a larger --tolerance ({})",
        options.fit.max_passes, options.fit.tolerance));
  }
  std::vector<bool> has_variables(fit.network.n_causes(), false);
  for (const auto& variable : fit.network.variables()) {
    for (const std::uint32_t parent : variable.parents) has_variables[parent] = true;
  }
  std::vector<std::string> idle;
  for (std::size_t k = 0; k < has_variables.size(); ++k) {
    if (!has_variables[k]) idle.push_back(fit.network.causes()[k].name);
  }
  if (!idle.empty()) {
    remarks.push_back(fmt::format("no variable depends on {}: fewer --causes say as much",
                                  learning::list_names(idle)));
  }
  return remarks;
}

model::AnyModel learn(const learning::DataContext& context,
                      const boost::program_options::variables_map& values) {
  const Options options = read_options(values, false);
  const store::StoredTable stored =
      context.team.root_first([&] { return store::read_categorical(context.path); });
  learning::require_learnable(stored.table, options.causes, context.path);
  require_memory(context, stored.table, options);
  Fit fit = search(stored.table, options, context.seed, context.path,
                   {context.team, context.threads, context.checkpoints, context.stages});
  model::LearnedCategorical learned;
  learned.remarks = remarks_on(fit, options);
  learned.network = std::move(fit.network);
  learned.log_evidence = fit.score;
  learned.evidence_kind = name_of(options.fit.score.kind);
  learned.learner = "sem";
  learned.data_digest = stored.digest;
  learned.n_samples = stored.table.n_rows;
  if (context.team.is_root()) {
    for (const std::string& remark : learned.remarks) log::warning("{}", remark);
  }
  return learned;
}

std::vector<std::pair<std::string, std::string>> result_options(
    bool exact_moments, const boost::program_options::variables_map& values) {
  const Options options = read_options(values, exact_moments);
  return {{"--causes", fmt::format("{}", options.causes)},
          {"--cardinality", fmt::format("{}", options.cardinality)},
          {"--score", name_of(options.fit.score.kind)},
          {"--restarts", fmt::format("{}", options.restarts)},
          {"--start", options.start == StartKind::rows ? "rows" : "products"},
          {"--early-iterations", fmt::format("{}", options.early_passes)},
          {"--iterations", fmt::format("{}", options.fit.max_passes)},
          {"--tolerance", fmt::format("{}", options.fit.tolerance)},
          {"--alpha", fmt::format("{}", options.fit.score.alpha)},
          {"--seed", fmt::format("{}", values["seed"].as<std::uint64_t>())}};
}

learning::Plan plan(const learning::DataPlanContext& context,
                    const boost::program_options::variables_map& values) {
  return predict(context, read_options(values, false));
}

}  // namespace

extern const learning::LearnerEntry entry;
const learning::LearnerEntry entry{
    .name = "sem",
    .summary = "causes of categories by structural EM (Friedman 1998), any number of parents",
    .add_options = add_options,
    .result_options = result_options,
    .learn_data = learn,
    .plan_data = plan,
    .input = learning::Input::categories};

}  // namespace orrery::structural_em
