// A model's fields out of a group of an HDF5 file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "store/archive.hpp"
#include "store/dataset.hpp"

namespace orrery::store {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using hdf5::FormatError;
using hdf5::Handle;
using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Texts = std::vector<std::string>;

/// Null if the number is what is needed.
const char* wanted(double value, Need need) {
  switch (need) {
    case Need::anything:
      return nullptr;
    case Need::number:
      return std::isfinite(value) ? nullptr : "a number";
    case Need::probability:
      return value >= 0 && value <= 1 ? nullptr : "from 0 to 1";
    case Need::almost_probability:
      return value >= 0 && value <= 1 + 1e-9 ? nullptr : "from 0 to 1";
    case Need::number_or_unknown:
      return std::isinf(value) ? "a number, or NaN" : nullptr;
    case Need::error_or_unknown:
      return std::isnan(value) || (value >= 0 && std::isfinite(value)) ? nullptr
                                                                       : "at least 0, or NaN";
  }
  return nullptr;
}

/// A dataset that is being read, for messages too.
class Column {
 public:
  Column(FieldGroups& groups, const std::string& path)
      : group_(groups.at(dataset_place(path).group)), name_(dataset_place(path).name) {}

  [[nodiscard]] std::string full_name() const {
    return fmt::format("{}/{}", hdf5::object_name(group_), name_);
  }
  [[nodiscard]] std::size_t size() const {
    return Dataset::open_any(group_, name_).shape().empty()
               ? 0
               : static_cast<std::size_t>(Dataset::open_any(group_, name_).shape()[0]);
  }
  template <class T>
  [[nodiscard]] std::vector<T> values(const Shape& shape) const {
    return read_array<T>(group_, name_, shape);
  }
  template <class T>
  [[nodiscard]] std::vector<T> all() const {
    return read_values<T>(Dataset::open(group_, name_, hdf5::number_type<T>(), 1));
  }
  [[nodiscard]] Texts texts(std::optional<std::size_t> n = std::nullopt) const {
    return read_strings(group_, name_, n);
  }
  void require(const std::vector<double>& values, Need need) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const char* must_be = wanted(values[i], need);
      if (must_be == nullptr) continue;
      throw FormatError(fmt::format("{}[{}] = {}, but it must be {}; write the file anew",
                                    full_name(), i, values[i], must_be));
    }
  }
  template <class T>
  void require(const std::vector<T>& values, std::int64_t low, std::int64_t high) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool fits =
          std::cmp_greater_equal(values[i], low) && std::cmp_less_equal(values[i], high);
      if (fits) continue;
      throw FormatError(
          fmt::format("{}[{}] = {}, but it must be from {} to {}; write the file anew", full_name(),
                      i, values[i], low, high));
    }
  }

 private:
  const Handle& group_;
  std::string name_;
};

std::uint64_t total(const std::vector<std::uint32_t>& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
}

template <class T>
std::vector<std::vector<T>> split_into(const std::vector<T>& values,
                                       const std::vector<std::uint32_t>& lengths) {
  std::vector<std::vector<T>> lists;
  auto next = values.begin();
  for (const std::uint32_t length : lengths) {
    lists.emplace_back(next, next + static_cast<std::ptrdiff_t>(length));
    next += static_cast<std::ptrdiff_t>(length);
  }
  return lists;
}

class ReadList final : public List {
 public:
  ReadList(FieldGroups& groups, std::size_t n) : groups_(groups), n_(n) {}

