#include "cli/arguments.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/positional_options.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <initializer_list>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>

#include "base/log.hpp"
#include "base/memory_limit.hpp"
#include "base/output_file.hpp"
#include "cli/paths.hpp"
#include "kernels/kernels.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/version.hpp"
#include "parallel/stop.hpp"
#include "store/store.hpp"

namespace orrery::cli {

namespace {

namespace po = boost::program_options;

constexpr int max_threads = 4096;

po::options_description common_options() {
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
      "never")("json", po::bool_switch(), "print the result as JSON on standard output")(
      "verbose,v", po::bool_switch(), "say more: every stage and its time")(
      "quiet,q", po::bool_switch(),
      "no progress, warnings or summary; only errors, and what was "
      "asked for")("help,h", po::bool_switch(), "this text");
  return options;
}

/// Cores that this rank may use: all, a share of the host's if ranks are not bound, or its own.
int default_threads() {
  if (std::getenv("OMP_NUM_THREADS") != nullptr) return omp_get_max_threads();
  const int cores = std::max(1, omp_get_num_procs());
  const char* local_ranks = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  const bool bound = cores < static_cast<int>(std::thread::hardware_concurrency());
  if (local_ranks == nullptr || bound) return cores;
  return std::max(1, cores / std::max(1, std::atoi(local_ranks)));
}

std::string upper(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
}

template <class T>
bool is_number(const std::string& text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && rest == end;
}

/// What the option takes if `text` is not that; null if it is, or if it takes no number.
const char* wanted_number(const po::value_semantic& option, const std::string& text) {
  const auto takes = [&]<class T>(T /*type*/) {
    return dynamic_cast<const po::typed_value<T>*>(&option) != nullptr;
  };
  if (takes(std::uint64_t{}) && !is_number<std::uint64_t>(text))
    return "a whole number from 0 to 2^64";
  if (takes(int{}) && !is_number<int>(text)) return "a whole number";
  if (takes(double{}) && !is_number<double>(text)) return "a number";
  return nullptr;
}

/// Program_options would read -5 as 2^64 - 5 where a number without sign is wanted.
void check_numbers(const po::parsed_options& parsed, const std::string& where) {
  for (const auto& option : parsed.options) {
    const auto* description = parsed.description->find_nothrow(option.string_key, false);
    if (description == nullptr || option.value.empty()) continue;
    const char* wanted = wanted_number(*description->semantic(), option.value[0]);
    if (wanted == nullptr) continue;
    throw UsageError(
        fmt::format("{}{} {}: must be {}", where, option.string_key, option.value[0], wanted));
  }
}

/// Adds what the command line has not set.
void store_config(const std::string& path, const std::string& text,
                  const po::options_description& all, po::variables_map& values) {
  try {
    std::istringstream stream(text);
    const po::parsed_options parsed = po::parse_config_file(stream, all);
    check_numbers(parsed, path + ": ");
    po::store(parsed, values);
  } catch (const po::error& error) {
    throw UsageError(
        fmt::format("{}: {}; write a line \"name = value\" for each option, without its dashes",
                    path, error.what()));
  }
}

}  // namespace

Arguments::Arguments(const Usage& usage, const po::options_description& own,
                     const CommandLine& line, const parallel::Team& team)
    : usage_(usage),
      command_line_(line.full),
      started_(fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))) {
  const po::options_description common = common_options();
  po::options_description positional;
  for (const std::string& name : usage.positional) {
    positional.add_options()(name.c_str(), po::value<std::string>());
  }
  po::options_description all;
  all.add(own).add(common).add(positional);
  parse(all, line.words, team);
  helped_ = get<bool>("help");
  if (!helped_) {
    configure(team);
    require_own_files(all, values_, usage);
  } else if (team.is_root()) {
    std::cout << "usage: orrery " << usage.command << ' ' << usage.synopsis << "\n\n"
              << usage.description << "\n\n";
    if (!own.options().empty()) std::cout << own << '\n';
    std::cout << common << "\nexample: " << usage.example << '\n';
  }
}

