// Purpose: anchored networks to JSON (the layout is in anchored_json.hpp), the edges last.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cassert>

#include "model/json_cause_tables.hpp"
#include "model/json_layout.hpp"
#include "model/json_loadings.hpp"
#include "model/json_uncertainty.hpp"
#include "orrery/model/anchored_json.hpp"

namespace orrery::model {
namespace {

using Items = std::vector<std::string>;

Items causes_of(const LearnedAnchored& learned) {
  Items items;
  const std::vector<Cause>& causes = learned.network.loadings().causes();
  for (std::size_t i = 0; i < causes.size(); ++i) {
    items.push_back(fmt::format("{{\"name\": {}, \"prior\": {}{}}}", json_text(causes[i].name),
                                causes[i].prior,
                                optional_field("prior_error", learned.errors.prior, i)));
  }
  return items;
}

std::string rates_fields(const AnchorRates& rates) {
  return fmt::format(
      ", \"off\": {}, \"on\": {}, \"off_error\": {}, \"on_error\": {}, \"source\": {}", rates.off,
      rates.on, number_or_null(rates.off_error), number_or_null(rates.on_error),
      json_text(rates.source));
}

Items anchors_of(const LearnedAnchored& learned) {
  Items items;
  const std::vector<Anchor>& anchors = learned.network.anchors();
  assert(learned.rates.empty() || learned.rates.size() == anchors.size());
  for (std::size_t a = 0; a < anchors.size(); ++a) {
    const Items columns = json_texts(anchors[a].columns);
    items.push_back(fmt::format(
        "{{\"cause\": {}, \"observed\": {}{}{}}}", anchors[a].cause, anchors[a].observed,
        columns.empty() ? "" : fmt::format(", \"columns\": [{}]", fmt::join(columns, ", ")),
        learned.rates.empty() ? "" : rates_fields(learned.rates[a])));
  }
  return items;
}

Items moments_of(const SubsetTables& moments) {
  Items items;
  for (std::size_t size = 1; size <= moments.order(); ++size) {
    moments.for_each_set(size, [&](std::span<const std::uint32_t> set) {
      items.push_back(
          fmt::format("[[{}], [{}]]", fmt::join(set, ", "), fmt::join(moments.table(set), ", ")));
    });
  }
  return items;
}

}  // namespace

std::string to_anchored_json(const LearnedAnchored& learned) {
  const AnchoredNetwork& network = learned.network;
  std::string out = json_head(anchored_format, learned);
  const auto append = [&out](std::string_view key, const Items& items) {
    append_json_list(out, key, items, ",");
  };
  append("causes", causes_of(learned));
  append("observed", observed_items(network.loadings(), learned.errors));
  append("cause_tables", json_cause_tables(network.causes()));
  append("anchors", anchors_of(learned));
  if (learned.moments.order() > 0) {
    out += fmt::format("  \"moments_order\": {},\n", learned.moments.order());
    append("moments", moments_of(learned.moments));
  }
  if (!learned.errors.empty()) append("failure_errors", json_numbers(learned.errors.failure));
  if (!learned.remarks.empty()) append("remarks", json_texts(learned.remarks));
  append_json_list(out, "edges", edge_items(network.loadings()), "");
  return out + "}\n";
}

}  // namespace orrery::model
