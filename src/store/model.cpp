// Networks, where each cause came from, and how sure it is, into and out of files.
#include "store/model.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "orrery/store/store.hpp"
#include "store/dataset.hpp"

namespace orrery::store {

using hdf5::FormatError;
using hdf5::Handle;
using model::Cause;
using model::Edge;
using model::LearnedModel;
using model::Observed;
using model::Provenance;

namespace {

void write_network(const Handle& group, const LearnedModel& model) {
  const model::NoisyOrNetwork& network = model.network;
  const bool with_errors = !model.errors.empty();
  const auto cause_names = gather<std::string>(network.causes(), &Cause::name);
  const auto observed_names = gather<std::string>(network.observed(), &Observed::name);
  require_storable_names(cause_names);
  require_storable_names(observed_names);
  Handle causes = hdf5::create_group(group, "causes");
  write_strings(causes, "name", cause_names);
  write_array(causes, "prior", gather<double>(network.causes(), &Cause::prior));
  if (with_errors) write_array(causes, "prior_error", model.errors.prior);
  causes.close();
  Handle observed = hdf5::create_group(group, "observed");
  write_strings(observed, "name", observed_names);
  write_array(observed, "leak", gather<double>(network.observed(), &Observed::leak));
  if (with_errors) write_array(observed, "leak_error", model.errors.leak);
  observed.close();
  Handle edges = hdf5::create_group(group, "edges");
  write_array(edges, "cause", gather<std::uint32_t>(network.edges(), &Edge::cause));
  write_array(edges, "observed", gather<std::uint32_t>(network.edges(), &Edge::observed));
  write_array(edges, "failure", gather<double>(network.edges(), &Edge::failure));
  if (with_errors) write_array(edges, "failure_error", model.errors.failure);
  edges.close();
}

void write_provenance(const Handle& group, const std::vector<Provenance>& provenance) {
  Handle part = hdf5::create_group(group, "provenance");
  std::vector<std::int32_t> quartets;
  for (const Provenance& origin : provenance) {
    quartets.insert(quartets.end(), origin.quartet.begin(), origin.quartet.end());
  }
  write_array(part, "depth", gather<std::int32_t>(provenance, &Provenance::depth));
  write_array(part, "quartet", std::span<const std::int32_t>(quartets), {provenance.size(), 4});
  write_array(part, "statistic", gather<double>(provenance, &Provenance::statistic));
  write_array(part, "statistic_error", gather<double>(provenance, &Provenance::statistic_error));
  write_array(part, "support", gather<std::uint64_t>(provenance, &Provenance::support));
  part.close();
}

void write_stability(const Handle& group, const model::Stability& stability) {
  Handle part = hdf5::create_group(group, "stability");
  hdf5::write_attribute(part, "resamples", stability.resamples);
  write_array(part, "cause", stability.cause);
  write_array(part, "edge", stability.edge);
  part.close();
}

std::vector<Cause> read_causes(const Handle& group) {
  const Handle part = hdf5::open_group(group, "causes");
  const auto names = read_strings(part, "name");
  const auto priors = read_array<double>(part, "prior", {names.size()});
  std::vector<Cause> causes(names.size());
  for (std::size_t i = 0; i < causes.size(); ++i) {
    causes[i] = {names[i], priors[i]};
  }
  return causes;
}

std::vector<Observed> read_observed(const Handle& group) {
  const Handle part = hdf5::open_group(group, "observed");
  const auto names = read_strings(part, "name");
  const auto leaks = read_array<double>(part, "leak", {names.size()});
  std::vector<Observed> observed(names.size());
  for (std::size_t i = 0; i < observed.size(); ++i) {
    observed[i] = {names[i], leaks[i]};
  }
  return observed;
}

std::vector<Edge> read_edges(const Handle& group) {
  const Handle part = hdf5::open_group(group, "edges");
  const Shape shape = Dataset::open(part, "failure", hdf5::number_type<double>(), 1).shape();
  const auto failures = read_array<double>(part, "failure", shape);
  const auto causes = read_array<std::uint32_t>(part, "cause", shape);
  const auto observed = read_array<std::uint32_t>(part, "observed", shape);
  std::vector<Edge> edges(failures.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    edges[i] = {causes[i], observed[i], failures[i]};
  }
  return edges;
}

/// Every index that is not "none" must be one of an observed variable.
void require_quartet(const Provenance& origin, std::size_t cause, std::size_t n_observed) {
  for (const std::int32_t index : origin.quartet) {
    if (index < -1 || (index >= 0 && static_cast<std::size_t>(index) >= n_observed)) {
      throw FormatError(
          fmt::format("/model/provenance/quartet[{}] names observed variable {}, but there are {}; "
                      "write the file anew",
                      cause, index, n_observed));
    }
  }
}

std::vector<Provenance> read_provenance(const Handle& group, std::size_t n_causes,
                                        std::size_t n_observed) {
  if (!hdf5::has_object(group, "provenance")) {
    return {};
  }
  const Handle part = hdf5::open_group(group, "provenance");
  const auto depths = read_array<std::int32_t>(part, "depth", {n_causes});
  const auto quartets = read_array<std::int32_t>(part, "quartet", {n_causes, 4});
  const auto statistics = read_array<double>(part, "statistic", {n_causes});
  // Absent from files of versions that did not count it.
  const auto supports = hdf5::has_object(part, "support")
                            ? read_array<std::uint64_t>(part, "support", {n_causes})
                            : std::vector<std::uint64_t>(n_causes, 0);
  const auto statistic_errors = hdf5::has_object(part, "statistic_error")
                                    ? read_array<double>(part, "statistic_error", {n_causes})
                                    : std::vector<double>(n_causes, 0);
  std::vector<Provenance> provenance(n_causes);
  for (std::size_t i = 0; i < n_causes; ++i) {
    provenance[i].depth = depths[i];
    for (std::size_t k = 0; k < 4; ++k) {
      provenance[i].quartet[k] = quartets[4 * i + k];
    }
    provenance[i].statistic = statistics[i];
    provenance[i].statistic_error = statistic_errors[i];
    provenance[i].support = supports[i];
    require_quartet(provenance[i], i, n_observed);
  }
  return provenance;
}

/// Throws FormatError if a value is not in [0, greatest]; `or_nan`: NaN is allowed.
void require_range(const std::vector<double>& values, double greatest, bool or_nan,
                   const char* name) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if ((values[i] >= 0 && values[i] <= greatest) || (or_nan && std::isnan(values[i]))) continue;
    throw FormatError(
        fmt::format("/model/{}[{}] = {}, but it must be from 0 to {}{}; write the "
                    "file anew",
                    name, i, values[i], greatest, or_nan ? ", or NaN" : ""));
  }
}

