// The anchors of a network, as `learn anchored --anchors` reads them.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.hpp"
#include "orrery/base/text.hpp"
#include "report/export_formats.hpp"
#include "report/export_text.hpp"
#include "report/text.hpp"

namespace orrery::report {
namespace {

using model::Anchor;
using model::NoisyOrNetwork;

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
          shorten(part, 60)));
    }
    joined += (joined.empty() ? "" : ";") + part;
  }
  return joined;
}

}  // namespace

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

}  // namespace orrery::report
