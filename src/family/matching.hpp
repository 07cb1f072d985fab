// Columns of a data file against the variables of a model, by name, in every command and family;
// and the rows of the file as words of these variables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/column_unions.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "store/store.hpp"

namespace orrery::family {

/// What the data are for: a variable that nobody looked at can be summed out of a model that is
/// known, but nothing can be learned of it.
enum class Use { inference, learning };

/// The column of the data of each variable of a model. Throws InputError listing the differences,
/// with the remedy that suits `use`, if the data lack a variable, or if two have one name.
std::vector<std::size_t> columns_by_name(const std::vector<std::string>& names,
                                         const std::vector<std::string>& columns,
                                         const std::string& model_source,
                                         const std::string& data_source, Use use = Use::inference);

/// The same; columns that the model does not have are named in a warning.
std::vector<std::size_t> match_columns(const std::vector<std::string>& names,
                                       const std::vector<std::string>& columns,
                                       const std::string& model_source,
                                       const std::string& data_source);

/// All rows of a file, their columns those of `names` in that order; the digest is the file's.
/// Throws InputError as match_columns does.
data::SampleMatrix read_matched_samples(const std::vector<std::string>& names,
                                        const std::string& model_source, const std::string& path);

/// Other columns, or the same in another order: `places` has one member each.
data::SampleMatrix in_order(const data::SampleMatrix& samples, const data::ColumnUnions& places);

/// Says which columns of a file are in none of `used`.
void warn_of_unused(const std::vector<std::string>& columns, const data::ColumnUnions& used,
                    const std::string& model_source, const std::string& data_source);

/// Rows as words of the model's variables.
class MatchedRows {
 public:
  explicit MatchedRows(const std::vector<std::size_t>& columns) {
    for (const std::size_t column : columns) members_.push_back({column});
  }
  /// A variable is the union of several columns: on if one of them is; else missing if one is.
  explicit MatchedRows(std::vector<std::vector<std::size_t>> members)
      : members_(std::move(members)) {}

  /// The 64 rows from `first` on (a multiple of 64; fewer at the end).
  void load(const store::SampleReader::Block& block, std::size_t first);
  /// Of them; values are 0 where missing; missing is empty if the file has no mask.
  [[nodiscard]] std::span<const std::uint64_t> values(std::size_t row) const {
    return std::span(values_).subspan(row * n_words(), n_words());
  }
  [[nodiscard]] std::span<const std::uint64_t> missing(std::size_t row) const {
    return missing_.empty() ? std::span<const std::uint64_t>()
                            : std::span(missing_).subspan(row * n_words(), n_words());
  }

 private:
  [[nodiscard]] std::size_t n_words() const noexcept { return (members_.size() + 63) / 64; }
  void transpose(const data::BitColumns& block, std::size_t first,
                 std::vector<std::uint64_t>& rows) const;

  std::vector<std::vector<std::size_t>> members_;
  std::vector<std::uint64_t> values_, missing_;
};

}  // namespace orrery::family
