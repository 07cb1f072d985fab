#include "family/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "base/log.hpp"
#include "model/json_entry.hpp"
#include "orrery/base/error.hpp"
#include "store/archive.hpp"

namespace orrery::family {
namespace {

bool is_given(const cli::Arguments& arguments, const std::string& option) {
  return arguments.has(option) && !arguments.values()[option].defaulted();
}

UsageError useless(const std::string& option, const std::string& source, const std::string& holds) {
  return UsageError(
      fmt::format("--{} is of no use here: {} holds {}; leave it out", option, source, holds));
}

}  // namespace

const Family& family_of(const AnyModel& model) {
  const auto found = std::ranges::find(families(), model.type(), &Family::type);
  if (found == families().end()) throw std::logic_error("a model of a family without a table line");
  return **found;
}

store::GroupWriter group_of(const AnyModel& model) {
  const Family& family = family_of(model);
  return store::group_of_fields(family.groups.front(), [&family, model](store::Archive& archive) {
    family.fields.write(archive, model);
  });
}

std::string to_json(const AnyModel& model) {
  const Family& family = family_of(model);
  return store::json_of_fields(family.json_formats.front(), [&](store::Archive& archive) {
    family.fields.write(archive, model);
  });
}

std::string commands_for(const Family& family) {
  std::vector<std::string> commands;
  if (family.sample.run) commands.emplace_back("sample");
  for (const DepthTest& test : family.depth) {
    commands.push_back(fmt::format("depth --test {}", test.name));
  }
  if (family.infer.run) commands.emplace_back("infer");
  if (family.evaluate.run) commands.emplace_back("evaluate");
  if (family.report.run) commands.emplace_back("report");
  commands.emplace_back("export");
  return fmt::format("{} and info", fmt::join(commands, ", "));
}

void refuse(const AnyModel& model, const std::string& source, const std::string& need) {
  const Family& family = family_of(model);
  throw InputError(fmt::format("{}: holds {}, but {}; {} take what the file holds", source,
                               family.describe(model), need, commands_for(family)));
}

void refuse_command(const AnyModel& model, const std::string& source, const std::string& command) {
  const Family& family = family_of(model);
  throw InputError(fmt::format("{}: holds {}, which `orrery {}` does not take; {} do", source,
                               family.describe(model), command, commands_for(family)));
}

std::string written_as(const AnyModel& model, const std::string& format) {
  const Family& family = family_of(model);
  if (format == "json") return to_json(model);
  std::string known = "json";
  const auto is_asked_for = [&](const std::string& name) {
    known += ", " + name;
    return name == format;
  };
  for (const Format& own : family.formats) {
    if (is_asked_for(own.name)) return own.write(model);
  }
  for (const report::GraphFormat& of_graphs : report::graph_formats()) {
    if (family.graph && is_asked_for(of_graphs.name)) return of_graphs.write(family.graph(model));
  }
  for (const report::DiscreteFormat& of_tables : report::discrete_formats()) {
    if (family.discrete && is_asked_for(of_tables.name)) {
      return of_tables.write(family.discrete(model));
    }
  }
  throw UsageError(fmt::format("--format '{}' is not known for {}: give one of {}",
                               log::printable(format.substr(0, 40)), family.describe(model),
                               known));
}

std::string format_help() {
  std::vector<std::string> formats;
  for (const Family* family : families()) {
    for (const Format& format : family->formats) {
      if (std::ranges::find(formats, format.name) == formats.end()) formats.push_back(format.name);
    }
  }
  for (const report::GraphFormat& format : report::graph_formats()) {
    formats.emplace_back(format.name);
  }
  std::string help = fmt::format("{}", fmt::join(formats, ", "));
  for (const report::DiscreteFormat& format : report::discrete_formats()) {
    help += fmt::format(", {} (not of networks of numbers)", format.name);
  }
  return help + "; a format that the network has not is refused with those that it has";
}

void FamilyOptions::add(const Family& family, AddOptions add_options, const std::string& help) {
  if (!help.empty()) help_ += " " + help;
  if (add_options == nullptr) return;
  boost::program_options::options_description own;
  add_options(own);
  for (const auto& option : own.options()) {
    const std::string& name = option->long_name();
    if (!owners_.contains(name)) {
      options_.add(option);
      names_.push_back(name);
    }
    owners_[name].insert(&family);
  }
}

void FamilyOptions::add_to(boost::program_options::options_description& options) const {
  for (const auto& option : options_.options()) options.add(option);
}

void FamilyOptions::refuse_others(const cli::Arguments& arguments, const AnyModel& model,
                                  const std::string& source) const {
  const Family& family = family_of(model);
  for (const std::string& option : names_) {
    if (owners_.at(option).contains(&family) || !is_given(arguments, option)) continue;
    throw useless(option, source, family.describe(model));
  }
}

std::vector<std::pair<std::string, std::string>> FamilyOptions::values(
    const cli::Arguments& arguments, const Family& family) const {
  std::vector<std::pair<std::string, std::string>> values;
  for (const std::string& option : names_) {
    if (!owners_.at(option).contains(&family) || !arguments.has(option)) continue;
    values.emplace_back(fmt::format("--{}", option), arguments.shown(option));
  }
  return values;
}

void refuse_options(const cli::Arguments& arguments, const std::vector<std::string>& options,
                    const std::string& source, const std::string& holds) {
  for (const std::string& option : options) {
    if (is_given(arguments, option)) throw useless(option, source, holds);
  }
}

}  // namespace orrery::family
