#include "model/json_layout.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "model/json_uncertainty.hpp"
#include "orrery/base/error.hpp"
#include "orrery/data/sample_sink.hpp"

namespace orrery::model {
namespace {

std::uint64_t read_digest(const JsonEntry& entry) {
  const std::string text = entry.text();
  std::uint64_t digest = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, digest, 16);
  if (error != std::errc{} || stop != end || text.size() > 16)
    entry.refuse("1 to 16 hexadecimal digits are needed");
  return digest;
}

}  // namespace

std::string JsonNames::read(const JsonEntry& owner, const std::string& stem, std::size_t index) {
  std::string name =
      owner.has("name") ? owner.member("name").text() : fmt::format("{}{}", stem, index);
  // A zero byte would end the name in HDF5.
  if (name.empty() || name.size() > data::longest_name || name.find('\0') != std::string::npos) {
    owner.member("name").refuse(
        fmt::format("a name of 1 to {} bytes, none of them zero, is needed", data::longest_name));
  }
  const auto [other, is_new] = owner_of_.emplace(name, owner.where());
  if (!is_new) {
    throw InputError(fmt::format("{}: {} and {} both have the name {}; names must differ",
                                 owner.file(), other->second, owner.where(), shown(name)));
  }
  return name;
}

Origin read_origin(const JsonEntry& root) {
  constexpr std::int64_t largest_count = std::numeric_limits<std::int64_t>::max();
  Origin origin;
  if (root.has("learner")) origin.learner = root.member("learner").text();
  if (root.has("n_samples")) {
    const std::int64_t n_samples = root.member("n_samples").whole_number(0, largest_count);
    origin.n_samples = static_cast<std::uint64_t>(n_samples);
  }
  if (root.has("data_digest")) origin.data_digest = read_digest(root.member("data_digest"));
  if (root.has("remarks")) origin.remarks = read_texts(root.member("remarks"));
  return origin;
}

void require_json_size(const JsonEntry& list, std::size_t size) {
  if (list.size() == size) return;
  throw InputError(fmt::format("{}: {} has {} values; {} are needed", list.file(), list.where(),
                               list.size(), size));
}

std::uint32_t read_index(const JsonEntry& entry) {
  return static_cast<std::uint32_t>(entry.whole_number(0, largest_index));
}

std::vector<std::uint32_t> read_indices(const JsonEntry& list) {
  std::vector<std::uint32_t> indices;
  for (std::size_t i = 0; i < list.size(); ++i) indices.push_back(read_index(list.element(i)));
  return indices;
}

std::vector<std::string> read_texts(const JsonEntry& list) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < list.size(); ++i) {
    texts.push_back(list.element(i).text());
    if (texts.back().find('\0') != std::string::npos) {
      list.element(i).refuse("a text without a zero byte is needed");
    }
  }
  return texts;
}

void refuse_entry_of_one(const JsonEntry& root, const std::string& entry) {
  if (entry.empty()) return;
  throw InputError(
      fmt::format("{}: is one network without a name, so {} cannot be chosen in it; "
                  "leave the name out",
                  root.file(), shown(entry)));
}

// Names that are not UTF-8 (from an old table) are taken for Latin-1: distinct names stay distinct,
// as they would not if every odd byte became one replacement character.
std::string json_text(const std::string& text) {
  using nlohmann::json;
  try {
    return json(text).dump();
  } catch (const json::type_error&) {
    std::string utf8;
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x80) {
        utf8 += c;
      } else {
        utf8 += static_cast<char>(0xC0U | (byte >> 6U));
        utf8 += static_cast<char>(0x80U | (byte & 0x3FU));
      }
    }
    return json(utf8).dump();
  }
}

std::string json_head(std::string_view format, const Origin& origin) {
  std::string out = fmt::format("{{\n  \"format\": \"{}\",\n", format);
  if (!origin.learner.empty())
    out += fmt::format("  \"learner\": {},\n", json_text(origin.learner));
  if (origin.n_samples > 0) out += fmt::format("  \"n_samples\": {},\n", origin.n_samples);
  if (origin.data_digest != 0) {
    out += fmt::format("  \"data_digest\": \"{:016x}\",\n", origin.data_digest);
  }
  return out;
}

void append_json_list(std::string& out, std::string_view key, const std::vector<std::string>& items,
                      std::string_view end) {
  out += fmt::format("  \"{}\": [", key);
  for (std::size_t i = 0; i < items.size(); ++i) {
    out += fmt::format("{}\n    {}", i == 0 ? "" : ",", items[i]);
  }
  out += fmt::format("{}]{}\n", items.empty() ? "" : "\n  ", end);
}

std::vector<std::string> json_texts(const std::vector<std::string>& texts) {
  std::vector<std::string> items;
  items.reserve(texts.size());
  for (const std::string& text : texts) items.push_back(json_text(text));
  return items;
}

std::vector<std::string> json_numbers(const std::vector<double>& values) {
  std::vector<std::string> items;
  items.reserve(values.size());
  for (const double value : values) items.push_back(number_or_null(value));
  return items;
}

}  // namespace orrery::model
