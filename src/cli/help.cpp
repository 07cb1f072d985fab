#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/value_semantic.hpp>
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

constexpr std::size_t columns = 80;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

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

nlohmann::json options_json(const po::options_description& options) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& option : options.options()) {
    nlohmann::json& entry = list.emplace_back();
    entry = {{"name", "--" + option->long_name()}, {"help", option->description()}};
    if (option->semantic()->max_tokens() > 0) entry["value"] = value_name(*option);
    boost::any otherwise;
    if (!option->semantic()->apply_default(otherwise) || entry.count("value") == 0) continue;
    const std::string shown = option->semantic()->name();  // "N (=4000)"
    const std::size_t begin = shown.find("(=");
    entry["default"] = shown.substr(begin + 2, shown.rfind(')') - begin - 2);
  }
  return list;
}

nlohmann::json help_json(const Usage& usage, const po::options_description& own,
                         const po::options_description& common) {
  return {{"command", usage.command},
          {"usage", usage_line(usage)},
          {"description", usage.description},
          {"options", options_json(own)},
          {"common_options", options_json(common)},
          {"examples", lines_of(usage.example)}};
}

}  // namespace

std::string usage_line(const Usage& usage) {
  return fmt::format("orrery {}{}{} [options]", usage.command, usage.synopsis.empty() ? "" : " ",
                     usage.synopsis);
}

void print_help(const Usage& usage, const po::options_description& own,
                const po::options_description& common, bool as_json) {
  if (as_json) {
    print_json(help_json(usage, own, common));
    return;
  }
  std::cout << "usage: " << usage_line(usage) << "\n\n" << filled(usage.description) << '\n';
  if (!own.options().empty()) std::cout << own << '\n';
  std::cout << common << '\n' << examples_text(usage);
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
