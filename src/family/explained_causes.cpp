#include "family/explained_causes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <charconv>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/text.hpp"
#include "cli/arguments.hpp"
#include "cli/printing.hpp"
#include "data/cells.hpp"
#include "family/answers.hpp"
#include "family/posterior_rows.hpp"
#include "orrery/base/error.hpp"

namespace orrery::family {
namespace {

namespace po = boost::program_options;

constexpr double weighs_nothing = 1e-9;
constexpr std::size_t most_in_sentence = 5;

/// "fever present", "colour = red".
std::string shown(const WeighedFinding& finding) {
  return fmt::format("{}{}{}", finding.name, finding.present ? " " : " = ", finding.value);
}

/// "fever present (odds x 79.5), cough present (odds x 6.3) and 3 more"
std::string list_of(const std::vector<const WeighedFinding*>& findings) {
  std::string text;
  const std::size_t n = std::min(findings.size(), most_in_sentence);
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_last = i + 1 == findings.size();
    append_text(text, "{}{} (odds x {:.3g})",
                i == 0    ? ""
                : is_last ? " and "
                          : ", ",
                shown(*findings[i]), std::exp(findings[i]->weight));
  }
  if (n < findings.size()) append_text(text, " and {} more", findings.size() - n);
  return text;
}

const char* speak(std::size_t n) { return n == 1 ? "speaks" : "speak"; }

}  // namespace

void add_explain_options(po::options_description& options) {
  options.add_options()(
      "explain", po::value<std::string>()->value_name("ROW")->implicit_value("", "the rows shown"),
      "which findings speak for and against the likely causes, and how strongly: a sentence for "
      "each, of the rows on the screen; of one ROW (the first is 0) all findings with their "
      "weights")("cause", po::value<std::string>()->value_name("NAME"),
                 "with --explain: the cause to explain");
}

ExplainOptions explain_options(const cli::Arguments& arguments) {
  ExplainOptions options;
  options.is_asked = arguments.has("explain");
  if (arguments.has("cause") && !options.is_asked) {
    throw UsageError("--cause says what --explain explains; give both");
  }
  if (!options.is_asked) return options;
  if (arguments.has("checkpoint")) {
    throw UsageError("--explain looks at few rows, which is soon done; leave out --checkpoint");
  }
  if (!answer_place(arguments).is_screen()) {
    throw UsageError(
        "--explain speaks of rows on the screen and writes no file; leave out -o and "
        "--format");
  }
  options.cause = arguments.text("cause");
  const std::string text = arguments.text("explain");
  if (text.empty()) return options;
  std::uint64_t row = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), row);
  if (error != std::errc() || rest != text.data() + text.size()) {
    throw UsageError(
        fmt::format("--explain {}: must be the number of a row (the first is 0), or "
                    "nothing",
                    data::in_quotes(text)));
  }
  options.row = row;
  return options;
}

void require_row(const ExplainOptions& options, std::uint64_t n_rows) {
  if (!options.row || *options.row < n_rows) return;
  throw UsageError(fmt::format("--explain {}: the data have {} row{}; the first is 0", *options.row,
                               n_rows, n_rows == 1 ? "" : "s"));
}

std::vector<std::uint32_t> likely_causes(const ExplainOptions& options,
                                         const std::vector<double>& posteriors) {
  const double is_likely = options.row ? 0 : .05;
  const std::size_t most = options.row ? 3 : 5;
  std::vector<std::uint32_t> causes(posteriors.size());
  std::iota(causes.begin(), causes.end(), 0U);
  std::ranges::stable_sort(
      causes, [&](std::uint32_t a, std::uint32_t b) { return posteriors[a] > posteriors[b]; });
  std::size_t n = 0;
  while (n < std::min(causes.size(), most) && (n == 0 || posteriors[causes[n]] >= is_likely)) ++n;
  causes.resize(n);
  return causes;
}

double log_odds(double present, double absent) {
  constexpr double most = 700;
  return std::clamp(std::log(present) - std::log(absent), -most, most);
}