  [[nodiscard]] std::size_t size() const override { return n_; }
  void names(const Field& field, const std::string& /*stem*/, Texts& values) override {
    values = Column(groups_, field.hdf5).texts(n_);
  }
  void texts(const Field& field, Presence presence, Texts& values) override {
    values.clear();
    if (is_there(field, presence)) values = Column(groups_, field.hdf5).texts(n_);
  }
  void numbers(const Field& field, Need need, Presence presence,
               std::vector<double>& values) override {
    values.clear();
    if (!is_there(field, presence)) return;
    const Column column(groups_, field.hdf5);
    values = column.values<double>({n_});
    column.require(values, need);
  }
  void integers(const Field& field, std::int64_t low, std::int64_t high, Presence presence,
                std::vector<std::uint32_t>& values) override {
    read(field, low, high, presence, values);
  }
  void integers(const Field& field, std::int64_t low, std::int64_t high, Presence presence,
                std::vector<std::int32_t>& values) override {
    read(field, low, high, presence, values);
  }
  void integers(const Field& field, std::int64_t low, std::int64_t high, Presence presence,
                std::vector<std::uint64_t>& values) override {
    read(field, low, high, presence, values);
  }
  void tuples(const Field& field, std::size_t width, std::int64_t low, std::int64_t high,
              Presence presence, std::vector<std::int32_t>& values) override {
    values.clear();
    if (!is_there(field, presence)) return;
    const Column column(groups_, field.hdf5);
    values = column.values<std::int32_t>({n_, width});
    column.require(values, low, high);
  }
  void index_lists(const Field& field, const std::string& lengths,
                   std::vector<std::vector<std::uint32_t>>& lists) override {
    if (lengths.empty()) return;
    read_lists(field, lengths, lists);
  }
  void number_lists(const Field& field, const std::string& lengths,
                    std::vector<std::vector<double>>& lists) override {
    read_lists(field, lengths, lists);
  }
  void text_lists(const Field& field, const std::string& lengths, bool /*always*/,
                  std::vector<Texts>& lists) override {
    const auto sizes = Column(groups_, lengths).values<std::uint32_t>({n_});
    lists = split_into(Column(groups_, field.hdf5).texts(total(sizes)), sizes);
  }
  void number_lists(const Field& field, Need need,
                    const std::function<std::uint64_t(std::size_t)>& length,
                    std::vector<std::vector<double>>& lists) override {
    read_of_lengths(field, length, lists);
    Column(groups_, field.hdf5).require(flat_, need);
  }
  void tables(const Field& field, const std::function<std::size_t(std::size_t)>& /*width*/,
              const std::function<std::uint64_t(std::size_t)>& length, bool always,
              std::vector<std::vector<double>>& tables) override {
    tables.assign(n_, {});
    if (!always && !groups_.has(field.hdf5)) return;
    read_of_lengths(field, length, tables);
    const auto is_unknown = [](double value) { return std::isnan(value); };
    for (auto& table : tables) {
      if (!always && std::ranges::all_of(table, is_unknown)) table.clear();
    }
  }
  void derived(const std::string& /*key*/, const Texts& /*json*/) override {}

 private:
  bool is_there(const Field& field, Presence presence) {
    return presence.kind == Presence::Kind::required || groups_.has(field.hdf5);
  }
  template <class Value>
  void read(const Field& field, std::int64_t low, std::int64_t high, Presence presence,
            std::vector<Value>& values) {
    values.clear();
    if (!is_there(field, presence)) return;
    const Column column(groups_, field.hdf5);
    values = column.values<Value>({n_});
    column.require(values, low, high);
  }
  template <class T>
  void read_lists(const Field& field, const std::string& lengths,
                  std::vector<std::vector<T>>& lists) {
    const auto sizes = Column(groups_, lengths).values<std::uint32_t>({n_});
    lists = split_into(Column(groups_, field.hdf5).values<T>({total(sizes)}), sizes);
  }
  /// Nothing is made of the lengths before the dataset is known to have so many values.
  void read_of_lengths(const Field& field, const std::function<std::uint64_t(std::size_t)>& length,
                       std::vector<std::vector<double>>& lists) {
    const Column column(groups_, field.hdf5);
    std::uint64_t n_values = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      if (!__builtin_add_overflow(n_values, length(i), &n_values)) continue;
      throw FormatError(
          fmt::format("{}: no file has so many values; write the file anew", column.full_name()));
    }
    flat_ = column.values<double>({n_values});
    lists.clear();
    auto next = flat_.begin();
    for (std::size_t i = 0; i < n_; ++i) {
      const auto n = static_cast<std::ptrdiff_t>(length(i));
      lists.emplace_back(next, next + n);
      next += n;
    }
  }

  FieldGroups& groups_;
  std::size_t n_;
  std::vector<double> flat_;  // what read_of_lengths() read
};

class Hdf5Reader final : public Archive {
 public:
  explicit Hdf5Reader(const Handle& group) : group_(group), groups_(group, false) {}

