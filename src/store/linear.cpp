// Linear networks into and out of files. Matrices lie row after row, as h5py users expect them.
#include "store/linear.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

#include "orrery/model/linear_generators.hpp"
#include "orrery/store/store.hpp"
#include "store/dataset.hpp"
#include "store/origin.hpp"

namespace orrery::store {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using hdf5::FormatError;
using hdf5::Handle;
using model::LearnedLinear;
using model::LinearNetwork;
using model::LinearParts;
using model::RankStep;
using model::UpperLevel;

namespace {

using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// ---- writing

void write_vector(const Handle& group, const std::string& name, const VectorXd& values) {
  write_array(group, name, std::vector<double>(values.begin(), values.end()));
}

void write_matrix(const Handle& group, const std::string& name, const MatrixXd& matrix) {
  const ByRows rows = matrix;
  write_array(group, name,
              std::span<const double>(rows.data(), static_cast<std::size_t>(rows.size())),
              {static_cast<hsize_t>(rows.rows()), static_cast<hsize_t>(rows.cols())});
}

/// What is not known, or not there, is left out.
void write_if_any(const Handle& group, const std::string& name, const MatrixXd& matrix) {
  if (matrix.size() > 0) write_matrix(group, name, matrix);
}

void write_observed(const Handle& parent, const LearnedLinear& learned) {
  Handle group = hdf5::create_group(parent, "observed");
  write_strings(group, "name", learned.network.names());
  write_vector(group, "mean", learned.network.means());
  write_vector(group, "noise", learned.network.noise());
  if (learned.noise_errors.size() > 0) write_vector(group, "noise_error", learned.noise_errors);
  group.close();
}

void write_causes(const Handle& parent, const LearnedLinear& learned) {
  const LinearNetwork& network = learned.network;
  Handle group = hdf5::create_group(parent, "causes");
  write_strings(group, "name", network.cause_names());
  write_if_any(group, "covariance", network.parts().covariance);
  write_if_any(group, "covariance_error", learned.covariance_errors);
  if (network.has_coupling()) {
    write_matrix(group, "coupling", network.coupling());
    write_vector(group, "innovation", network.innovation());
    write_if_any(group, "coupling_error", learned.coupling_errors);
  }
  group.close();
}

void write_levels(const Handle& parent, const std::vector<UpperLevel>& levels) {
  Handle group = hdf5::create_group(parent, "levels");
  for (std::size_t i = 0; i < levels.size(); ++i) {
    require_storable_names(levels[i].names);
    Handle level = hdf5::create_group(group, std::to_string(i));
    write_strings(level, "name", levels[i].names);
    write_matrix(level, "loading", levels[i].loadings);
    write_vector(level, "noise", levels[i].noise);
    level.close();
  }
  group.close();
}

void write_rank_test(const Handle& parent, const std::vector<RankStep>& steps) {
  Handle group = hdf5::create_group(parent, "rank_test");
  write_array(group, "rank", gather<std::uint32_t>(steps, &RankStep::rank));
  write_array(group, "statistic", gather<double>(steps, &RankStep::statistic));
  write_array(group, "expected", gather<double>(steps, &RankStep::expected));
  write_array(group, "error", gather<double>(steps, &RankStep::error));
  group.close();
}

// ---- reading

enum class Needs { nothing, number_or_nan, error };

/// What the network checks itself needs nothing here.
void require_values(std::span<const double> values, Needs needs, const std::string& name) {
  if (needs == Needs::nothing) return;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    const bool fits = std::isnan(value) ||
                      (std::isfinite(value) && (needs == Needs::number_or_nan || value >= 0));
    if (fits) continue;
    throw FormatError(fmt::format("{}[{}] = {}, but it must be {}, or NaN; write the file anew",
                                  name, i, value, needs == Needs::error ? "at least 0" : "finite"));
  }
}

MatrixXd read_matrix(const Handle& group, const std::string& name, std::size_t n_rows,
                     std::size_t n_columns, Needs needs = Needs::nothing) {
  const auto values = read_array<double>(group, name, {n_rows, n_columns});
  require_values(values, needs, fmt::format("{}/{}", hdf5::object_name(group), name));
  return Eigen::Map<const ByRows>(values.data(), static_cast<Index>(n_rows),
                                  static_cast<Index>(n_columns));
}

VectorXd read_vector(const Handle& group, const std::string& name, std::size_t size,
                     Needs needs = Needs::nothing) {
  const auto values = read_array<double>(group, name, {size});
  require_values(values, needs, fmt::format("{}/{}", hdf5::object_name(group), name));
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(size));
}

model::CauseLaw read_law(const Handle& linear) {
  const auto text = hdf5::read_attribute<std::string>(linear, "law");
  if (const auto law = model::cause_law_of(text)) return *law;
  throw FormatError(
      fmt::format("attribute law of /linear is '{}', not gaussian, skewed or heavy-tailed; write "
                  "the file anew",
                  text));
}

