// Runs a learner as the command line does, alone and silent.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/variables_map.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "families/noisy_or/known_structure/known_structure.hpp"
#include "learning/alone.hpp"
#include "learning/learner.hpp"
#include "learning/row_sums.hpp"
#include "learning/sampled.hpp"
#include "orrery/model/any_model.hpp"

namespace orrery::quartet {
extern const learning::LearnerEntry entry;
}

namespace orrery::learning {

/// `arguments` as on the command line: {"--test", "coherence"}; the seed, which all learners have,
/// is 1 unless they say another.
inline boost::program_options::variables_map parse_options(
    const LearnerEntry& learner, const std::vector<std::string>& arguments) {
  boost::program_options::options_description options;
  learner.add_options(options);
  options.add_options()("seed", boost::program_options::value<std::uint64_t>()->default_value(1));
  boost::program_options::variables_map values;
  boost::program_options::store(
      boost::program_options::command_line_parser(arguments).options(options).run(), values);
  return values;
}

/// What a learner is given besides its options, with all rows; `sampled` must outlive it.
class WithRows {
 public:
  WithRows(const Sampled& sampled, std::vector<std::string> names, int threads = 1)
      : names_(std::move(names)),
        rows_(lone_team(), threads, sampled.values, nullptr),
        context_{lone_team(), threads, 1, sampled.moments, names_,
                 nullptr,     &rows_,  0, stages_,         checkpoints_} {}
  WithRows(const SampledInPart& sampled, std::vector<std::string> names, int threads = 1)
      : names_(std::move(names)),
        rows_(lone_team(), threads, sampled.values, &sampled.missing),
        context_{lone_team(), threads, 1, *sampled.moments, names_,
                 nullptr,     &rows_,  0, stages_,          checkpoints_} {}
  WithRows(const WithRows&) = delete;
  WithRows& operator=(const WithRows&) = delete;

  [[nodiscard]] const LearnContext& context() const { return context_; }

 private:
  std::vector<std::string> names_;
  RowPass rows_;
  std::vector<Stage> stages_;
  Checkpoints checkpoints_;
  LearnContext context_;
};

/// From moments alone, without the rows: nothing is refined.
inline model::LearnedModel learn_quartet(const moments::MomentSource& moments,
                                         const std::vector<std::string>& names,
                                         std::vector<std::string> arguments = {}, int threads = 1) {
  arguments.insert(arguments.end(), {"--refine", "none"});
  log::configure(log::Level::quiet, true);
  std::vector<Stage> stages;
  Checkpoints checkpoints;
  const LearnContext context{lone_team(), threads, 1, moments, names,
                             nullptr,     nullptr, 0, stages,  checkpoints};
  return *quartet::entry.learn(context, parse_options(quartet::entry, arguments))
              .as<model::LearnedModel>();
}

inline model::LearnedModel learn_known(const moments::MomentSource& moments,
                                       const std::vector<std::string>& names,
                                       const model::NoisyOrNetwork& structure, int threads = 1) {
  log::configure(log::Level::quiet, true);
  std::vector<Stage> stages;
  Checkpoints checkpoints;
  const LearnContext context{lone_team(), threads, 1, moments, names,
                             nullptr,     nullptr, 0, stages,  checkpoints};
  return known_structure::learn_parameters(context, structure);
}

}  // namespace orrery::learning
