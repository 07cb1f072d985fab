// orrery completion SHELL: a script that completes the words of orrery.
#include "commands/completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/typed_words.hpp"
#include "cli/printing.hpp"
#include "commands/commands.hpp"
#include "commands/help.hpp"
#include "commands/help_pages.hpp"
#include "orrery/base/error.hpp"

namespace orrery::commands {
namespace {

namespace po = boost::program_options;

constexpr std::size_t longest_brief = 70;

/// The first clause of a help text, on one line.
std::string brief_of(const std::string& help) {
  constexpr std::size_t least_brief = 20;
  std::size_t end = help.size();
  for (const char* stop : {". ", "; ", " ("}) {
    end = std::min(end, help.find(stop, least_brief));
  }
  if (end <= longest_brief) return help.substr(0, end);
  return help.substr(0, help.rfind(' ', longest_brief)) + " ...";
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

Words words_of_value(const cli::OptionHelp& option, const std::vector<std::string>& generators) {
  Words words{option.choices, false};
  if (has(option.value, "NETWORK")) {
    words.choices.insert(words.choices.end(), generators.begin(), generators.end());
  }
  words.may_be_file = std::ranges::any_of(
      std::vector{"FILE", "DATA", "NETWORK", "MODEL", "WHAT", "FOLDER", "NAMES"},
      [&](const char* kind) { return has(option.value, kind); });
  return words;
}

void add_options(const std::vector<cli::OptionHelp>& options,
                 const std::vector<std::string>& generators, CompletedCommand& command) {
  for (const cli::OptionHelp& option : options) {
    command.options.push_back({option.name, option.letter, brief_of(option.help),
                               option.is_value_optional ? "" : option.value, option.may_be_repeated,
                               words_of_value(option, generators)});
  }
}

/// Of the first word without --; those that follow are files.
Words rest_of(const cli::Usage& usage, const std::vector<std::string>& generators) {
  if (usage.positional.empty()) return {};
  const auto choices = usage.choices.find(usage.positional.front());
  if (choices != usage.choices.end()) return {choices->second, false};
  if (usage.positional.front() == "network") return {generators, true};
  return {{}, true};
}

/// `orrery help`: any command, topic or learner.
CompletedCommand help_command() {
  CompletedCommand help{"help", "show help of a command, a topic or a learner", {}, {}, {}};
  help.rest.choices = command_names();
  for (const Topic& topic : topics()) help.rest.choices.push_back(topic.name);
  for (const Listed& learner : listed_learners()) help.rest.choices.push_back(learner.name);
  help.options.push_back({"json", "", "print the help as JSON", "", false, {}});
  return help;
}

Completion completion_of_all(const parallel::Team& team) {
  const std::vector<cli::HelpPage> pages = help_pages(team);
  const std::vector<std::string> generators = generator_choices();
  Completion completion{help_command()};
  for (const cli::HelpPage& page : pages) {
    CompletedCommand& command = completion.emplace_back();
    command.words = page.usage.command;
    command.brief = summary_of(page, pages);
    command.methods = page.methods;
    add_options(page.own, generators, command);
    add_options(page.common, generators, command);
    if (page.methods.empty()) command.rest = rest_of(page.usage, generators);
  }
  return completion;
}

struct Shell {
  const char* name;
  std::string (*script)(const Completion& completion);
};
constexpr Shell shells[] = {
    {"bash", bash_completion}, {"fish", fish_completion}, {"zsh", zsh_completion}};

}  // namespace

std::string in_shell_quotes(const std::string& text, const std::string& quote) {
  std::string out = "'";
  for (const char character : text) {
    if (character == '\'') {
      out += quote;
    } else {
      out += character;
    }
  }
  return out + "'";
}

void run_completion(const cli::CommandLine& line, const parallel::Team& team) {
  std::vector<std::string> names;
  for (const Shell& shell : shells) names.emplace_back(shell.name);
  const cli::Arguments arguments(
      {"completion",
       "SHELL",
       "Prints a script by which a shell (bash, fish or zsh) completes orrery's commands, options "
       "and their values when Tab is pressed. An installed orrery has it where the shells look. "
       "Else put it where yours does: ~/.local/share/bash-completion/completions/orrery, "
       "~/.config/fish/completions/orrery.fish, or _orrery in a folder of zsh's $fpath.",
       "orrery completion bash > orrery.bash\n"
       "orrery completion fish > orrery.fish\n"
       "orrery completion zsh > _orrery",
       {"shell"},
       {},
       nullptr,
       "",
       {{"shell", names}}},
      po::options_description(), line, team);
  if (arguments.helped() || !team.is_root()) return;
  const std::string name = arguments.required("shell");
  const auto* shell = std::ranges::find(shells, name, &Shell::name);
  if (shell == std::end(shells)) {
    throw UsageError(fmt::format("\"{}\" is no shell that is known here{}; give one of {}", name,
                                 did_you_mean(name, names), fmt::join(names, ", ")));
  }
  if (arguments.dry_run()) {
    cli::print_plan(arguments, {2e7, 1, "script"});
    return;
  }
  const std::string script = shell->script(completion_of_all(team));
  if (arguments.json()) {
    cli::print_json({{"shell", name}, {"script", script}});
  } else {
    std::cout << script;
  }
}

}  // namespace orrery::commands
