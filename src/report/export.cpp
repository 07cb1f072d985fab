#include "orrery/report/export.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string_view>
#include <vector>

#include "orrery/base/error.hpp"
#include "orrery/model/network_json.hpp"
#include "report/export_formats.hpp"
#include "report/text.hpp"
#include "report/view.hpp"

namespace orrery::report {
namespace {

/// Quoted where a comma, quote, line end or outer blank would be misread.
std::string csv_field(const std::string& text) {
  const bool blank = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!blank && text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

/// A number, or nothing where it is not known.
std::string csv_number(const std::vector<double>& values, std::size_t index) {
  if (index >= values.size() || !std::isfinite(values[index])) return "";
  return fmt::format("{}", values[index]);
}

std::string csv_support(const model::LearnedModel& model, std::size_t cause) {
  const std::uint64_t support = provenance_of(model, cause).support;
  return support == 0 ? "" : fmt::format("{}", support);
}

struct Format {
  std::string_view name;
  std::string (*write)(const model::LearnedModel&);
};
constexpr Format formats[] = {{"json", model::to_network_json},
                              {"csv", to_csv},
                              {"dot", to_dot},
                              {"graphml", to_graphml},
                              {"bif", to_bif}};

}  // namespace

std::string to_csv(const model::LearnedModel& model) {
  const model::NoisyOrNetwork& network = model.network;
  std::string out =
      "cause,prior,observed,leak,failure,prior_error,leak_error,failure_error,support,stability,"
      "edge_stability\n";
  for (std::size_t i = 0; i < network.edges().size(); ++i) {
    const model::Edge& edge = network.edges()[i];
    const model::Cause& cause = network.causes()[edge.cause];
    const model::Observed& observed = network.observed()[edge.observed];
    fmt::format_to(
        std::back_inserter(out), "{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(cause.name),
        cause.prior, csv_field(observed.name), observed.leak, edge.failure,
        csv_number(model.errors.prior, edge.cause), csv_number(model.errors.leak, edge.observed),
        csv_number(model.errors.failure, i), csv_support(model, edge.cause),
        csv_number(model.stability.cause, edge.cause), csv_number(model.stability.edge, i));
  }
  return out;
}

std::string export_model(const model::LearnedModel& model, const std::string& format) {
  std::string known;
  for (const Format& candidate : formats) {
    if (candidate.name == format) return candidate.write(model);
    known += fmt::format("{}{}", known.empty() ? "" : ", ", candidate.name);
  }
  throw UsageError(
      fmt::format("--format '{}' is not known: give one of {}", shorten(format, 40), known));
}

}  // namespace orrery::report
