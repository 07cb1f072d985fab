// A model's fields into a JSON document.
//
// Names that are not UTF-8 (from an old table) are taken for Latin-1: distinct names stay distinct,
// as they would not if every odd byte became one replacement character.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <type_traits>
#include <utility>

#include "orrery/base/error.hpp"
#include "store/archive.hpp"

namespace orrery::store {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Texts = std::vector<std::string>;

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

std::string json_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

std::string json_value(const std::string& value) { return json_text(value); }
std::string json_value(double value) { return json_number(value); }
template <std::integral T>
std::string json_value(T value) {
  return fmt::format("{}", value);
}

/// "[a, b]"
template <class Values>
std::string json_array(const Values& values) {
  Texts texts;
  for (const auto& value : values) texts.push_back(json_value(value));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

/// "[column, row, value]" of what is not 0, by columns.
Texts cells_of(const MatrixXd& matrix) {
  Texts cells;
  for (Index column = 0; column < matrix.cols(); ++column) {
    for (Index row = 0; row < matrix.rows(); ++row) {
      if (matrix(row, column) == 0) continue;
      cells.push_back(fmt::format("[{}, {}, {}]", column, row, matrix(row, column)));
    }
  }
  return cells;
}

/// The items of a list that get one member, or value, after the other.
struct Items {
  std::string key;
  Texts texts;
  bool are_arrays;  // else objects
};

/// The members of an object, in order.
class Members {
 public:
  /// `inside` another object: on one line.
  explicit Members(bool inside) : inside_(inside) {}

  void add(const std::string& key, const std::string& value) {
    members_.push_back({fmt::format("\"{}\": {}", key, value), nullptr});
  }
  void add_list(const std::string& key, const Texts& items) { add(key, list_of(items)); }
  /// A list of n items, to be filled until text() is asked for.
  [[nodiscard]] std::shared_ptr<Items> add_items(const std::string& key, std::size_t n,
                                                 bool are_arrays) {
    members_.push_back({"", std::make_shared<Items>(Items{key, Texts(n), are_arrays})});
    return members_.back().items;
  }
  [[nodiscard]] std::string text() const {
    Texts texts;
    for (const Member& member : members_) {
      texts.push_back(member.items ? text_of(*member.items) : member.text);
    }
    return inside_ ? fmt::format("{{{}}}", fmt::join(texts, ", "))
                   : fmt::format("{{\n  {}\n}}\n", fmt::join(texts, ",\n  "));
  }

 private:
  struct Member {
    std::string text;
    std::shared_ptr<Items> items;  // null: `text` is all of it
  };

  [[nodiscard]] std::string text_of(const Items& items) const {
    Texts texts;
    for (const std::string& item : items.texts) {
      texts.push_back(items.are_arrays ? fmt::format("[{}]", item) : fmt::format("{{{}}}", item));
    }
    return fmt::format("\"{}\": {}", items.key, list_of(texts));
  }
  [[nodiscard]] std::string list_of(const Texts& items) const {
    if (inside_) return fmt::format("[{}]", fmt::join(items, ", "));
    return items.empty() ? "[]" : fmt::format("[\n    {}\n  ]", fmt::join(items, ",\n    "));
  }

  std::vector<Member> members_;
  bool inside_;
};

class WrittenEntries final : public List {
 public:
  explicit WrittenEntries(std::shared_ptr<Items> items) : items_(std::move(items)) {}

  [[nodiscard]] std::size_t size() const override { return items_->texts.size(); }
  void names(const Field& field, const std::string& /*stem*/, Texts& values) override {
    add_values(field, required, values);
  }
  void texts(const Field& field, Presence presence, Texts& values) override {
    add_values(field, presence, values);
  }
  void numbers(const Field& field, Need /*need*/, Presence presence,
               std::vector<double>& values) override {
    add_values(field, presence, values);
  }
  void integers(const Field& field, std::int64_t /*low*/, std::int64_t /*high*/, Presence presence,
                std::vector<std::uint32_t>& values) override {
    add_values(field, presence, values);
  }
  void integers(const Field& field, std::int64_t /*low*/, std::int64_t /*high*/, Presence presence,
                std::vector<std::int32_t>& values) override {
    add_values(field, presence, values);
  }
  void integers(const Field& field, std::int64_t /*low*/, std::int64_t /*high*/, Presence presence,
                std::vector<std::uint64_t>& values) override {
    add_values(field, presence, values);
  }
  void tuples(const Field& field, std::size_t width, std::int64_t /*low*/, std::int64_t /*high*/,
              Presence /*presence*/, std::vector<std::int32_t>& values) override {
    for (std::size_t i = 0; i < size() && !values.empty(); ++i) {
      add(i, field.json, json_array(std::span(values).subspan(i * width, width)));
    }
  }
  void index_lists(const Field& field, const std::string& /*lengths*/,
                   std::vector<std::vector<std::uint32_t>>& lists) override {
    add_lists(field, true, lists);
  }
  void number_lists(const Field& field, const std::string& /*lengths*/,
                    std::vector<std::vector<double>>& lists) override {
    add_lists(field, true, lists);
  }
  void text_lists(const Field& field, const std::string& /*lengths*/, bool always,
                  std::vector<Texts>& lists) override {
    add_lists(field, always, lists);
  }
  void number_lists(const Field& field, Need /*need*/,
                    const std::function<std::uint64_t(std::size_t)>& /*length*/,
                    std::vector<std::vector<double>>& lists) override {
    add_lists(field, true, lists);
  }
  void tables(const Field& field, const std::function<std::size_t(std::size_t)>& width,
              const std::function<std::uint64_t(std::size_t)>& /*length*/, bool always,
              std::vector<std::vector<double>>& tables) override {
    for (std::size_t i = 0; i < size(); ++i) {
      if (tables[i].empty() && !always) continue;
      Texts rows;
      for (std::size_t begin = 0; begin < tables[i].size(); begin += width(i)) {
        rows.push_back(json_array(std::span(tables[i]).subspan(begin, width(i))));
      }
      add(i, field.json, fmt::format("[{}]", fmt::join(rows, ", ")));
    }
  }
  void derived(const std::string& key, const Texts& json) override {
    for (std::size_t i = 0; i < json.size(); ++i) add(i, key, json[i]);
  }

 private:
  void add(std::size_t i, const std::string& key, const std::string& value) {
    std::string& item = items_->texts[i];
    if (!item.empty()) item += ", ";
    item += items_->are_arrays ? value : fmt::format("\"{}\": {}", key, value);
  }
  template <class Value>
  void add_values(const Field& field, Presence presence, const std::vector<Value>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if constexpr (!std::is_same_v<Value, std::string>) {
        const auto number = static_cast<double>(values[i]);
        using Unknown = Presence::Unknown;
        if (presence.unknown != Unknown::written && !std::isfinite(number)) continue;
        if (presence.unknown == Unknown::left_out && number == presence.fallback) continue;
      }
      add(i, field.json, json_value(values[i]));
    }
  }
  template <class Values>
  void add_lists(const Field& field, bool always, const std::vector<Values>& lists) {
    if (field.json.empty() && !items_->are_arrays) return;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      if (always || !lists[i].empty()) add(i, field.json, json_array(lists[i]));
    }
  }

