#include "commands/manual_pages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/build.hpp"
#include "commands/commands.hpp"
#include "commands/help.hpp"
#include "commands/help_pages.hpp"
#include "commands/roff.hpp"
#include "family/table.hpp"
#include "orrery/base/version.hpp"
#include "report/papers.hpp"

namespace orrery::commands {
namespace {

using cli::HelpPage;
using cli::OptionHelp;

/// "learn quartet" is described in orrery-learn-quartet(1), the topic files in orrery-files(5).
std::string page_name(std::string words) {
  std::ranges::replace(words, ' ', '-');
  return words.empty() ? "orrery" : "orrery-" + words;
}
int section_of_topic(const std::string& topic) { return topic == "files" ? 5 : 7; }

/// "orrery-learn-quartet(1)" of each command, method and topic that a text names.
class References {
 public:
  explicit References(const std::vector<HelpPage>& pages) {
    for (const HelpPage& page : pages) commands_.insert(page.usage.command);
  }

  /// The page of these words, if there is one: "learn quartet data.h5", "help files".
  [[nodiscard]] std::string find(const std::string& words) const {
    constexpr std::string_view help = "help ";
    if (words.starts_with(help)) return find(words.substr(help.size()));
    const auto topic = std::ranges::find(topics(), words, &Topic::name);
    if (topic != topics().end()) {
      return fmt::format("{}({})", page_name(words), section_of_topic(words));
    }
    for (std::size_t end = words.size(); end != std::string::npos && end > 0;) {
      const std::string command = words.substr(0, end);
      if (commands_.contains(command)) return page_name(command) + "(1)";
      end = words.rfind(' ', end - 1);
    }
    return "";
  }

  void add_of_text(const std::string& text, std::set<std::string>& found) const {
    constexpr std::string_view program = "orrery ";
    for (const std::string& quoted : quoted_commands(text)) {
      if (!quoted.starts_with(program)) continue;
      const std::string page = find(quoted.substr(program.size()));
      if (!page.empty()) found.insert(page);
    }
  }