/// Values of edges are those of the file, which require_same_order compares with the network's.
model::StandardErrors read_errors(const Handle& group, const model::NoisyOrNetwork& network,
                                  std::size_t n_edges) {
  const Handle causes = hdf5::open_group(group, "causes");
  const Handle observed = hdf5::open_group(group, "observed");
  const Handle edges = hdf5::open_group(group, "edges");
  if (!hdf5::has_object(causes, "prior_error") && !hdf5::has_object(observed, "leak_error") &&
      !hdf5::has_object(edges, "failure_error")) {
    return {};
  }
  model::StandardErrors errors;
  errors.prior = read_array<double>(causes, "prior_error", {network.n_causes()});
  errors.leak = read_array<double>(observed, "leak_error", {network.n_observed()});
  errors.failure = read_array<double>(edges, "failure_error", {n_edges});
  constexpr double greatest = std::numeric_limits<double>::max();
  require_range(errors.prior, greatest, true, "causes/prior_error");
  require_range(errors.leak, greatest, true, "observed/leak_error");
  require_range(errors.failure, greatest, true, "edges/failure_error");
  return errors;
}

model::Stability read_stability(const Handle& group, std::size_t n_causes, std::size_t n_edges) {
  if (!hdf5::has_object(group, "stability")) {
    return {};
  }
  const Handle part = hdf5::open_group(group, "stability");
  model::Stability stability;
  stability.resamples = hdf5::read_attribute<std::uint32_t>(part, "resamples");
  if (stability.resamples == 0) {
    throw FormatError("/model/stability is of 0 resamples; write the file anew");
  }
  stability.cause = read_array<double>(part, "cause", {n_causes});
  stability.edge = read_array<double>(part, "edge", {n_edges});
  require_range(stability.cause, 1, false, "stability/cause");
  require_range(stability.edge, 1, false, "stability/edge");
  return stability;
}

/// Values an edge are in the order of the file, which must be that of the network.
void require_same_order(const model::NoisyOrNetwork& network, const std::vector<Edge>& edges) {
  if (network.edges() == edges) return;
  throw FormatError(
      "/model/edges are not sorted by (cause, observed), or hold a failure of 1, so that errors "
      "and "
      "stability cannot be told apart; write the file anew");
}

model::NoisyOrNetwork build_network(const Handle& group, std::vector<Edge> edges) {
  try {
    return {read_causes(group), read_observed(group), std::move(edges)};
  } catch (const InputError& error) {
    throw FormatError(fmt::format("/model is no network: {}", error.what()));
  }
}

}  // namespace

void write_model_group(const Handle& root, const LearnedModel& model) {
  assert(model.provenance.empty() || model.provenance.size() == model.network.n_causes());
  assert(model.errors.empty() || model.errors.failure.size() == model.network.edges().size());
  Handle group = hdf5::create_group(root, "model");
  hdf5::write_attribute(group, "learner", model.learner);
  write_digest_attribute(group, "data_digest", model.data_digest);
  hdf5::write_attribute(group, "n_samples", model.n_samples);
  write_network(group, model);
  if (!model.provenance.empty()) {
    write_provenance(group, model.provenance);
  }
  if (model.stability.resamples > 0) {
    write_stability(group, model.stability);
  }
  group.close();
}

LearnedModel read_model_group(const StoredFile& file) {
  const Handle group = file.group("model");
  LearnedModel model;
  model.learner = hdf5::read_attribute<std::string>(group, "learner");
  model.data_digest = read_digest_attribute(group, "data_digest");
  model.n_samples = hdf5::read_attribute<std::uint64_t>(group, "n_samples");
  const std::vector<Edge> edges = read_edges(group);
  model.network = build_network(group, edges);
  model.provenance = read_provenance(group, model.network.n_causes(), model.network.n_observed());
  model.errors = read_errors(group, model.network, edges.size());
  model.stability = read_stability(group, model.network.n_causes(), edges.size());
  if (!model.errors.empty() || model.stability.resamples > 0) {
    require_same_order(model.network, edges);
  }
  return model;
}

void write_model(const std::filesystem::path& path, const LearnedModel& model, const RunInfo& run) {
  writing(path, [&] {
    NewFile file(path);
    write_model_group(file.root(), model);
    file.finish(run);
  });
}

LearnedModel read_model(const std::filesystem::path& path) {
  return reading(path, [&] { return read_model_group(StoredFile(path)); });
}

}  // namespace orrery::store
