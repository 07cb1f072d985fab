// How a command tells what it does, what it needs, and what it can be asked for.
#pragma once

#include <string>
#include <string_view>

#include "base/program_options.hpp"
#include "cli/arguments.hpp"

namespace orrery::cli {

/// "orrery import FILE -o FILE [options]": what stands before "[options]" without brackets is
/// required.
std::string usage_line(const Usage& usage);

/// Usage, description, the options of the command and those that commands share, examples; on
/// standard output, or as one JSON object.
void print_help(const Usage& usage, const boost::program_options::options_description& own,
                const boost::program_options::options_description& common, bool as_json);

/// "--help" or "-h".
bool is_help(std::string_view word);

/// Paragraphs in lines of at most 80 columns, broken at blanks; lines that begin with a blank stay
/// as they are.
std::string filled(std::string_view text);

}  // namespace orrery::cli
