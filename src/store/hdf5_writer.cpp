// A model's fields into a group of an HDF5 file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "store/archive.hpp"
#include "store/dataset.hpp"

namespace orrery::store {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using hdf5::Handle;
using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Texts = std::vector<std::string>;

template <class T>
void write_values(FieldGroups& groups, const std::string& path, const std::vector<T>& values) {
  const FieldPlace place = dataset_place(path);
  write_array(groups.at(place.group), place.name, values);
}

void write_texts(FieldGroups& groups, const std::string& path, const Texts& texts) {
  require_storable_names(texts);
  const FieldPlace place = dataset_place(path);
  write_strings(groups.at(place.group), place.name, texts);
}

template <class T>
std::vector<T> joined(const std::vector<std::vector<T>>& lists) {
  std::vector<T> values;
  for (const auto& list : lists) values.insert(values.end(), list.begin(), list.end());
  return values;
}

template <class T>
std::vector<std::uint32_t> lengths_of(const std::vector<std::vector<T>>& lists) {
  std::vector<std::uint32_t> lengths;
  for (const auto& list : lists) lengths.push_back(static_cast<std::uint32_t>(list.size()));
  return lengths;
}

class WrittenList final : public List {
 public:
  WrittenList(FieldGroups& groups, std::size_t n) : groups_(groups), n_(n) {}

  [[nodiscard]] std::size_t size() const override { return n_; }
  void names(const Field& field, const std::string& /*stem*/, Texts& values) override {
    write_texts(groups_, field.hdf5, values);
  }
  void texts(const Field& field, Presence presence, Texts& values) override {
    if (is_written(presence, values)) write_texts(groups_, field.hdf5, values);
  }
  void numbers(const Field& field, Need /*need*/, Presence presence,
               std::vector<double>& values) override {
    write(field, presence, values);
  }
  void integers(const Field& field, std::int64_t /*low*/, std::int64_t /*high*/, Presence presence,
                std::vector<std::uint32_t>& values) override {
    write(field, presence, values);
  }
  void integers(const Field& field, std::int64_t /*low*/, std::int64_t /*high*/, Presence presence,
                std::vector<std::int32_t>& values) override {
    write(field, presence, values);
  }
  void integers(const Field& field, std::int64_t /*low*/, std::int64_t /*high*/, Presence presence,
                std::vector<std::uint64_t>& values) override {
    write(field, presence, values);
  }
  void tuples(const Field& field, std::size_t width, std::int64_t /*low*/, std::int64_t /*high*/,
              Presence presence, std::vector<std::int32_t>& values) override {
    if (!is_written(presence, values)) return;
    const FieldPlace place = dataset_place(field.hdf5);
    write_array(groups_.at(place.group), place.name, std::span<const std::int32_t>(values),
                {n_, width});
  }
  void index_lists(const Field& field, const std::string& lengths,
                   std::vector<std::vector<std::uint32_t>>& lists) override {
    if (lengths.empty()) return;
    write_values(groups_, lengths, lengths_of(lists));
    write_values(groups_, field.hdf5, joined(lists));
  }
  void number_lists(const Field& field, const std::string& lengths,
                    std::vector<std::vector<double>>& lists) override {
    write_values(groups_, lengths, lengths_of(lists));
    write_values(groups_, field.hdf5, joined(lists));
  }
  void text_lists(const Field& field, const std::string& lengths, bool /*always*/,
                  std::vector<Texts>& lists) override {
    write_values(groups_, lengths, lengths_of(lists));
    write_texts(groups_, field.hdf5, joined(lists));
  }
  void number_lists(const Field& field, Need /*need*/,
                    const std::function<std::uint64_t(std::size_t)>& /*length*/,
                    std::vector<std::vector<double>>& lists) override {
    write_values(groups_, field.hdf5, joined(lists));
  }
  void tables(const Field& field, const std::function<std::size_t(std::size_t)>& /*width*/,
              const std::function<std::uint64_t(std::size_t)>& length, bool always,
              std::vector<std::vector<double>>& tables) override {
    const auto is_known = [](const std::vector<double>& table) { return !table.empty(); };
    if (!always && std::ranges::none_of(tables, is_known)) return;
    std::vector<double> values;
    for (std::size_t i = 0; i < n_; ++i) {
      values.insert(values.end(), tables[i].begin(), tables[i].end());
      if (!is_known(tables[i])) values.insert(values.end(), length(i), std::nan(""));
    }
    write_values(groups_, field.hdf5, values);
  }
  void derived(const std::string& /*key*/, const Texts& /*json*/) override {}