void Arguments::parse(const po::options_description& all, const std::vector<std::string>& words,
                      const parallel::Team& team) {
  using po::command_line_style::allow_guessing;
  using po::command_line_style::unix_style;
  const std::string hint = fmt::format("see `orrery {} --help`", usage_.command);
  po::positional_options_description positional;
  for (const std::string& name : usage_.positional) positional.add(name.c_str(), 1);
  try {
    const po::parsed_options parsed = po::command_line_parser(words)
                                          .options(all)
                                          .positional(positional)
                                          .style(unix_style & ~allow_guessing)
                                          .run();
    check_numbers(parsed, "--");
    po::store(parsed, values_);
    if (has("config") && !get<bool>("help")) {
      const auto path = get<std::string>("config");
      const auto text = team.root_first([&] { return read_text_file(path); });
      store_config(path, text, all, values_);
    }
    po::notify(values_);
  } catch (const po::too_many_positional_options_error&) {
    throw UsageError(
        fmt::format("too many words: {} takes {}; {}", usage_.command,
                    usage_.positional.empty()
                        ? "options only"
                        : fmt::format("one, {}, and options", upper(usage_.positional[0])),
                    hint));
  } catch (const po::error& error) {
    throw UsageError(fmt::format("{}; {}", error.what(), hint));
  }
}

void Arguments::configure(const parallel::Team& team) {
  const bool verbose = get<bool>("verbose");
  if (quiet() && verbose) throw UsageError("-q and -v contradict each other; give one of them");
  log::configure(quiet()   ? log::Level::quiet
                 : verbose ? log::Level::verbose
                           : log::Level::normal,
                 team.is_root());
  threads_ = has("threads") ? get<int>("threads") : default_threads();
  if (threads_ < 1 || threads_ > max_threads) {
    throw UsageError(fmt::format("--threads {}: must be 1 to {}", threads_, max_threads));
  }
  require_threads(threads_);
  omp_set_num_threads(threads_);
  if (!has("checkpoint") || dry_run()) parallel::end_on_signals();
  team.set_watchdog(parse_duration("watchdog", get<std::string>("watchdog")));
}

double patience_at_start(int argc, char** argv) {
  constexpr std::string_view option = "--watchdog";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word(argv[i]);
    if (!word.starts_with(option)) continue;
    const std::string_view rest = word.substr(option.size());
    if (rest.empty() && i + 1 == argc) continue;
    if (!rest.empty() && rest[0] != '=') continue;
    try {
      return parse_duration("watchdog", std::string(rest.empty() ? argv[i + 1] : rest.substr(1)));
    } catch (const UsageError&) {
      break;
    }
  }
  return parallel::Team::usual_patience_seconds;
}

std::string Arguments::required(const std::string& name) const {
  if (has(name)) return get<std::string>(name);
  std::string shown = name == "output" ? "-o FILE" : "--" + name;
  if (std::ranges::find(usage_.positional, name) != usage_.positional.end()) shown = upper(name);
  throw UsageError(
      fmt::format("{} is missing; usage: orrery {} {}", shown, usage_.command, usage_.synopsis));
}

std::string Arguments::shown(const std::string& name) const {
  const boost::any& value = values_[name].value();
  if (const auto* text = boost::any_cast<std::string>(&value)) return *text;
  if (const auto* number = boost::any_cast<double>(&value)) return fmt::format("{}", *number);
  if (const auto* count = boost::any_cast<std::uint64_t>(&value)) return fmt::format("{}", *count);
  if (const auto* whole = boost::any_cast<int>(&value)) return fmt::format("{}", *whole);
  return get<bool>(name) ? "true" : "false";
}

std::string Arguments::output() const {
  const std::filesystem::path path = required("output");
  if (!path.has_filename()) {
    throw UsageError(fmt::format("-o '{}': no file name; name a file to write", path.string()));
  }
  return path.string();
}

