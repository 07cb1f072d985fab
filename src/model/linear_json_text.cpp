// Purpose: linear networks to JSON (the layout is in linear_json.hpp). What may be left out comes
// first, the edges last.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/json_layout.hpp"
#include "model/json_uncertainty.hpp"
#include "orrery/model/linear_generators.hpp"
#include "orrery/model/linear_json.hpp"

namespace orrery::model {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

using Items = std::vector<std::string>;

Items numbers_of(const VectorXd& values) {
  return json_numbers(std::vector<double>(values.begin(), values.end()));
}

Items rows_of(const MatrixXd& matrix) {
  Items rows;
  for (Index i = 0; i < matrix.rows(); ++i) {
    rows.push_back(fmt::format("[{}]", fmt::join(numbers_of(matrix.row(i)), ", ")));
  }
  return rows;
}

/// "[from, to, value]" of what is not 0, by `from`.
Items edges_of(const MatrixXd& matrix) {
  Items edges;
  for (Index from = 0; from < matrix.cols(); ++from) {
    for (Index to = 0; to < matrix.rows(); ++to) {
      if (matrix(to, from) == 0) continue;
      edges.push_back(fmt::format("[{}, {}, {}]", from, to, matrix(to, from)));
    }
  }
  return edges;
}

Items observed_of(const LinearNetwork& network) {
  Items items;
  for (std::size_t i = 0; i < network.n_observed(); ++i) {
    const auto at = static_cast<Index>(i);
    items.push_back(fmt::format("{{\"name\": {}, \"mean\": {}, \"noise\": {}}}",
                                json_text(network.names()[i]), network.means()(at),
                                network.noise()(at)));
  }
  return items;
}

Items causes_of(const LinearNetwork& network) {
  Items items;
  for (std::size_t j = 0; j < network.n_causes(); ++j) {
    const std::string innovation =
        network.has_coupling()
            ? fmt::format(", \"innovation\": {}", network.innovation()(static_cast<Index>(j)))
            : "";
    items.push_back(
        fmt::format("{{\"name\": {}{}}}", json_text(network.cause_names()[j]), innovation));
  }
  return items;
}

Items levels_of(const LinearNetwork& network) {
  Items items;
  for (const UpperLevel& level : network.upper()) {
    Items names;
    for (const std::string& name : level.names) names.push_back(json_text(name));
    items.push_back(fmt::format("{{\"causes\": [{}], \"edges\": [{}], \"noise\": [{}]}}",
                                fmt::join(names, ", "), fmt::join(edges_of(level.loadings), ", "),
                                fmt::join(numbers_of(level.noise), ", ")));
  }
  return items;
}

Items rank_test_of(const std::vector<RankStep>& steps) {
  Items items;
  for (const RankStep& step : steps) {
    items.push_back(fmt::format(
        "{{\"rank\": {}, \"statistic\": {}, \"expected\": {}, \"error\": {}}}", step.rank,
        number_or_null(step.statistic), number_or_null(step.expected), number_or_null(step.error)));
  }
  return items;
}

}  // namespace

std::string to_linear_json(const LearnedLinear& learned) {
  const LinearNetwork& network = learned.network;
  std::string out = json_head(linear_format, learned);
  const auto append = [&out](std::string_view key, const Items& items) {
    append_json_list(out, key, items, ",");
  };
  const auto append_rows = [&](std::string_view key, const MatrixXd& matrix) {
    if (matrix.size() > 0) append(key, rows_of(matrix));
  };
  out += fmt::format("  \"law\": \"{}\",\n", cause_law_name(network.law()));
  append("observed", observed_of(network));
  append("causes", causes_of(network));
  append_rows("covariance", network.parts().covariance);
  if (network.has_coupling()) append("coupling", edges_of(network.coupling()));
  if (!network.upper().empty()) append("levels", levels_of(network));
  append_rows("estimates", learned.estimates);
  append_rows("loading_errors", learned.loading_errors);
  append_rows("covariance_errors", learned.covariance_errors);
  append_rows("coupling_errors", learned.coupling_errors);
  if (learned.noise_errors.size() > 0) append("noise_errors", numbers_of(learned.noise_errors));
  if (!learned.rank_test.empty()) append("rank_test", rank_test_of(learned.rank_test));
  if (!learned.remarks.empty()) append("remarks", json_texts(learned.remarks));
  append_json_list(out, "edges", edges_of(network.loadings()), "");
  return out + "}\n";
}

}  // namespace orrery::model
