// Purpose: networks from and to JSON. Two layouts are read, told apart by the key "format":
//   {"format": "orrery-network-1", "causes": [{"name", "prior"}], "observed": [{"name", "leak"}],
//    "edges": [[cause, observed, failure]]}; names are optional, and so is what a learner adds: a
//    cause's depth, quartet, statistic with its error and support, learner, n_samples and
//    data_digest of the whole, standard errors and stability (json_uncertainty.hpp). Of the whole
//    "cause_tables" say how the causes depend on one another (json_cause_tables.hpp); a prior may
//    then be left out. "anchors" with their rates and the causes' "moments" are as
//    json_anchors.hpp says. "orrery-anchored-1" is what earlier versions called a network with
//    tables and anchors, both of which it must have;
//   {"NAME": {"priors": [n], "noise_failure": [m], "failures": [n][m]}, ...}, the published
//    benchmark files, where noise_failure is 1 - leak and a failure of 1 is no edge.
// Keys that are not known are passed over.
#include "orrery/model/network_json.hpp"

#include <fmt/format.h>

#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "model/json_anchors.hpp"
#include "model/json_cause_tables.hpp"
#include "model/json_entry.hpp"
#include "model/json_layout.hpp"
#include "model/json_loadings.hpp"
#include "model/json_uncertainty.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/output_file.hpp"
#include "orrery/model/learnability.hpp"

namespace orrery::model {
namespace {

constexpr std::int64_t largest_count = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t largest_depth = std::numeric_limits<std::int32_t>::max();

// ---- reading ------------------------------------------------------------------------------------

/// Priors that are left out are NaN.
std::vector<Cause> read_causes(const JsonEntry& list, const char* stem, bool has_tables) {
  std::vector<Cause> causes;
  JsonNames names;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonEntry entry = list.element(i);
    causes.push_back({names.read(entry, stem, i), std::nan("")});
    if (entry.has("prior") || !has_tables)
      causes.back().prior = entry.member("prior").probability();
  }
  return causes;
}

// True if the cause carries any of it.
bool read_cause_provenance(const JsonEntry& cause, std::size_t n_observed, Provenance& provenance) {
  bool any = false;
  if (cause.has("depth")) {
    const std::int64_t depth = cause.member("depth").whole_number(-1, largest_depth);
    provenance.depth = static_cast<std::int32_t>(depth);
    any = true;
  }
  if (cause.has("quartet")) {
    const JsonEntry quartet = cause.member("quartet");
    if (quartet.size() != 4) quartet.refuse("four observed indices are needed (-1 for none)");
    const auto last = static_cast<std::int64_t>(n_observed) - 1;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::int64_t index = quartet.element(i).whole_number(-1, last);
      provenance.quartet[i] = static_cast<std::int32_t>(index);
    }
    any = true;
  }
  if (cause.has("statistic")) {
    provenance.statistic = cause.member("statistic").number();
    any = true;
  }
  if (cause.has("statistic_error")) {
    provenance.statistic_error = cause.member("statistic_error").number();
    any = true;
  }
  if (cause.has("support")) {
    const std::int64_t support = cause.member("support").whole_number(0, largest_count);
    provenance.support = static_cast<std::uint64_t>(support);
    any = true;
  }
  return any;
}

std::vector<Provenance> read_provenance(const JsonEntry& causes, std::size_t n_observed) {
  std::vector<Provenance> provenance(causes.size());
  bool any = false;
  for (std::size_t i = 0; i < causes.size(); ++i) {
    if (read_cause_provenance(causes.element(i), n_observed, provenance[i])) any = true;
  }
  if (!any) provenance.clear();
  return provenance;
}

