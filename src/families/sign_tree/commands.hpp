// What the commands do for signs on a tree; family.cpp puts it into the table.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "family/family.hpp"
#include "orrery/model/sign_tree.hpp"
#include "report/discrete.hpp"
#include "report/graph.hpp"
#include "report/sheet.hpp"

namespace orrery::sign_tree {

using boost::program_options::options_description;
using cli::Arguments;
using model::LearnedTree;

/// tree:..., drawn with the options of `sample`.
std::optional<family::AnyModel> generate(const std::string& argument, std::uint64_t seed,
                                         const Arguments* arguments);
void add_sample_options(options_description& options);
void sample(const LearnedTree& given, const Arguments& arguments, const parallel::Team& team);

/// The model as a graph, as tables of probabilities, and as CSV.
report::Graph graph(const LearnedTree& learned);
report::DiscreteNetwork discrete(const LearnedTree& learned);
/// A row per edge: a,b,moment,correlation,mean_a,mean_b,moment_error. A variable without an edge
/// has a row with b empty.
std::string to_csv(const LearnedTree& learned);

/// Numbers of variables and edges, the crossover; where it came from.
void info(const LearnedTree& learned, report::Section& section);
/// What was found, and what the learner remarks.
void summary(const LearnedTree& learned, report::Section& section);

/// --given and --predict.
void add_infer_options(options_description& options);
/// What was meant where a sign was flipped or not seen, and predictions of some variables from
/// others. Collective.
void infer(const LearnedTree& learned, const Arguments& arguments, const parallel::Team& team,
           const family::OpenBatches& open_batches);

/// --truth, with the learned tree's variables in their order; empty if it was not given.
std::optional<LearnedTree> load_true_tree(const Arguments& arguments,
                                          const model::SignTree& learned);
/// --moment, --data and --train.
void add_evaluate_options(options_description& options);
learning::Plan plan_evaluate(const LearnedTree& learned, const Arguments& arguments);
void evaluate(const LearnedTree& learned, const Arguments& arguments, const parallel::Team& team,
              report::Sheet& sheet);
learning::Plan plan_report(const LearnedTree& learned, const Arguments& arguments);
std::string report(const LearnedTree& learned, const Arguments& arguments,
                   const parallel::Team& team);

}  // namespace orrery::sign_tree
