#include "orrery/report/export.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "orrery/base/error.hpp"
#include "orrery/base/text.hpp"
#include "orrery/model/any_model.hpp"
#include "orrery/model/categorical_json.hpp"
#include "orrery/model/linear_json.hpp"
#include "orrery/model/network_json.hpp"
#include "orrery/model/tree_json.hpp"
#include "report/anchors.hpp"
#include "report/export_formats.hpp"
#include "report/export_text.hpp"
#include "report/text.hpp"
#include "report/view.hpp"

namespace orrery::report {
namespace {

std::string csv_support(const model::LearnedModel& model, std::size_t cause) {
  const std::uint64_t support = provenance_of(model, cause).support;
  return support == 0 ? "" : fmt::format("{}", support);
}

template <class Model>
struct Format {
  std::string_view name;
  std::string (*write)(const Model&);
};
constexpr Format<model::LearnedModel> formats[] = {
    {"json", model::to_network_json}, {"csv", to_csv}, {"dot", to_dot},
    {"graphml", to_graphml},          {"bif", to_bif}, {"anchors", to_anchors}};
constexpr Format<model::LearnedTree> tree_formats[] = {{"json", model::to_tree_json},
                                                       {"csv", tree_to_csv},
                                                       {"dot", tree_to_dot},
                                                       {"graphml", tree_to_graphml},
                                                       {"bif", tree_to_bif}};
constexpr Format<model::LearnedLinear> linear_formats[] = {{"json", model::to_linear_json},
                                                           {"csv", linear_to_csv},
                                                           {"dot", linear_to_dot},
                                                           {"graphml", linear_to_graphml}};

constexpr Format<model::LearnedCategorical> categorical_formats[] = {
    {"json", model::categorical_to_json}, {"csv", categorical_to_csv}, {"dot", categorical_to_dot}};

template <class Model>
std::string write_as(const Model& model, std::span<const Format<Model>> known_formats,
                     const std::string& format) {
  std::string known;
  for (const Format<Model>& candidate : known_formats) {
    if (candidate.name == format) return candidate.write(model);
    known += fmt::format("{}{}", known.empty() ? "" : ", ", candidate.name);
  }
  throw UsageError(
      fmt::format("--format '{}' is not known: give one of {}", shorten(format, 40), known));
}

}  // namespace

std::string to_csv(const model::LearnedModel& model) {
  const model::NoisyOrNetwork& network = model.network;
  std::string out =
      "cause,prior,observed,leak,failure,prior_error,leak_error,failure_error,support,stability,"
      "edge_stability";
  const bool has_anchors = !network.anchors().empty();
  out += has_anchors ? ",anchor\n" : "\n";
  for (std::size_t i = 0; i < network.edges().size(); ++i) {
    const model::Edge& edge = network.edges()[i];
    const model::Cause& cause = network.causes()[edge.cause];
    const model::Observed& observed = network.observed()[edge.observed];
    append_text(out, "{},{},{},{},{},{},{},{},{},{},{}", csv_field(cause.name), cause.prior,
                csv_field(observed.name), observed.leak, edge.failure,
                csv_number(model.errors.prior, edge.cause),
                csv_number(model.errors.leak, edge.observed), csv_number(model.errors.failure, i),
                csv_support(model, edge.cause), csv_number(model.stability.cause, edge.cause),
                csv_number(model.stability.edge, i));
    if (has_anchors) out += is_anchor(network, edge) ? ",1" : ",0";
    out += '\n';
  }
  return out;
}

std::string export_model(const model::LearnedModel& model, const std::string& format) {
  return write_as<model::LearnedModel>(model, formats, format);
}

std::string export_tree(const model::LearnedTree& learned, const std::string& format) {
  return write_as<model::LearnedTree>(learned, tree_formats, format);
}

std::string export_linear(const model::LearnedLinear& learned, const std::string& format) {
  if (format == "bif") {
    throw UsageError(
        "--format bif is for variables that are on or off, and those of a linear network are "
        "numbers: give one of json, csv, dot, graphml");
  }
  return write_as<model::LearnedLinear>(learned, linear_formats, format);
}

std::string export_categorical(const model::LearnedCategorical& learned,
                               const std::string& format) {
  return write_as<model::LearnedCategorical>(learned, categorical_formats, format);
}

std::string export_any(const model::AnyModel& model, const std::string& format) {
  if (const auto* tree = std::get_if<model::LearnedTree>(&model)) return export_tree(*tree, format);
  if (const auto* linear = std::get_if<model::LearnedLinear>(&model)) {
    return export_linear(*linear, format);
  }
  if (const auto* categorical = std::get_if<model::LearnedCategorical>(&model)) {
    return export_categorical(*categorical, format);
  }
  return export_model(std::get<model::LearnedModel>(model), format);
}

}  // namespace orrery::report