  [[nodiscard]] bool reads() const override { return true; }
  [[nodiscard]] bool is_json() const override { return false; }
  void value(const Field& field, std::string& value, bool /*written*/) override {
    read(field, value);
  }
  void value(const Field& field, double& value, Need need, bool /*written*/) override {
    if (!read(field, value)) return;
    const char* const is_wanted = wanted(value, need);
    if (is_wanted == nullptr) return;
    const FieldPlace place = attribute_place(field.hdf5);
    throw FormatError(
        fmt::format("attribute {} of {} is {}, but it must be {}; write the file anew", place.name,
                    hdf5::object_name(groups_.at(place.group)), value, is_wanted));
  }
  void value(const Field& field, std::uint32_t& value, bool /*written*/) override {
    read(field, value);
  }
  void value(const Field& field, std::uint64_t& value, bool /*written*/) override {
    read(field, value);
  }
  void digest(const Field& field, std::uint64_t& value, bool /*written*/) override {
    value = read_digest_attribute(group_, attribute_place(field.hdf5).name);
  }
  std::unique_ptr<List> list(const Field& field, std::size_t /*n*/,
                             const Texts& /*columns*/) override {
    return std::make_unique<ReadList>(groups_, Column(groups_, field.hdf5).size());
  }
  [[nodiscard]] bool has(const Field& field, bool /*written*/) override {
    return groups_.has(field.hdf5);
  }
  void numbers(const Field& field, Need need, std::size_t size, const std::string& /*like*/,
               std::vector<double>& values, bool known) override {
    values.clear();
    if (!known && !groups_.has(field.hdf5)) return;
    const Column column(groups_, field.hdf5);
    values = column.values<double>({size});
    column.require(values, need);
  }
  void texts(const Field& field, Texts& values) override {
    values.clear();
    if (groups_.has(field.hdf5)) values = Column(groups_, field.hdf5).texts();
  }
  void index_lists(const Field& field, const std::string& lengths,
                   std::vector<std::vector<std::uint32_t>>& lists) override {
    lists.clear();
    if (!groups_.has(lengths)) return;
    const auto sizes = Column(groups_, lengths).all<std::uint32_t>();
    lists = split_into(Column(groups_, field.hdf5).values<std::uint32_t>({total(sizes)}), sizes);
  }
  void matrix(const Field& field, Need need, Index n_rows, Index n_columns,
              MatrixXd& matrix) override {
    matrix.resize(0, 0);
    if (groups_.has(field.hdf5)) read_matrix(field, need, n_rows, n_columns, matrix);
  }
  void sparse_matrix(const Field& field, const std::string& /*ends*/, Index n_rows, Index n_columns,
                     MatrixXd& matrix) override {
    read_matrix(field, Need::anything, n_rows, n_columns, matrix);
  }
  std::size_t parts(const Field& field, std::size_t /*n*/,
                    const std::function<void(Archive& part, std::size_t i)>& part) override {
    if (!groups_.has(field.hdf5)) return 0;
    const std::size_t n = hdf5::object_names(groups_.at(field.hdf5)).size();
    for (std::size_t i = 0; i < n; ++i) {
      Hdf5Reader inner(groups_.at(fmt::format("{}/{}", field.hdf5, i)));
      part(inner, i);
    }
    return n;
  }
  void throw_refusal(const std::string& why) const override {
    throw FormatError(fmt::format("{}: {}", hdf5::object_name(group_), why));
  }

 private:
  /// False if the group of the attribute is not there.
  template <class Value>
  bool read(const Field& field, Value& value) {
    const FieldPlace place = attribute_place(field.hdf5);
    if (!groups_.has(place.group)) return false;
    value = hdf5::read_attribute<Value>(groups_.at(place.group), place.name);
    return true;
  }
  void read_matrix(const Field& field, Need need, Index n_rows, Index n_columns, MatrixXd& matrix) {
    const Column column(groups_, field.hdf5);
    const auto values =
        column.values<double>({static_cast<hsize_t>(n_rows), static_cast<hsize_t>(n_columns)});
    column.require(values, need);
    matrix = Eigen::Map<const ByRows>(values.data(), n_rows, n_columns);
  }

  const Handle& group_;
  FieldGroups groups_;
};

}  // namespace

void read_hdf5_fields(const Handle& group, const std::function<void(Archive&)>& fields) {
  Hdf5Reader reader(group);
  fields(reader);
}

}  // namespace orrery::store
