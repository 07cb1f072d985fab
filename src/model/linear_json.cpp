// Purpose: linear networks from JSON (the layout is in linear_json.hpp). Keys that are not known
// are passed over.
#include "orrery/model/linear_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "model/json_layout.hpp"
#include "model/json_uncertainty.hpp"
#include "model/linear_parts.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/output_file.hpp"
#include "orrery/model/linear_generators.hpp"

namespace orrery::model {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double read_number(const JsonEntry& entry) { return entry.number(); }

double read_number_or_null(const JsonEntry& entry) {
  return entry.is_null() ? std::nan("") : entry.number();
}

using ReadNumber = double (*)(const JsonEntry&);

VectorXd read_vector(const JsonEntry& list, std::size_t size, ReadNumber read) {
  require_json_size(list, size);
  VectorXd values(static_cast<Index>(size));
  for (std::size_t i = 0; i < size; ++i) values(static_cast<Index>(i)) = read(list.element(i));
  return values;
}

MatrixXd read_rows(const JsonEntry& list, std::size_t n_rows, std::size_t n_columns,
                   ReadNumber read) {
  require_json_size(list, n_rows);
  MatrixXd matrix(static_cast<Index>(n_rows), static_cast<Index>(n_columns));
  for (std::size_t i = 0; i < n_rows; ++i) {
    matrix.row(static_cast<Index>(i)) = read_vector(list.element(i), n_columns, read);
  }
  return matrix;
}

/// "[from, to, value]" an item: entry (to, from) of a matrix. `ends` names the two.
MatrixXd read_edges(const JsonEntry& list, std::size_t n_to, std::size_t n_from,
                    std::string_view ends) {
  MatrixXd matrix = MatrixXd::Zero(static_cast<Index>(n_to), static_cast<Index>(n_from));
  std::vector<bool> taken(n_to * n_from, false);
  for (std::size_t e = 0; e < list.size(); ++e) {
    const JsonEntry entry = list.element(e);
    if (entry.size() != 3) entry.refuse(fmt::format("[{}, value] is needed", ends));
    const auto index = [&](std::size_t field, std::size_t n) {
      if (n == 0) entry.refuse("there is nothing that an edge could join");
      return static_cast<std::size_t>(
          entry.element(field).whole_number(0, static_cast<std::int64_t>(n) - 1));
    };
    const std::size_t from = index(0, n_from);
    const std::size_t to = index(1, n_to);
    if (taken[to * n_from + from]) {
      entry.refuse(fmt::format("the second edge of the same [{}]; one is needed", ends));
    }
    taken[to * n_from + from] = true;
    matrix(static_cast<Index>(to), static_cast<Index>(from)) = entry.element(2).number();
  }
  return matrix;
}

void require_room_in(const JsonEntry& root, std::size_t n_rows, std::size_t n_columns) {
  in_file(root, [&] { require_room(n_rows, n_columns); });
}

void read_observed(const JsonEntry& list, LinearParts& parts) {
  JsonNames names;
  const auto n = static_cast<Index>(list.size());
  parts.means = VectorXd::Zero(n);
  parts.noise = VectorXd::Zero(n);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonEntry entry = list.element(i);
    parts.names.push_back(names.read(entry, "x", i));
    if (entry.has("mean")) parts.means(static_cast<Index>(i)) = entry.member("mean").number();
    parts.noise(static_cast<Index>(i)) = entry.member("noise").number();
  }
}

void read_causes(const JsonEntry& list, bool coupled, LinearParts& parts) {
  JsonNames names;
  std::vector<double> innovation;
  for (std::size_t j = 0; j < list.size(); ++j) {
    const JsonEntry entry = list.element(j);
    parts.cause_names.push_back(names.read(entry, "h", j));
    if (!entry.has("innovation")) continue;
    if (!coupled) {
      entry.member("innovation").refuse("it stands with a coupling only; leave it out");
    }
    innovation.push_back(entry.member("innovation").number());
  }
  if (innovation.empty()) return;
  if (innovation.size() < list.size()) {
    throw InputError(fmt::format("{}: {} of {} causes have an innovation; all or none are needed",
                                 list.file(), innovation.size(), list.size()));
  }
  parts.innovation = Eigen::Map<VectorXd>(innovation.data(), static_cast<Index>(innovation.size()));
}

