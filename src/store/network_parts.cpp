#include "store/network_parts.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "orrery/base/error.hpp"
#include "store/dataset.hpp"

namespace orrery::store {

using hdf5::FormatError;
using hdf5::Handle;
using model::Cause;
using model::Edge;
using model::NoisyOrNetwork;
using model::Observed;
using model::StandardErrors;

namespace {

std::vector<Cause> read_causes(const Handle& group) {
  const Handle part = hdf5::open_group(group, "causes");
  const auto names = read_strings(part, "name");
  const auto priors = read_array<double>(part, "prior", {names.size()});
  std::vector<Cause> causes(names.size());
  for (std::size_t i = 0; i < causes.size(); ++i) causes[i] = {names[i], priors[i]};
  return causes;
}

std::vector<Observed> read_observed(const Handle& group) {
  const Handle part = hdf5::open_group(group, "observed");
  const auto names = read_strings(part, "name");
  const auto leaks = read_array<double>(part, "leak", {names.size()});
  std::vector<Observed> observed(names.size());
  for (std::size_t i = 0; i < observed.size(); ++i) observed[i] = {names[i], leaks[i]};
  return observed;
}

}  // namespace

void write_network_parts(const Handle& group, const NoisyOrNetwork& network,
                         const StandardErrors& errors) {
  assert(errors.empty() || errors.failure.size() == network.edges().size());
  const bool with_errors = !errors.empty();
  const auto cause_names = gather<std::string>(network.causes(), &Cause::name);
  const auto observed_names = gather<std::string>(network.observed(), &Observed::name);
  require_storable_names(cause_names);
  require_storable_names(observed_names);
  Handle causes = hdf5::create_group(group, "causes");
  write_strings(causes, "name", cause_names);
  write_array(causes, "prior", gather<double>(network.causes(), &Cause::prior));
  if (with_errors) write_array(causes, "prior_error", errors.prior);
  causes.close();
  Handle observed = hdf5::create_group(group, "observed");
  write_strings(observed, "name", observed_names);
  write_array(observed, "leak", gather<double>(network.observed(), &Observed::leak));
  if (with_errors) write_array(observed, "leak_error", errors.leak);
  observed.close();
  Handle edges = hdf5::create_group(group, "edges");
  write_array(edges, "cause", gather<std::uint32_t>(network.edges(), &Edge::cause));
  write_array(edges, "observed", gather<std::uint32_t>(network.edges(), &Edge::observed));
  write_array(edges, "failure", gather<double>(network.edges(), &Edge::failure));
  if (with_errors) write_array(edges, "failure_error", errors.failure);
  edges.close();
}

std::vector<Edge> read_network_edges(const Handle& group) {
  const Handle part = hdf5::open_group(group, "edges");
  const Shape shape = Dataset::open(part, "failure", hdf5::number_type<double>(), 1).shape();
  const auto failures = read_array<double>(part, "failure", shape);
  const auto causes = read_array<std::uint32_t>(part, "cause", shape);
  const auto observed = read_array<std::uint32_t>(part, "observed", shape);
  std::vector<Edge> edges(failures.size());
  for (std::size_t i = 0; i < edges.size(); ++i) edges[i] = {causes[i], observed[i], failures[i]};
  return edges;
}

NoisyOrNetwork read_network(const Handle& group, std::vector<Edge> edges) {
  try {
    return {read_causes(group), read_observed(group), std::move(edges)};
  } catch (const InputError& error) {
    throw FormatError(fmt::format("{} is no network: {}", hdf5::object_name(group), error.what()));
  }
}

StandardErrors read_network_errors(const Handle& group, const NoisyOrNetwork& network,
                                   std::size_t n_edges) {
  const Handle causes = hdf5::open_group(group, "causes");
  const Handle observed = hdf5::open_group(group, "observed");
  const Handle edges = hdf5::open_group(group, "edges");
  if (!hdf5::has_object(causes, "prior_error") && !hdf5::has_object(observed, "leak_error") &&
      !hdf5::has_object(edges, "failure_error")) {
    return {};
  }
  StandardErrors errors;
  errors.prior = read_array<double>(causes, "prior_error", {network.n_causes()});
  errors.leak = read_array<double>(observed, "leak_error", {network.n_observed()});
  errors.failure = read_array<double>(edges, "failure_error", {n_edges});
  constexpr double greatest = std::numeric_limits<double>::max();
  require_range(errors.prior, greatest, true, hdf5::object_name(causes) + "/prior_error");
  require_range(errors.leak, greatest, true, hdf5::object_name(observed) + "/leak_error");
  require_range(errors.failure, greatest, true, hdf5::object_name(edges) + "/failure_error");
  return errors;
}

void require_same_order(const Handle& group, const NoisyOrNetwork& network,
                        const std::vector<Edge>& edges) {
  if (network.edges() == edges) return;
  throw FormatError(
      fmt::format("{}/edges are not sorted by (cause, observed), or hold a failure of 1, so that "
                  "what is said of each edge cannot be told apart; write the file anew",
                  hdf5::object_name(group)));
}

void require_range(const std::vector<double>& values, double greatest, bool or_nan,
                   const std::string& name) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if ((values[i] >= 0 && values[i] <= greatest) || (or_nan && std::isnan(values[i]))) continue;
    throw FormatError(fmt::format("{}[{}] = {}, but it must be from 0 to {}{}; write the file anew",
                                  name, i, values[i], greatest, or_nan ? ", or NaN" : ""));
  }
}

}  // namespace orrery::store
