// import --format edges: a network out of tables, where samples are what import reads otherwise.
#pragma once

#include <boost/program_options/options_description.hpp>

#include "cli/arguments.hpp"
#include "orrery/data/import.hpp"

namespace orrery::cli {

void add_network_import_options(boost::program_options::options_description& options);
/// Throws UsageError if one of them was given without --format edges.
void refuse_network_options(const Arguments& arguments);
/// Reads FILE and the tables that the options name, and writes a network file.
void import_network(const Arguments& arguments, data::Header header);

}  // namespace orrery::cli
