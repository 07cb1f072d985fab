// What a command prints on standard output when it is done: a short text, or JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "orrery/evaluate/uncertainty.hpp"
#include "orrery/learners/learner.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::cli {

/// Names of files are any bytes, JSON is UTF-8: what is none becomes U+FFFD.
void print_json(const nlohmann::json& object);
/// --json: the object; else the line, unless quiet.
void print_done(const Arguments& arguments, const nlohmann::json& object, const std::string& line);
/// Null, or [low, high].
nlohmann::json interval_json(const std::optional<evaluate::Interval>& interval);
/// " (0.242 to 0.26)", or nothing.
std::string describe_interval(const std::optional<evaluate::Interval>& interval);
/// The causes of a model, with what is known of their evidence.
nlohmann::json causes_json(const model::LearnedModel& model);
/// The same as text, a line a cause.
std::string describe_causes(const model::LearnedModel& model);
/// The causes of a learned model, a line each, and where it was written.
void print_model_summary(const Arguments& arguments, const model::LearnedModel& model,
                         const std::string& output, double seconds);
/// Every stage of a run in the log (-v).
void log_stages(const store::RunInfo& run);
/// --dry-run: memory, units, time.
void print_plan(const Arguments& arguments, const learners::Plan& plan);

}  // namespace orrery::cli
