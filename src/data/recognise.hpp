// Which format a file has.
#pragma once

#include <filesystem>

#include "data/text_reader.hpp"
#include "orrery/data/import.hpp"

namespace orrery::data {

/// That of the options, or found out; never `automatic`, and rows only if they may be. `text` is
/// `path`, opened, before its first line. Throws InputError for an empty file, a binary file of
/// another kind, a format that is not recognised, and a compressed NPY.
[[nodiscard]] Format recognise(const std::filesystem::path& path, TextReader& text,
                               const ImportOptions& options, bool may_be_rows);

}  // namespace orrery::data
