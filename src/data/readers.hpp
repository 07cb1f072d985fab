// The reader of each format (import.cpp and import_dense.cpp choose one).
#pragma once

#include <filesystem>
#include <string>

#include "data/import_dense.hpp"
#include "data/text_reader.hpp"
#include "orrery/data/import.hpp"
#include "orrery/data/sample_sink.hpp"

namespace orrery::data {

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

}  // namespace orrery::data
