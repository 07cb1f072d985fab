// Completion for bash, which needs nothing but bash 4.3.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "commands/completion.hpp"

namespace orrery::commands {
namespace {

// bash divides words at : and =, which values hold ("con:8"): the function puts them together
// again.
constexpr const char* script =
    R"bash(# Completion of orrery for bash. Made by `orrery completion bash`.

# _orrery_reply VALUE WORDS MAY_BE_FILE: what VALUE may become.
_orrery_reply() {
  local value=$1 prefix i
  mapfile -t COMPREPLY < <(compgen -W "$2" -- "$value")
  [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *: ]] || compopt -o nospace 2>/dev/null
  if [[ $3 == yes ]]; then
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$value")
    compopt -o filenames 2>/dev/null
  fi
  # bash replaces what is behind the last character that divides words.
  if [[ $value == *[:=]* && $COMP_WORDBREAKS == *[:=]* ]]; then
    prefix=${value%"${value##*[:=]}"}
    for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"$prefix"}; done
  fi
}

_orrery() {
  local line=() piece joins='' i n command current previous option value words file
  for ((i = 0; i <= COMP_CWORD; ++i)); do
    piece=${COMP_WORDS[i]}
    n=${#line[@]}
    if ((n > 1)) && [[ -n $joins || $piece == [:=]* ]]; then
      line[n - 1]+=$piece
    else
      line+=("$piece")
    fi
    joins=''
    [[ $piece != *[:=] ]] || joins=yes
  done
  n=${#line[@]}
  current=${line[n - 1]}
  previous=${line[n - 2]}
  COMPREPLY=()
  if ((n == 2)); then
    _orrery_reply "$current" "$_orrery_commands --help --version" no
    return
  fi
  command=${line[1]}
  if [[ -n $(_orrery_methods "$command") ]]; then
    if ((n == 3)); then
      _orrery_reply "$current" "$(_orrery_methods "$command") --help" no
      return
    fi
    command+=" ${line[2]}"
  elif [[ $command == --version ]]; then
    _orrery_reply "$current" '--verbose --json' no
    return
  fi
  option=$previous
  value=$current
  if [[ $current == --*=* ]]; then
    option=${current%%=*}
    value=${current#*=}
  fi
  if [[ $option == -* ]] && _orrery_value "$command" "$option"; then
    _orrery_reply "$value" "$words" "$file"
    [[ $current != --*=* || $COMP_WORDBREAKS == *=* ]] || COMPREPLY=("${COMPREPLY[@]/#/$option=}")
  elif [[ $current == -* ]]; then
    _orrery_reply "$current" "$(_orrery_options "$command")" no
  else
    _orrery_rest "$command"
    _orrery_reply "$current" "$words" "$file"
  fi
}

complete -F _orrery orrery
)bash";

std::string names_of(const CompletedOption& option) {
  const std::string name = "--" + option.name;
  return option.letter.empty() ? name : fmt::format("{} -{}", name, option.letter);
}

/// "words='a b' file=yes"
std::string assigned(const Words& words) {
  return fmt::format("words='{}' file={}", fmt::join(words.choices, " "),
                     words.may_be_file ? "yes" : "no");
}

std::string cases_of_values(const CompletedCommand& command) {
  std::string cases;
  for (const CompletedOption& option : command.options) {
    if (option.value.empty()) continue;
    std::string pattern = fmt::format("'{} --{}'", command.words, option.name);
    if (!option.letter.empty()) {
      append_text(pattern, " | '{} -{}'", command.words, option.letter);
    }
    append_text(cases, "    {}) {} ;;\n", pattern, assigned(option.words));
  }
  return cases;
}

}  // namespace

std::string bash_completion(const Completion& completion) {
  std::string commands;
  std::string methods;
  std::string options;
  std::string values;
  std::string rest;
  for (const CompletedCommand& command : completion) {
    if (command.words.find(' ') == std::string::npos) append_text(commands, " {}", command.words);
    std::string names;
    for (const cli::Listed& method : command.methods) append_text(names, " {}", method.name);
    if (!names.empty()) append_text(methods, "    {}) echo '{}' ;;\n", command.words, names);
    names.clear();
    for (const CompletedOption& option : command.options)
      append_text(names, " {}", names_of(option));
    append_text(options, "    '{}') echo '{}' ;;\n", command.words, names);
    values += cases_of_values(command);
    append_text(rest, "    '{}') {} ;;\n", command.words, assigned(command.rest));
  }
  return fmt::format(
      "{}\n_orrery_commands='{}'\n\n# The methods of a command.\n"
      "_orrery_methods() {{\n  case $1 in\n{}  esac\n}}\n\n"
      "_orrery_options() {{\n  case $1 in\n{}  esac\n}}\n\n"
      "# Sets $words and $file to what the option's value may be; fails if it takes none.\n"
      "_orrery_value() {{\n  case \"$1 $2\" in\n{}    *) return 1 ;;\n  esac\n}}\n\n"
      "# The same of words that are no options.\n"
      "_orrery_rest() {{\n  case $1 in\n{}    *) words='' file=no ;;\n  esac\n}}\n",
      script, commands.substr(1), methods, options, values, rest);
}

}  // namespace orrery::commands
