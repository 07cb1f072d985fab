// Options of `import` that are of one format in text: long tables, documents, SVMlight.
#pragma once

#include "base/program_options.hpp"
#include "cli/arguments.hpp"
#include "orrery/data/import.hpp"

namespace orrery::commands {

void add_text_format_options(boost::program_options::options_description& options);
/// Throws UsageError for a value that is none of the option's. Whether the options fit the format
/// is known when the file is opened.
void read_text_format_options(const cli::Arguments& arguments, data::ImportOptions& options);
/// Bytes that a table of so many is held in, at most, beside a block of rows: the lines of a long
/// table, or the different words of documents.
[[nodiscard]] double most_held(const data::ImportOptions& options, double bytes);

}  // namespace orrery::commands