std::vector<UpperLevel> read_levels(const Handle& linear, std::size_t below) {
  if (!hdf5::has_object(linear, "levels")) return {};
  const Handle group = hdf5::open_group(linear, "levels");
  const std::size_t n_levels = hdf5::object_names(group).size();
  std::vector<UpperLevel> levels;
  for (std::size_t i = 0; i < n_levels; ++i) {
    const Handle part = hdf5::open_group(group, std::to_string(i));
    UpperLevel level;
    level.names = read_strings(part, "name");
    level.loadings = read_matrix(part, "loading", below, level.names.size());
    level.noise = read_vector(part, "noise", below);
    below = level.names.size();
    levels.push_back(std::move(level));
  }
  return levels;
}

LinearNetwork read_network(const Handle& linear) {
  const Handle observed = hdf5::open_group(linear, "observed");
  const Handle causes = hdf5::open_group(linear, "causes");
  LinearParts parts;
  parts.law = read_law(linear);
  parts.names = read_strings(observed, "name");
  parts.cause_names = read_strings(causes, "name");
  const std::size_t n = parts.names.size();
  const std::size_t k = parts.cause_names.size();
  parts.means = read_vector(observed, "mean", n);
  parts.noise = read_vector(observed, "noise", n);
  parts.loadings = read_matrix(hdf5::open_group(linear, "loadings"), "value", n, k);
  if (hdf5::has_object(causes, "coupling")) {
    parts.coupling = read_matrix(causes, "coupling", k, k);
    parts.innovation = read_vector(causes, "innovation", k);
  }
  parts.upper = read_levels(linear, k);
  if (hdf5::has_object(causes, "covariance")) {
    const std::size_t top = parts.upper.empty() ? k : parts.upper.back().names.size();
    parts.covariance = read_matrix(causes, "covariance", top, top);
  }
  try {
    return LinearNetwork(std::move(parts));
  } catch (const InputError& error) {
    throw FormatError(fmt::format("/linear is no network: {}", error.what()));
  }
}

void read_estimates(const Handle& linear, LearnedLinear& learned) {
  const std::size_t n = learned.network.n_observed();
  const std::size_t k = learned.network.n_causes();
  const Handle observed = hdf5::open_group(linear, "observed");
  const Handle causes = hdf5::open_group(linear, "causes");
  const Handle loadings = hdf5::open_group(linear, "loadings");
  const auto matrix = [k](const Handle& group, const char* name, std::size_t n_rows, Needs needs) {
    return hdf5::has_object(group, name) ? read_matrix(group, name, n_rows, k, needs) : MatrixXd();
  };
  learned.estimates = matrix(loadings, "estimate", n, Needs::number_or_nan);
  learned.loading_errors = matrix(loadings, "error", n, Needs::error);
  learned.covariance_errors = matrix(causes, "covariance_error", k, Needs::error);
  if (learned.network.has_coupling()) {
    learned.coupling_errors = matrix(causes, "coupling_error", k, Needs::error);
  }
  if (hdf5::has_object(observed, "noise_error")) {
    learned.noise_errors = read_vector(observed, "noise_error", n, Needs::error);
  }
}

std::vector<RankStep> read_rank_test(const Handle& linear) {
  const Handle group = hdf5::open_group(linear, "rank_test");
  const Shape shape = Dataset::open(group, "rank", hdf5::number_type<std::uint32_t>(), 1).shape();
  const auto ranks = read_array<std::uint32_t>(group, "rank", shape);
  const auto statistic = read_vector(group, "statistic", ranks.size(), Needs::number_or_nan);
  const auto expected = read_vector(group, "expected", ranks.size(), Needs::number_or_nan);
  const auto error = read_vector(group, "error", ranks.size(), Needs::error);
  std::vector<RankStep> steps;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto at = static_cast<Index>(i);
    steps.push_back({ranks[i], statistic(at), expected(at), error(at)});
  }
  return steps;
}

}  // namespace

void write_linear_group(const Handle& root, const LearnedLinear& learned) {
  const LinearNetwork& network = learned.network;
  require_storable_names(network.names());
  require_storable_names(network.cause_names());
  Handle group = hdf5::create_group(root, "linear");
  write_origin(group, learned);
  hdf5::write_attribute(group, "law", model::cause_law_name(network.law()));
  write_observed(group, learned);
  write_causes(group, learned);
  Handle loadings = hdf5::create_group(group, "loadings");
  write_matrix(loadings, "value", network.loadings());
  write_if_any(loadings, "estimate", learned.estimates);
  write_if_any(loadings, "error", learned.loading_errors);
  loadings.close();
  if (!network.upper().empty()) write_levels(group, network.upper());
  if (!learned.rank_test.empty()) write_rank_test(group, learned.rank_test);
  if (!learned.remarks.empty()) write_strings(group, "remarks", learned.remarks);
  group.close();
}

LearnedLinear read_linear_group(const StoredFile& file) {
  const Handle group = file.group("linear");
  LearnedLinear learned;
  static_cast<model::Origin&>(learned) = read_origin(group);
  learned.network = read_network(group);
  read_estimates(group, learned);
  if (hdf5::has_object(group, "rank_test")) learned.rank_test = read_rank_test(group);
  return learned;
}

GroupWriter group_of(const LearnedLinear& learned) {
  return [&learned](const Handle& root) { write_linear_group(root, learned); };
}

LearnedLinear read_linear(const std::filesystem::path& path) {
  return reading(path, [&] { return read_linear_group(StoredFile(path)); });
}

}  // namespace orrery::store