 private:
  std::set<std::string> commands_;
};

std::string title_line(const std::string& name, int section) {
  std::string title = name;
  std::ranges::transform(title, title.begin(), [](unsigned char c) { return std::toupper(c); });
  return fmt::format(
      ".\\\" Made by `orrery manual` of the tables of --help.\n"
      ".TH \"{}\" {} \"{}\" \"orrery {}\" \"orrery manual\"\n.ad l\n.nh\n",
      title, section, sources().date, version);
}

std::string name_section(const std::string& name, const std::string& summary) {
  return fmt::format("{}{} \\- {}\n", roff::section("NAME"), roff::prose(name),
                     roff::prose(summary));
}

/// What every page ends with; `name` is its own, which it does not refer to.
std::string end_of_page(std::set<std::string> references, const std::string& name) {
  std::erase_if(references, [&](const std::string& page) { return page.starts_with(name + "("); });
  std::string see;
  for (const std::string& page : references) {
    const std::size_t open = page.find('(');
    see += fmt::format("{}.BR {} {}", see.empty() ? "" : " ,\n", roff::prose(page.substr(0, open)),
                       page.substr(open));
  }
  return fmt::format("{}{}\n{}orrery {}\n", roff::section("SEE ALSO"), see,
                     roff::section("VERSION"), roff::prose(version));
}

std::string term_of(const OptionHelp& option) {
  std::string term;
  if (!option.letter.empty()) term = roff::bold("-" + option.letter) + ", ";
  term += roff::bold("--" + option.name);
  if (option.value.empty()) return term;
  const std::string value = roff::syntax(option.value);
  return term + (option.is_value_optional ? fmt::format("[={}]", value) : " " + value);
}

std::string options_of(const std::vector<OptionHelp>& options) {
  std::string text;
  for (const OptionHelp& option : options) {
    std::string help = option.help;
    if (!option.otherwise.empty()) {
      help += fmt::format("{} Default: {}.", help.ends_with('.') ? "" : ".", option.otherwise);
    }
    text += roff::entry(term_of(option), help);
  }
  return text;
}

std::string examples_section(const std::string& examples) {
  std::vector<std::string> lines = cli::lines_of(examples);
  for (std::string& line : lines) line.insert(0, "  ");
  return roff::section("EXAMPLES") + roff::verbatim(lines);
}

std::string exit_section(bool may_stop) {
  std::string text = roff::section("EXIT STATUS");
  for (const ExitStatus& status : exit_statuses()) {
    if (status.code == static_cast<int>(ExitCode::checkpointed) && !may_stop) continue;
    text += roff::entry(roff::bold(fmt::format("{}", status.code)), status.meaning);
  }
  return text;
}

std::string environment_section() {
  std::string text = roff::section("ENVIRONMENT");
  for (const Variable& variable : environment()) {
    text += roff::entry(roff::bold(variable.name), variable.meaning);
  }
  return text;
}

std::string list_section(const char* title, const std::string& before,
                         const std::vector<Listed>& list, const References& references) {
  std::string text = roff::section(title);
  for (const Listed& entry : list) {
    const std::string page = references.find(before + entry.name);
    const std::size_t open = page.find('(');
    text += roff::entry(fmt::format("{}{}", roff::bold(page.substr(0, open)), page.substr(open)),
                        entry.summary);
  }
  return text;
}

/// The papers of `learn quartet`, or of `params`.
std::string papers_section(const std::string& command) {
  const std::string learner = command.substr(command.rfind(' ') + 1);
  std::string text;
  for (const family::Family* family : family::families()) {
    const auto papers = family->papers.find(learner);
    if (papers == family->papers.end()) continue;
    for (const std::string& key : papers->second) {
      text += roff::paragraph(report::as_text(report::find_paper(key)));
    }
  }
  if (text.empty() || (command != learner && !command.starts_with("learn "))) return "";
  return roff::section("REFERENCES") + text;
}

bool has_option(const HelpPage& page, const std::string& name) {
  return std::ranges::find(page.own, name, &OptionHelp::name) != page.own.end();
}

std::set<std::string> references_of(const HelpPage& page, const References& references) {
  const std::string& command = page.usage.command;
  std::set<std::string> found{"orrery(1)", "orrery-files(5)", "orrery-config(7)", "orrery-json(7)"};
  references.add_of_text(page.usage.description, found);
  for (const OptionHelp& option : page.own) references.add_of_text(option.help, found);
  for (const std::string& line : cli::lines_of(page.usage.example)) {
    references.add_of_text("`" + line + "`", found);
  }
  for (const Listed& method : page.methods) {
    found.insert(references.find(command + " " + method.name));
  }
  if (command.starts_with("learn")) {
    for (const char* word : {"learn", "import", "evaluate", "infer", "report", "choosing"}) {
      found.insert(references.find(word));
    }
  }
  if (has_option(page, "checkpoint")) found.insert(references.find("parallel"));
  return found;
}

ManualPage page_of_command(const HelpPage& page, const std::vector<HelpPage>& all,
                           const References& references) {
  ManualPage manual{page_name(page.usage.command), 1, summary_of(page, all), ""};
  manual.text = title_line(manual.name, 1) + name_section(manual.name, manual.summary) +
                roff::section("SYNOPSIS") + roff::syntax(cli::usage_line(page.usage)) + "\n" +
                roff::section("DESCRIPTION") + roff::paragraphs(page.usage.description);
  if (!page.methods.empty()) {
    manual.text += list_section("METHODS", page.usage.command + " ", page.methods, references);
  }
  if (!page.own.empty()) manual.text += roff::section("OPTIONS") + options_of(page.own);
  if (!page.common.empty()) {
    manual.text += (page.own.empty() ? roff::section("OPTIONS") : "") +
                   roff::subsection("Options of every command") + options_of(page.common);
  }
  manual.text += exit_section(has_option(page, "checkpoint")) + environment_section() +
                 examples_section(page.usage.example) + papers_section(page.usage.command) +
                 end_of_page(references_of(page, references), manual.name);
  return manual;
}

ManualPage page_of_topic(const Topic& topic, const References& references) {
  const int section = section_of_topic(topic.name);
  ManualPage manual{page_name(topic.name), section, topic.summary, ""};
  std::set<std::string> found{"orrery(1)"};
  references.add_of_text(topic.text(), found);
  manual.text = title_line(manual.name, section) + name_section(manual.name, manual.summary) +
                roff::section("DESCRIPTION") + roff::paragraphs(topic.text()) +
                end_of_page(found, manual.name);
  return manual;
}

ManualPage page_of_program(const References& references) {
  ManualPage manual{"orrery", 1, purpose, ""};
  std::vector<Listed> listed_commands;
  std::set<std::string> found;
  for (const Command& command : commands()) {
    listed_commands.push_back({command.name, command.summary});
    found.insert(references.find(command.name));
  }
  std::vector<Listed> listed_topics;
  for (const Topic& topic : topics()) {
    listed_topics.push_back({topic.name, topic.summary});
    found.insert(references.find(topic.name));
  }
  std::string synopsis;
  for (const char* form : {"orrery COMMAND [options]", "orrery help [COMMAND|TOPIC|LEARNER]",
                           "orrery --version [--verbose] [--json]"}) {
    synopsis += (synopsis.empty() ? "" : ".br\n") + roff::syntax(form) + "\n";
  }
  manual.text =
      title_line(manual.name, 1) + name_section(manual.name, manual.summary) +
      roff::section("SYNOPSIS") + synopsis + roff::section("DESCRIPTION") +
      roff::paragraphs(program_description) +
      list_section("COMMANDS", "", listed_commands, references) +
      list_section("LEARNERS", "learn ", listed_learners(), references) +
      list_section("TOPICS", "", listed_topics, references) + exit_section(true) +
      environment_section() + roff::section("FILES") +
      roff::entry(
          roff::bold(".") + roff::syntax("NAME") + roff::bold(".orrery-") + roff::syntax("XXXXXX"),
          "A result while it is being written, beside its final NAME. A run that is killed "
          "leaves it; the next command that writes NAME removes it.") +
      examples_section(first_example) + end_of_page(found, manual.name);
  return manual;
}

}  // namespace

std::vector<ManualPage> manual_pages(const parallel::Team& team) {
  const std::vector<HelpPage> all = help_pages(team);
  const References references(all);
  std::vector<ManualPage> pages{page_of_program(references)};
  for (const HelpPage& page : all) pages.push_back(page_of_command(page, all, references));
  for (const Topic& topic : topics()) pages.push_back(page_of_topic(topic, references));
  for (ManualPage& page : pages) page.text = roff::tidy(page.text);
  return pages;
}

}  // namespace orrery::commands
