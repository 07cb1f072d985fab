// Categorical tables as a group of a file. Messages name the group.
#pragma once

#include <array>
#include <cstdint>

#include "store/categorical.hpp"
#include "store/hdf5_wrapper.hpp"
#include "store/stored_file.hpp"

namespace orrery::store {

/// XXH3 over N, D and the digests of codes, names, numbers of categories, and categories.
std::uint64_t categorical_digest(std::uint64_t n_samples, std::uint64_t n_columns,
                                 const std::array<std::uint64_t, 4>& digests);

void write_categorical_group(const hdf5::Handle& root, const data::CategoricalTable& table);
/// Throws FormatError, as the next.
StoredTable read_categorical_group(const StoredFile& file);

}  // namespace orrery::store
