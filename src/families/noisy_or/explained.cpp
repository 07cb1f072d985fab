#include "families/noisy_or/explained.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "family/posterior_rows.hpp"

namespace orrery::noisy_or {

nlohmann::json explained_json(std::uint64_t row, const std::vector<ExplainedCause>& causes,
                              const model::NoisyOrNetwork& network) {
  nlohmann::json list = nlohmann::json::array();
  for (const ExplainedCause& cause : causes) {
    nlohmann::json findings = nlohmann::json::array();
    for (const auto& finding : cause.evidence.findings) {
      findings.push_back({{"name", network.observed()[finding.observed].name},
                          {"present", finding.positive},
                          {"weight", finding.weight}});
    }
    list.push_back({{"name", network.causes()[cause.cause].name},
                    {"posterior", cause.posterior},
                    {"error", cause.error},
                    {"prior_log_odds", cause.evidence.prior_log_odds},
                    {"log_odds", cause.evidence.log_odds},
                    {"findings", std::move(findings)}});
  }
  return {{"row", row}, {"causes", std::move(list)}};
}

std::string describe_explained(std::uint64_t row, const std::vector<ExplainedCause>& causes,
                               const model::NoisyOrNetwork& network) {
  constexpr std::size_t shown = 10;
  std::string text;
  const auto line = [&](const model::FindingWeight& finding) {
    text += fmt::format("    {:+8.3f}  odds x {:<9.3g} {} {}\n", finding.weight,
                        std::exp(finding.weight), network.observed()[finding.observed].name,
                        finding.positive ? "present" : "absent");
  };
  for (const ExplainedCause& cause : causes) {
    text += fmt::format("row {}, {}: {}, {} in general; log odds {:.3f}, {:.3f} in general\n", row,
                        network.causes()[cause.cause].name,
                        family::percent(cause.posterior, cause.error),
                        family::percent(network.causes()[cause.cause].prior, 0),
                        cause.evidence.log_odds, cause.evidence.prior_log_odds);
    const auto& findings = cause.evidence.findings;
    const auto against = std::ranges::find_if(
        findings, [](const model::FindingWeight& finding) { return finding.weight < 0; });
    const auto n_for = static_cast<std::size_t>(against - findings.begin());
    const std::size_t n_against = findings.size() - n_for;
    text += fmt::format("  for it: {}\n", n_for);
    for (std::size_t i = 0; i < std::min(n_for, shown); ++i) line(findings[i]);
    text += fmt::format("  against it: {}\n", n_against);
    for (std::size_t i = 0; i < std::min(n_against, shown); ++i)
      line(findings[findings.size() - 1 - i]);
  }
  return text + "A weight is what the log odds would lose if nobody had looked at the finding.\n";
}

}  // namespace orrery::noisy_or
