#include "family/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "base/output_file.hpp"
#include "cli/arguments.hpp"
#include "model/json_entry.hpp"
#include "orrery/base/error.hpp"
#include "store/archive.hpp"
#include "store/store.hpp"

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

std::string says_absent(const AbsentPart& part) {
  return fmt::format("this build has no {}: build with -D{}=ON", part.what, part.option);
}

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
  if (family.renamed) commands.emplace_back("rename");
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

namespace {

struct FileEntry {
  std::string path;
  std::string entry;  ///< one network of several; may be empty
};

/// FILE or FILE:NAME, whichever is there; nothing if neither is.
std::optional<FileEntry> find_file(const std::string& argument) {
  std::error_code ignored;
  if (std::filesystem::exists(argument, ignored)) return FileEntry{argument, ""};
  const std::size_t colon = argument.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  FileEntry parts{argument.substr(0, colon), argument.substr(colon + 1)};
  if (!std::filesystem::exists(parts.path, ignored)) return std::nullopt;
  return parts;
}

/// Nothing if `argument` is no generator.
std::optional<AnyModel> generate(const std::string& argument, std::uint64_t seed,
                                 const cli::Arguments* sample) {
  for (const Family* family : families()) {
    if (auto generated = family->generate(argument, seed, sample)) return generated;
  }
  return std::nullopt;
}

/// Fields of a model of that family.
AnyModel read_fields(const Family& family,
                     const std::function<void(const store::GoThroughFields& fields)>& read) {
  std::optional<AnyModel> model;
  read([&](store::Archive& archive) { model = family.fields.read(archive); });
  return std::move(*model);
}

/// "/model, /anchored, /tree"
std::string all_groups() {
  std::string all;
  for (const Family* family : families()) {
    for (const std::string& group : family->groups) {
      all += fmt::format("{}/{}", all.empty() ? "" : ", ", group);
    }
  }
  return all;
}

/// Told apart by "format", which what other programs write has not.
AnyModel read_json(const std::string& path, const std::string& entry) {
  const nlohmann::json document = model::parse_json(read_text_file(path), path);
  const model::JsonEntry root(document, path);
  if (!root.has("format")) {
    const auto other = std::ranges::find_if(
        families(), [](const Family* family) { return bool{family->other_json}; });
    if (other != families().end()) return (*other)->other_json(root, entry);
  }
  const std::string format = root.member("format").text();
  std::string all;
  for (const Family* family : families()) {
    const auto& own = family->json_formats;
    all += fmt::format("{}\"{}\"", all.empty() ? "" : ", ", own.front());
    if (std::ranges::find(own, format) == own.end()) continue;
    if (!entry.empty()) {
      throw InputError(
          fmt::format("{}: is one network without a name, so {} cannot be chosen in it; leave the "
                      "name out",
                      path, model::shown(entry)));
    }
    return read_fields(*family, [&](const store::GoThroughFields& fields) {
      store::read_json_fields(root, fields);
    });
  }
  for (const AbsentPart& part : absent_parts()) {
    if (format == part.json_format) root.member("format").refuse(says_absent(part));
  }
  root.member("format").refuse(
      fmt::format("this version reads {}; write the model in one of them", all));
}

}  // namespace

bool holds_model(const store::FileContents& contents) {
  return std::ranges::any_of(families(), [&](const Family* family) {
    return std::ranges::any_of(family->groups,
                               [&](const std::string& group) { return contents.has(group); });
  });
}

AnyModel read_model_file(const std::string& path) {
  const store::FileContents contents = store::inspect(path);
  // Without a model the file says what it holds instead.
  const Family* found = families().front();
  std::string group = found->groups.front();
  std::size_t n_found = 0;
  for (const Family* family : families()) {
    for (const std::string& candidate : family->groups) {
      if (!contents.has(candidate)) continue;
      found = family;
      group = candidate;
      ++n_found;
    }
  }
  if (n_found == 0) {
    for (const AbsentPart& part : absent_parts()) {
      if (part.group.empty() || !contents.has(std::string(part.group))) continue;
      throw InputError(fmt::format("{}: holds /{}; {}", path, part.group, says_absent(part)));
    }
  }
  if (n_found > 1) {
    throw InputError(
        fmt::format("{}: the file holds more than one of {}; give a file that holds one of them",
                    path, all_groups()));
  }
  return read_fields(*found, [&](const store::GoThroughFields& fields) {
    store::read_group(path, group, fields);
  });
}

std::string generator_help() {
  std::string help;
  for (const Family* family : families()) {
    help += (help.empty() ? "" : ", ") + family->generators;
  }
  return help;
}

AnyModel load_model(const std::string& argument, std::uint64_t seed, const cli::Arguments* sample) {
  if (auto generated = generate(argument, seed, sample)) return std::move(*generated);
  const auto file = find_file(argument);
  if (!file) {
    for (const AbsentPart& part : absent_parts()) {
      if (part.generator.empty() || !argument.starts_with(part.generator)) continue;
      throw InputError(fmt::format("{}: {}", argument, says_absent(part)));
    }
    throw InputError(fmt::format("{}: neither a file nor a built-in network; those are {}",
                                 argument, generator_help()));
  }
  if (store::is_hdf5(file->path)) return read_model_file(file->path);
  return read_json(file->path, file->entry);
}

AnyModel load_model(const parallel::Team& team, const std::string& argument, std::uint64_t seed,
                    const cli::Arguments* sample) {
  return team.root_first([&] { return load_model(argument, seed, sample); });
}

bool is_generator(const std::string& argument) {
  return generate(argument, 1, nullptr).has_value();
}

std::string model_file(const std::string& argument) {
  if (is_generator(argument)) return "";
  const auto file = find_file(argument);
  return file ? file->path : "";
}

std::uint64_t digest_of(const AnyModel& model) { return store::digest_of_text(to_json(model)); }

std::pair<std::string, std::string> identity_of(const std::string& option, const AnyModel& model) {
  return {option, fmt::format("{:016x}", digest_of(model))};
}

}  // namespace orrery::family
