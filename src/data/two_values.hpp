// What to say of a column that holds something else than 0 and 1.
#pragma once

#include <cstddef>
#include <string>

#include "data/cells.hpp"
#include "data/text_reader.hpp"
#include "orrery/data/import.hpp"

namespace orrery::data {

/// A refused value: the place, the value, and the remedies that do not ruin the column. Its values
/// are counted in the first 100,000 rows of `text`, from the beginning: a column of two values can
/// be read with --on and --off, and neither of them is advised to be named as missing. Where --on
/// and --off took the meaning from the built-in words, it says so.
[[nodiscard]] std::string not_binary(TextReader& text, Format format, const ImportOptions& options,
                                     const CellReader& cells, const std::string& place,
                                     const std::string& value, std::size_t column,
                                     const std::string& name);

}  // namespace orrery::data