  std::shared_ptr<Items> items_;
};

class JsonWriter final : public Archive {
 public:
  explicit JsonWriter(bool inside) : members_(inside) {}
  [[nodiscard]] Members& members() noexcept { return members_; }

  [[nodiscard]] bool reads() const override { return false; }
  [[nodiscard]] bool is_json() const override { return true; }
  void value(const Field& field, std::string& value, bool written) override {
    if (written) members_.add(field.json, json_text(value));
  }
  void value(const Field& field, double& value, Need /*need*/, bool written) override {
    if (written) members_.add(field.json, json_number(value));
  }
  void value(const Field& field, std::uint32_t& value, bool written) override {
    if (written) members_.add(field.json, json_value(value));
  }
  void value(const Field& field, std::uint64_t& value, bool written) override {
    if (written) members_.add(field.json, json_value(value));
  }
  void digest(const Field& field, std::uint64_t& value, bool written) override {
    if (written) members_.add(field.json, fmt::format("\"{:016x}\"", value));
  }
  std::unique_ptr<List> list(const Field& field, std::size_t n, const Texts& columns) override {
    return std::make_unique<WrittenEntries>(members_.add_items(field.json, n, !columns.empty()));
  }
  [[nodiscard]] bool has(const Field& /*field*/, bool written) override { return written; }
  void numbers(const Field& field, Need /*need*/, std::size_t /*size*/, const std::string& /*like*/,
               std::vector<double>& values, bool known) override {
    if (values.empty() && !known) return;
    Texts items;
    for (const double value : values) items.push_back(json_number(value));
    members_.add_list(field.json, items);
  }
  void texts(const Field& field, Texts& values) override {
    if (values.empty()) return;
    Texts items;
    for (const std::string& value : values) items.push_back(json_text(value));
    members_.add_list(field.json, items);
  }
  void index_lists(const Field& field, const std::string& /*lengths*/,
                   std::vector<std::vector<std::uint32_t>>& lists) override {
    if (lists.empty()) return;
    Texts items;
    for (const auto& list : lists) items.push_back(json_array(list));
    members_.add_list(field.json, items);
  }
  void matrix(const Field& field, Need /*need*/, Index /*n_rows*/, Index /*n_columns*/,
              MatrixXd& matrix) override {
    if (matrix.size() == 0) return;
    Texts rows;
    for (Index i = 0; i < matrix.rows(); ++i) {
      rows.push_back(json_array(std::vector<double>(matrix.row(i).begin(), matrix.row(i).end())));
    }
    members_.add_list(field.json, rows);
  }
  void sparse_matrix(const Field& field, const std::string& /*ends*/, Index /*n_rows*/,
                     Index /*n_columns*/, MatrixXd& matrix) override {
    members_.add_list(field.json, cells_of(matrix));
  }
  std::size_t parts(const Field& field, std::size_t n,
                    const std::function<void(Archive& part, std::size_t i)>& part) override {
    Texts items;
    for (std::size_t i = 0; i < n; ++i) {
      JsonWriter inner(true);
      part(inner, i);
      items.push_back(inner.members_.text());
    }
    if (n > 0) members_.add_list(field.json, items);
    return n;
  }
  void throw_refusal(const std::string& why) const override { throw InputError(why); }

 private:
  Members members_;
};

}  // namespace

std::string json_of_fields(const std::string& format, const std::function<void(Archive&)>& fields) {
  JsonWriter writer(false);
  writer.members().add("format", fmt::format("\"{}\"", format));
  fields(writer);
  return writer.members().text();
}

}  // namespace orrery::store
