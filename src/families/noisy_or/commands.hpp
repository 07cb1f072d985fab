// What the commands do for noisy-OR networks; family.cpp puts it into the table.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "family/family.hpp"
#include "orrery/model/learned_model.hpp"
#include "report/discrete.hpp"
#include "report/graph.hpp"

namespace orrery::noisy_or {

using boost::program_options::options_description;
using cli::Arguments;
using model::LearnedModel;

/// "a noisy-OR network", "... whose causes depend on one another", "an anchored network".
std::string describe_kind(const LearnedModel& learned);
std::vector<std::string> observed_names(const model::NoisyOrNetwork& network);

/// img, qmr, anchored:..., drawn with the options of `sample`.
std::optional<family::AnyModel> generate(const std::string& argument, std::uint64_t seed,
                                         const Arguments* arguments);
void add_sample_options(options_description& options);
void sample(const LearnedModel& learned, const Arguments& arguments, const parallel::Team& team);

/// The model as a graph, as tables of probabilities, and as CSV.
report::Graph graph(const LearnedModel& learned);
report::DiscreteNetwork discrete(const LearnedModel& learned);
/// A row per edge: cause,prior,observed,leak,failure, then standard errors, support and stability,
/// empty where they are not known, and, of a network with anchors, anchor (1: the variable is the
/// cause's) (RFC 4180; numbers with round-trip precision).
std::string to_csv(const LearnedModel& model);
/// cause,column,off,on: a row per anchor, as `learn anchored --anchors` reads it; the columns of a
/// union are joined by semicolons. Throws UsageError for a column's name that holds one, and for a
/// network without anchors.
std::string to_anchors(const LearnedModel& learned);

/// Numbers of causes, variables, edges, anchors; where it came from.
void info(const LearnedModel& learned, report::Section& section);
/// The causes, how they depend on one another, and what the learner remarks.
void summary(const LearnedModel& learned, report::Section& section);

void learn_parameters_of(const LearnedModel& named, const Arguments& arguments,
                         const parallel::Team& team);

void add_infer_options(options_description& options);
void infer(const LearnedModel& learned, const Arguments& arguments, const parallel::Team& team,
           const family::OpenBatches& open_batches);
void add_evaluate_options(options_description& options);
learning::Plan plan_evaluate(const LearnedModel& learned, const Arguments& arguments);
void evaluate(const LearnedModel& learned, const Arguments& arguments, const parallel::Team& team,
              report::Sheet& sheet);
void add_report_options(options_description& options);
learning::Plan plan_report(const LearnedModel& learned, const Arguments& arguments);
std::string report(const LearnedModel& learned, const Arguments& arguments,
                   const parallel::Team& team);

}  // namespace orrery::noisy_or
