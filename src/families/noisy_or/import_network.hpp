// import --format edges: a network out of tables, where samples are what import reads otherwise.
#pragma once

#include <boost/program_options/options_description.hpp>

#include "cli/arguments.hpp"
#include "orrery/data/import.hpp"

namespace orrery::noisy_or {

void add_network_import_options(boost::program_options::options_description& options);
/// Reads FILE and the tables that the options name, and writes a network file.
void import_network(const cli::Arguments& arguments, data::Header header);

}  // namespace orrery::noisy_or