LearnedModel read_own_layout(const JsonEntry& root) {
  const bool anchored = root.member("format").text() == anchored_format;
  const bool has_tables = anchored || root.has("cause_tables");
  LearnedModel model;
  std::vector<Observed> observed = read_observed(root.member("observed"));
  const JsonEntry causes = root.member("causes");
  model.provenance = read_provenance(causes, observed.size());
  std::vector<Edge> edges = read_edges(root.member("edges"));
  const std::vector<std::size_t> kept = kept_edges(edges);
  const std::vector<Cause> listed = read_causes(causes, anchored ? "y" : "cause", has_tables);
  std::vector<Cause> with_priors = listed;
  CauseNetwork tables;
  if (has_tables) {
    require_json_size(root.member("cause_tables"), listed.size());
    std::vector<CauseTable> read = read_cause_tables(root.member("cause_tables"));
    tables = in_file(root, [&] { return CauseNetwork(std::move(read)); });
    fill_priors(causes, tables, with_priors);
  }
  std::vector<Anchor> anchors;
  if (anchored || root.has("anchors")) anchors = read_anchors(root.member("anchors"));
  model.network = in_file(root, [&] {
    return NoisyOrNetwork(std::move(with_priors), std::move(observed), std::move(edges),
                          std::move(tables), anchors);
  });
  if (has_tables) require_priors(causes, listed, model.network);
  if (!anchors.empty()) model.rates = read_anchor_rates(root.member("anchors"), anchors);
  model.moments = read_cause_moments(root, listed.size());
  model.errors = read_errors(root, kept);
  model.stability = read_stability(root, kept);
  static_cast<Origin&>(model) = read_origin(root);
  return model;
}

// "CON8", "IMG", ...
std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t most = 20;
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) {
    list += fmt::format("{}{}", i == 0 ? "" : ", ", shown(names[i]));
  }
  if (names.size() > most) list += fmt::format(", ... ({} in all)", names.size());
  return list;
}

std::string select_entry(const JsonEntry& root, const std::string& entry) {
  const std::vector<std::string> names = root.keys();
  if (names.empty()) throw InputError(fmt::format("{}: holds no network", root.file()));
  if (entry.empty()) {
    if (names.size() == 1) return names.front();
    throw InputError(fmt::format(
        "{}: has no key \"format\", so it is read as a file of {} named networks; name one of {}",
        root.file(), names.size(), list_names(names)));
  }
  if (!root.has(entry)) {
    throw InputError(fmt::format("{}: has no network {}; name one of {}", root.file(), shown(entry),
                                 list_names(names)));
  }
  return entry;
}

void require_size(const JsonEntry& list, std::size_t size, std::string_view like) {
  if (list.size() == size) return;
  throw InputError(fmt::format("{}: {} has {} values, but {} says {}; they must agree", list.file(),
                               list.where(), list.size(), like, size));
}

void require_count(const JsonEntry& network, const std::string& key, std::size_t size,
                   std::string_view like) {
  if (!network.has(key)) return;
  const JsonEntry count = network.member(key);
  const std::int64_t said = count.whole_number(0, largest_index);
  if (static_cast<std::size_t>(said) == size) return;
  throw InputError(fmt::format("{}: {} = {}, but {} has {} values; they must agree", network.file(),
                               count.where(), said, like, size));
}

LearnedModel read_benchmark_layout(const JsonEntry& root, const std::string& entry) {
  const JsonEntry network = root.member(select_entry(root, entry));
  const JsonEntry prior_list = network.member("priors");
  const JsonEntry noise_list = network.member("noise_failure");
  const JsonEntry failure_list = network.member("failures");
  const std::vector<double> priors = prior_list.probabilities();
  const std::vector<double> noise = noise_list.probabilities();
  if (noise.empty()) noise_list.refuse("at least one observed variable is needed");
  require_count(network, "n_latent", priors.size(), prior_list.where());
  require_count(network, "n_observed", noise.size(), noise_list.where());
  require_size(failure_list, priors.size(), prior_list.where());

  std::vector<Cause> causes;
  std::vector<Edge> edges;
  for (std::size_t c = 0; c < priors.size(); ++c) {
    causes.push_back({fmt::format("cause{}", c), priors[c]});
    const JsonEntry row = failure_list.element(c);
    require_size(row, noise.size(), noise_list.where());
    const std::vector<double> failures = row.probabilities();
    for (std::size_t a = 0; a < failures.size(); ++a) {
      if (failures[a] == 1) continue;
      edges.push_back({static_cast<std::uint32_t>(c), static_cast<std::uint32_t>(a), failures[a]});
    }
  }
  std::vector<Observed> observed;
  for (std::size_t a = 0; a < noise.size(); ++a) {
    observed.push_back({fmt::format("x{}", a), 1 - noise[a]});
  }
  LearnedModel model;
  model.network = in_file(root, [&] {
    return NoisyOrNetwork(std::move(causes), std::move(observed), std::move(edges));
  });
  return model;
}

