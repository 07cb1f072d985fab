#include "cli/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <boost/program_options/variables_map.hpp>
#include <charconv>
#include <cstdint>
#include <limits>
#include <sstream>

#include "base/typed_words.hpp"
#include "cli/arguments.hpp"
#include "orrery/base/error.hpp"

namespace orrery::cli {
namespace {

namespace po = boost::program_options;

po::options_description all_common_options() {
  po::options_description options("Everywhere");
  options.add_options()(
      "config", po::value<std::string>()->value_name("FILE"),
      "read options from an ini file (name = value); options on the command line take precedence")(
      "threads", po::value<int>()->value_name("N"),
      "threads of each rank (default: the cores this rank may use, or OMP_NUM_THREADS)")(
      "seed", po::value<std::uint64_t>()->value_name("S")->default_value(1),
      "seed of every random draw")(
      "dry-run", po::bool_switch(),
      "tell how much memory, work and time the command would take, and do nothing else")(
      "watchdog", po::value<std::string>()->value_name("TIME")->default_value("60s"),
      "with several ranks: end the run if one of them has not been heard from for this long; 0: "
      "never")("log", po::value<std::string>()->value_name("FILE"),
               "add to the end of this file what the run was, said and took, as it goes on")(
      "json", po::bool_switch(),
      "print the result as JSON on standard output; `orrery help json` says what is in it")(
      "verbose,v", po::bool_switch(), "say more: every stage and its time, every row of a table")(
      "quiet,q", po::bool_switch(),
      "no progress, warnings or summary; only errors, and what was "
      "asked for")("help,h", po::bool_switch(), "this text");
  return options;
}

template <class T>
bool takes(const po::value_semantic& option) {
  return dynamic_cast<const po::typed_value<T>*>(&option) != nullptr;
}

bool is_number(const std::string& text) {
  double value{};
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && rest == end;
}

/// Throws UsageError unless `text` is a whole number that a T holds; else it becomes its digits.
template <class T>
void read_whole(const std::string& shown, std::string& text) {
  constexpr bool has_sign = std::numeric_limits<T>::is_signed;
  const auto digits = whole_digits(text);
  if (!digits || (!has_sign && digits->starts_with('-'))) {
    throw UsageError(fmt::format("{}: must be a whole number{}, such as 20 or 2e1", shown,
                                 has_sign ? "" : ", 0 or more"));
  }
  if (!parse_whole<T>(*digits)) {
    throw UsageError(fmt::format("{}: must be a whole number from {} to {}", shown,
                                 std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  }
  text = *digits;
}

void read_number(const po::value_semantic& option, const std::string& shown, std::string& text) {
  if (takes<std::uint64_t>(option)) read_whole<std::uint64_t>(shown, text);
  if (takes<std::uint32_t>(option)) read_whole<std::uint32_t>(shown, text);
  if (takes<int>(option)) read_whole<int>(shown, text);
  if (takes<double>(option) && !is_number(text)) {
    throw UsageError(fmt::format("{}: must be a number", shown));
  }
}

/// Of options, not of the words without dashes.
std::vector<std::string> names_of(const po::options_description& all, const Usage& usage) {
  std::vector<std::string> names;
  for (const auto& option : all.options()) {
    const std::string& name = option->long_name();
    if (std::ranges::find(usage.positional, name) == usage.positional.end()) names.push_back(name);
  }
  return names;
}

}  // namespace

po::options_description common_options(const std::vector<std::string>& without) {
  const po::options_description all = all_common_options();
  po::options_description options("Everywhere");
  for (const auto& option : all.options()) {
    if (std::ranges::find(without, option->long_name()) == without.end()) options.add(option);
  }
  return options;
}

void refuse_useless(const po::parsed_options& parsed, const std::vector<std::string>& useless,
                    const std::string& command) {
  for (const auto& option : parsed.options) {
    if (std::ranges::find(useless, option.string_key) == useless.end()) continue;
    throw UsageError(
        fmt::format("--{} has no effect on `orrery {}`; leave it out", option.string_key, command));
  }
}

void read_numbers(po::parsed_options& parsed, const std::string& where) {
  for (auto& option : parsed.options) {
    const auto* description = parsed.description->find_nothrow(option.string_key, false);
    if (description == nullptr || option.value.empty()) continue;
    const std::string shown = fmt::format("{}{} {}", where, option.string_key, option.value[0]);
    read_number(*description->semantic(), shown, option.value[0]);
  }
}

std::string describe_unknown(const po::unknown_option& error, const po::options_description& all,
                             const Usage& usage) {
  const std::string word = error.get_option_name();
  const std::string bare = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  return fmt::format("{} is not an option of {}{}", word, usage.command,
                     did_you_mean(bare, names_of(all, usage), "--"));
}

void store_config(const std::string& path, const std::string& text,
                  const po::options_description& all, const Usage& usage,
                  po::variables_map& values) {
  constexpr const char* form = "write a line \"name = value\" for each option, without its dashes";
  try {
    std::istringstream stream(text);
    po::parsed_options parsed = po::parse_config_file(stream, all);
    read_numbers(parsed, path + ": ");
    po::store(parsed, values);
  } catch (const po::unknown_option& error) {
    const std::string word = error.get_option_name();
    throw UsageError(fmt::format("{}: {} is not an option of {}{}; {}", path, word, usage.command,
                                 did_you_mean(word, names_of(all, usage)), form));
  } catch (const po::error& error) {
    throw UsageError(fmt::format("{}: {}; {}", path, error.what(), form));
  }
}

}  // namespace orrery::cli
