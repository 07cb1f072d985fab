// Linear Bayesian networks with hidden variables (Anandkumar, Hsu, Javanmard, Kakade 2013,
// "Learning linear Bayesian networks with latent variables").
//
//   paper             code                        what
//   Sigma             Observations::moments       covariance of the columns, standardised
//   P, L, D           low_rank_split              SUBROUTINE, and by maximum likelihood
//   k                 level: choose_rank          rank(L)
//   programs, S       sparse_vectors, columns     ALGORITHM 1, steps 3 to 10
//   A~, B~, A         loadings                    steps 11 to 13, with standard errors
//   levels L_i        level, levels_above         Theorem 3.4
//   Psi, Lambda       third_moments, fourth_cumulants, depth_one    ALGORITHM 2
//
// Cost: see each. Of n = 300, k = 30: covariances N n^2; the errors' eigendecompositions 64 n^3;
// the programs n (n k) pivots by some tens. Memory: 64 n^2 doubles and more (observations.hpp).
//
// Departures from the paper, each an option: noise by maximum likelihood (--noise blocks is the
// paper's), sparser solutions and more starts (--sparsity algorithm-1 is the paper's; --sparsity
// programs has its programs, but takes the sparsest independent solutions and fits them again),
// columns of variance 1 (--standardize no is the paper's). What stays: of the partitions the
// best-conditioned, and L as the nearest matrix of rank k (low_rank_split.hpp). Beyond it:
// standard errors and tests, where the paper's exact moments have exact zeros; and where no few
// causes explain the covariances, the strongest ones, with a warning (rotation.hpp).
#include "learning/learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/variables_map.hpp>

#include "base/log.hpp"
#include "families/linear/linear_latent/depth_one.hpp"
#include "families/linear/linear_latent/level.hpp"
#include "families/linear/linear_latent/observations.hpp"
#include "families/linear/linear_latent/options.hpp"
#include "families/linear/network/expansion.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/linear_network.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void require_few_causes(const std::string& source, const Options& options, Index n) {
  const Index per_cause = options.noise == Noise::trace ? 2 : 3;
  if (!options.causes || static_cast<Index>(*options.causes) * per_cause <= n) return;
  if (options.noise == Noise::trace) {
    throw InputError(fmt::format(
        "{}: --causes {} of {} columns; --noise trace allows {} at most, two columns per cause",
        source, *options.causes, n, n / 2));
  }
  throw InputError(fmt::format(
      "{}: --causes {} of {} columns; the rank condition (Condition 2) allows {} at most, three "
      "columns per cause (--noise trace allows up to half)",
      source, *options.causes, n, n / 3));
}

Level first_level(const std::string& source, const Observations& observed, const Options& options,
                  const Workers& workers) {
  LevelResult result;
  try {
    result = learn_first_level(observed.moments, options, workers);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", source, error.what()));
  }
  if (result.level) return std::move(*result.level);
  throw InputError(
      fmt::format("{}: {}; give another number of --causes, or look for columns that "
                  "depend on each other directly",
                  source, result.failure.reason));
}

/// What is known when the time is over before the first level is learned.
Level no_causes(const Observations& observed) {
  Level level;
  level.loadings.estimates = level.loadings.significant =
      MatrixXd(observed.moments.n_variables(), 0);
  level.loadings.covariance = MatrixXd(0, 0);
  level.noise = observed.moments.full.diagonal();
  return level;
}

model::UpperLevel upper_level(const Level& level, std::size_t number) {
  const MatrixXd& loadings = level.loadings.significant;
  const MatrixXd implied = loadings * level.loadings.covariance * loadings.transpose();
  // Variables of a level have variance 1: what the level above does not explain is noise.
  const VectorXd noise = (1 - implied.diagonal().array()).max(1e-3);
  return {loadings, noise, cause_names(number, loadings.cols())};
}

/// Returns why there are no more.
std::string add_levels(const Level& level, const Observations& observed, const Options& options,
                       const Workers& workers, model::LinearParts& parts) {
  Levels levels;
  try {
    levels = learn_levels_above(level, observed.moments, options, workers);
  } catch (const learning::TimeUp&) {
    return "the time was over before levels above were looked for";
  }
  parts.upper.reserve(levels.above.size());
  for (std::size_t i = 0; i < levels.above.size(); ++i) {
    parts.upper.push_back(upper_level(levels.above[i], i + 2));
  }
  if (!levels.above.empty()) parts.covariance = levels.above.back().loadings.covariance;
  return levels.end;
}

