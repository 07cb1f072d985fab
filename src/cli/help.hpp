// How a command tells what it does, what it needs, and what it can be asked for. A help page is
// made of the tables that the command line is read by; --help, JSON, manual pages and completion
// are renderers of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/program_options.hpp"
#include "cli/arguments.hpp"

namespace orrery::cli {

/// A name and what it is: a command, a topic, a method.
struct Listed {
  std::string name;
  std::string summary;
};

struct OptionHelp {
  std::string name;       ///< "output", without dashes
  std::string letter;     ///< "o", or empty
  std::string value;      ///< "FILE"; empty: the option takes none
  std::string otherwise;  ///< its default; empty: none
  std::string help;
  bool is_value_optional = false;
  bool may_be_repeated = false;
  std::vector<std::string> choices{};  ///< words that it may be or begin with; empty: not known
};

struct HelpPage {
  Usage usage;
  std::vector<OptionHelp> own;     ///< of the command
  std::vector<OptionHelp> common;  ///< that commands share
  std::vector<Listed> methods{};   ///< of a command that has methods: "quartet"
};

HelpPage help_page(const Usage& usage, const boost::program_options::options_description& own,
                   const boost::program_options::options_description& common);

/// "orrery import FILE -o FILE [options]": what stands before "[options]" without brackets is
/// required.
std::string usage_line(const Usage& usage);

/// "tree:chain:P" as "tree:chain:", which somebody types before the rest; "img" as it is.
std::string word_before_capitals(const std::string& word);

/// The lines of a text.
std::vector<std::string> lines_of(const std::string& text);

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
