#include "family/model_argument.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/output_file.hpp"
#include "family/table.hpp"
#include "model/json_entry.hpp"
#include "orrery/base/error.hpp"
#include "store/archive.hpp"
#include "store/store.hpp"

namespace orrery::family {
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
