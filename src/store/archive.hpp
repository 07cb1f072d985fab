// A model's fields, each named once: an archive puts them into a file or takes them out of one, in
// HDF5 or in JSON. `fields(archive, model)` of a family goes through all of them, in the order in
// which JSON has them; the same function reads and writes, as archive.reads() says.
//
// Reading throws what the kind of file calls for, naming the file, the place and the value:
// InputError of JSON, FormatError of HDF5, which reading() turns into an InputError.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.hpp"
#include "orrery/model/origin.hpp"
#include "store/run.hpp"

namespace orrery::model {
class JsonEntry;
}

namespace orrery::store {

namespace hdf5 {
class Handle;
}

/// Where a field stands. JSON: a key. HDF5: a dataset, "causes/prior", or an attribute, "@law" or
/// "stability@resamples". Empty: the field is in the other kind of file alone.
struct Field {
  std::string json;
  std::string hdf5;
};

/// What a number must be. What is not known is NaN, which JSON writes as null.
enum class Need : std::uint8_t {
  anything,
  number,
  probability,
  almost_probability,  ///< recovered by an iteration: up to 1 + 1e-9
  number_or_unknown,
  error_or_unknown,  ///< a standard error: 0 or more
};

/// Which items of a list have a field.
struct Presence {
  enum class Kind : std::uint8_t { required, all_or_none, optional } kind = Kind::required;
  double fallback = 0;  ///< of an item without it, where others have it
  /// JSON: of an item whose value is the fallback, or no number.
  enum class Unknown : std::uint8_t { written, left_out_if_no_number, left_out } unknown{};
};
inline constexpr Presence required{};
inline constexpr Presence all_or_none{Presence::Kind::all_or_none};
/// An empty vector: no item has it.
constexpr Presence optional(double fallback) {
  return {Presence::Kind::optional, fallback, Presence::Unknown::written};
}
/// JSON leaves the fallback out.
constexpr Presence left_out_if(double fallback) {
  return {Presence::Kind::optional, fallback, Presence::Unknown::left_out};
}
/// JSON leaves out what is no number, which is the fallback when it is read again.
constexpr Presence left_out_if_no_number(double fallback) {
  return {Presence::Kind::optional, fallback, Presence::Unknown::left_out_if_no_number};
}

/// A list whose items have several fields: an object per item in JSON, or an array of values in
/// the order of the calls; a dataset per field in HDF5.
class List {
 public:
  List() = default;
  List(const List&) = delete;
  List& operator=(const List&) = delete;
  virtual ~List() = default;

  [[nodiscard]] virtual std::size_t size() const = 0;

  /// Names that differ. JSON may leave a name out: it is then STEM and the item's number.
  virtual void names(const Field& field, const std::string& stem,
                     std::vector<std::string>& values) = 0;
  /// JSON may leave a text out, which is then empty.
  virtual void texts(const Field& field, Presence presence, std::vector<std::string>& values) = 0;
  virtual void numbers(const Field& field, Need need, Presence presence,
                       std::vector<double>& values) = 0;
  /// Whole numbers from `low` to `high`.
  virtual void integers(const Field& field, std::int64_t low, std::int64_t high, Presence presence,
                        std::vector<std::uint32_t>& values) = 0;
  virtual void integers(const Field& field, std::int64_t low, std::int64_t high, Presence presence,
                        std::vector<std::int32_t>& values) = 0;
  virtual void integers(const Field& field, std::int64_t low, std::int64_t high, Presence presence,
                        std::vector<std::uint64_t>& values) = 0;
  /// `width` whole numbers per item, one item after the other.
  virtual void tuples(const Field& field, std::size_t width, std::int64_t low, std::int64_t high,
                      Presence presence, std::vector<std::int32_t>& values) = 0;

  // Lists inside the list. HDF5 has how long each is in the dataset `lengths`, and all values, one
  // list after the other, in that of the field.
  virtual void index_lists(const Field& field, const std::string& lengths,
                           std::vector<std::vector<std::uint32_t>>& lists) = 0;
  virtual void number_lists(const Field& field, const std::string& lengths,
                            std::vector<std::vector<double>>& lists) = 0;
  /// JSON leaves empty lists out if they are not `always` there.
  virtual void text_lists(const Field& field, const std::string& lengths, bool always,
                          std::vector<std::vector<std::string>>& lists) = 0;
  /// The same where other fields say how long each list is: `length(i)`, which only HDF5 asks.
  virtual void number_lists(const Field& field, Need need,
                            const std::function<std::uint64_t(std::size_t)>& length,
                            std::vector<std::vector<double>>& lists) = 0;
  /// Tables of `width(i)` columns, row after row; an empty one, where they are not `always` there,
  /// is not known.
  virtual void tables(const Field& field, const std::function<std::size_t(std::size_t)>& width,
                      const std::function<std::uint64_t(std::size_t)>& length, bool always,
                      std::vector<std::vector<double>>& tables) = 0;
  /// What follows from other fields: JSON that is written, and passed over by readers.
  virtual void derived(const std::string& key, const std::vector<std::string>& json) = 0;
};

class Archive {
 public:
  Archive() = default;
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;
  virtual ~Archive() = default;

