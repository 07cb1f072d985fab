#include "family/posterior_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <numeric>

#include "base/progress.hpp"
#include "cli/printing.hpp"
#include "family/matched_rows.hpp"
#include "orrery/base/error.hpp"
#include "report/sheet.hpp"

namespace orrery::family {
namespace {

constexpr const char* method_names[] = {"exact", "sampled", "impossible"};

std::string join_names(const std::vector<std::string>& names, const char* between) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : between) + name;
  return text;
}

/// Where each row's entries begin.
struct Cursor {
  std::size_t row = 0, entry = 0, present = 0;
};

/// The entries of a row, the most probable first.
std::vector<std::size_t> listed(const store::PosteriorRows& rows, const Cursor& at) {
  std::vector<std::size_t> entries(rows.n_listed[at.row]);
  std::iota(entries.begin(), entries.end(), at.entry);
  std::ranges::stable_sort(entries, [&](std::size_t a, std::size_t b) {
    return rows.probability[a] > rows.probability[b];
  });
  return entries;
}

struct NamedState {
  double log_probability;
  bool proven;
  std::vector<std::string> present;
};

/// The explanations of a row; moves on to the next.
std::vector<NamedState> next_states(const store::PosteriorRows& rows, std::uint32_t top, Cursor& at,
                                    const RowWords& words) {
  std::vector<NamedState> states;
  for (std::size_t i = at.row * top; i < (at.row + 1) * top; ++i) {
    NamedState state{rows.log_probability[i], rows.proven[i] != 0, {}};
    for (std::uint64_t k = 0; k < rows.n_present[i]; ++k) {
      state.present.push_back(words.causes[rows.present[at.present++]]);
    }
    if (!std::isnan(state.log_probability)) states.push_back(std::move(state));
  }
  at.entry += rows.n_listed[at.row];
  ++at.row;
  return states;
}

std::vector<std::string> observed_names(const std::vector<std::uint32_t>& observed,
                                        const RowWords& words) {
  std::vector<std::string> names;
  names.reserve(observed.size());
  for (const std::uint32_t a : observed) names.push_back(words.findings[a]);
  return names;
}

}  // namespace

void add_posterior_options(boost::program_options::options_description& options) {
  namespace po = boost::program_options;
  options.add_options()("min-posterior",
                        po::value<double>()->value_name("P")->default_value(.001, "0.001"),
                        "list causes that are at least this likely")(
      "top", po::value<std::uint64_t>()->value_name("K")->default_value(1),
      "most probable explanations (states of all causes) of each row");
}

PosteriorOptions posterior_options(const cli::Arguments& arguments, std::uint32_t most_top) {
  PosteriorOptions options;
  const auto top = arguments.get<std::uint64_t>("top");
  if (top > most_top) {
    throw UsageError(fmt::format("--top {}: must be 0 to {}", top, most_top));
  }
  options.top = static_cast<std::uint32_t>(top);
  options.min_posterior = arguments.get<double>("min-posterior");
  if (!(options.min_posterior >= 0 && options.min_posterior <= 1)) {
    throw UsageError(
        fmt::format("--min-posterior {}: must be a probability, 0 to 1", options.min_posterior));
  }
  return options;
}

std::string percent(double probability, double error) {
  const std::string text = fmt::format("{:.3g} %", 100 * probability);
  return error > 0 ? text + fmt::format(" (+-{:.2g})", 100 * error) : text;
}

void InferenceSummary::add(const store::PosteriorRows& rows, std::uint32_t top) {
  n_rows += rows.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ++n_of_method[rows.method[i]];
    if (std::isfinite(rows.log_evidence[i])) sum_log_evidence += rows.log_evidence[i];
    bool all_proven = true;
    for (std::size_t k = i * top; k < (i + 1) * top; ++k) {
      all_proven = all_proven && (rows.proven[k] != 0 || std::isnan(rows.log_probability[k]));
    }
    if (!all_proven) ++n_unproven;
  }
  for (const double error : rows.error) largest_error = std::max(largest_error, error);
}

nlohmann::json summary_json(const InferenceSummary& summary) {
  const std::uint64_t n_possible = summary.n_rows - summary.n_of_method[2];
  return {{"rows", summary.n_rows},
          {"exact", summary.n_of_method[0]},
          {"sampled", summary.n_of_method[1]},
          {"impossible", summary.n_of_method[2]},
          {"unproven_explanations", summary.n_unproven},
          {"largest_error", summary.largest_error},
          {"mean_log_evidence", n_possible == 0
                                    ? nlohmann::json(nullptr)
                                    : report::finite_or_null(summary.sum_log_evidence /
                                                             static_cast<double>(n_possible))}};
}

