#include "cli/printing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/progress.hpp"

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
    std::cout << report::as_text(sheet);
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

void print_plan(const Arguments& arguments, const learning::Plan& plan) {
  if (arguments.json()) {
    nlohmann::json object{
        {"memory_bytes_per_rank", plan.memory_bytes}, {"units", plan.units}, {"unit", plan.unit}};
    if (plan.seconds) object["seconds"] = *plan.seconds;
    if (plan.processor_seconds > 0) object["processor_seconds"] = plan.processor_seconds;
    for (const auto& [name, bytes] : plan.memory) object["memory_bytes"][name] = bytes;
    for (const auto& [name, seconds] : plan.stages) object["stage_seconds"][name] = seconds;
    if (!plan.not_forecast.empty()) object["not_forecast"] = {plan.not_forecast};
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
}

namespace {

/// Of the last digits of functions whose code the C library chooses by the processor.
std::uint64_t digits_of_functions() {
  std::uint64_t digits = 0;
  for (int i = 1; i <= 4096; ++i) {
    const double x = i * 0.0137;
    for (const double value : {std::exp(-x), std::log(x), std::log1p(x), std::pow(x, 0.37)}) {
      digits = std::rotl(digits, 7) ^ std::bit_cast<std::uint64_t>(value);
    }
  }
  return digits;
}

/// Vendor, family and model; 0 where the system does not tell.
std::uint64_t model_of_processor() {
  std::ifstream file("/proc/cpuinfo");
  std::string model;
  for (std::string line; std::getline(file, line) && !line.empty();) {
    for (const char* key : {"vendor_id", "cpu family", "model\t"}) {
      if (line.starts_with(key)) model += line + '\n';
    }
  }
  return model.empty() ? 0 : std::hash<std::string>{}(model);
}

/// The first rank, by its place in `of_ranks`, that has another value than rank 0; 0: none has.
std::size_t first_other(const std::vector<std::uint64_t>& of_ranks, std::size_t n,
                        std::size_t which) {
  for (std::size_t rank = 1; rank < n; ++rank) {
    if (of_ranks[2 * rank + which] != of_ranks[which]) return rank;
  }
  return 0;
}

}  // namespace

void warn_of_mixed_processors(const parallel::Team& team) {
  if (team.size() == 1) return;
  const auto all =
      team.gather(std::vector<std::uint64_t>{digits_of_functions(), model_of_processor()});
  if (!team.is_root()) return;
  const auto n = static_cast<std::size_t>(team.size());
  const std::size_t other_digits = first_other(all, n, 0);
  const std::size_t other_model = first_other(all, n, 1);
  if (other_digits == 0 && other_model == 0) return;
  const std::size_t rank = other_digits > 0 ? other_digits : other_model;
  log::warning(
      "the processors of rank 0 on {} and rank {} on {} {}: the last digits of the result may be "
      "others than on hosts of one kind, which is where the same bytes are promised",
      team.hosts()[0], rank, team.hosts()[rank],
      other_digits > 0 ? "give exponentials or logarithms other last digits"
                       : "are of different models");
}

}  // namespace orrery::cli
