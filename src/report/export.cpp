#include <fmt/format.h>

#include <vector>

#include "orrery/base/text.hpp"
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

}  // namespace orrery::report
