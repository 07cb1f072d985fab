// Networks, and where each cause came from, into and out of files.
#include "store/model.hpp"

#include <fmt/format.h>

#include <cassert>
#include <string>
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

void write_network(const Handle& group, const model::NoisyOrNetwork& network) {
  const auto cause_names = gather<std::string>(network.causes(), &Cause::name);
  const auto observed_names = gather<std::string>(network.observed(), &Observed::name);
  require_storable_names(cause_names);
  require_storable_names(observed_names);
  Handle causes = hdf5::create_group(group, "causes");
  write_strings(causes, "name", cause_names);
  write_array(causes, "prior", gather<double>(network.causes(), &Cause::prior));
  causes.close();
  Handle observed = hdf5::create_group(group, "observed");
  write_strings(observed, "name", observed_names);
  write_array(observed, "leak", gather<double>(network.observed(), &Observed::leak));
  observed.close();
  Handle edges = hdf5::create_group(group, "edges");
  write_array(edges, "cause", gather<std::uint32_t>(network.edges(), &Edge::cause));
  write_array(edges, "observed", gather<std::uint32_t>(network.edges(), &Edge::observed));
  write_array(edges, "failure", gather<double>(network.edges(), &Edge::failure));
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
  std::vector<Provenance> provenance(n_causes);
  for (std::size_t i = 0; i < n_causes; ++i) {
    provenance[i].depth = depths[i];
    for (std::size_t k = 0; k < 4; ++k) {
      provenance[i].quartet[k] = quartets[4 * i + k];
    }
    provenance[i].statistic = statistics[i];
    require_quartet(provenance[i], i, n_observed);
  }
  return provenance;
}

model::NoisyOrNetwork read_network(const Handle& group) {
  try {
    return {read_causes(group), read_observed(group), read_edges(group)};
  } catch (const InputError& error) {
    throw FormatError(fmt::format("/model is no network: {}", error.what()));
  }
}

}  // namespace

void write_model_group(const Handle& root, const LearnedModel& model) {
  assert(model.provenance.empty() || model.provenance.size() == model.network.n_causes());
  Handle group = hdf5::create_group(root, "model");
  hdf5::write_attribute(group, "learner", model.learner);
  write_digest_attribute(group, "data_digest", model.data_digest);
  hdf5::write_attribute(group, "n_samples", model.n_samples);
  write_network(group, model.network);
  if (!model.provenance.empty()) {
    write_provenance(group, model.provenance);
  }
  group.close();
}

LearnedModel read_model_group(const StoredFile& file) {
  const Handle group = file.group("model");
  LearnedModel model;
  model.learner = hdf5::read_attribute<std::string>(group, "learner");
  model.data_digest = read_digest_attribute(group, "data_digest");
  model.n_samples = hdf5::read_attribute<std::uint64_t>(group, "n_samples");
  model.network = read_network(group);
  model.provenance = read_provenance(group, model.network.n_causes(), model.network.n_observed());
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
