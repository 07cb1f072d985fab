// Linear networks from and to JSON.
#pragma once

#include <filesystem>
#include <string>

namespace orrery::model {

struct LearnedLinear;

/// {"format": "orrery-linear-1", "law": "gaussian",
///  "observed": [{"name", "mean", "noise"}], "causes": [{"name", "innovation"}],
///  "edges": [[cause, observed, loading], ...],
///  "covariance": [[...], ...], "coupling": [[from, to, value], ...],
///  "levels": [{"causes": [names], "edges": [[cause, below, loading], ...], "noise": [...]}, ...]}
/// Names, means (0), the law, covariance (the identity), coupling and levels may be left out; an
/// innovation stands with a coupling only. Optional, as a learner writes them: estimates,
/// loading_errors, covariance_errors, coupling_errors (rows of numbers, null: not known),
/// noise_errors, rank_test ([{"rank", "statistic", "expected", "error"}]), remarks, learner,
/// n_samples, data_digest. Throws InputError naming file, entry, value, need.
LearnedLinear read_linear_json(const std::filesystem::path& path);
/// Numbers with round-trip precision.
std::string to_linear_json(const LearnedLinear& learned);

}  // namespace orrery::model
