// Rows of data, and of labels, as an anchored network needs them.
#pragma once

#include <string>
#include <vector>

#include "data/column_unions.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::noisy_or {

/// Which columns of `names` the network's observed variables are: by name, a union's members if
/// there is no column of the union's own name. Throws InputError naming `source` and the columns
/// that it lacks.
data::ColumnUnions columns_of(const model::NoisyOrNetwork& network,
                              const std::vector<std::string>& names, const std::string& source);

/// All rows; column j is the network's observed variable j. Columns that the network has not are
/// warned of, unless `model_source` is empty. Throws InputError if there is no row, or a missing
/// value.
data::SampleMatrix read_rows_of(const model::NoisyOrNetwork& network,
                                const std::string& model_source, const std::string& path);

/// All rows; column i is the network's cause i, by name. Throws InputError naming the causes that
/// the file lacks.
data::SampleMatrix read_labels_of(const model::NoisyOrNetwork& network,
                                  const std::string& model_source, const std::string& path);

}  // namespace orrery::noisy_or
