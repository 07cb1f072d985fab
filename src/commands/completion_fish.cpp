// Completion for fish.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "commands/completion.hpp"

namespace orrery::commands {
namespace {

constexpr const char* fish_begin =
    R"(# Completion of orrery for fish. Made by `orrery completion fish`.

function __orrery_at --description 'are the words behind orrery these, and the next word new?'
    set -l words (commandline -opc)
    test (count $words) -eq (math (count $argv) + 1); and test "$words[2..-1]" = "$argv"
end

function __orrery_in --description 'is this the command, and its method?'
    set -l words (commandline -opc)
    set -l last (math (count $argv) + 1)
    test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
end

complete -c orrery -f
complete -c orrery -n __orrery_at -l version -d 'print the version'
complete -c orrery -n __orrery_at -l help -d 'list commands and topics'
complete -c orrery -n '__orrery_in --version' -l verbose -d 'say how it was built'
complete -c orrery -n '__orrery_in --version' -l json -d 'print it as JSON'
)";

std::string in_fish_quotes(const std::string& text) { return in_shell_quotes(text, "\\'"); }

void add_option(const std::string& condition, const CompletedOption& option, std::string& out) {
  append_text(out, "complete -c orrery -n {} -l {}", condition, option.name);
  if (!option.letter.empty()) append_text(out, " -s {}", option.letter);
  if (!option.value.empty()) out += option.words.may_be_file ? " -r -F" : " -x";
  if (!option.words.choices.empty()) {
    append_text(out, " -a '{}'", fmt::join(option.words.choices, " "));
  }
  append_text(out, " -d {}\n", in_fish_quotes(option.brief));
}

}  // namespace

std::string fish_completion(const Completion& completion) {
  std::string out = fish_begin;
  for (const CompletedCommand& command : completion) {
    const std::string condition = in_fish_quotes("__orrery_in " + command.words);
    out += "\n";
    if (command.words.find(' ') == std::string::npos) {
      append_text(out, "complete -c orrery -n __orrery_at -a {} -d {}\n", command.words,
                  in_fish_quotes(command.brief));
    }
    for (const cli::Listed& method : command.methods) {
      append_text(out, "complete -c orrery -n {} -a {} -d {}\n",
                  in_fish_quotes("__orrery_at " + command.words), method.name,
                  in_fish_quotes(method.summary));
    }
    for (const CompletedOption& option : command.options) add_option(condition, option, out);
    if (command.rest.may_be_file) append_text(out, "complete -c orrery -n {} -F\n", condition);
    if (!command.rest.choices.empty()) {
      append_text(out, "complete -c orrery -n {} -a '{}'\n", condition,
                  fmt::join(command.rest.choices, " "));
    }
  }
  return out;
}

}  // namespace orrery::commands