/// "skewness", "excess kurtosis"; and what to do where the causes have none.
struct CumulantWords {
  const char* name;
  const char* exact_remedy;
};
constexpr CumulantWords skewness_words{
    "skewness",
    "give a network whose law is skewed, or --cumulant kurtosis for one of heavy tails"};
constexpr CumulantWords kurtosis_words{"excess kurtosis",
                                       "give a network whose law is not the normal one"};

/// A coupling, and by what.
struct FoundCoupling {
  Coupling coupling;
  bool by_skewness;
  std::uint64_t n_left_out = 0;
};

FoundCoupling coupling_of(const learning::DataContext& context, const Level& level,
                          const Observations& observed, const Options& options,
                          const Workers& workers) {
  if (options.cumulant != Cumulant::kurtosis) {
    const ThirdMomentSet third = third_moments(context, observed, level.loadings, workers);
    Coupling coupling = find_coupling(level.loadings, third, options.alpha, options.seed);
    if (options.cumulant == Cumulant::skewness || without_cumulant(coupling).size() < 2) {
      return {std::move(coupling), true, third.n_left_out};
    }
  }
  const FourthCumulantSet fourth =
      fourth_cumulants(context, observed, level.loadings, options.seed, workers);
  return {find_coupling(level.loadings, fourth, options.alpha, options.seed), false,
          fourth.n_left_out};
}

/// Theorem 3.7 asks for skewness, or excess kurtosis, of all causes; one may lack it.
void require_cumulants(const std::string& source, const FoundCoupling& found, bool exact,
                       const std::vector<std::string>& names) {
  const auto plain = without_cumulant(found.coupling);
  if (plain.size() < 2) return;
  const CumulantWords& words = found.by_skewness ? skewness_words : kurtosis_words;
  std::vector<std::string> which;
  which.reserve(plain.size());
  for (const Index i : plain) which.push_back(names[static_cast<std::size_t>(i)]);
  throw InputError(fmt::format(
      "{}: the innovations of {} of {} causes have no {}{} ({}); --model effective-depth-one tells "
      "cause from effect by it (Theorem 3.7): {}, or use --model bipartite",
      source, plain.size(), found.coupling.cumulants.size(), words.name,
      exact ? "" : " that these rows could show", learning::list_names(which),
      exact ? words.exact_remedy
            : "collect rows, or try the other --cumulant (skewness, kurtosis)"));
}

void add_coupling(const learning::DataContext& context, const std::string& source,
                  const Level& level, const Observations& observed, const Options& options,
                  const Workers& workers, model::LinearParts& parts,
                  model::LearnedLinear& learned) {
  const FoundCoupling found = coupling_of(context, level, observed, options, workers);
  require_cumulants(source, found, observed.moments.exact(), parts.cause_names);
  const Coupling& coupling = found.coupling;
  if (found.n_left_out > 0) {
    learned.remarks.push_back(fmt::format("{} are of the {} rows without missing values",
                                          found.by_skewness ? "third moments" : "fourth cumulants",
                                          observed.n_samples - found.n_left_out));
  }
  if (options.cumulant == Cumulant::either && !found.by_skewness) {
    learned.remarks.push_back(
        "more than one cause shows no skewness: their order is told by excess kurtosis");
  }
  const auto k = static_cast<double>(coupling.order.size());
  const double dof = k * (k - 1) / 2;
  // Third moments have heavy tails, and their errors are known to a factor of some 1.5 only.
  if (!observed.moments.exact() && coupling.misfit > 3 * (dof + 4 * std::sqrt(2 * dof))) {
    learned.remarks.push_back(fmt::format(
        "no order of the causes fits well: what runs against the best one is {:.4g} in squared "
        "standard errors, {:.4g} are expected; causes may drive each other in circles",
        coupling.misfit, dof));
  }
  parts.coupling = coupling.lambda;
  parts.innovation = coupling.innovation;
  parts.covariance.resize(0, 0);
  learned.coupling_errors = coupling.errors;
}

/// Condition 3 of what was learned.
void check_expansion(const model::LinearParts& parts, std::vector<std::string>& notes) {
  const model::Expansion expansion = model::check_expansion(model::bipartite_of(parts.loadings));
  if (expansion.holds) return;
  std::vector<std::string> causes;
  for (const auto j : expansion.set) causes.push_back(parts.cause_names[j]);
  notes.push_back(
      fmt::format("the learned network lacks expansion (Condition 3, which is enough for its "
                  "loadings to be the "
                  "only ones, and not always needed): {} have {} variables, {} are asked for",
                  learning::list_names(causes), expansion.neighbours.size(),
                  expansion.set.size() + expansion.largest_degree));
}

