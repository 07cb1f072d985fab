// Completion of words on the command line, in the language of each shell. What is completed comes
// from the help pages: commands, methods, options, and what their values may be.
#pragma once

#include <string>
#include <vector>

#include "cli/help.hpp"

namespace orrery::commands {

/// What the words of an option's value, or those without --, may be.
struct Words {
  std::vector<std::string> choices;  ///< whole words, or their begin: "con:"
  bool may_be_file = false;
};

struct CompletedOption {
  std::string name;    ///< "output"
  std::string letter;  ///< "o", or empty
  std::string brief;   ///< what it is, on one line
  std::string value;   ///< "FILE"; empty: it takes none
  bool may_be_repeated = false;
  Words words;
};

struct CompletedCommand {
  std::string words;  ///< "import", "learn quartet"
  std::string brief;
  std::vector<CompletedOption> options;
  std::vector<cli::Listed> methods;  ///< the next word, of "learn"
  Words rest;                        ///< words without --
};

/// `orrery COMMAND`, `orrery help WORD` among them.
using Completion = std::vector<CompletedCommand>;

std::string bash_completion(const Completion& completion);
std::string fish_completion(const Completion& completion);
std::string zsh_completion(const Completion& completion);

/// The text between single quotes, as all three shells read it; in it each quote is `quote`.
std::string in_shell_quotes(const std::string& text, const std::string& quote);

}  // namespace orrery::commands
