// The fields of a linear network, once: in HDF5 and in JSON, to be written and to be read.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "families/linear/commands.hpp"
#include "families/linear/network/generators.hpp"
#include "families/linear/network/network.hpp"

namespace orrery::linear {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::LearnedLinear;
using model::LinearNetwork;
using model::LinearParts;
using model::RankStep;
using model::UpperLevel;
using store::Need;
using Numbers = std::vector<double>;

Numbers numbers_of(const VectorXd& vector) { return {vector.begin(), vector.end()}; }

VectorXd vector_of(const Numbers& numbers) {
  return Eigen::Map<const VectorXd>(numbers.data(), static_cast<Index>(numbers.size()));
}

void law(store::Archive& archive, LinearParts& parts) {
  std::string name(model::cause_law_name(parts.law));
  archive.value({"law", "@law"}, name);
  if (!archive.reads()) return;
  const auto known = model::cause_law_of(name);
  if (!known) {
    archive.refuse(fmt::format("law = {}: gaussian, skewed or heavy-tailed is needed", name));
  }
  parts.law = *known;
}

void observed(store::Archive& archive, LinearParts& parts) {
  Numbers means = numbers_of(parts.means);
  Numbers noise = numbers_of(parts.noise);
  const auto list = archive.list({"observed", "observed/name"}, parts.names.size());
  list->names({"name", "observed/name"}, "x", parts.names);
  list->numbers({"mean", "observed/mean"}, Need::anything, archive.whole(true, store::optional(0)),
                means);
  list->numbers({"noise", "observed/noise"}, Need::anything, store::required, noise);
  if (!archive.reads()) return;
  means.resize(parts.names.size(), 0);
  parts.means = vector_of(means);
  parts.noise = vector_of(noise);
}

void causes(store::Archive& archive, LinearParts& parts) {
  const store::Field coupling{"coupling", "causes/coupling"};
  const bool coupled = archive.has(coupling, parts.coupling.size() > 0);
  Numbers innovation = coupled ? numbers_of(parts.innovation) : Numbers();
  {
    const auto list = archive.list({"causes", "causes/name"}, parts.cause_names.size());
    list->names({"name", "causes/name"}, "h", parts.cause_names);
    list->numbers({"innovation", "causes/innovation"}, Need::anything,
                  archive.whole(coupled, store::all_or_none), innovation);
  }
  if (!archive.reads() || innovation.empty()) return;
  if (!coupled) archive.refuse("innovations stand with a coupling only; leave them out");
  parts.innovation = vector_of(innovation);
}

/// From below upwards.
void levels(store::Archive& archive, LinearParts& parts) {
  Index below = static_cast<Index>(parts.cause_names.size());
  const std::size_t n = archive.parts(
      {"levels", "levels"}, parts.upper.size(), [&](store::Archive& part, std::size_t i) {
        parts.upper.resize(std::max(parts.upper.size(), i + 1));
        UpperLevel& level = parts.upper[i];
        part.texts({"causes", "name"}, level.names);
        const auto own = static_cast<Index>(level.names.size());
        part.checked([&] {
          model::require_room(static_cast<std::size_t>(below), level.names.size());
          return 0;
        });
        part.sparse_matrix({"edges", "loading"}, "cause, below", below, own, level.loadings);
        Numbers noise = numbers_of(level.noise);
        part.numbers({"noise", "noise"}, Need::anything, static_cast<std::size_t>(below),
                     "the level below", noise);
        level.noise = vector_of(noise);
        below = own;
      });
  parts.upper.resize(n);
}

void rank_test(store::Archive& archive, std::vector<RankStep>& steps) {
  if (!archive.has({"rank_test", "rank_test"}, !steps.empty())) return;
  std::vector<std::uint32_t> rank;
  Numbers statistic, expected, error;
  for (const RankStep& step : steps) {
    rank.push_back(step.rank);
    statistic.push_back(step.statistic);
    expected.push_back(step.expected);
    error.push_back(step.error);
  }
  const auto list = archive.list({"rank_test", "rank_test/rank"}, steps.size());
  constexpr std::int64_t largest = std::numeric_limits<std::uint32_t>::max();
  list->integers({"rank", "rank_test/rank"}, 0, largest, store::required, rank);
  list->numbers({"statistic", "rank_test/statistic"}, Need::number_or_unknown, store::required,
                statistic);
  list->numbers({"expected", "rank_test/expected"}, Need::number_or_unknown, store::required,
                expected);
  list->numbers({"error", "rank_test/error"}, Need::error_or_unknown, store::required, error);
  steps.resize(rank.size());
  for (std::size_t i = 0; i < rank.size(); ++i) {
    steps[i] = {rank[i], statistic[i], expected[i], error[i]};
  }
}

}  // namespace

