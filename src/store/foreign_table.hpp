// Tables in HDF5 files that other programs wrote: AnnData (.h5ad), and data sets of two dimensions
// or sparse matrices (CSR, CSC) as AnnData and h5sparse store them.
#pragma once

#include <filesystem>
#include <string>

#include "data/stream_tables.hpp"
#include "store/reader_process.hpp"

namespace orrery::store {

/// `dataset` is the path of the table inside the file: "X", "layers/counts", "/tables/visits". If
/// it is empty, the table is X of AnnData, or the only one that there is. Columns and rows of X, of
/// layers and of raw/X are called as AnnData's index of /var and /obs says. Throws InputError: not
/// an HDF5 file, one of orrery's own, damaged, no table, several of them (which are listed), or
/// arrays that do not fit each other.
[[nodiscard]] data::SourceOfTable open_foreign_table(const std::filesystem::path& path,
                                                     const std::string& dataset);

/// The two halves of open_foreign_table, within this process: finds the arrays, and makes a table
/// of them.
[[nodiscard]] ArraysOfTable find_foreign_table(const std::filesystem::path& path,
                                               const std::string& dataset);
[[nodiscard]] data::SourceOfTable table_of(ArraysOfTable table);

}  // namespace orrery::store
