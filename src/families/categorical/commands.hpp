// What the commands do for categorical networks; family.cpp puts it into the table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/program_options.hpp"
#include "family/family.hpp"
#include "orrery/model/categorical_network.hpp"
#include "report/formats.hpp"
#include "report/sheet.hpp"
#include "store/archive.hpp"

namespace orrery::categorical {

using boost::program_options::options_description;
using cli::Arguments;
using model::LearnedCategorical;

/// The fields of a model, once: in HDF5 and in JSON, to be written and to be read.
/// Takes the model out of the archive, or puts it in, as archive.reads() says. Throws as an archive
/// does; a name that HDF5 cannot store is an InputError.
void fields(store::Archive& archive, LearnedCategorical& learned);
/// The model with other names of its causes and variables.
family::AnyModel renamed(const LearnedCategorical& learned, const family::NewName& new_name);

/// categorical:..., drawn with the options of `sample`.
std::optional<family::AnyModel> generate(const std::string& argument, std::uint64_t seed,
                                         const Arguments* arguments);
void add_sample_options(options_description& options);
void sample(const LearnedCategorical& learned, const Arguments& arguments,
            const parallel::Team& team);

/// The model as a graph, as tables of probabilities, and as CSV.
report::Graph graph(const LearnedCategorical& learned);
report::DiscreteNetwork discrete(const LearnedCategorical& learned);
/// A row per entry of the tables: observed, "state of CAUSE" of every cause (empty: no parent),
/// category,probability,count (Dirichlet pseudocounts, empty where they are not known).
std::string to_csv(const LearnedCategorical& learned);

/// Numbers of causes, variables, edges; evidence; where it came from.
void info(const LearnedCategorical& learned, report::Section& section);
/// The same, of a model that was just learned.
void summary(const LearnedCategorical& learned, report::Section& section);

void add_infer_options(options_description& options);
/// The states of the causes behind each row, by sums over all joint states. Rows are shared by the
/// threads of one rank; at 1,000 ranks the others would wait.
void infer(const LearnedCategorical& learned, const Arguments& arguments,
           const parallel::Team& team, const family::OpenBatches& open_batches);
void add_evaluate_options(options_description& options);
/// --truth and --data, or what the model says of itself. Rows are shared by ranks and threads.
void evaluate(const LearnedCategorical& learned, const Arguments& arguments,
              const parallel::Team& team, report::Sheet& sheet);
learning::Plan plan_evaluate(const LearnedCategorical& learned, const Arguments& arguments);
std::string report(const LearnedCategorical& learned, const Arguments& arguments,
                   const parallel::Team& team);
learning::Plan plan_report(const LearnedCategorical& learned, const Arguments& arguments);

}  // namespace orrery::categorical
