// A model's fields out of a JSON document.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "model/json_entry.hpp"
#include "orrery/base/error.hpp"
#include "orrery/data/sample_sink.hpp"
#include "store/archive.hpp"

namespace orrery::store {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using model::JsonEntry;
using Texts = std::vector<std::string>;

constexpr std::int64_t largest_index = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t largest_count = std::numeric_limits<std::int64_t>::max();

double read_number(const JsonEntry& entry, Need need) {
  const bool may_be_unknown = need == Need::number_or_unknown || need == Need::error_or_unknown;
  if (may_be_unknown && entry.is_null()) return std::nan("");
  if (need == Need::probability) return entry.probability();
  const double value = entry.number();
  // Of a moment, beyond 1: what an iteration may leave.
  if (need == Need::almost_probability && !(value >= 0 && value <= 1 + 1e-9)) {
    entry.refuse("a probability in [0, 1] is needed");
  }
  if (need == Need::error_or_unknown && value < 0) {
    entry.refuse("a standard error of 0 or more, or null, is needed");
  }
  return value;
}

/// Without a zero byte, which would end it in HDF5.
std::string read_text(const JsonEntry& entry) {
  std::string text = entry.text();
  if (text.find('\0') != std::string::npos) entry.refuse("a text without a zero byte is needed");
  return text;
}

void require_size(const JsonEntry& list, std::size_t size) {
  if (list.size() == size) return;
  throw InputError(fmt::format("{}: {} has {} values; {} are needed", list.file(), list.where(),
                               list.size(), size));
}

std::vector<double> read_numbers(const JsonEntry& list, Need need) {
  std::vector<double> values;
  for (std::size_t i = 0; i < list.size(); ++i) {
    values.push_back(read_number(list.element(i), need));
  }
  return values;
}

std::vector<std::uint32_t> read_indices(const JsonEntry& list) {
  std::vector<std::uint32_t> indices;
  for (std::size_t i = 0; i < list.size(); ++i) {
    indices.push_back(static_cast<std::uint32_t>(list.element(i).whole_number(0, largest_index)));
  }
  return indices;
}

Texts read_texts(const JsonEntry& list) {
  Texts texts;
  for (std::size_t i = 0; i < list.size(); ++i) texts.push_back(read_text(list.element(i)));
  return texts;
}

class ReadEntries final : public List {
 public:
  ReadEntries(const JsonEntry& list, const Texts& columns)
      : list_(list), n_items_(list.size()), arrays_(!columns.empty()) {
    for (std::size_t i = 0; i < n_items_ && arrays_; ++i) {
      if (list_.element(i).size() == columns.size()) continue;
      list_.element(i).refuse(fmt::format("[{}] is needed", fmt::join(columns, ", ")));
    }
  }