std::vector<UpperLevel> read_levels(const JsonEntry& list, std::size_t below) {
  std::vector<UpperLevel> levels;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonEntry entry = list.element(i);
    const JsonEntry names = entry.member("causes");
    UpperLevel level;
    for (std::size_t j = 0; j < names.size(); ++j) level.names.push_back(names.element(j).text());
    require_room_in(list, below, level.names.size());
    level.loadings = read_edges(entry.member("edges"), below, level.names.size(), "cause, below");
    level.noise = read_vector(entry.member("noise"), below, read_number);
    below = level.names.size();
    levels.push_back(std::move(level));
  }
  return levels;
}

LinearParts read_parts(const JsonEntry& root) {
  LinearParts parts;
  if (root.has("law")) {
    const JsonEntry law = root.member("law");
    const std::optional<CauseLaw> known = cause_law_of(law.text());
    if (!known) law.refuse("gaussian, skewed or heavy-tailed is needed");
    parts.law = *known;
  }
  read_observed(root.member("observed"), parts);
  read_causes(root.member("causes"), root.has("coupling"), parts);
  const std::size_t n = parts.names.size();
  const std::size_t k = parts.cause_names.size();
  require_room_in(root, n, k);
  require_room_in(root, k, k);
  parts.loadings = read_edges(root.member("edges"), n, k, "cause, observed");
  if (root.has("coupling")) parts.coupling = read_edges(root.member("coupling"), k, k, "from, to");
  if (root.has("levels")) parts.upper = read_levels(root.member("levels"), k);
  if (root.has("covariance")) {
    const std::size_t top = parts.upper.empty() ? k : parts.upper.back().names.size();
    parts.covariance = read_rows(root.member("covariance"), top, top, read_number);
  }
  return parts;
}

std::vector<RankStep> read_rank_test(const JsonEntry& list) {
  std::vector<RankStep> steps;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonEntry entry = list.element(i);
    RankStep step;
    step.rank = static_cast<std::uint32_t>(
        entry.member("rank").whole_number(0, std::numeric_limits<std::uint32_t>::max()));
    step.statistic = read_number_or_null(entry.member("statistic"));
    step.expected = read_number_or_null(entry.member("expected"));
    step.error = read_error(entry.member("error"));
    steps.push_back(step);
  }
  return steps;
}

void read_what_was_learned(const JsonEntry& root, LearnedLinear& learned) {
  const std::size_t n = learned.network.n_observed();
  const std::size_t k = learned.network.n_causes();
  const auto rows = [&](const char* key, std::size_t n_rows, ReadNumber read) {
    return root.has(key) ? read_rows(root.member(key), n_rows, k, read) : MatrixXd();
  };
  learned.estimates = rows("estimates", n, read_number_or_null);
  learned.loading_errors = rows("loading_errors", n, read_error);
  learned.covariance_errors = rows("covariance_errors", k, read_error);
  if (root.has("coupling_errors") && !learned.network.has_coupling()) {
    root.member("coupling_errors").refuse("they stand with a coupling only; leave them out");
  }
  learned.coupling_errors = rows("coupling_errors", k, read_error);
  if (root.has("noise_errors")) {
    learned.noise_errors = read_vector(root.member("noise_errors"), n, read_error);
  }
  if (root.has("rank_test")) learned.rank_test = read_rank_test(root.member("rank_test"));
  static_cast<Origin&>(learned) = read_origin(root);
}

}  // namespace

LearnedLinear linear_from_json(const JsonEntry& root) {
  LearnedLinear learned;
  LinearParts parts = read_parts(root);
  learned.network = in_file(root, [&] { return LinearNetwork(std::move(parts)); });
  read_what_was_learned(root, learned);
  return learned;
}

LearnedLinear read_linear_json(const std::filesystem::path& path) {
  const std::string file = path.string();
  const nlohmann::json document = parse_json(read_text_file(path), file);
  const JsonEntry root(document, file);
  const JsonEntry format = root.member("format");
  if (format.text() != linear_format) {
    format.refuse(fmt::format("a linear network, \"{}\", is needed", linear_format));
  }
  return linear_from_json(root);
}

}  // namespace orrery::model