 private:
  template <class Value>
  static bool is_written(Presence presence, const std::vector<Value>& values) {
    return presence.kind == Presence::Kind::required || !values.empty();
  }
  template <class Value>
  void write(const Field& field, Presence presence, const std::vector<Value>& values) {
    if (is_written(presence, values)) write_values(groups_, field.hdf5, values);
  }

  FieldGroups& groups_;
  std::size_t n_;
};

class Hdf5Writer final : public Archive {
 public:
  explicit Hdf5Writer(const Handle& group) : groups_(group, true) {}
  void close() { groups_.close(); }

  [[nodiscard]] bool reads() const override { return false; }
  [[nodiscard]] bool is_json() const override { return false; }
  void value(const Field& field, std::string& value, bool written) override {
    write(field, value, written);
  }
  void value(const Field& field, double& value, Need /*need*/, bool written) override {
    write(field, value, written);
  }
  void value(const Field& field, std::uint32_t& value, bool written) override {
    write(field, value, written);
  }
  void value(const Field& field, std::uint64_t& value, bool written) override {
    write(field, value, written);
  }
  void digest(const Field& field, std::uint64_t& value, bool /*written*/) override {
    write_digest_attribute(groups_.at(""), attribute_place(field.hdf5).name, value);
  }
  std::unique_ptr<List> list(const Field& /*field*/, std::size_t n,
                             const Texts& /*columns*/) override {
    return std::make_unique<WrittenList>(groups_, n);
  }
  [[nodiscard]] bool has(const Field& /*field*/, bool written) override { return written; }
  void numbers(const Field& field, Need /*need*/, std::size_t /*size*/, const std::string& /*like*/,
               std::vector<double>& values, bool known) override {
    if (!values.empty() || known) write_values(groups_, field.hdf5, values);
  }
  void texts(const Field& field, Texts& values) override {
    if (!values.empty()) write_texts(groups_, field.hdf5, values);
  }
  void index_lists(const Field& field, const std::string& lengths,
                   std::vector<std::vector<std::uint32_t>>& lists) override {
    if (lists.empty()) return;
    write_values(groups_, lengths, lengths_of(lists));
    write_values(groups_, field.hdf5, joined(lists));
  }
  void matrix(const Field& field, Need /*need*/, Index /*n_rows*/, Index /*n_columns*/,
              MatrixXd& matrix) override {
    if (matrix.size() > 0) write_matrix(field, matrix);
  }
  void sparse_matrix(const Field& field, const std::string& /*ends*/, Index /*n_rows*/,
                     Index /*n_columns*/, MatrixXd& matrix) override {
    write_matrix(field, matrix);
  }
  std::size_t parts(const Field& field, std::size_t n,
                    const std::function<void(Archive& part, std::size_t i)>& part) override {
    for (std::size_t i = 0; i < n; ++i) {
      Hdf5Writer inner(groups_.at(fmt::format("{}/{}", field.hdf5, i)));
      part(inner, i);
      inner.close();
    }
    return n;
  }
  void throw_refusal(const std::string& why) const override { throw InputError(why); }

 private:
  /// A group below the model's own is there only for what is written.
  template <class Value>
  void write(const Field& field, const Value& value, bool written) {
    const FieldPlace place = attribute_place(field.hdf5);
    if (!written && !place.group.empty()) return;
    hdf5::write_attribute(groups_.at(place.group), place.name, value);
  }
  void write_matrix(const Field& field, const MatrixXd& matrix) {
    const ByRows rows = matrix;
    const FieldPlace place = dataset_place(field.hdf5);
    write_array(groups_.at(place.group), place.name,
                std::span<const double>(rows.data(), static_cast<std::size_t>(rows.size())),
                {static_cast<hsize_t>(rows.rows()), static_cast<hsize_t>(rows.cols())});
  }

  FieldGroups groups_;
};

}  // namespace

void write_hdf5_fields(const Handle& group, const std::function<void(Archive&)>& fields) {
  Hdf5Writer writer(group);
  fields(writer);
  writer.close();
}

}  // namespace orrery::store
