// Completion for zsh, by its _arguments.
#include <fmt/format.h>

#include "base/text.hpp"
#include "commands/completion.hpp"

namespace orrery::commands {
namespace {

/// Of _arguments and _describe, which divide their specifications at colons and brackets.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char character : text) {
    if (std::string_view(":[]\\").find(character) != std::string_view::npos) out += '\\';
    out += character;
  }
  return out;
}

std::string in_zsh_quotes(const std::string& text) { return in_shell_quotes(text, "'\\''"); }

/// What completes a value: a list, files, both, or nothing.
std::string action_of(const Words& words) {
  std::string list;
  for (const std::string& choice : words.choices) list += " " + choice;
  if (list.empty()) return words.may_be_file ? "_files" : " ";
  const char* const function = words.may_be_file ? "_orrery_words_or_files" : "_orrery_words";
  return escaped(function + list);
}

std::string specification(const CompletedOption& option) {
  const std::string name = "--" + option.name;
  std::string names = name;
  std::string before = option.may_be_repeated ? "*" : "";
  if (!option.value.empty()) names += "=";
  if (!option.letter.empty()) {
    names = fmt::format("{{-{}{},{}}}", option.letter, option.value.empty() ? "" : "+", names);
    if (before.empty()) before = fmt::format("(-{} {})", option.letter, name);
  }
  std::string text = fmt::format("[{}]", escaped(option.brief));
  if (!option.value.empty()) {
    append_text(text, ":{}:{}", escaped(option.value), action_of(option.words));
  }
  return fmt::format("{}{}{}", before.empty() ? "" : in_zsh_quotes(before), names,
                     in_zsh_quotes(text));
}

std::string list_of(const char* name, const std::vector<cli::Listed>& list) {
  std::string out = fmt::format("{}=(\n", name);
  for (const cli::Listed& entry : list) {
    append_text(out, "        {}\n", in_zsh_quotes(escaped(entry.name) + ":" + entry.summary));
  }
  return out + "      )";
}

std::string case_of(const CompletedCommand& command) {
  if (!command.methods.empty()) return "";
  std::string out = fmt::format("    '{}')\n      _arguments -s -S :", command.words);
  for (const CompletedOption& option : command.options) {
    append_text(out, " \\\n        {}", specification(option));
  }
  if (!command.rest.choices.empty() || command.rest.may_be_file) {
    append_text(out, " \\\n        {}", in_zsh_quotes("*:word:" + action_of(command.rest)));
  }
  return out + " ;;\n";
}

constexpr const char* zsh_begin = R"(#compdef orrery
# Completion of orrery for zsh. Made by `orrery completion zsh`.

# Words, of which those that end with a colon go on.
_orrery_words() {
  local -a whole begun
  whole=(${@:#*:})
  begun=(${(M)@:#*:})
  compadd -a whole
  (( ! $#begun )) || compadd -S '' -a begun
}

_orrery_words_or_files() {
  _orrery_words "$@"
  _files
}

_orrery() {
  local -a list
  local command=$words[2]
  if (( CURRENT == 2 )); then
    )";

}  // namespace

std::string zsh_completion(const Completion& completion) {
  std::vector<cli::Listed> commands;
  std::string methods;
  std::string cases;
  for (const CompletedCommand& command : completion) {
    if (command.words.find(' ') == std::string::npos) {
      commands.push_back({command.words, command.brief});
    }
    if (!command.methods.empty()) {
      append_text(methods, "    {})\n      {}\n      ;;\n", command.words,
                  list_of("list", command.methods));
    }
    cases += case_of(command);
  }
  return fmt::format(
      "{}{}\n    _describe -t commands command list\n"
      "    compadd -- --help --version\n    return\n  fi\n"
      "  case $command in\n{}    --version)\n      compadd -- --verbose --json\n      return ;;\n"
      "  esac\n"
      "  if (( $#list )); then\n    if (( CURRENT == 3 )); then\n"
      "      _describe -t methods method list\n      return\n    fi\n"
      "    command+=\" $words[3]\"\n    shift words\n    (( CURRENT-- ))\n  fi\n"
      "  shift words\n  (( CURRENT-- ))\n  case $command in\n{}  esac\n}}\n\n_orrery \"$@\"\n",
      zsh_begin, list_of("list", commands), methods, cases);
}

}  // namespace orrery::commands
