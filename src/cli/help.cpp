#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/cmdline.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <cctype>
#include <cstddef>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "cli/paths.hpp"
#include "cli/printing.hpp"

namespace orrery::cli {
namespace {

namespace po = boost::program_options;

constexpr unsigned columns = 80;
// Of an option's help beside its name; a longer name has a line of its own.
constexpr unsigned least_help_columns = 50;

/// One paragraph.
std::string filled_line(const std::string& paragraph) {
  std::string out;
  std::size_t column = 0;
  std::istringstream words(paragraph);
  for (std::string word; words >> word;) {
    if (column > 0 && column + 1 + word.size() > columns) {
      out += '\n';
      column = 0;
    } else if (column > 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

std::string examples_text(const Usage& usage) {
  const std::vector<std::string> examples = lines_of(usage.example);
  if (examples.size() == 1) return fmt::format("example: {}\n", examples[0]);
  std::string text = "examples:\n";
  for (const std::string& example : examples) text += fmt::format("  {}\n", example);
  return text;
}

/// "N (=4000)", "[=ROW(=the rows shown)]" as the default alone.
std::string default_of(const po::option_description& option) {
  boost::any otherwise;
  if (!option.semantic()->apply_default(otherwise)) return "";
  const std::string shown = option.semantic()->name();
  const std::size_t begin = shown.find("(=");
  return shown.substr(begin + 2, shown.rfind(')') - begin - 2);
}

/// "a|b:K|N" as the words that it may be, or begin with: "a", "b:". In capitals stands what a value
/// is.
std::vector<std::string> choices_of(const std::string& value) {
  std::vector<std::string> choices;
  if (value.find('|') == std::string::npos) return choices;
  std::istringstream stream(value);
  for (std::string choice; std::getline(stream, choice, '|');) {
    choice = word_before_capitals(choice);
    if (!choice.empty()) choices.push_back(choice);
  }
  return choices;
}

std::vector<OptionHelp> options_help(const po::options_description& options, const Usage& usage) {
  std::vector<OptionHelp> list;
  for (const auto& option : options.options()) {
    OptionHelp& entry = list.emplace_back();
    entry.name = option->long_name();
    // "-o", or the long name again where there is no letter.
    const std::string shown =
        option->canonical_display_name(po::command_line_style::allow_dash_for_short);
    if (shown.size() == 2 && shown[0] == '-') entry.letter = shown.substr(1);
    entry.help = option->description();
    const po::value_semantic& semantic = *option->semantic();
    if (semantic.max_tokens() == 0) continue;
    entry.value = value_name(*option);
    entry.otherwise = default_of(*option);
    entry.is_value_optional = semantic.min_tokens() == 0;
    entry.may_be_repeated = semantic.is_composing();
    const auto choices = usage.choices.find(entry.name);
    entry.choices = choices != usage.choices.end() ? choices->second : choices_of(entry.value);
  }
  return list;
}

nlohmann::json options_json(const std::vector<OptionHelp>& options) {
  nlohmann::json list = nlohmann::json::array();
  for (const OptionHelp& option : options) {
    nlohmann::json& entry = list.emplace_back();
    entry = {{"name", "--" + option.name}, {"help", option.help}};
    if (!option.value.empty()) entry["value"] = option.value;
    if (!option.otherwise.empty()) entry["default"] = option.otherwise;
    if (!option.choices.empty()) entry["choices"] = option.choices;
  }
  return list;
}

nlohmann::json help_json(const HelpPage& page) {
  return {{"command", page.usage.command},
          {"usage", usage_line(page.usage)},
          {"description", page.usage.description},
          {"options", options_json(page.own)},
          {"common_options", options_json(page.common)},
          {"examples", lines_of(page.usage.example)}};
}

/// The options in a column of names and one of helps.
po::options_description laid_out(const po::options_description& options, const char* title) {
  po::options_description shown(title, columns, least_help_columns);
  for (const auto& option : options.options()) shown.add(option);
  return shown;
}

}  // namespace

std::string word_before_capitals(const std::string& word) {
  const auto capital =
      std::ranges::find_if(word, [](unsigned char c) { return std::isupper(c) != 0; });
  return {word.begin(), capital};
}

HelpPage help_page(const Usage& usage, const po::options_description& own,
                   const po::options_description& common) {
  return {usage, options_help(own, usage), options_help(common, usage)};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string usage_line(const Usage& usage) {
  return fmt::format("orrery {}{}{} [options]", usage.command, usage.synopsis.empty() ? "" : " ",
                     usage.synopsis);
}

void print_help(const Usage& usage, const po::options_description& own,
                const po::options_description& common, bool as_json) {
  if (as_json) {
    print_json(help_json(help_page(usage, own, common)));
    return;
  }
  std::cout << "usage: " << usage_line(usage) << "\n\n" << filled(usage.description) << '\n';
  if (!own.options().empty()) std::cout << laid_out(own, "Options") << '\n';
  std::cout << laid_out(common, "Everywhere") << '\n' << examples_text(usage);
}

bool is_help(std::string_view word) { return word == "--help" || word == "-h"; }

std::string filled(std::string_view text) {
  std::string out;
  for (const std::string& line : lines_of(std::string(text))) {
    out += (line.starts_with(' ') ? line : filled_line(line)) + "\n";
  }
  return out;
}

}  // namespace orrery::cli