  [[nodiscard]] std::size_t size() const override { return n_items_; }
  void names(const Field& field, const std::string& stem, Texts& values) override {
    std::unordered_map<std::string, std::string> owner_of;
    values.clear();
    for (std::size_t i = 0; i < n_items_; ++i) {
      const JsonEntry item = list_.element(i);
      const bool given = item.has(field.json);
      std::string name = given ? item.member(field.json).text() : fmt::format("{}{}", stem, i);
      if (name.empty() || name.size() > data::longest_name ||
          name.find('\0') != std::string::npos) {
        item.member(field.json)
            .refuse(fmt::format("a name of 1 to {} bytes, none of them zero, is needed",
                                data::longest_name));
      }
      const auto [other, is_new] = owner_of.emplace(name, item.where());
      if (!is_new) {
        throw InputError(fmt::format("{}: {} and {} both have the name {}; names must differ",
                                     list_.file(), other->second, item.where(),
                                     model::shown(name)));
      }
      values.push_back(std::move(name));
    }
  }
  void texts(const Field& field, Presence presence, Texts& values) override {
    read(field, presence, values, [](const JsonEntry& entry) { return read_text(entry); });
  }
  void numbers(const Field& field, Need need, Presence presence,
               std::vector<double>& values) override {
    read(field, presence, values, [&](const JsonEntry& entry) { return read_number(entry, need); });
  }
  void integers(const Field& field, std::int64_t low, std::int64_t high, Presence presence,
                std::vector<std::uint32_t>& values) override {
    read_integers(field, low, high, presence, values);
  }
  void integers(const Field& field, std::int64_t low, std::int64_t high, Presence presence,
                std::vector<std::int32_t>& values) override {
    read_integers(field, low, high, presence, values);
  }
  void integers(const Field& field, std::int64_t low, std::int64_t high, Presence presence,
                std::vector<std::uint64_t>& values) override {
    read_integers(field, low, high, presence, values);
  }
  void tuples(const Field& field, std::size_t width, std::int64_t low, std::int64_t high,
              Presence presence, std::vector<std::int32_t>& values) override {
    values.clear();
    if (!any_has(field.json)) return;
    for (std::size_t i = 0; i < n_items_; ++i) {
      const JsonEntry item = list_.element(i);
      if (!item.has(field.json)) {
        values.insert(values.end(), width, static_cast<std::int32_t>(presence.fallback));
        continue;
      }
      const JsonEntry tuple = item.member(field.json);
      if (tuple.size() != width) {
        tuple.refuse(fmt::format("{} whole numbers are needed ({} for none)", width, low));
      }
      for (std::size_t k = 0; k < width; ++k) {
        values.push_back(static_cast<std::int32_t>(tuple.element(k).whole_number(low, high)));
      }
    }
  }
  void index_lists(const Field& field, const std::string& /*lengths*/,
                   std::vector<std::vector<std::uint32_t>>& lists) override {
    read(field, required, lists, [](const JsonEntry& entry) { return read_indices(entry); });
  }
  void number_lists(const Field& field, const std::string& /*lengths*/,
                    std::vector<std::vector<double>>& lists) override {
    read(field, required, lists,
         [](const JsonEntry& entry) { return read_numbers(entry, Need::number); });
  }
  void text_lists(const Field& field, const std::string& /*lengths*/, bool always,
                  std::vector<Texts>& lists) override {
    lists.assign(n_items_, {});
    for (std::size_t i = 0; i < n_items_; ++i) {
      const JsonEntry item = list_.element(i);
      if (always || item.has(field.json)) lists[i] = read_texts(item.member(field.json));
    }
  }
  void number_lists(const Field& field, Need need,
                    const std::function<std::uint64_t(std::size_t)>& /*length*/,
                    std::vector<std::vector<double>>& lists) override {
    read(field, required, lists, [&](const JsonEntry& entry) { return read_numbers(entry, need); });
  }
  void tables(const Field& field, const std::function<std::size_t(std::size_t)>& width,
              const std::function<std::uint64_t(std::size_t)>& /*length*/, bool always,
              std::vector<std::vector<double>>& tables) override {
    tables.assign(n_items_, {});
    for (std::size_t i = 0; i < n_items_; ++i) {
      const JsonEntry item = list_.element(i);
      if (!always && !item.has(field.json)) continue;
      const JsonEntry rows = item.member(field.json);
      for (std::size_t j = 0; j < rows.size(); ++j) {
        require_size(rows.element(j), width(i));
        const std::vector<double> row = read_numbers(rows.element(j), Need::number);
        tables[i].insert(tables[i].end(), row.begin(), row.end());
      }
    }
  }
  void derived(const std::string& /*key*/, const Texts& /*json*/) override {}

 private:
  [[nodiscard]] bool any_has(const std::string& key) const {
    for (std::size_t i = 0; i < n_items_; ++i) {
      if (list_.element(i).has(key)) return true;
    }
    return false;
  }
  /// The field of every item; of arrays the next one.
  template <class Value, class Read>
  void read(const Field& field, Presence presence, std::vector<Value>& values,
            const Read& read_value) {
    values.clear();
    const std::size_t column = column_++;
    if (!arrays_ && presence.kind != Presence::Kind::required && !any_has(field.json)) return;
    for (std::size_t i = 0; i < n_items_; ++i) {
      const JsonEntry item = list_.element(i);
      if (arrays_) {
        values.push_back(read_value(item.element(column)));
      } else if (presence.kind == Presence::Kind::optional && !item.has(field.json)) {
        values.push_back(fallback_of<Value>(presence));
      } else {
        values.push_back(read_value(item.member(field.json)));
      }
    }
  }
  template <class Value>
  static Value fallback_of(Presence presence) {
    if constexpr (std::is_arithmetic_v<Value>) {
      return static_cast<Value>(presence.fallback);
    } else {
      return {};
    }
  }
  template <class Value>
  void read_integers(const Field& field, std::int64_t low, std::int64_t high, Presence presence,
                     std::vector<Value>& values) {
    read(field, presence, values,
         [&](const JsonEntry& entry) { return static_cast<Value>(entry.whole_number(low, high)); });
  }

  JsonEntry list_;
  std::size_t n_items_;
  bool arrays_;
  std::size_t column_ = 0;
};

class JsonReader final : public Archive {
 public:
  explicit JsonReader(const JsonEntry& root) : root_(root) {}

