// The anchored learner's settings, and what a run with them would take (--dry-run).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/program_options.hpp"
#include "families/noisy_or/anchored/moments/recovery.hpp"
#include "families/noisy_or/anchored/structure/structure.hpp"
#include "learning/learner.hpp"

namespace orrery::anchored {

/// Where P(Y) and the loadings come from: moments behind anchors (the paper's method); the same
/// with labels in the place of anchors; rows with labels, by maximum likelihood; rows whose labels
/// are drawn from classifiers.
enum class Method : std::uint8_t { moments, oracle_moments, oracle_likelihood, imputation };

/// Estimators of failures: Eq. (7), Eqs. (8)-(9), Eq. (6), and all causes' ratios at once.
enum class Loadings : std::uint8_t { direct, tree, blanket, matched };

struct Options {
  std::string anchors;                ///< a file
  std::string labels;                 ///< a file; empty: none
  bool positive_only = false;         ///< anchors are never on without their cause
  bool mutually_irreducible = false;  ///< some rows surely have the cause, some surely lack it
  Method method = Method::moments;
  std::optional<double> gap;  ///< of the moments; none: gap_of()
  RecoveryOptions recovery;   ///< its gap is set once the number of rows is known
  StructureOptions structure;
  /// Whether rows seen through noisy anchors count for less in Eq. (5) and in tests of
  /// independence.
  bool effective_rows = true;
  Loadings loadings = Loadings::matched;
  double regularise_loadings = 0;  ///< lambda of Eq. (23) where tables have an observed variable
  double alpha = .01;              ///< share of the loadings kept that may be none
  std::uint32_t em_steps = 0;
  std::uint64_t draws = 100'000;  ///< of causes, where no exact sum is in reach
  std::uint64_t seed = 1;
};

void add_options(boost::program_options::options_description& options);
/// Throws UsageError for a value out of range, and for options that do not go together.
[[nodiscard]] Options read_options(const boost::program_options::variables_map& values);
/// The duality gap at which moments of `n_samples` rows are good enough, nats per row (0 rows:
/// exact moments). Without --gap 1 / rows, within 1e-6 and 0.005: the objective is a mean over
/// rows, so that the gap is one nat of the log-likelihood, which is less than its sampling error.
[[nodiscard]] double gap_of(const Options& options, std::uint64_t n_samples);
/// What the result depends on beside the content of option_files(), for the checkpoint. `exact`:
/// moments of a network.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> describe_options(
    bool exact, const boost::program_options::variables_map& values);
/// Those of --anchors and --labels.
[[nodiscard]] std::vector<learning::OptionFile> option_files(
    const boost::program_options::variables_map& values);

/// What a run would take. Counting is timed on the file's first rows, one variable's failures on a
/// tree of as many causes. Polytopes of pairs and structures are not: how long they take is up to
/// the moments, and said by their progress. Those of larger sets are told by what was measured
/// elsewhere (recovery.hpp).
learning::Plan predict(const learning::DataPlanContext& context, const Options& options);

}  // namespace orrery::anchored
