#include "commands/text_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <cstdint>
#include <string>

#include "cli/arguments.hpp"
#include "orrery/base/error.hpp"

namespace orrery::commands {
namespace {

namespace po = boost::program_options;

std::optional<bool> parse_zero_based(const std::string& text) {
  if (text == "auto") return std::nullopt;
  if (text == "yes" || text == "no") return text == "yes";
  throw UsageError(fmt::format("--zero-based {}: must be auto, yes or no", text));
}

}  // namespace

void add_text_format_options(po::options_description& options) {
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto number = [] { return po::value<std::uint64_t>()->value_name("N"); };
  options.add_options()("row", text("COLUMN"),
                        "long: the column that says of which row a line is, such as patient")(
      "column", text("COLUMN"),
      "long: the column that says which variable the row has, such as code")(
      "value", text("COLUMN"),
      "long: the column of the variable's value; without it, a line means 1. Values of several "
      "lines are added up with --numeric; else one that is on is enough")(
      "time", text("COLUMN"), "long: the column of the time of a line, for --from and --before")(
      "from", text("TIME"),
      "long: the lines of this time or later: an ISO 8601 date, such as 2020-01-31, or a number")(
      "before", text("TIME"), "long: the lines of an earlier time than this")(
      "vocabulary", number(),
      "text, long: how many words, or variables, at most: those of most rows. 1000 words by "
      "default, and all variables")(
      "min-documents", number(),
      "text, long: a word, or a variable, is in so many rows. 20 by default for words, 1 for "
      "variables")("stop-words", text("WHICH"),
                   "text: words that are left out: none (the default), english, or a file with a "
                   "word on each line")("label", text("NAME"),
                                        "svmlight: make a column of this name of the labels")(
      "zero-based", text("HOW"),
      "svmlight: has the first column the index 0? auto (the default: if index 0 occurs), yes or "
      "no");
}

void read_text_format_options(const cli::Arguments& arguments, data::ImportOptions& options) {
  const auto count = [&](const char* name, std::optional<std::uint64_t>& into,
                         std::uint64_t least) {
    if (!arguments.has(name)) return;
    into = arguments.get<std::uint64_t>(name);
    if (*into >= least) return;
    throw UsageError(fmt::format("--{} {}: must be {} or more", name, *into, least));
  };
  options.row_column = arguments.text("row");
  options.variable_column = arguments.text("column");
  options.value_column = arguments.text("value");
  options.time_column = arguments.text("time");
  options.from = arguments.text("from");
  options.before = arguments.text("before");
  count("vocabulary", options.vocabulary, 2);
  count("min-documents", options.min_documents, 1);
  if (arguments.has("stop-words")) options.stop_words = arguments.text("stop-words");
  options.label = arguments.text("label");
  if (arguments.has("zero-based")) {
    options.is_zero_based = parse_zero_based(arguments.text("zero-based"));
  }
}

double most_held(const data::ImportOptions& options, double bytes) {
  const bool is_held =
      options.format == data::Format::long_table || options.format == data::Format::text;
  return is_held ? std::min(bytes, static_cast<double>(options.memory_bytes)) : 0;
}

}  // namespace orrery::commands
