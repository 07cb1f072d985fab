// Networks, where each cause came from, and how sure it is, into and out of files.
#include "store/model.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <utility>
#include <vector>

#include "orrery/base/error.hpp"
#include "orrery/store/store.hpp"
#include "store/anchors.hpp"
#include "store/cause_tables.hpp"
#include "store/dataset.hpp"
#include "store/network_parts.hpp"
#include "store/origin.hpp"

namespace orrery::store {

using hdf5::FormatError;
using hdf5::Handle;
using model::Edge;
using model::LearnedModel;
using model::Provenance;

namespace {

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
  require_range(stability.cause, 1, false, "/model/stability/cause");
  require_range(stability.edge, 1, false, "/model/stability/edge");
  return stability;
}

/// Rates of anchors are in the order of the file, priors are what the causes' tables say.
void require_as_stored(const Handle& group, const model::NoisyOrNetwork& network,
                       const std::vector<model::Anchor>& anchors,
                       const std::vector<model::Cause>& causes) {
  if (network.anchors() != anchors) {
    throw FormatError(fmt::format(
        "{}/anchors are not sorted by (cause, observed), so that their rates cannot be told apart; "
        "write the file anew",
        hdf5::object_name(group)));
  }
  for (std::size_t i = 0; i < causes.size(); ++i) {
    const double prior = network.causes()[i].prior;
    // What another machine's order of sums may differ by.
    if (std::abs(causes[i].prior - prior) <= 1e-9) continue;
    throw FormatError(
        fmt::format("{}/causes/prior[{}] = {}, but the tables of the causes say {}; write the file "
                    "anew",
                    hdf5::object_name(group), i, causes[i].prior, prior));
  }
}

/// The network with what stands above its causes and with its anchors.
model::NoisyOrNetwork with_causes_and_anchors(const Handle& group,
                                              const model::NoisyOrNetwork& loadings) {
  const std::vector<model::Anchor> anchors = read_anchors(group);
  try {
    model::CauseNetwork causes;
    if (hdf5::has_object(group, "cause_tables")) {
      causes = read_cause_tables(group, loadings.n_causes());
    }
    model::NoisyOrNetwork network(loadings, std::move(causes), anchors);
    require_as_stored(group, network, anchors, loadings.causes());
    return network;
  } catch (const InputError& error) {
    throw FormatError(fmt::format("{} is no network: {}", hdf5::object_name(group), error.what()));
  }
}

}  // namespace

void write_model_group(const Handle& root, const LearnedModel& model) {
  assert(model.provenance.empty() || model.provenance.size() == model.network.n_causes());
  assert(model.errors.empty() || model.errors.failure.size() == model.network.edges().size());
  Handle group = hdf5::create_group(root, "model");
  write_origin(group, model);
  write_network_parts(group, model.network, model.errors);
  if (model.network.has_dependent_causes()) {
    write_cause_tables(group, model.network.cause_network());
  }
  write_anchors(group, model);
  write_cause_moments(group, model.moments);
  if (!model.provenance.empty()) {
    write_provenance(group, model.provenance);
  }
  if (model.stability.resamples > 0) {
    write_stability(group, model.stability);
  }
  if (!model.remarks.empty()) write_strings(group, "remarks", model.remarks);
  group.close();
}

LearnedModel read_model_group(const StoredFile& file) {
  const Handle group = file.group(file.has("anchored") ? "anchored" : "model");
  LearnedModel model;
  static_cast<model::Origin&>(model) = read_origin(group);
  const std::vector<Edge> edges = read_network_edges(group);
  model.network = with_causes_and_anchors(group, read_network(group, edges));
  model.provenance = read_provenance(group, model.network.n_causes(), model.network.n_observed());
  model.errors = read_network_errors(group, model.network, edges.size());
  model.stability = read_stability(group, model.network.n_causes(), edges.size());
  if (!model.errors.empty() || model.stability.resamples > 0) {
    require_same_order(group, model.network, edges);
  }
  model.rates = read_anchor_rates(group, model.network.anchors().size());
  model.moments = read_cause_moments(group, model.network.n_causes());
  return model;
}

GroupWriter group_of(const LearnedModel& model) {
  return [&model](const Handle& root) { write_model_group(root, model); };
}

LearnedModel read_model(const std::filesystem::path& path) {
  return reading(path, [&] { return read_model_group(StoredFile(path)); });
}

}  // namespace orrery::store
