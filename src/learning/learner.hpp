// What every learner is to the command line, and what it is given.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/program_options.hpp"
#include "base/work_time.hpp"
#include "learning/checkpoints.hpp"
#include "learning/plan.hpp"
#include "learning/row_sums.hpp"
#include "moments/counted_moments.hpp"
#include "moments/moment_source.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/any_model.hpp"
#include "orrery/model/network.hpp"
#include "parallel/team.hpp"

namespace orrery::learning {

/// What the user knows beforehand. Networks have the data's variables, in their order.
struct KnownParts {
  /// Its causes are kept, with their edges; the learner finds the rest.
  std::optional<model::NoisyOrNetwork> structure;
  /// Where to start from; all of it may change.
  std::optional<model::NoisyOrNetwork> start;
  /// An edge by names; the cause is one of `structure` or `start`, or "*": every cause that is not
  /// one of `structure`.
  struct NamedEdge {
    std::string cause;
    std::string observed;
  };
  std::vector<NamedEdge> forbidden;
  std::vector<NamedEdge> required;
};

/// One run's input and means. A learner sees units of work, never a rank.
struct LearnContext {
  const parallel::Team& team;
  int threads = 1;
  std::uint64_t seed = 1;
  /// Moments of the observed variables: counted or exact.
  const moments::MomentSource& moments;
  /// Names of the observed variables.
  const std::vector<std::string>& names;
  /// The samples, or null when only moments are known, when values are missing (`rows` has those),
  /// or when no rank holds them all.
  const data::SampleMatrix* samples = nullptr;
  /// The way to go over all samples, in which `moments` were counted; null when only moments are
  /// known.
  const RowPass* rows = nullptr;
  /// Bytes that this rank may use beyond what it has; 0: no limit.
  std::size_t memory_bytes = 0;
  /// The learner appends its own, in order of time.
  std::vector<Stage>& stages;
  /// Where the state is kept; without a file there are no pauses.
  Checkpoints& checkpoints;
  /// Null: nothing is known.
  const KnownParts* known = nullptr;
};

/// What a learner predicts a run from.
struct PlanContext {
  const Resources& resources;
  /// Of the rows that stand in for all, or exact.
  const moments::MomentSource& moments;
  double scale = 1;  ///< rows of the run for a row of `moments`
  Timing& timing;
};

/// What is there for a learner that counts for itself, since it needs no table of all pairs.
struct DataContext {
  const parallel::Team& team;
  int threads = 1;
  std::uint64_t seed = 1;
  /// The file of the samples; see load_rows. With `exact` it is empty.
  const std::string& path;
  /// The network whose exact moments take the place of samples; null with samples.
  const model::AnyModel* exact = nullptr;
  /// Bytes that this rank may use in all; 0: no limit.
  std::size_t memory_bytes = 0;
  /// Counts of the same samples made earlier; null without.
  const moments::PairCounts* stored = nullptr;
  /// The learner appends its own, in order of time.
  std::vector<Stage>& stages;
  Checkpoints& checkpoints;
};

/// What such a learner predicts a run from.
struct DataPlanContext {
  const parallel::Team& team;
  const Resources& resources;
  const std::string& path;                 ///< as DataContext::path
  const model::AnyModel* exact = nullptr;  ///< as DataContext::exact
  std::size_t memory_bytes = 0;
  bool stored = false;  ///< as DataContext::stored
  Timing& timing;
};

/// What a learner's samples are made of: /samples, /dense or /categorical.
enum class Input : std::uint8_t { bits, numbers, categories };

/// A file that an option of a learner names. It is read, never written over, and its content is
/// part of what a checkpoint is of.
struct OptionFile {
  std::string option;  ///< "--anchors"
  std::string path;
  bool samples = false;  ///< a samples file; otherwise text
};

/// What --moments may name for a learner in place of DATA, or beside it.
enum class TakesMoments : std::uint8_t { none, counts, network, both };

/// Either `learn` and `plan`, or `learn_data` and `plan_data` are there; the others are null.
struct LearnerEntry {
  const char* name;
  const char* summary;
  void (*add_options)(boost::program_options::options_description& options);
  /// Name and value of each option that the result depends on, defaults filled in. Throws
  /// UsageError for option values out of range, before any data are read.
  std::vector<std::pair<std::string, std::string>> (*result_options)(
      bool exact_moments, const boost::program_options::variables_map& values);
  /// Same result at every rank. Null: see learn_data.
  model::AnyModel (*learn)(const LearnContext& context,
                           const boost::program_options::variables_map& values) = nullptr;
  /// Units, and the memory that comes on top of the input; adds the time to context.timing.
  Plan (*plan)(const PlanContext& context,
               const boost::program_options::variables_map& values) = nullptr;
  /// The command line then has options for them, and LearnContext::known what they say.
  bool takes_known_parts = false;
  /// Counts go with DATA, a network takes its place.
  TakesMoments moments = TakesMoments::both;
  /// Options of its own that must be there, for the line of usage: "--anchors FILE"; and a value of
  /// theirs for the example.
  const char* needs = "";
  const char* example = "";
  /// The same of a learner that counts for itself; its plan has all of the run. Moments of a
  /// network come to it as DataContext::exact; result_options refuses them if it has no use for
  /// them.
  model::AnyModel (*learn_data)(const DataContext& context,
                                const boost::program_options::variables_map& values) = nullptr;
  Plan (*plan_data)(const DataPlanContext& context,
                    const boost::program_options::variables_map& values) = nullptr;
  /// What `learn_data` reads at DataContext::path. A learner of categories gets no exact moments.
  Input input = Input::bits;
  /// Of the options that are given; null: a learner whose own options name no file.
  std::vector<OptionFile> (*files)(const boost::program_options::variables_map& values) = nullptr;
};

/// Pair counts of samples of which some values may be missing.
struct SampleCounts {
  moments::PairCounts off;                      ///< a missing value counts as on
  std::optional<moments::PairCounts> observed;  ///< rows in which both are observed
  std::uint64_t n_incomplete = 0;               ///< rows in which a value is missing
};

/// Off-counts of all pairs, in units shared by ranks and threads; appends its stage. `of` names
/// them there and in the checkpoint. Collective.
moments::PairCounts count_pairs(const parallel::Team& team, int threads,
                                const data::BitPanels& values, Checkpoints& checkpoints,
                                std::vector<Stage>& stages, const std::string& of = "pair");

/// "x3, x17 and 5 more"
std::string list_names(const std::vector<std::string>& names);
/// Throws InputError for a column that is observed in fewer than 50 rows. `observed`: see
/// SampleCounts.
void require_observed(const moments::PairCounts& observed, const std::vector<std::string>& names,
                      const std::string& source);
/// Says how many values are missing, if any, and what is done about it.
void warn_of_missing(const SampleCounts& counts, const std::string& source);
/// Warns of constant columns and of columns that repeat an earlier one.
void warn_of_odd_columns(const SampleCounts& counts, const std::vector<std::string>& names,
                         const std::string& source);

}  // namespace orrery::learning
