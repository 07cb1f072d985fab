// What samples say of the model: likelihoods beside those of the baselines, and the patterns that
// the model foretells worst.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/noisy_or/page/view.hpp"
#include "families/noisy_or/scores/predictive_check.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
namespace {

constexpr std::size_t max_patterns = 10;
constexpr std::size_t max_pattern_name = 28;

std::string likelihood_row(const char* name, const std::optional<double>& value,
                           const std::string& meaning) {
  if (!value) return "";
  return fmt::format(
      "<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", name,
      std::isfinite(*value) ? fmt::format("{:.4f}", *value) : std::string("&#8722;&#8734;"),
      meaning);
}

std::string likelihoods(const DataScores& scores) {
  const std::string trained =
      fmt::format("fitted to {}", report::count_of(scores.n_train, "training sample"));
  std::string out = fmt::format(
      "<section><h2>Likelihood <small>{}</small></h2><p class=\"note\">Mean log-likelihood a "
      "sample "
      "in nats; higher is better.{}</p><table class=\"scores\"><tbody>\n",
      report::count_of(scores.n_samples, "sample"),
      scores.held_out ? "" : " These are the samples that the model was learned from.");
  out += likelihood_row("this model", scores.model, "");
  out += likelihood_row("true network", scores.truth, "");
  out += likelihood_row("Chow-Liu tree", scores.chow_liu, "best without hidden causes, " + trained);
  out += likelihood_row("mixture", scores.mixture,
                        fmt::format("{} of rows, the variables independent in each, {}",
                                    report::count_of(scores.n_components, "kind"), trained));
  out += likelihood_row("independence", scores.independent, trained);
  return out + "</tbody></table></section>\n";
}

std::string pattern_row(const PatternCheck& check, const model::NoisyOrNetwork& network) {
  std::string names;
  for (const std::uint32_t a : check.variables) {
    if (!names.empty()) names += " &#183; ";
    names += report::escape(report::shorten(network.observed()[a].name, max_pattern_name));
  }
  return fmt::format(
      "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{:.1f}</td><td "
      "class=\"n\">{:+.1f}</td></tr>\n",
      names, format_count(check.observed), check.expected, check.z);
}

std::string patterns(const char* what, std::span<const PatternCheck> checks,
                     const model::NoisyOrNetwork& network) {
  if (checks.empty()) return "";
  std::string out = fmt::format(
      "<section><h2>Worst {} <small>{:.1f} % of {} beyond {} standard deviations</small></h2>"
      "<p class=\"note\">Samples in which all of them are off: counted, and expected by the "
      "model.</p><div class=\"scroll\" tabindex=\"0\"><table class=\"patterns\"><thead><tr>"
      "<th scope=\"col\">variables</th>",
      what, 100 * share_surprising(checks), format_count(checks.size()), surprising_z);
  for (const char* heading : {"counted", "expected", "z"}) {
    append_text(out, "<th scope=\"col\" class=\"n\">{}</th>", heading);
  }
  out += "</tr></thead><tbody>\n";
  for (const auto& check : checks.first(std::min(checks.size(), max_patterns))) {
    out += pattern_row(check, network);
  }
  return out + "</tbody></table></div></section>\n";
}

}  // namespace

std::string data_section(const ReportInput& input) {
  if (input.scores == nullptr) return "";
  const DataScores& scores = *input.scores;
  const bool any = scores.model || scores.truth || scores.chow_liu;
  std::string out = any ? likelihoods(scores) : "";
  const std::string checks = patterns("pairs", scores.check.pairs, input.model->network) +
                             patterns("triples", scores.check.triples, input.model->network);
  return checks.empty() ? out : out + "<div class=\"columns\">" + checks + "</div>\n";
}

}  // namespace orrery::noisy_or
