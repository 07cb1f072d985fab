#include "model/json_uncertainty.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

/// Of every member of a list that has it; `any` becomes true if one has.
std::vector<double> read_member_errors(const JsonEntry& list, const std::string& key, bool& any) {
  std::vector<double> errors(list.size(), std::nan(""));
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const JsonEntry entry = list.element(i);
    if (!entry.has(key)) continue;
    errors[i] = read_error(entry.member(key));
    any = true;
  }
  return errors;
}

/// A list of one value an edge of the file, as values of the edges that are kept.
template <class Read>
std::vector<double> read_edge_values(const JsonEntry& root, const std::string& key,
                                     const std::vector<std::size_t>& kept, const Read& read) {
  const JsonEntry list = root.member(key);
  const std::size_t n_edges = root.member("edges").size();
  if (list.size() != n_edges) {
    throw InputError(fmt::format("{}: {} has {} values, but edges has {}; they must agree",
                                 list.file(), list.where(), list.size(), n_edges));
  }
  std::vector<double> values;
  values.reserve(kept.size());
  for (const std::size_t i : kept) values.push_back(read(list.element(i)));
  return values;
}

}  // namespace

double read_error(const JsonEntry& entry) {
  if (entry.is_null()) return std::nan("");
  const double value = entry.number();
  if (value < 0) entry.refuse("a standard error of 0 or more, or null, is needed");
  return value;
}

std::vector<std::size_t> kept_edges(const std::vector<Edge>& listed) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    if (listed[i].failure != 1) kept.push_back(i);
  }
  std::sort(kept.begin(), kept.end(), [&](std::size_t i, std::size_t j) {
    return std::tie(listed[i].cause, listed[i].observed) <
           std::tie(listed[j].cause, listed[j].observed);
  });
  return kept;
}

StandardErrors read_errors(const JsonEntry& root, const std::vector<std::size_t>& kept) {
  bool any = root.has("failure_errors");
  StandardErrors errors;
  errors.prior = read_member_errors(root.member("causes"), "prior_error", any);
  errors.leak = read_member_errors(root.member("observed"), "leak_error", any);
  if (!any) return {};
  errors.failure = root.has("failure_errors")
                       ? read_edge_values(root, "failure_errors", kept, read_error)
                       : std::vector<double>(kept.size(), std::nan(""));
  return errors;
}

Stability read_stability(const JsonEntry& root, const std::vector<std::size_t>& kept) {
  Stability stability;
  if (!root.has("resamples")) return stability;
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  stability.resamples = static_cast<std::uint32_t>(root.member("resamples").whole_number(1, most));
  const JsonEntry causes = root.member("causes");
  for (std::size_t i = 0; i < causes.size(); ++i) {
    stability.cause.push_back(causes.element(i).member("stability").probability());
  }
  stability.edge = read_edge_values(root, "edge_stability", kept,
                                    [](const JsonEntry& entry) { return entry.probability(); });
  return stability;
}

std::string optional_field(const char* key, const std::vector<double>& values, std::size_t index) {
  if (values.empty()) return "";
  return fmt::format(", \"{}\": {}", key, number_or_null(values[index]));
}

std::string number_or_null(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

}  // namespace orrery::model