void sort_findings(std::vector<WeighedFinding>& findings) {
  std::erase_if(findings, [](const WeighedFinding& finding) {
    return !(std::abs(finding.weight) > weighs_nothing);
  });
  std::ranges::stable_sort(findings, [](const WeighedFinding& a, const WeighedFinding& b) {
    return a.weight > b.weight;
  });
}

std::string sentence_of(const ExplainedCause& cause) {
  std::vector<const WeighedFinding*> in_favour;
  std::vector<const WeighedFinding*> against;
  for (const WeighedFinding& finding : cause.findings) {
    (finding.weight > 0 ? in_favour : against).push_back(&finding);
  }
  std::ranges::reverse(against);  // the most against it first
  const std::string begin =
      fmt::format("{} is {} likely ({} in general): ", cause.name,
                  percent(cause.posterior, cause.error), percent(cause.prior, 0));
  if (cause.findings.empty()) return begin + "no finding speaks for it or against it.";
  const std::string first =
      in_favour.empty() ? "no finding speaks for it"
                        : fmt::format("{} {} for it", list_of(in_favour), speak(in_favour.size()));
  const std::string second =
      against.empty() ? "none against it"
                      : fmt::format("{} {} against it", list_of(against), speak(against.size()));
  return fmt::format("{}{}; {}.", begin, first, second);
}

std::string describe(const std::vector<ExplainedCause>& causes) {
  std::string text;
  for (const ExplainedCause& cause : causes) append_text(text, "  {}\n", sentence_of(cause));
  return text;
}

std::string describe_in_detail(const std::string& row, const std::vector<ExplainedCause>& causes) {
  constexpr std::size_t most_listed = 10;
  std::string text;
  const auto line = [&](const WeighedFinding& finding) {
    append_text(text, "    {:+8.3f}  odds x {:<9.3g} {}\n", finding.weight,
                std::exp(finding.weight), shown(finding));
  };
  for (const ExplainedCause& cause : causes) {
    append_text(text, "row {}, {}: {}, {} in general; log odds {:.3f}, {:.3f} in general\n", row,
                cause.name, percent(cause.posterior, cause.error), percent(cause.prior, 0),
                cause.log_odds, cause.prior_log_odds);
    const auto& findings = cause.findings;
    const auto against = std::ranges::find_if(
        findings, [](const WeighedFinding& finding) { return finding.weight < 0; });
    const auto n_for = static_cast<std::size_t>(against - findings.begin());
    const std::size_t n_against = findings.size() - n_for;
    append_text(text, "  for it: {}\n", n_for);
    for (std::size_t i = 0; i < std::min(n_for, most_listed); ++i) line(findings[i]);
    append_text(text, "  against it: {}\n", n_against);
    for (std::size_t i = 0; i < std::min(n_against, most_listed); ++i) {
      line(findings[findings.size() - 1 - i]);
    }
  }
  return text + "A weight is what the log odds would lose if nobody had looked at the finding.\n";
}

nlohmann::json as_json(const std::vector<ExplainedCause>& causes) {
  nlohmann::json list = nlohmann::json::array();
  for (const ExplainedCause& cause : causes) {
    nlohmann::json findings = nlohmann::json::array();
    for (const WeighedFinding& finding : cause.findings) {
      nlohmann::json entry{{"name", finding.name}, {"weight", finding.weight}};
      if (finding.present) {
        entry["present"] = *finding.present;
      } else {
        entry["value"] = finding.value;
      }
      findings.push_back(std::move(entry));
    }
    list.push_back({{"name", cause.name},
                    {"posterior", cause.posterior},
                    {"error", cause.error},
                    {"prior_log_odds", cause.prior_log_odds},
                    {"log_odds", cause.log_odds},
                    {"findings", std::move(findings)},
                    {"sentence", sentence_of(cause)}});
  }
  return list;
}

void print_explained(const cli::Arguments& arguments, std::uint64_t row,
                     const std::vector<ExplainedCause>& causes) {
  const data::RowNames names = names_of_rows(arguments);
  if (arguments.json()) {
    nlohmann::json told{{"row", row}};
    if (row < names.size()) told["row_name"] = names.at(row);
    told["causes"] = as_json(causes);
    cli::print_json(told);
  } else {
    std::cout << describe_in_detail(name_of_row(row, names), causes);
  }
}

}  // namespace orrery::family