store::RunInfo Arguments::run_info(const parallel::Team& team) const {
  store::RunInfo run;
  run.command_line = command_line_;
  run.version = version;
  run.host = team.hosts().front();
  for (const std::string& host : team.hosts()) {
    if (std::ranges::find(run.hosts, host) == run.hosts.end()) run.hosts.push_back(host);
  }
  run.started = started_;
  run.kernel = kernels::active().name;
  run.seed = seed();
  run.ranks = static_cast<std::uint32_t>(team.size());
  run.threads = static_cast<std::uint32_t>(threads_);
  return run;
}

std::uint64_t bytes_read(const parallel::Team& team) {
  std::vector<std::uint64_t> bytes{store::bytes_read()};
  team.sum_words(bytes);
  return bytes[0];
}

namespace {

using Unit = std::pair<const char*, double>;

double parse(const std::string& option, const std::string& text, std::initializer_list<Unit> units,
             const char* wanted) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && number >= 0 && std::isfinite(number)) {
    const std::string unit(rest, end);
    for (const auto& [name, factor] : units) {
      if (unit == name) return number * factor;
    }
  }
  throw UsageError(fmt::format("--{} {}: {}", option, text, wanted));
}

}  // namespace

double parse_duration(const std::string& option, const std::string& text) {
  return parse(option, text, {{"", 1}, {"s", 1}, {"min", 60}, {"m", 60}, {"h", 3600}, {"d", 86400}},
               "must be a time such as 90s, 5min or 2h");
}

double parse_size(const std::string& option, const std::string& text) {
  constexpr double k = 1024;
  return parse(option, text,
               {{"", 1},
                {"K", 1e3},
                {"M", 1e6},
                {"G", 1e9},
                {"T", 1e12},
                {"kB", 1e3},
                {"MB", 1e6},
                {"GB", 1e9},
                {"TB", 1e12},
                {"KiB", k},
                {"MiB", k * k},
                {"GiB", k * k * k},
                {"TiB", k * k * k * k}},
               "must be a size such as 500MB, 64MiB or 4G");
}

namespace {

/// The parts of a text between separators; a carriage return before a line end is not part of it.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    std::string_view part = text.substr(begin, end - begin);
    if (part.ends_with('\r')) part.remove_suffix(1);
    parts.emplace_back(part);
    begin = end + 1;
  }
  return parts;
}

std::vector<std::string> listed(const std::string& text) {
  if (!text.starts_with('@')) return split(text, ',');
  std::vector<std::string> names = split(read_text_file(text.substr(1)), '\n');
  std::erase(names, "");
  return names;
}

}  // namespace

std::vector<std::uint32_t> places_of_names(const std::string& option, const std::string& text,
                                           const std::vector<std::string>& names) {
  std::map<std::string_view, std::uint32_t> places;
  std::set<std::string_view> repeated;
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    if (!places.emplace(names[i], i).second) repeated.insert(names[i]);
  }
  std::vector<std::uint32_t> found;
  std::set<std::uint32_t> seen;
  for (const std::string& name : listed(text)) {
    const auto place = places.find(name);
    if (place == places.end()) {
      throw UsageError(fmt::format(
          "{}: the model has no variable '{}'; names are separated by commas, or a line each in "
          "@FILE, and `orrery export MODEL --format csv -o -` shows them",
          option, name));
    }
    if (repeated.contains(name)) {
      throw UsageError(
          fmt::format("{}: two variables of the model are called '{}'; rename one", option, name));
    }
    if (!seen.insert(place->second).second) {
      throw UsageError(fmt::format("{}: '{}' stands there twice", option, name));
    }
    found.push_back(place->second);
  }
  if (found.empty()) throw UsageError(fmt::format("{}: lists no variable", option));
  return found;
}

}  // namespace orrery::cli