  [[nodiscard]] bool reads() const override { return true; }
  [[nodiscard]] bool is_json() const override { return true; }
  void value(const Field& field, std::string& value, bool /*written*/) override {
    if (root_.has(field.json)) value = read_text(root_.member(field.json));
  }
  void value(const Field& field, double& value, Need need, bool /*written*/) override {
    if (root_.has(field.json)) value = read_number(root_.member(field.json), need);
  }
  void value(const Field& field, std::uint32_t& value, bool /*written*/) override {
    if (!root_.has(field.json)) return;
    value = static_cast<std::uint32_t>(root_.member(field.json).whole_number(0, largest_index));
  }
  void value(const Field& field, std::uint64_t& value, bool /*written*/) override {
    if (!root_.has(field.json)) return;
    value = static_cast<std::uint64_t>(root_.member(field.json).whole_number(0, largest_count));
  }
  void digest(const Field& field, std::uint64_t& value, bool /*written*/) override {
    if (!root_.has(field.json)) return;
    const JsonEntry entry = root_.member(field.json);
    const std::string text = entry.text();
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value, 16);
    if (error != std::errc{} || stop != end || text.size() > 16) {
      entry.refuse("1 to 16 hexadecimal digits are needed");
    }
  }
  std::unique_ptr<List> list(const Field& field, std::size_t /*n*/, const Texts& columns) override {
    return std::make_unique<ReadEntries>(root_.member(field.json), columns);
  }
  [[nodiscard]] bool has(const Field& field, bool /*written*/) override {
    return root_.has(field.json);
  }
  void numbers(const Field& field, Need need, std::size_t size, const std::string& like,
               std::vector<double>& values, bool /*known*/) override {
    values.clear();
    if (!root_.has(field.json)) return;
    const JsonEntry list = root_.member(field.json);
    if (list.size() != size) {
      throw InputError(fmt::format("{}: {} has {} values, but {} has {}; they must agree",
                                   list.file(), list.where(), list.size(), like, size));
    }
    values = read_numbers(list, need);
  }
  void texts(const Field& field, Texts& values) override {
    values.clear();
    if (root_.has(field.json)) values = read_texts(root_.member(field.json));
  }
  void index_lists(const Field& field, const std::string& /*lengths*/,
                   std::vector<std::vector<std::uint32_t>>& lists) override {
    lists.clear();
    if (!root_.has(field.json)) return;
    const JsonEntry list = root_.member(field.json);
    for (std::size_t i = 0; i < list.size(); ++i) lists.push_back(read_indices(list.element(i)));
  }
  void matrix(const Field& field, Need need, Index n_rows, Index n_columns,
              MatrixXd& matrix) override {
    matrix.resize(0, 0);
    if (!root_.has(field.json)) return;
    const JsonEntry rows = root_.member(field.json);
    require_size(rows, static_cast<std::size_t>(n_rows));
    matrix.resize(n_rows, n_columns);
    for (Index i = 0; i < n_rows; ++i) {
      const JsonEntry row = rows.element(static_cast<std::size_t>(i));
      require_size(row, static_cast<std::size_t>(n_columns));
      for (Index j = 0; j < n_columns; ++j) {
        matrix(i, j) = read_number(row.element(static_cast<std::size_t>(j)), need);
      }
    }
  }
  void sparse_matrix(const Field& field, const std::string& ends, Index n_rows, Index n_columns,
                     MatrixXd& matrix) override {
    const JsonEntry list = root_.member(field.json);
    matrix = MatrixXd::Zero(n_rows, n_columns);
    std::vector<bool> taken(static_cast<std::size_t>(n_rows * n_columns), false);
    for (std::size_t e = 0; e < list.size(); ++e) {
      const JsonEntry entry = list.element(e);
      if (entry.size() != 3) entry.refuse(fmt::format("[{}, value] is needed", ends));
      const auto index = [&](std::size_t place, Index n) {
        if (n == 0) entry.refuse("there is nothing that an edge could join");
        return static_cast<Index>(entry.element(place).whole_number(0, n - 1));
      };
      const Index column = index(0, n_columns);
      const Index row = index(1, n_rows);
      const auto place = static_cast<std::size_t>(row * n_columns + column);
      if (taken[place]) {
        entry.refuse(fmt::format("the second edge of the same [{}]; one is needed", ends));
      }
      taken[place] = true;
      matrix(row, column) = entry.element(2).number();
    }
  }
  std::size_t parts(const Field& field, std::size_t /*n*/,
                    const std::function<void(Archive& part, std::size_t i)>& part) override {
    if (!root_.has(field.json)) return 0;
    const JsonEntry list = root_.member(field.json);
    for (std::size_t i = 0; i < list.size(); ++i) {
      JsonReader inner(list.element(i));
      part(inner, i);
    }
    return list.size();
  }
  void throw_refusal(const std::string& why) const override {
    throw InputError(root_.file() + ": " + why);
  }

 private:
  JsonEntry root_;
};

}  // namespace

void read_json_fields(const JsonEntry& root, const std::function<void(Archive&)>& fields) {
  JsonReader reader(root);
  fields(reader);
}

}  // namespace orrery::store
