// Columns of a data file against the variables of a model: by name, in every command and family.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/column_unions.hpp"
#include "orrery/data/sample_matrix.hpp"

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

}  // namespace orrery::family
