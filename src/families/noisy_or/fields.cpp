// The fields of a noisy-OR network, once: in HDF5 and in JSON, to be written and to be read.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "families/noisy_or/cause_fields.hpp"
#include "families/noisy_or/commands.hpp"

namespace orrery::noisy_or {
namespace {

using model::Anchor;
using model::Cause;
using model::CauseNetwork;
using model::Edge;
using model::LearnedModel;
using model::NoisyOrNetwork;
using model::Observed;
using store::Archive;
using store::Need;
using Numbers = std::vector<double>;
using Indices = std::vector<std::uint32_t>;
using Texts = std::vector<std::string>;

/// What earlier versions called a network with tables of its causes and anchors.
constexpr const char* older_format = "orrery-anchored-1";

std::vector<Observed> observed(Archive& archive, bool has_errors, LearnedModel& learned) {
  Texts names = column(learned.network.observed(), &Observed::name);
  Numbers leaks = column(learned.network.observed(), &Observed::leak);
  const auto list = archive.list({"observed", "observed/name"}, names.size());
  list->names({"name", "observed/name"}, "x", names);
  list->numbers({"leak", "observed/leak"}, Need::probability, store::required, leaks);
  list->numbers({"leak_error", "observed/leak_error"}, Need::error_or_unknown,
                archive.whole(has_errors, store::optional(std::nan(""))), learned.errors.leak);
  std::vector<Observed> variables;
  for (std::size_t a = 0; a < names.size(); ++a) variables.push_back({names[a], leaks[a]});
  return variables;
}

struct EdgeFields {
  Indices cause, observed;
  Numbers failure;

  explicit EdgeFields(const std::vector<Edge>& edges)
      : cause(column(edges, &Edge::cause)),
        observed(column(edges, &Edge::observed)),
        failure(column(edges, &Edge::failure)) {}

  [[nodiscard]] std::vector<Edge> joined() const {
    std::vector<Edge> edges;
    edges.reserve(cause.size());
    for (std::size_t i = 0; i < cause.size(); ++i) {
      edges.push_back({cause[i], observed[i], failure[i]});
    }
    return edges;
  }
  /// Of the edges that a network keeps, in its order. A failure of 1 is no edge.
  [[nodiscard]] std::vector<std::size_t> kept() const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < cause.size(); ++i) {
      if (failure[i] != 1) places.push_back(i);
    }
    std::ranges::sort(places, {}, [&](std::size_t i) { return std::tuple(cause[i], observed[i]); });
    return places;
  }
};

EdgeFields edges(Archive& archive, bool has_errors, LearnedModel& learned) {
  EdgeFields fields(learned.network.edges());
  {
    const auto list = archive.list({"edges", "edges/failure"}, fields.cause.size(),
                                   {"cause", "observed", "failure"});
    list->integers({"", "edges/cause"}, 0, largest_index, store::required, fields.cause);
    list->integers({"", "edges/observed"}, 0, largest_index, store::required, fields.observed);
    list->numbers({"", "edges/failure"}, Need::probability, store::required, fields.failure);
  }
  const std::size_t n = fields.cause.size();
  archive.numbers({"failure_errors", "edges/failure_error"}, Need::error_or_unknown, n, "edges",
                  learned.errors.failure, has_errors);
  if (learned.stability.resamples > 0) {
    archive.numbers({"edge_stability", "stability/edge"}, Need::probability, n, "edges",
                    learned.stability.edge, true);
    if (learned.stability.edge.size() != n) archive.refuse("edge_stability is missing; add it");
  }
  return fields;
}

void fit(Archive& archive, model::Fit& fit) {
  const bool is_known = !fit.empty();
  archive.value({"misfit", "fit@misfit"}, fit.misfit, Need::probability, is_known);
  archive.value({"held_out_rows", "fit@held_out_rows"}, fit.n_held_out, is_known);
  const bool has_scores = is_known && (fit.n_held_out > 0 || !archive.is_json());
  const auto score = [&](const std::string& name, double& value) {
    archive.value({name, "fit@" + name}, value, Need::number_or_unknown, has_scores);
  };
  score("held_out", fit.network);
  score("held_out_tree", fit.tree);
  score("held_out_independent", fit.independent);
  score("held_out_mixture", fit.mixture);
  archive.value({"mixture_kinds", "fit@mixture_kinds"}, fit.n_kinds, has_scores);
}