void fields(store::Archive& archive, LearnedLinear& learned) {
  LinearParts parts = learned.network.parts();
  archive.origin(learned);
  law(archive, parts);
  observed(archive, parts);
  causes(archive, parts);
  const std::size_t n_observed = parts.names.size();
  const std::size_t n_causes = parts.cause_names.size();
  archive.checked([&] {
    model::require_room(n_observed, n_causes);
    model::require_room(n_causes, n_causes);
    return 0;
  });
  const auto n = static_cast<Index>(n_observed);
  const auto k = static_cast<Index>(n_causes);
  // The covariance is of the highest level, which comes later.
  const bool has_levels = archive.has({"levels", "levels"}, !parts.upper.empty());
  if (archive.reads()) levels(archive, parts);
  const Index top =
      has_levels && !parts.upper.empty() ? static_cast<Index>(parts.upper.back().names.size()) : k;
  archive.matrix({"covariance", "causes/covariance"}, Need::anything, top, top, parts.covariance);
  const bool coupled = archive.has({"coupling", "causes/coupling"}, parts.coupling.size() > 0);
  if (coupled) {
    archive.sparse_matrix({"coupling", "causes/coupling"}, "from, to", k, k, parts.coupling);
  }
  if (!archive.reads()) levels(archive, parts);
  archive.matrix({"estimates", "loadings/estimate"}, Need::number_or_unknown, n, k,
                 learned.estimates);
  archive.matrix({"loading_errors", "loadings/error"}, Need::error_or_unknown, n, k,
                 learned.loading_errors);
  archive.matrix({"covariance_errors", "causes/covariance_error"}, Need::error_or_unknown, k, k,
                 learned.covariance_errors);
  archive.matrix({"coupling_errors", "causes/coupling_error"}, Need::error_or_unknown, k, k,
                 learned.coupling_errors);
  if (archive.reads() && !coupled && learned.coupling_errors.size() > 0) {
    archive.refuse("coupling_errors stand with a coupling only; leave them out");
  }
  Numbers noise_errors = numbers_of(learned.noise_errors);
  archive.numbers({"noise_errors", "observed/noise_error"}, Need::error_or_unknown, n_observed,
                  "observed", noise_errors);
  rank_test(archive, learned.rank_test);
  archive.remarks(learned);
  archive.sparse_matrix({"edges", "loadings/value"}, "cause, observed", n, k, parts.loadings);
  if (!archive.reads()) return;
  learned.noise_errors = vector_of(noise_errors);
  learned.network = archive.checked([&] { return LinearNetwork(std::move(parts)); });
}

family::AnyModel renamed(const LearnedLinear& learned, const family::NewName& new_name) {
  using family::NodeKind;
  LinearParts parts = learned.network.parts();
  for (std::string& name : parts.cause_names) name = new_name(NodeKind::cause, name);
  for (UpperLevel& level : parts.upper) {
    for (std::string& name : level.names) name = new_name(NodeKind::cause, name);
  }
  for (std::string& name : parts.names) name = new_name(NodeKind::variable, name);
  LearnedLinear copy = learned;
  copy.network = LinearNetwork(std::move(parts));
  return copy;
}

}  // namespace orrery::linear
