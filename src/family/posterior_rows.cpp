#include "family/posterior_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "cli/arguments.hpp"
#include "family/answers.hpp"
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

std::vector<std::string> names_at(std::span<const std::uint32_t> places,
                                  const std::vector<std::string>& names) {
  std::vector<std::string> found;
  found.reserve(places.size());
  for (const std::uint32_t place : places) found.push_back(names[place]);
  return found;
}

}  // namespace

void add_posterior_options(boost::program_options::options_description& options) {
  namespace po = boost::program_options;
  options.add_options()(
      "min-posterior", po::value<double>()->value_name("P")->default_value(.001, "0.001"),
      "list causes that are at least this likely (all of them in a CSV, unless "
      "this is given)")("top", po::value<std::uint64_t>()->value_name("K")->default_value(1),
                        "most probable explanations (states of all causes) of each row");
}

PosteriorOptions posterior_options(const cli::Arguments& arguments, std::uint32_t most_top) {
  PosteriorOptions options;
  const auto top = arguments.get<std::uint64_t>("top");
  if (top > most_top) {
    throw UsageError(fmt::format("--top {}: must be 0 to {}", top, most_top));
  }
  options.top = static_cast<std::uint32_t>(top);
  options.min_posterior = least_posterior(arguments);
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
  std::string text =
      fmt::format("{} row{}: {} exact", format_count(summary.n_rows),
                  summary.n_rows == 1 ? "" : "s", format_count(summary.n_of_method[0]));
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

std::vector<std::size_t> FoundRow::by_probability() const {
  std::vector<std::size_t> places(causes.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(
      places, [&](std::size_t a, std::size_t b) { return probabilities[a] > probabilities[b]; });
  return places;
}

void for_each_row(const store::PosteriorRows& rows, std::uint32_t top,
                  const std::function<void(const FoundRow& found)>& visit) {
  std::size_t entry = 0;
  std::size_t present = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto n = static_cast<std::size_t>(rows.n_listed[i]);
    FoundRow found{i,
                   std::span(rows.cause).subspan(entry, n),
                   std::span(rows.probability).subspan(entry, n),
                   std::span(rows.error).subspan(entry, n),
                   {}};
    entry += n;
    for (std::size_t k = i * top; k < (i + 1) * top; ++k) {
      const auto n_present = static_cast<std::size_t>(rows.n_present[k]);
      if (!std::isnan(rows.log_probability[k])) {
        found.explanations.push_back({rows.log_probability[k], rows.proven[k] != 0,
                                      std::span(rows.present).subspan(present, n_present)});
      }
      present += n_present;
    }
    visit(found);
  }
}

const char* method_name(std::uint32_t method) { return method_names[method]; }

nlohmann::json row_json(const FoundRow& found, const store::PosteriorRows& rows, std::uint64_t row,
                        const RowWords& words) {
  const std::size_t i = found.place;
  nlohmann::json causes = nlohmann::json::array();
  for (const std::size_t entry : found.by_probability()) {
    causes.push_back({{"name", words.causes[found.causes[entry]]},
                      {"posterior", found.probabilities[entry]},
                      {"error", found.errors[entry]},
                      {"prior", words.priors[found.causes[entry]]}});
  }
  nlohmann::json explanations = nlohmann::json::array();
  for (const FoundRow::State& state : found.explanations) {
    explanations.push_back({{"present", names_at(state.present, words.causes)},
                            {"probability", std::exp(state.log_probability)},
                            {"proven", state.proven}});
  }
  return {{"row", row},
          {"method", method_names[rows.method[i]]},
          {"log_evidence", report::finite_or_null(rows.log_evidence[i])},
          {"log_evidence_error", report::finite_or_null(rows.log_evidence_error[i])},
          {"causes", std::move(causes)},
          {"explanations", std::move(explanations)}};
}

nlohmann::json rows_json(const ShownRows& shown, std::uint32_t top, const RowWords& words) {
  nlohmann::json list = nlohmann::json::array();
  for_each_row(shown.rows, top, [&](const FoundRow& found) {
    nlohmann::json row = row_json(found, shown.rows, found.place, words);
    row["findings"] = names_at(shown.positive[found.place], words.findings);
    row["missing"] = shown.n_missing[found.place];
    if (!shown.explained.empty()) row["explained"] = as_json(shown.explained[found.place]);
    list.push_back(std::move(row));
  });
  return list;
}

std::string name_of_row(std::uint64_t row, const data::RowNames& names) {
  return row < names.size() ? fmt::format("{} ({})", row, names.at(row)) : fmt::format("{}", row);
}

std::string describe_rows(const ShownRows& shown, std::uint32_t top, const RowWords& words) {
  std::string text;
  const store::PosteriorRows& rows = shown.rows;
  for_each_row(rows, top, [&](const FoundRow& found) {
    const std::size_t i = found.place;
    const auto findings = names_at(shown.positive[i], words.findings);
    append_text(text, "row {}: {}{}\n", name_of_row(i, shown.names),
                findings.empty() ? "nothing present" : join_names(findings, ", "),
                shown.n_missing[i] > 0 ? fmt::format("; {} not known", shown.n_missing[i]) : "");
    if (rows.method[i] == 2) {
      text += "  impossible under this network\n";
      return;
    }
    append_text(text, "  one such row in {:.3g}{}\n", std::exp(-rows.log_evidence[i]),
                rows.method[i] == 1 ? fmt::format(" (sampled: log evidence {:.3f} +- {:.2g} nats)",
                                                  rows.log_evidence[i], rows.log_evidence_error[i])
                                    : "");
    for (const std::size_t entry : found.by_probability()) {
      const std::uint32_t cause = found.causes[entry];
      append_text(text, "  {:>18}  {}  ({} in general)\n",
                  percent(found.probabilities[entry], found.errors[entry]), words.causes[cause],
                  percent(words.priors[cause], 0));
    }
    for (const FoundRow::State& state : found.explanations) {
      append_text(text, "  explanation: {} ({}{})\n",
                  state.present.empty()
                      ? "no cause"
                      : join_names(names_at(state.present, words.causes), " and "),
                  percent(std::exp(state.log_probability), 0),
                  state.proven ? "" : "; a more probable one may have been missed");
    }
    if (!shown.explained.empty()) text += describe(shown.explained[i]);
  });
  if (!shown.explained.empty()) text += odds_remark;
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

}  // namespace orrery::family