/// Where some errors are known, those of all parameters are there: NaN is not known.
void complete(model::StandardErrors& errors, std::size_t n_causes, std::size_t n_observed,
              std::size_t n_edges) {
  if (errors.prior.empty() && errors.leak.empty() && errors.failure.empty()) return;
  errors.prior.resize(n_causes, std::nan(""));
  errors.leak.resize(n_observed, std::nan(""));
  errors.failure.resize(n_edges, std::nan(""));
}

}  // namespace

void fields(Archive& archive, LearnedModel& learned) {
  const NoisyOrNetwork& network = learned.network;
  std::string format;
  if (archive.reads() && archive.is_json()) archive.value({"format", ""}, format);
  const bool is_older = format == older_format;
  CauseFields of_causes{column(network.causes(), &Cause::name),
                        column(network.causes(), &Cause::prior),
                        ProvenanceFields(learned.provenance)};
  const auto has_error = [&](const char* hdf5) {
    return archive.has({"", hdf5}, !learned.errors.empty());
  };
  of_causes.has_errors = archive.is_json() ? !learned.errors.empty()
                                           : has_error("causes/prior_error") ||
                                                 has_error("observed/leak_error") ||
                                                 has_error("edges/failure_error");
  // What is said of causes names variables: who reads needs to know here how many there are.
  std::vector<Observed> variables;
  if (archive.reads()) {
    variables = observed(archive, of_causes.has_errors, learned);
    if (archive.is_json() && variables.empty()) {
      archive.refuse("observed = []; at least one observed variable is needed");
    }
  }
  archive.origin(learned);
  archive.remarks(learned);
  fit(archive, learned.fit);
  archive.value({"resamples", "stability@resamples"}, learned.stability.resamples,
                learned.stability.resamples > 0);
  if (archive.has({"resamples", "stability"}, false) && learned.stability.resamples == 0) {
    archive.refuse("resamples = 0; at least 1 is needed");
  }
  const bool has_tables =
      archive.has({"cause_tables", "cause_tables"}, network.has_dependent_causes()) || is_older;
  causes(archive, has_tables, is_older ? "y" : "cause", variables.size(), learned, of_causes);
  const std::size_t n_causes = of_causes.names.size();
  CauseNetwork tables = cause_tables(archive, network.cause_network(), has_tables, n_causes);
  if (!archive.reads()) observed(archive, of_causes.has_errors, learned);
  std::vector<Anchor> its_anchors = anchors(archive, is_older, learned);
  cause_moments(archive, n_causes, learned.moments);
  const EdgeFields of_edges = edges(archive, of_causes.has_errors, learned);
  if (!archive.reads()) return;
  const std::size_t n_observed = variables.size();
  std::vector<Cause> all_causes = with_priors(archive, of_causes, tables);
  learned.network = archive.checked([&] {
    return NoisyOrNetwork(std::move(all_causes), std::move(variables), of_edges.joined(),
                          std::move(tables), std::move(its_anchors));
  });
  if (has_tables) require_priors(archive, of_causes.priors, learned.network);
  learned.provenance = of_causes.provenance.joined(n_causes);
  complete(learned.errors, n_causes, n_observed, of_edges.cause.size());
  const std::vector<std::size_t> kept = of_edges.kept();
  if (!learned.errors.empty()) learned.errors.failure = in_order(learned.errors.failure, kept);
  if (learned.stability.resamples > 0) {
    learned.stability.edge = in_order(learned.stability.edge, kept);
  }
}

family::AnyModel renamed(const LearnedModel& learned, const family::NewName& new_name) {
  using family::NodeKind;
  const NoisyOrNetwork& network = learned.network;
  std::vector<Cause> causes = network.causes();
  for (Cause& cause : causes) cause.name = new_name(NodeKind::cause, cause.name);
  std::vector<Observed> variables = network.observed();
  for (Observed& variable : variables) variable.name = new_name(NodeKind::variable, variable.name);
  std::vector<Anchor> its_anchors = network.anchors();
  for (Anchor& anchor : its_anchors) {
    // The columns of a union are of data, and not the variable's own.
    if (anchor.columns.size() == 1) anchor.columns = {variables[anchor.observed].name};
  }
  LearnedModel copy = learned;
  copy.network = NoisyOrNetwork(std::move(causes), std::move(variables), network.edges(),
                                network.cause_network(), std::move(its_anchors));
  return copy;
}

}  // namespace orrery::noisy_or
