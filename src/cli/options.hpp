// What holds of options on every command line: those that all commands share, numbers as people
// write them, and what is said of an option that a command does not have.
#pragma once

#include <boost/program_options/errors.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/variables_map.hpp>
#include <string>
#include <vector>

namespace orrery::cli {

struct Usage;

/// The options that commands share, but for those named.
boost::program_options::options_description common_options(const std::vector<std::string>& without);

/// Throws UsageError if one of the options that have no effect on the command was typed. A file of
/// --config may name them: it may serve several commands.
void refuse_useless(const boost::program_options::parsed_options& parsed,
                    const std::vector<std::string>& useless, const std::string& command);

/// Whole numbers with an exponent become digits, 1e6 becomes 1000000; throws UsageError naming the
/// option behind `where` ("--", or a file) for what is not the number that the option takes.
void read_numbers(boost::program_options::parsed_options& parsed, const std::string& where);

/// "--sampels is not an option of sample; did you mean --samples?"
std::string describe_unknown(const boost::program_options::unknown_option& error,
                             const boost::program_options::options_description& all,
                             const Usage& usage);

/// Adds what the command line has not set. Throws UsageError naming the file.
void store_config(const std::string& path, const std::string& text,
                  const boost::program_options::options_description& all, const Usage& usage,
                  boost::program_options::variables_map& values);

}  // namespace orrery::cli
