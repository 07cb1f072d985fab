// import --numeric: a table of numbers, where bits are what import reads otherwise.
#pragma once

#include <string>

#include "cli/arguments.hpp"
#include "orrery/data/import.hpp"

namespace orrery::commands {

/// Reads `input` and writes the samples to `output`, which both have been checked.
void import_numbers(const cli::Arguments& arguments, const data::ImportOptions& options,
                    const std::string& input, const std::string& output,
                    const parallel::Team& team);

}  // namespace orrery::commands
