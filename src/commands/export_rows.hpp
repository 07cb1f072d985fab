// export of samples: rows as CSV or NPY, for programs that misread packed bits, or HDF5 altogether.
#pragma once

#include <string>

#include "cli/arguments.hpp"

namespace orrery::commands {

/// True if `source` is a file of samples that holds no network.
bool holds_rows_alone(const std::string& source);
/// True if it is a file of samples that holds a network as well.
bool holds_rows_too(const std::string& source);

/// Writes the samples of `source` to -o ("-": standard output), a block of rows at a time; the
/// table of categories alone is held, a byte per value. `format`: csv, or npy (bits without missing
/// values, and numbers). Throws InputError if there are no samples, or they do not fit the format.
void export_rows(const cli::Arguments& arguments, const std::string& source,
                 const std::string& format);

}  // namespace orrery::commands
