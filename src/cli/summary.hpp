// What a command prints on standard output when it is done: a short text, or JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "orrery/evaluate/uncertainty.hpp"
#include "orrery/learners/learner.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::cli {

/// Names of files are any bytes, JSON is UTF-8: what is none becomes U+FFFD.
void print_json(const nlohmann::json& object);
/// --json: the object; else the line, unless quiet.
void print_done(const Arguments& arguments, const nlohmann::json& object, const std::string& line);
/// JSON has no infinity: null stands for it.
nlohmann::json finite_or_null(double value);
/// Null, or [low, high].
nlohmann::json interval_json(const std::optional<evaluate::Interval>& interval);
/// " (0.242 to 0.26)", or nothing.
std::string describe_interval(const std::optional<evaluate::Interval>& interval);
/// How many causes are at each structural depth: "6 at depth 0, 2 at depth 1"; empty where there
/// are no depths.
std::string describe_depths(const std::vector<std::int32_t>& depths);
/// A structural depth: "depth 1", or "never by quartets"; in JSON a number, or null.
std::string describe_depth(std::int32_t depth);
nlohmann::json depth_json(std::int32_t depth);
/// The causes of a model, with what is known of their evidence and their structural depths
/// (model::structural_depths; may be empty).
nlohmann::json causes_json(const model::LearnedModel& model,
                           const std::vector<std::int32_t>& structural_depths);
/// The same as text, one line per cause.
std::string describe_causes(const model::LearnedModel& model,
                            const std::vector<std::int32_t>& structural_depths);
/// The causes of a learned model, a line each, and where it was written.
void print_model_summary(const Arguments& arguments, const model::LearnedModel& model,
                         const std::string& output, double seconds);
/// Says how many columns of what was imported are constant, if any.
void warn_of_constants(const std::vector<std::string>& constant, std::size_t n_columns,
                       const std::string& input);
/// "  constant columns (2): a b": a list of names, or of pairs of names; nothing if it is empty.
void print_names(const char* title, const nlohmann::json& names);
/// Of a table's columns, how many a text lists.
std::size_t columns_shown(std::size_t n_columns, bool every_column);
/// Every stage of a run in the log (-v).
void log_stages(const store::RunInfo& run);
/// --dry-run: memory, units, time.
void print_plan(const Arguments& arguments, const learners::Plan& plan);

}  // namespace orrery::cli