/// From the units of z to the data's.
void set_first_level(const Level& level, const Observations& observed, model::LinearParts& parts,
                     model::LearnedLinear& learned) {
  const VectorXd& scale = observed.standard.scale;
  const VectorXd squares = scale.cwiseAbs2();
  parts.names = observed.moments.names;
  parts.means = observed.standard.shift;
  parts.loadings = scale.asDiagonal() * level.loadings.significant;
  parts.noise = squares.cwiseProduct(level.noise);
  parts.cause_names = cause_names(1, parts.loadings.cols());
  parts.covariance = level.loadings.covariance;
  learned.estimates = scale.asDiagonal() * level.loadings.estimates;
  if (level.loadings.errors.size() > 0) {
    learned.loading_errors = scale.asDiagonal() * level.loadings.errors;
    learned.covariance_errors = level.loadings.covariance_errors;
    learned.noise_errors = squares.cwiseProduct(level.noise_errors);
  }
  learned.rank_test = level.rank_test;
  learned.remarks = observed.remarks;
  learned.remarks.insert(learned.remarks.end(), level.remarks.begin(), level.remarks.end());
}

model::AnyModel learn(const learning::DataContext& context,
                      const boost::program_options::variables_map& values) {
  Options options = read_options(values);
  options.seed = context.seed;
  const Workers workers{context.team, context.threads, context.checkpoints, context.stages};
  const std::string source = context.path.empty() ? "--moments" : context.path;
  const Observations observed = observe(context, options, workers);
  require_few_causes(source, options, observed.moments.n_variables());
  Level level;
  try {
    level = first_level(source, observed, options, workers);
  } catch (const learning::TimeUp&) {
    level = no_causes(observed);
  }

  model::LinearParts parts;
  model::LearnedLinear learned;
  std::vector<std::string> notes;  // remarks that are no warnings
  set_first_level(level, observed, parts, learned);
  if (context.checkpoints.is_cut_short()) {
    // The first level, or no cause, is all there is.
  } else if (parts.loadings.cols() == 0 && !level.remarks.empty()) {
    // They say why.
  } else if (parts.loadings.cols() == 0) {
    learned.remarks.push_back("no covariance differs from 0: there is no cause to be found");
  } else if (options.structure == Structure::multilevel) {
    notes.push_back(add_levels(level, observed, options, workers, parts));
  } else if (options.structure == Structure::effective_depth_one) {
    try {
      add_coupling(context, source, level, observed, options, workers, parts, learned);
    } catch (const learning::TimeUp&) {  // the causes' covariance is known, not their order
    }
  }
  check_expansion(parts, notes);
  learned.network = model::LinearNetwork(std::move(parts));
  learned.learner = "linear";
  learned.data_digest = observed.digest;
  learned.n_samples = observed.n_samples;
  if (context.team.is_root()) {
    for (const std::string& remark : learned.remarks) log::warning("{}", remark);
    for (const std::string& note : notes) log::info("{}", note);
  }
  learned.remarks.insert(learned.remarks.end(), notes.begin(), notes.end());
  return learned;
}

std::vector<std::pair<std::string, std::string>> result_options(
    bool /*exact_moments*/, const boost::program_options::variables_map& values) {
  const Options options = read_options(values);
  return {{"--causes", options.causes ? fmt::format("{}", *options.causes) : "auto"},
          {"--model", values["model"].as<std::string>()},
          {"--cumulant", values["cumulant"].as<std::string>()},
          {"--noise", values["noise"].as<std::string>()},
          {"--sparsity", values["sparsity"].as<std::string>()},
          {"--alpha", fmt::format("{}", options.alpha)},
          {"--partitions", fmt::format("{}", options.partitions)},
          {"--standardize", options.standardize ? "yes" : "no"},
          {"--seed", fmt::format("{}", values["seed"].as<std::uint64_t>())}};
}

learning::Plan plan(const learning::DataPlanContext& context,
                    const boost::program_options::variables_map& values) {
  return predict(context, read_options(values));
}

}  // namespace

extern const learning::LearnerEntry entry;
const learning::LearnerEntry entry{
    .name = "linear",
    .summary = "causes of numbers, from second and third moments (Anandkumar et al. 2013)",
    .add_options = add_options,
    .result_options = result_options,
    .moments = learning::TakesMoments::network,
    .learn_data = learn,
    .plan_data = plan,
    .input = learning::Input::numbers};

}  // namespace orrery::linear_latent