  [[nodiscard]] virtual bool reads() const = 0;
  [[nodiscard]] virtual bool is_json() const = 0;
  /// JSON may leave some of what belongs together out; HDF5 has all of it, if it is `there`.
  [[nodiscard]] Presence whole(bool there, Presence json) const {
    return there && !is_json() ? required : json;
  }

  // ---- single values. JSON may leave one out, which then stays as it was; it is written if
  // `written`. An attribute of a group below the model's own goes with that group.
  virtual void value(const Field& field, std::string& value, bool written = true) = 0;
  virtual void value(const Field& field, double& value, Need need, bool written = true) = 0;
  virtual void value(const Field& field, std::uint32_t& value, bool written = true) = 0;
  virtual void value(const Field& field, std::uint64_t& value, bool written = true) = 0;
  virtual void digest(const Field& field, std::uint64_t& value, bool written = true) = 0;
  /// Learner, rows, digest of the data.
  void origin(model::Origin& origin);
  /// Sentences; none: left out.
  void remarks(model::Origin& origin);

  // ---- lists
  /// `field.hdf5` is a dataset that has as many values as the list has items; `n` is how many are
  /// written. Items are arrays of these columns in JSON, or objects without columns. The list must
  /// go before the archive does.
  virtual std::unique_ptr<List> list(const Field& field, std::size_t n,
                                     const std::vector<std::string>& columns = {}) = 0;
  /// True if the file has it; where fields are written, `written`.
  [[nodiscard]] virtual bool has(const Field& field, bool written) = 0;
  /// A number per line, `size` of them, which must be there if they are `known`; an empty vector:
  /// they are not known, or there are none. `like` names the list that says how many there are.
  virtual void numbers(const Field& field, Need need, std::size_t size, const std::string& like,
                       std::vector<double>& values, bool known = false) = 0;
  virtual void texts(const Field& field, std::vector<std::string>& values) = 0;
  /// Lists of indices, one per line; none: left out.
  virtual void index_lists(const Field& field, const std::string& lengths,
                           std::vector<std::vector<std::uint32_t>>& lists) = 0;

  // ---- matrices; one without a cell is left out
  /// A row per line.
  virtual void matrix(const Field& field, Need need, Eigen::Index n_rows, Eigen::Index n_columns,
                      Eigen::MatrixXd& matrix) = 0;
  /// JSON has "[column, row, value]" of each cell that is not 0, by columns; `ends` names the two.
  virtual void sparse_matrix(const Field& field, const std::string& ends, Eigen::Index n_rows,
                             Eigen::Index n_columns, Eigen::MatrixXd& matrix) = 0;

  /// Parts of several fields each: an object in JSON, a group in HDF5, numbered from 0. `part`
  /// gets an archive of its own. Returns how many there are.
  virtual std::size_t parts(const Field& field, std::size_t n,
                            const std::function<void(Archive& part, std::size_t i)>& part) = 0;

  /// Throws: the fields do not fit together.
  [[noreturn]] void refuse(const std::string& why) const {
    throw_refusal(why);
    std::abort();  // not reached
  }
  /// What `make` finds wrong is said of the file.
  template <class Make>
  auto checked(const Make& make) const {
    try {
      return make();
    } catch (const InputError& error) {
      refuse(error.what());
    }
  }

 private:
  virtual void throw_refusal(const std::string& why) const = 0;
};

inline void Archive::origin(model::Origin& origin) {
  value({"learner", "@learner"}, origin.learner, !origin.learner.empty());
  value({"n_samples", "@n_samples"}, origin.n_samples, origin.n_samples > 0);
  digest({"data_digest", "@data_digest"}, origin.data_digest, origin.data_digest != 0);
}

inline void Archive::remarks(model::Origin& origin) {
  texts({"remarks", "remarks"}, origin.remarks);
}

// A model as a group of a file, alone or beside the samples that were drawn from it.

/// Writes one group below the root of a file that is being made.
using GroupWriter = std::function<void(const hdf5::Handle& root)>;
/// Goes through the fields of a model; see Archive.
using GoThroughFields = std::function<void(Archive& archive)>;

/// A group of that name with these fields. Writing throws InputError if a text cannot be stored.
GroupWriter group_of_fields(std::string name, GoThroughFields fields);
/// A new file with that group and /run, checked, synced and renamed.
void write_group(const std::filesystem::path& path, const GroupWriter& group, const RunInfo& run);
/// Takes fields out of a group of a file. Throws InputError, which says what the file holds if it
/// has no such group.
void read_group(const std::filesystem::path& path, const std::string& name,
                const GoThroughFields& fields);

/// Takes fields out of a group, whose matrices lie row after row, as h5py users expect them. Use
/// inside reading().
void read_hdf5_fields(const hdf5::Handle& group, const GoThroughFields& fields);
/// Puts fields into a new group. Use inside writing(). Throws InputError if a text cannot be
/// stored.
void write_hdf5_fields(const hdf5::Handle& group, const GoThroughFields& fields);

// A model as a JSON document.

/// Takes fields out of a document that was parsed. Keys that nobody asks for are passed over.
void read_json_fields(const model::JsonEntry& root, const GoThroughFields& fields);

/// The document: "format" first, a member per line, the items of a list on lines of their own,
/// numbers with round-trip precision.
[[nodiscard]] std::string json_of_fields(const std::string& format, const GoThroughFields& fields);

}  // namespace orrery::store
