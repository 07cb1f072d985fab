#include "cli/printing.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "base/work_time.hpp"
#include "orrery/base/error.hpp"

namespace orrery::cli {
namespace {

/// " (program 20 MB, bits 5 MB)"
std::string describe_parts(const learning::Parts& parts) {
  std::string text;
  for (const auto& [name, bytes] : parts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, format_bytes(bytes));
  }
  std::ranges::replace(text, '_', ' ');
  return text.empty() ? text : fmt::format(" ({})", text);
}

}  // namespace

void print_json(const nlohmann::json& object) {
  constexpr auto replace = nlohmann::json::error_handler_t::replace;
  std::cout << object.dump(2, ' ', false, replace) << '\n';
}

void print_sheet(const Arguments& arguments, const report::Sheet& sheet) {
  if (arguments.json()) {
    print_json(report::as_json(sheet));
  } else {
    std::cout << report::as_text(sheet, {.has_every_row = arguments.verbose(),
                                         .has_colours = log::shows_colours(STDOUT_FILENO)});
  }
}

void print_done(const Arguments& arguments, const nlohmann::json& object, const std::string& line) {
  if (arguments.json()) {
    print_json(object);
  } else if (!arguments.quiet()) {
    std::cout << line << '\n';
  }
}

void warn_of_constants(const std::vector<std::string>& constant, std::size_t n_columns,
                       const std::string& input) {
  if (constant.empty()) return;
  log::warning(
      "{}: {} constant column(s), the first is {}: nothing can be learned from them; `orrery "
      "info` lists them",
      input, constant.size(), constant.front());
  if (2 * constant.size() <= n_columns) return;
  log::warning(
      "{}: most columns are constant ({} of {}): look whether the values were read as they are "
      "meant, above all what was named as missing (--missing) and what as on and off",
      input, constant.size(), n_columns);
}

void log_stages(const store::RunInfo& run) {
  for (const Stage& stage : run.stages) {
    log::verbose("{}: {}{}{}", stage.name, format_duration(stage.seconds),
                 stage.units > 0 ? fmt::format(", {} units", format_count(stage.units)) : "",
                 stage.imbalance > 0 ? fmt::format(", imbalance {:.3f}", stage.imbalance) : "");
  }
}

TextOutput::TextOutput(const std::string& path) {
  if (!path.empty()) file_.emplace(path);
}

void TextOutput::write(std::string_view piece) {
  if (file_) {
    file_->write(piece);
  } else if (!std::cout.write(piece.data(), static_cast<std::streamsize>(piece.size()))) {
    throw EnvironmentError("standard output: cannot be written; write to a file with -o FILE");
  }
}

void TextOutput::finish() {
  if (file_) {
    file_->finish();
  } else if (!std::cout.flush()) {
    throw EnvironmentError("standard output: cannot be written; write to a file with -o FILE");
  }
}

std::vector<int> asked_ranks(const Arguments& arguments) {
  constexpr int most = 1'000'000;
  std::vector<int> ranks;
  if (!arguments.has("ranks")) return ranks;
  const std::string text = arguments.text("ranks");
  for (const char *at = text.data(), *end = at + text.size();; ++at) {
    int& n = ranks.emplace_back();
    const auto [rest, error] = std::from_chars(at, end, n);
    if (error != std::errc() || n < 1 || n > most || (rest != end && *rest != ',')) {
      throw UsageError(
          fmt::format("--ranks {}: must be numbers from 1 to {}, such as 16,64,256", text, most));
    }
    if (rest == end) return ranks;
    at = rest;
  }
}

void tell_scaling(const Arguments& arguments, const std::vector<learning::StageCost>& costs,
                  report::Sheet& sheet) {
  const std::vector<int> ranks = asked_ranks(arguments);
  if (ranks.empty()) return;
  report::Section& section = sheet.section("", "");
  report::Table& table = section.table(
      "scaling",
      fmt::format("on other numbers of ranks, of {} thread(s) each", arguments.threads()));
  for (const learning::Scaled& scaled : learning::scale(costs, arguments.threads(), ranks)) {
    table.row()
        .tell("ranks", scaled.ranks, "ranks",
              format_count(static_cast<std::uint64_t>(scaled.ranks)))
        .tell("seconds", scaled.seconds, "time", format_duration(scaled.seconds))
        .tell("efficiency", scaled.efficiency, "efficiency",
              fmt::format("{:.2f}", scaled.efficiency))
        .tell("limit", scaled.limit, "limited by", scaled.limit)
        .tell("limit_seconds", scaled.limit_seconds, "with", format_duration(scaled.limit_seconds));
  }
  report::Table& stages = section.table("stage_costs", "what each stage costs, in seconds");
  for (const learning::StageCost& cost : costs) {
    stages.row()
        .tell("stage", cost.stage, "stage", cost.stage)
        .tell("alone", cost.alone, "of each rank", fmt::format("{:.3f}", cost.alone + cost.waited))
        .data("waited", cost.waited)
        .tell("shared", cost.shared, "shared", fmt::format("{:.3f}", cost.shared))
        .tell("longest", cost.longest, "longest units", fmt::format("{:.3f}", cost.longest))
        .tell("messages", cost.messages, "sums", fmt::format("{:.0f}", cost.messages))
        .tell("bytes", cost.bytes, "bytes", format_bytes(cost.bytes))
        .tell("exchanged", cost.exchanged, "exchanged", format_bytes(cost.exchanged));
  }
}

void print_plan(const Arguments& arguments, const learning::Plan& plan) {
  if (arguments.json()) {
    nlohmann::json object{
        {"memory_bytes_per_rank", plan.memory_bytes}, {"units", plan.units}, {"unit", plan.unit}};
    if (plan.seconds) object["seconds"] = *plan.seconds;
    if (plan.processor_seconds > 0) object["processor_seconds"] = plan.processor_seconds;
    for (const auto& [name, bytes] : plan.memory) object["memory_bytes"][name] = bytes;
    for (const auto& [name, seconds] : plan.stages) object["stage_seconds"][name] = seconds;
    if (!plan.not_forecast.empty()) object["not_forecast"] = {plan.not_forecast};
    report::Sheet sheet;
    tell_scaling(arguments, plan.costs, sheet);
    object.update(report::as_json(sheet));
    print_json(object);
    return;
  }
  std::cout << fmt::format("memory per rank: {}{}\nwork: {} {}\n", format_bytes(plan.memory_bytes),
                           describe_parts(plan.memory), format_count(plan.units), plan.unit);
  if (!plan.seconds) return;
  const std::string processor =
      plan.processor_seconds < 0.1
          ? ""
          : fmt::format(" ({} of processors)", format_duration(plan.processor_seconds));
  std::cout << fmt::format(
      "time: {}{}{}\n",
      *plan.seconds < 0.1 ? "under 0.1 s" : "about " + format_duration(*plan.seconds), processor,
      plan.not_forecast.empty()
          ? ""
          : fmt::format(" without the {}: how long that takes depends on the data, from less than "
                        "this to hundreds of times as long; --time-limit TIME ends it",
                        plan.not_forecast));
  report::Sheet sheet;
  tell_scaling(arguments, plan.costs, sheet);
  std::cout << report::as_text(sheet, {.has_every_row = true});
}

}  // namespace orrery::cli
