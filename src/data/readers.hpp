// Which format a file has, and the reader of each format (import.cpp and import_dense.cpp choose
// one).
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "data/cells.hpp"
#include "data/import_dense.hpp"
#include "data/text_reader.hpp"
#include "orrery/data/import.hpp"
#include "orrery/data/sample_sink.hpp"

namespace orrery::data {

/// The format of a file: that of the options, or found out; never `automatic`, and rows only if
/// they may be. `text` is `path`, opened, before its first line. Throws InputError for an empty
/// file, a binary file of another kind, a format that is not recognised, and a compressed NPY.
[[nodiscard]] Format recognise(const std::filesystem::path& path, TextReader& text,
                               const ImportOptions& options, bool may_be_rows);

/// `format` is csv or tsv.
ImportSummary import_delimited(TextReader& text, Format format, const ImportOptions& options,
                               SampleSink& sink);
ImportSummary import_rows(TextReader& text, const ImportOptions& options, SampleSink& sink);
ImportSummary import_mtx(TextReader& text, const ImportOptions& options, SampleSink& sink);
ImportSummary import_npy(const std::filesystem::path& path, const ImportOptions& options,
                         SampleSink& sink);
/// Of numbers.
DenseImportSummary import_dense_npy(const std::filesystem::path& path, const ImportOptions& options,
                                    DenseSink& sink);

/// What to say of a value that is neither 0 nor 1: the place, the value, and the remedies that do
/// not ruin the column. Its values are counted in the first 100,000 rows of `text`, from the
/// beginning: a column of two values can be read with --on and --off, and neither of them is
/// advised to be named as missing. Where --on and --off took the meaning from the built-in words,
/// it says so.
[[nodiscard]] std::string not_binary(TextReader& text, Format format, const ImportOptions& options,
                                     const CellReader& cells, const std::string& place,
                                     const std::string& value, std::size_t column,
                                     const std::string& name);

}  // namespace orrery::data
