// What the commands do for noisy-OR networks; family.cpp puts it into the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/program_options.hpp"
#include "family/family.hpp"
#include "model/json_entry.hpp"
#include "model/sample_complexity.hpp"
#include "orrery/data/import.hpp"
#include "orrery/model/learned_model.hpp"
#include "report/formats.hpp"
#include "store/archive.hpp"

namespace orrery::noisy_or {

using boost::program_options::options_description;
using cli::Arguments;
using model::LearnedModel;

/// "a noisy-OR network", "... whose causes depend on one another", "an anchored network".
std::string describe_kind(const LearnedModel& learned);

/// The fields of a network, once: in HDF5 and in JSON, to be written and to be read. Takes the
/// model out of the archive, or puts it in, as archive.reads() says. Throws as an archive does; a
/// name that HDF5 cannot store is an InputError.
void fields(store::Archive& archive, LearnedModel& learned);
/// The model with other names of its causes and variables, and of anchors' columns that have those.
family::AnyModel renamed(const LearnedModel& learned, const family::NewName& new_name);
/// One of the published benchmark networks of a JSON file: an object of named networks, {"NAME":
/// {"priors": [n], "noise_failure": [m], "failures": [n][m]}, ...}, where noise_failure is 1 - leak
/// and a failure of 1 is no edge. Keys that are not known are passed over. `entry` may be empty if
/// the file holds one network only. Throws InputError naming file, entry, value and remedy.
LearnedModel read_published_layout(const model::JsonEntry& root, const std::string& entry);
/// `import --format edges`: a network out of tables, where samples are what import reads otherwise.
void add_network_import_options(options_description& options);
/// Reads FILE and the tables that the options name, and writes a network file.
void import_network(const Arguments& arguments, data::Header header);

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
/// The same of edges of a strength of at least `least`.
std::string strong_csv(const LearnedModel& model, double least);
/// cause,column,off,on: a row per anchor, as `learn anchored --anchors` reads it; the columns of a
/// union are joined by semicolons. Throws UsageError for a column's name that holds one, and for a
/// network without anchors.
std::string to_anchors(const LearnedModel& learned);

/// Numbers of causes, variables, edges, anchors; where it came from.
void info(const LearnedModel& learned, report::Section& section);
/// The causes, how they depend on one another, and what the learner remarks.
void summary(const LearnedModel& learned, report::Section& section);

/// `depth --test quartet`: causes to be discovered.
family::DepthTest quartet_depth();
/// `depth --test triplet`: parameters of a known structure.
family::DepthTest triplet_depth();

/// Quartets of which `depth` and `plan quartet` find the least third singular value: about a
/// second.
constexpr std::uint64_t most_quartets_examined = 30'000;
/// What both say of Definition 2 and of the width, as data.
void add_rank_and_width(const model::RankTestability& rank, const model::SubtractionWidth& width,
                        report::Section& section);
/// `plan quartet`: the samples that suffice by the theorems on quartet tests.
void add_plan_options(options_description& options);
void plan(const Arguments& arguments, report::Sheet& sheet);

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

// ---- --structure, --start, --forbid and --require: what the user knows before anything is learned
// (known_parts.cpp)

/// An edge by names, as a user writes it in a file: a line per edge.
struct EdgeLine {
  std::string cause;
  std::string observed;
  std::size_t number = 0;  ///< of the line, from 1
};

/// Lines "cause,variable", blanks around the names ignored; the first comma separates, so that a
/// variable's name may have one. Empty lines and lines that begin with # are skipped. Throws
/// InputError naming `path`, the line and what stands there.
std::vector<EdgeLine> parse_edge_list(const std::string& text, const std::string& path);

/// The names most like `name` (edit distance), quoted: "'fever' or 'fear'".
std::string nearest_names(const std::string& name, const std::set<std::string>& known);

void add_known_options(options_description& options);

/// What the options say of data with variables of these names; the same at every rank. Throws
/// InputError: a network of other data; a line that is no edge, has a name that nobody has (the
/// nearest ones are said), or contradicts another. Collective.
family::KnownInput load_known_parts(const Arguments& arguments, const parallel::Team& team,
                                    const std::vector<std::string>& names);

}  // namespace orrery::noisy_or