// ---- writing ------------------------------------------------------------------------------------

std::string provenance_fields(const Provenance& from) {
  const auto& q = from.quartet;
  std::string fields = fmt::format(", \"depth\": {}, \"quartet\": [{}, {}, {}, {}]", from.depth,
                                   q[0], q[1], q[2], q[3]);
  if (std::isfinite(from.statistic)) fields += fmt::format(", \"statistic\": {}", from.statistic);
  if (from.statistic_error > 0) {
    fields += fmt::format(", \"statistic_error\": {}", from.statistic_error);
  }
  if (from.support > 0) fields += fmt::format(", \"support\": {}", from.support);
  return fields;
}

std::string structural_depth_field(const std::vector<std::int32_t>& depths, std::size_t cause) {
  if (depths.empty()) return "";
  const bool never = depths[cause] == CauseLearnability::never;
  return fmt::format(", \"structural_depth\": {}", never ? "null" : std::to_string(depths[cause]));
}

std::vector<std::string> cause_items(const LearnedModel& model) {
  std::vector<std::string> items;
  const std::vector<std::int32_t> depths = structural_depths(model);
  for (std::size_t i = 0; i < model.network.n_causes(); ++i) {
    const Cause& cause = model.network.causes()[i];
    items.push_back(fmt::format(
        "{{\"name\": {}, \"prior\": {}{}{}{}{}}}", json_text(cause.name), cause.prior,
        optional_field("prior_error", model.errors.prior, i),
        model.provenance.empty() ? std::string() : provenance_fields(model.provenance[i]),
        structural_depth_field(depths, i), optional_field("stability", model.stability.cause, i)));
  }
  return items;
}

}  // namespace

LearnedModel network_from_json(const JsonEntry& root, const std::string& entry) {
  if (!root.has("format")) return read_benchmark_layout(root, entry);
  const JsonEntry format = root.member("format");
  if (format.text() != network_format && format.text() != anchored_format) {
    format.refuse(
        fmt::format("this version reads \"{}\"; write the network in that", network_format));
  }
  refuse_entry_of_one(root, entry);
  return read_own_layout(root);
}

LearnedModel read_network_json(const std::filesystem::path& path, const std::string& entry) {
  const std::string file = path.string();
  const nlohmann::json document = parse_json(read_text_file(path), file);
  return network_from_json(JsonEntry(document, file), entry);
}

std::string to_network_json(const LearnedModel& model) {
  assert(model.provenance.empty() || model.provenance.size() == model.network.n_causes());
  std::string out = json_head(network_format, model);
  if (!model.remarks.empty()) append_json_list(out, "remarks", json_texts(model.remarks), ",");
  const bool stability = model.stability.resamples > 0;
  if (stability) out += fmt::format("  \"resamples\": {},\n", model.stability.resamples);
  append_json_list(out, "causes", cause_items(model), ",");
  if (model.network.has_dependent_causes()) {
    append_json_list(out, "cause_tables", json_cause_tables(model.network.cause_network()), ",");
  }
  append_json_list(out, "observed", observed_items(model.network, model.errors), ",");
  if (!model.network.anchors().empty()) append_json_list(out, "anchors", json_anchors(model), ",");
  if (model.moments.order() > 0) {
    out += fmt::format("  \"moments_order\": {},\n", model.moments.order());
    append_json_list(out, "moments", json_cause_moments(model.moments), ",");
  }
  const bool errors = !model.errors.empty();
  append_json_list(out, "edges", edge_items(model.network), errors || stability ? "," : "");
  if (errors) {
    append_json_list(out, "failure_errors", json_numbers(model.errors.failure),
                     stability ? "," : "");
  }
  if (stability) append_json_list(out, "edge_stability", json_numbers(model.stability.edge), "");
  out += "}\n";
  return out;
}

}  // namespace orrery::model
