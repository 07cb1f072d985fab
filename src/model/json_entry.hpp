// Typed access to a JSON document whose every failure is an InputError that names file and entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery::model {

/// Parses `text`. Throws InputError for a syntax error (line and column), a number beyond the range
/// of a double, a key that stands twice in one object, and nesting deeper than any network's.
nlohmann::json parse_json(const std::string& text, const std::string& file);

/// A value as it is shown in a message: one line of ASCII, cut after some 40 characters.
std::string shown(const nlohmann::json& value);
/// The same of a string, in quotes.
std::string shown(const std::string& text);

/// One value and where it stands. Views the document and the file's name: both must outlive it.
class JsonEntry {
 public:
  /// The whole document.
  JsonEntry(const nlohmann::json& document, const std::string& file)
      : value_(&document), file_(&file) {}

  [[nodiscard]] const std::string& file() const noexcept { return *file_; }
  /// "causes[3].prior"; empty for the whole document.
  [[nodiscard]] const std::string& where() const noexcept { return where_; }

  [[nodiscard]] bool is_null() const noexcept;

  // Each throws InputError if this value is not of the kind asked for.
  [[nodiscard]] bool has(const std::string& key) const;
  [[nodiscard]] JsonEntry member(const std::string& key) const;
  [[nodiscard]] std::vector<std::string> keys() const;
  [[nodiscard]] std::size_t size() const;  ///< of an array
  [[nodiscard]] JsonEntry element(std::size_t index) const;
  [[nodiscard]] double number() const;
  [[nodiscard]] double probability() const;
  [[nodiscard]] std::vector<double> probabilities() const;
  [[nodiscard]] std::int64_t whole_number(std::int64_t low, std::int64_t high) const;
  [[nodiscard]] std::string text() const;

  /// Throws "FILE: WHERE = VALUE; NEED".
  [[noreturn]] void refuse(std::string_view need) const;

 private:
  JsonEntry(const nlohmann::json& value, const std::string& file, std::string where)
      : value_(&value), file_(&file), where_(std::move(where)) {}

  const nlohmann::json* value_;
  const std::string* file_;
  std::string where_;
};

}  // namespace orrery::model
