// A noisy-OR network as CSV: its edges, and its anchors as `learn anchored --anchors` reads them.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "families/noisy_or/commands.hpp"
#include "families/noisy_or/page/anchors.hpp"
#include "families/noisy_or/page/view.hpp"
#include "orrery/base/error.hpp"
#include "report/export_text.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
namespace {

using model::Anchor;
using model::NoisyOrNetwork;
using report::csv_field;
using report::csv_number;

std::string csv_support(const model::LearnedModel& model, std::size_t cause) {
  const std::uint64_t support = provenance_of(model, cause).support;
  return support == 0 ? "" : fmt::format("{}", support);
}

/// What stands in the column of an anchors file.
std::string column_of(const NoisyOrNetwork& network, const Anchor& anchor) {
  const std::string& name = network.observed()[anchor.observed].name;
  const bool is_union = anchor.columns.size() > 1;
  const std::vector<std::string> parts = is_union ? anchor.columns : std::vector{name};
  std::string joined;
  for (const std::string& part : parts) {
    if (part.find(';') != std::string::npos) {
      throw UsageError(fmt::format(
          "--format anchors: the column '{}' holds a semicolon, which joins the columns "
          "of a union; rename it, or export as json",
          report::shorten(part, 60)));
    }
    joined += (joined.empty() ? "" : ";") + part;
  }
  return joined;
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

std::string to_anchors(const model::LearnedModel& learned) {
  const NoisyOrNetwork& network = learned.network;
  if (network.anchors().empty()) {
    throw UsageError("--format anchors: this network has none; `learn anchored` makes such");
  }
  std::string out = "cause,column,off,on\n";
  for (std::size_t i = 0; i < network.anchors().size(); ++i) {
    const Anchor& anchor = network.anchors()[i];
    const auto [off, on] = learned.rates.empty()
                               ? network.anchor_rates(i)
                               : std::pair{learned.rates[i].off, learned.rates[i].on};
    append_text(out, "{},{},{},{}\n", csv_field(network.causes()[anchor.cause].name),
                csv_field(column_of(network, anchor)), off, on);
  }
  return out;
}

}  // namespace orrery::noisy_or
