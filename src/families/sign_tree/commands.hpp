// What the commands do for signs on a tree; family.cpp puts it into the table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/program_options.hpp"
#include "family/family.hpp"
#include "orrery/model/sign_tree.hpp"
#include "report/formats.hpp"
#include "report/sheet.hpp"
#include "store/archive.hpp"

namespace orrery::sign_tree {

using boost::program_options::options_description;
using cli::Arguments;
using model::LearnedTree;

/// The fields of a model, once: in HDF5 and in JSON, to be written and to be read.
/// Takes the model out of the archive, or puts it in, as archive.reads() says. Throws as an archive
/// does; a name that HDF5 cannot store is an InputError.
void fields(store::Archive& archive, LearnedTree& learned);
/// The model with other names of its variables.
family::AnyModel renamed(const LearnedTree& learned, const family::NewName& new_name);

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
/// The same of edges whose correlation is `least` or more, of either sign; a variable that only
/// other edges touch has no row.
std::string strong_csv(const LearnedTree& learned, double least);

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

/// --moment, --data and --train.
void add_evaluate_options(options_description& options);
learning::Plan plan_evaluate(const LearnedTree& learned, const Arguments& arguments);
void evaluate(const LearnedTree& learned, const Arguments& arguments, const parallel::Team& team,
              report::Sheet& sheet);
learning::Plan plan_report(const LearnedTree& learned, const Arguments& arguments);
std::string report(const LearnedTree& learned, const Arguments& arguments,
                   const parallel::Team& team);

/// plan tree: how many samples a tree of signs takes, by theory (Nikolakakis et al. 2018).
void add_plan_options(options_description& options);
void plan(const Arguments& arguments, report::Sheet& sheet);

}  // namespace orrery::sign_tree