std::string describe_summary(const InferenceSummary& summary) {
  std::string text = fmt::format("{} rows: {} exact", format_count(summary.n_rows),
                                 format_count(summary.n_of_method[0]));
  if (summary.n_of_method[1] > 0) {
    text += fmt::format(", {} sampled (posteriors within {:.2g})",
                        format_count(summary.n_of_method[1]), summary.largest_error);
  }
  if (summary.n_of_method[2] > 0) {
    text += fmt::format(", {} impossible", format_count(summary.n_of_method[2]));
  }
  if (summary.n_unproven > 0) {
    text += fmt::format("; in {} a more probable explanation may have been missed",
                        format_count(summary.n_unproven));
  }
  return text;
}

nlohmann::json rows_json(const ShownRows& shown, std::uint32_t top, const RowWords& words) {
  nlohmann::json list = nlohmann::json::array();
  const store::PosteriorRows& rows = shown.rows;
  Cursor at;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    nlohmann::json causes = nlohmann::json::array();
    for (const std::size_t entry : listed(rows, at)) {
      causes.push_back({{"name", words.causes[rows.cause[entry]]},
                        {"posterior", rows.probability[entry]},
                        {"error", rows.error[entry]},
                        {"prior", words.priors[rows.cause[entry]]}});
    }
    nlohmann::json explanations = nlohmann::json::array();
    for (const NamedState& state : next_states(rows, top, at, words)) {
      explanations.push_back({{"present", state.present},
                              {"probability", std::exp(state.log_probability)},
                              {"proven", state.proven}});
    }
    list.push_back({{"row", i},
                    {"findings", observed_names(shown.positive[i], words)},
                    {"missing", shown.n_missing[i]},
                    {"method", method_names[rows.method[i]]},
                    {"log_evidence", report::finite_or_null(rows.log_evidence[i])},
                    {"log_evidence_error", report::finite_or_null(rows.log_evidence_error[i])},
                    {"causes", std::move(causes)},
                    {"explanations", std::move(explanations)}});
  }
  return list;
}

std::string describe_rows(const ShownRows& shown, std::uint32_t top, const RowWords& words) {
  std::string text;
  const store::PosteriorRows& rows = shown.rows;
  Cursor at;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto findings = observed_names(shown.positive[i], words);
    text += fmt::format(
        "row {}: {}{}\n", i, findings.empty() ? "nothing present" : join_names(findings, ", "),
        shown.n_missing[i] > 0 ? fmt::format("; {} not known", shown.n_missing[i]) : "");
    if (rows.method[i] == 2) {
      text += "  impossible under this network\n";
      (void)next_states(rows, top, at, words);
      continue;
    }
    text += fmt::format("  one such row in {:.3g}{}\n", std::exp(-rows.log_evidence[i]),
                        rows.method[i] == 1
                            ? fmt::format(" (sampled: log evidence {:.3f} +- {:.2g} nats)",
                                          rows.log_evidence[i], rows.log_evidence_error[i])
                            : "");
    for (const std::size_t entry : listed(rows, at)) {
      text += fmt::format(
          "  {:>18}  {}  ({} in general)\n", percent(rows.probability[entry], rows.error[entry]),
          words.causes[rows.cause[entry]], percent(words.priors[rows.cause[entry]], 0));
    }
    for (const NamedState& state : next_states(rows, top, at, words)) {
      text += fmt::format("  explanation: {} ({}{})\n",
                          state.present.empty() ? "no cause" : join_names(state.present, " and "),
                          percent(std::exp(state.log_probability), 0),
                          state.proven ? "" : "; a more probable one may have been missed");
    }
  }
  return text;
}

std::vector<std::byte> pack_answers(const store::PosteriorRows& rows) {
  std::vector<std::byte> bytes;
  pack(0, rows, bytes);
  return bytes;
}

store::PosteriorRows unpack_answers(const std::vector<std::byte>& bytes, std::size_t n_rows) {
  return unpack_batch<store::PosteriorRows>(bytes, n_rows);
}

void require_inference_output(const cli::Arguments& arguments, const std::string& data,
                              std::uint64_t n_rows, bool fits_screen) {
  if (arguments.has("output")) {
    (void)arguments.output();
  } else if (n_rows > most_shown_rows && !fits_screen && !arguments.dry_run()) {
    throw UsageError(
        fmt::format("-o FILE is missing: {} has {} rows, and at most {} are shown on the screen",
                    data, n_rows, most_shown_rows));
  }
}

void print_inference(const cli::Arguments& arguments, nlohmann::json object, std::string text) {
  const std::string output = arguments.text("output");
  if (!output.empty()) {
    object["output"] = output;
    text += "\nwritten to " + output;
  }
  // Without a file the text is what was asked for.
  if (output.empty() && !arguments.json()) {
    std::cout << text << '\n';
  } else {
    cli::print_done(arguments, object, text);
  }
}

}  // namespace orrery::family
