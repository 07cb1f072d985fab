#include "commands/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "base/typed_words.hpp"
#include "cli/printing.hpp"
#include "commands/commands.hpp"
#include "family/table.hpp"
#include "orrery/base/version.hpp"

namespace orrery::commands {
namespace {

std::string list_text(const std::vector<Listed>& list) {
  std::size_t width = 0;
  for (const Listed& entry : list) width = std::max(width, entry.name.size());
  std::string text;
  for (const Listed& entry : list) {
    append_text(text, "  {:{}}  {}\n", entry.name, width, entry.summary);
  }
  return text;
}

nlohmann::json list_json(const std::vector<Listed>& list) {
  nlohmann::json entries = nlohmann::json::array();
  for (const Listed& entry : list) {
    entries.push_back({{"name", entry.name}, {"summary", entry.summary}});
  }
  return entries;
}

std::vector<Listed> listed_commands() {
  std::vector<Listed> list;
  for (const Command& command : commands()) list.push_back({command.name, command.summary});
  return list;
}

std::vector<Listed> listed_topics() {
  std::vector<Listed> list;
  for (const Topic& topic : topics()) list.push_back({topic.name, topic.summary});
  return list;
}

bool is_json(const std::string& word) { return word == "--json"; }

std::vector<std::string> learner_names() {
  std::vector<std::string> names;
  for (const Listed& learner : listed_learners()) names.push_back(learner.name);
  return names;
}

[[noreturn]] void refuse_word(const std::string& word) {
  std::vector<std::string> known = command_names();
  for (const Topic& topic : topics()) known.push_back(topic.name);
  for (const std::string& learner : learner_names()) known.push_back(learner);
  throw UsageError(
      fmt::format("\"{}\" is not a command, a topic or a learner{}; `orrery help` "
                  "lists commands and topics",
                  word, did_you_mean(word, known)));
}

void print_topic(const Topic& topic, bool as_json) {
  if (as_json) {
    cli::print_json({{"topic", topic.name}, {"text", topic.text()}});
  } else {
    std::cout << topic.text();
  }
}

}  // namespace

const char* const program_description =
    "orrery finds the hidden causes behind tables of bits, of numbers or of categories. It takes a "
    "table (patients and symptoms, documents and words, answers) and returns a network: the causes "
    "that explain why the variables go together, how frequent each cause is, and what it acts "
    "on.\n\n"
    "It is a batch engine. It runs on a laptop as it is, and on several hosts under mpirun, with "
    "the same result. Results go to standard output, progress and warnings to standard error. "
    "`orrery help noisy-or` says what the model is, `orrery help choosing` which command is for "
    "what.\n";

const char* const first_example =
    "orrery sample --network img --samples 10000 --seed 3 -o data.h5\n"
    "orrery learn quartet data.h5 -o model.h5\n"
    "orrery report model.h5 --truth img --grid 8x8 -o report.html";

std::string help_text() {
  return fmt::format(
      "orrery {}: {}\n\n"
      "usage: orrery COMMAND [options]\n\n"
      "commands (orrery help COMMAND says more):\n{}\n"
      "topics (orrery help TOPIC):\n{}\n"
      "example:\n  {}\n",
      version, purpose, list_text(listed_commands()), list_text(listed_topics()),
      fmt::join(cli::lines_of(first_example), "\n  "));
}

std::vector<Listed> listed_learners() {
  std::vector<Listed> list;
  for (const family::Family* family : family::families()) {
    for (const learning::LearnerEntry* learner : family->learners) {
      list.push_back({learner->name, learner->summary});
    }
  }
  return list;
}

void show_help(const cli::CommandLine& line, const parallel::Team& team) {
  std::vector<std::string> words = line.words;
  const bool as_json = std::erase_if(words, is_json) > 0;
  if (words.empty()) {
    if (!team.is_root()) return;
    if (!as_json) {
      std::cout << help_text();
      return;
    }
    cli::print_json({{"version", version},
                     {"commands", list_json(listed_commands())},
                     {"topics", list_json(listed_topics())}});
    return;
  }
  const auto topic = std::ranges::find(topics(), words[0], &Topic::name);
  if (topic != topics().end()) {
    if (team.is_root()) print_topic(*topic, as_json);
    return;
  }
  const auto learners = learner_names();
  if (find_command(words[0]) == nullptr &&
      std::ranges::find(learners, words[0]) != learners.end()) {
    words.insert(words.begin(), "learn");
  }
  const Command* command = find_command(words[0]);
  if (command == nullptr) refuse_word(words[0]);
  words.erase(words.begin());
  words.emplace_back("--help");
  if (as_json) words.emplace_back("--json");
  command->run({words, line.full, command->useless}, team);
}

void show_methods(const cli::CommandLine& line, const cli::Usage& usage,
                  const std::vector<Listed>& methods, const std::string& end) {
  if (line.take_help) {
    line.take_help({usage, {}, {}, methods});
  } else if (std::ranges::any_of(line.words, is_json)) {
    cli::print_json({{"usage", cli::usage_line(usage)}, {"methods", list_json(methods)}});
  } else {
    std::cout << fmt::format("usage: {}\n\n{}\nexample: {}\n{}", cli::usage_line(usage),
                             list_text(methods), usage.example, end);
  }
}

}  // namespace orrery::commands
