#include "model/json_entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

using nlohmann::json;

constexpr std::size_t deepest_nesting = 32;  // a network needs four levels

// The library's account of a syntax error without its tag and position, in printable ASCII.
std::string plain_reason(std::string reason) {
  const std::size_t tag = reason.find("] ");
  if (tag != std::string::npos) reason.erase(0, tag + 2);
  if (reason.starts_with("parse error at ")) {
    const std::size_t position = reason.find(": ");
    if (position != std::string::npos) reason.erase(0, position + 2);
  }
  std::replace_if(
      reason.begin(), reason.end(),
      [](char c) { return std::isprint(static_cast<unsigned char>(c)) == 0; }, '?');
  return reason;
}

// Reads a document without building it, to refuse what the building parser would pass over or
// report without its place.
class SyntaxCheck final : public nlohmann::json_sax<json> {
 public:
  SyntaxCheck(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t /*value*/) override { return true; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, const string_t& /*token*/) override { return true; }
  bool string(string_t& /*value*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool start_object(std::size_t /*size*/) override { return enter(); }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t /*size*/) override { return enter(); }
  bool end_array() override { return leave(); }

  bool key(string_t& name) override {
    if (keys_.back().insert(name).second) return true;
    throw InputError(fmt::format("{}: the key {} stands twice in one object; keep one of them",
                                 file_, shown(name)));
  }
  bool parse_error(std::size_t n_read, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    const std::size_t at = std::min(n_read > 0 ? n_read - 1 : 0, text_.size());
    const auto begin = text_.begin();
    const auto stop = begin + static_cast<std::ptrdiff_t>(at);
    const auto line = 1 + std::count(begin, stop, '\n');
    const std::size_t newline = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
    const std::size_t column = newline == std::string::npos ? at + 1 : at - newline;
    throw InputError(fmt::format(
        "{}: line {}, column {}: {}; the file must be valid JSON (it knows no NaN, no infinity)",
        file_, line, column, plain_reason(error.what())));
  }

 private:
  bool enter() {
    if (keys_.size() == deepest_nesting) {
      throw InputError(fmt::format("{}: nested more than {} levels deep; a network needs 4", file_,
                                   deepest_nesting));
    }
    keys_.emplace_back();
    return true;
  }
  bool leave() {
    keys_.pop_back();
    return true;
  }

  const std::string& text_;
  const std::string& file_;
  std::vector<std::set<std::string>> keys_;  // of each open object or array
};

bool holds_probability(const json& value) {
  if (!value.is_number()) return false;
  const double number = value.get<double>();
  return number >= 0 && number <= 1;
}

// A key is the file's making: what is not printable, or long, is shown as a text is.
std::string shown_key(const std::string& key) {
  std::string text = shown(key);
  return text == fmt::format("\"{}\"", key) ? key : text;
}

constexpr std::string_view probability_needed = "a probability in [0, 1] is needed";

}  // namespace

json parse_json(const std::string& text, const std::string& file) {
  SyntaxCheck check(text, file);
  json::sax_parse(text, &check);
  // The library takes a zero byte for the end, and would pass over all that follows.
  if (const std::size_t end = text.find('\0'); end != std::string::npos) {
    throw InputError(fmt::format(
        "{}: byte {} is zero, and text must end there; cut the file there or write it anew", file,
        end + 1));
  }
  return json::parse(text);
}

std::string shown(const json& value) {
  constexpr std::size_t longest = 40;
  std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return text;
}

std::string shown(const std::string& text) { return shown(json(text)); }

void JsonEntry::refuse(std::string_view need) const {
  const std::string_view place = where_.empty() ? "the document" : std::string_view(where_);
  throw InputError(fmt::format("{}: {} = {}; {}", *file_, place, shown(*value_), need));
}

bool JsonEntry::is_null() const noexcept { return value_->is_null(); }

bool JsonEntry::has(const std::string& key) const {
  if (!value_->is_object()) refuse("an object {...} is needed");
  return value_->contains(key);
}

JsonEntry JsonEntry::member(const std::string& key) const {
  const std::string name =
      where_.empty() ? shown_key(key) : fmt::format("{}.{}", where_, shown_key(key));
  if (!has(key)) throw InputError(fmt::format("{}: {} is missing; add it", *file_, name));
  return {value_->at(key), *file_, name};
}

std::vector<std::string> JsonEntry::keys() const {
  if (!value_->is_object()) refuse("an object {...} is needed");
  std::vector<std::string> names;
  for (const auto& item : value_->items()) names.push_back(item.key());
  return names;
}

std::size_t JsonEntry::size() const {
  if (!value_->is_array()) refuse("an array [...] is needed");
  return value_->size();
}

JsonEntry JsonEntry::element(std::size_t index) const {
  return {value_->at(index), *file_, fmt::format("{}[{}]", where_, index)};
}

double JsonEntry::number() const {
  if (!value_->is_number()) refuse("a number is needed");
  return value_->get<double>();
}

double JsonEntry::probability() const {
  if (!holds_probability(*value_)) refuse(probability_needed);
  return value_->get<double>();
}

std::vector<double> JsonEntry::probabilities() const {
  std::vector<double> values;
  values.reserve(size());
  for (const json& value : *value_) {
    if (!holds_probability(value)) element(values.size()).refuse(probability_needed);
    values.push_back(value.get<double>());
  }
  return values;
}

std::int64_t JsonEntry::whole_number(std::int64_t low, std::int64_t high) const {
  constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
  const bool fits = value_->is_number_unsigned() ? value_->get<std::uint64_t>() <= largest
                                                 : value_->is_number_integer();
  if (!fits || value_->get<std::int64_t>() < low || value_->get<std::int64_t>() > high) {
    refuse(fmt::format("a whole number {} to {} is needed", low, high));
  }
  return value_->get<std::int64_t>();
}

std::string JsonEntry::text() const {
  if (!value_->is_string()) refuse("a text \"...\" is needed");
  return value_->get<std::string>();
}

}  // namespace orrery::model
