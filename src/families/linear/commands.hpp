// What the commands do for linear networks; family.cpp puts it into the table.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "family/family.hpp"
#include "orrery/model/linear_network.hpp"
#include "report/discrete.hpp"
#include "report/graph.hpp"

namespace orrery::linear {

using boost::program_options::options_description;
using cli::Arguments;
using model::LearnedLinear;

/// linear:..., drawn with the options of `sample`.
std::optional<family::AnyModel> generate(const std::string& argument, std::uint64_t seed,
                                         const Arguments* arguments);
void add_sample_options(options_description& options);
void sample(const LearnedLinear& given, const Arguments& arguments, const parallel::Team& team);

/// The model as a graph, and as CSV.
report::Graph graph(const LearnedLinear& learned);
/// A row per edge: cause,observed,loading,loading_error (empty where it is not known).
std::string to_csv(const LearnedLinear& learned);

/// Numbers of causes, variables, edges, levels; where it came from.
nlohmann::json info_json(const LearnedLinear& learned);
std::string describe_info(const nlohmann::json& info);
/// Causes and edges, a line per cause, what the learner remarks, and where it was written; or JSON.
void print_learned(const LearnedLinear& learned, const Arguments& arguments,
                   const std::string& output, double seconds);

/// depth --test expansion: for each of the three conditions under which a linear network can be
/// learned whether it holds, and what violates it. With upper levels, for each level.
void depth(const family::AnyModel& model, const std::string& source, const Arguments& arguments);

/// --truth, with the learned network's variables in their order; empty if it was not given.
std::optional<LearnedLinear> load_true_linear(const Arguments& arguments,
                                              const model::LinearNetwork& learned);
void evaluate(const LearnedLinear& learned, const Arguments& arguments);
void report(const LearnedLinear& learned, const Arguments& arguments);

}  // namespace orrery::linear
