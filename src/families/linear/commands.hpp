// What the commands do for linear networks; family.cpp puts it into the table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/program_options.hpp"
#include "family/family.hpp"
#include "orrery/model/linear_network.hpp"
#include "report/formats.hpp"
#include "report/sheet.hpp"
#include "store/archive.hpp"

namespace orrery::linear {

using boost::program_options::options_description;
using cli::Arguments;
using model::LearnedLinear;

/// The fields of a model, once: in HDF5 and in JSON, to be written and to be read.
/// Takes the model out of the archive, or puts it in, as archive.reads() says. Throws as an archive
/// does; a name that HDF5 cannot store is an InputError.
void fields(store::Archive& archive, LearnedLinear& learned);
/// The model with other names of its causes, at all levels, and of its variables.
family::AnyModel renamed(const LearnedLinear& learned, const family::NewName& new_name);

/// linear:..., drawn with the options of `sample`.
std::optional<family::AnyModel> generate(const std::string& argument, std::uint64_t seed,
                                         const Arguments* arguments);
void add_sample_options(options_description& options);
void sample(const LearnedLinear& given, const Arguments& arguments, const parallel::Team& team);

/// The model as a graph, and as CSV.
report::Graph graph(const LearnedLinear& learned);
/// A row per edge: cause,observed,loading,loading_error (empty where it is not known).
std::string to_csv(const LearnedLinear& learned);
/// The same of loadings of `least` or more, of either sign.
std::string strong_csv(const LearnedLinear& learned, double least);

/// Numbers of causes, variables, edges, levels; where it came from.
void info(const LearnedLinear& learned, report::Section& section);
/// The causes, and what the learner remarks.
void summary(const LearnedLinear& learned, report::Section& section);

/// depth --test expansion: for each of the three conditions under which a linear network can be
/// learned whether it holds, and what violates it. With upper levels, for each level.
family::DepthTest expansion_depth();

learning::Plan plan_evaluate(const LearnedLinear& learned, const Arguments& arguments);
void evaluate(const LearnedLinear& learned, const Arguments& arguments, const parallel::Team& team,
              report::Sheet& sheet);
learning::Plan plan_report(const LearnedLinear& learned, const Arguments& arguments);
std::string report(const LearnedLinear& learned, const Arguments& arguments,
                   const parallel::Team& team);

}  // namespace orrery::linear
