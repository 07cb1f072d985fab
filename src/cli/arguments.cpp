#include "cli/arguments.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <boost/program_options/errors.hpp>
#include <boost/program_options/options_description.hpp>
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
#include <map>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "base/log.hpp"
#include "base/log_file.hpp"
#include "base/memory_limit.hpp"
#include "base/output_file.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
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

}  // namespace

Arguments::Arguments(const Usage& usage, const po::options_description& own,
                     const CommandLine& line, const parallel::Team& team)
    : usage_(usage),
      useless_(line.useless),
      command_line_(line.full),
      started_(fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))) {
  po::options_description positional;
  for (const std::string& name : usage.positional) {
    positional.add_options()(name.c_str(), po::value<std::string>());
  }
  if (!usage.more_words.empty()) {
    positional.add_options()(usage.more_words.c_str(), po::value<std::vector<std::string>>());
  }
  po::options_description all;
  all.add(own).add(common_options({})).add(positional);
  parse(all, line.words, team);
  helped_ = get<bool>("help");
  if (!helped_) {
    configure(team);
    require_own_files(all, values_, usage);
    open_log(team);
  } else if (team.is_root()) {
    print_help(usage, own, common_options(useless_), json());
  }
}

void Arguments::parse(const po::options_description& all, const std::vector<std::string>& words,
                      const parallel::Team& team) {
  using po::command_line_style::allow_guessing;
  using po::command_line_style::unix_style;
  const std::string hint = fmt::format("see `orrery {} --help`", usage_.command);
  po::positional_options_description positional;
  for (const std::string& name : usage_.positional) positional.add(name.c_str(), 1);
  if (!usage_.more_words.empty()) positional.add(usage_.more_words.c_str(), -1);
  try {
    po::parsed_options parsed = po::command_line_parser(words)
                                    .options(all)
                                    .positional(positional)
                                    .style(unix_style & ~allow_guessing)
                                    .run();
    refuse_useless(parsed, useless_, usage_.command);
    read_numbers(parsed, "--");
    po::store(parsed, values_);
    if (has("config") && !get<bool>("help")) {
      const auto path = get<std::string>("config");
      const auto text = team.root_first([&] { return read_text_file(path); });
      store_config(path, text, all, usage_, values_);
    }
    po::notify(values_);
  } catch (const po::too_many_positional_options_error&) {
    throw UsageError(
        fmt::format("too many words: {} takes {}; {}", usage_.command,
                    usage_.positional.empty()
                        ? "options only"
                        : fmt::format("one, {}, and options", upper(usage_.positional[0])),
                    hint));
  } catch (const po::unknown_option& error) {
    throw UsageError(fmt::format("{}; {}", describe_unknown(error, all, usage_), hint));
  } catch (const po::error& error) {
    throw UsageError(fmt::format("{}; {}", error.what(), hint));
  }
}

void Arguments::configure(const parallel::Team& team) {
  if (quiet() && verbose()) throw UsageError("-q and -v contradict each other; give one of them");
  log::configure(quiet()     ? log::Level::quiet
                 : verbose() ? log::Level::verbose
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

void Arguments::open_log(const parallel::Team& team) const {
  if (!has("log")) return;
  const std::filesystem::path path = text("log");
  if (!path.has_filename()) {
    throw UsageError(fmt::format("--log '{}': no file name; name a file", path.string()));
  }
  log::open_file(path, team.is_root());
  if (!team.is_root()) return;
  const store::RunInfo run = run_info(team);
  std::error_code ignored;
  log::add_to_file("start", command_line_);
  log::add_to_file("version", fmt::format("orrery {}", version));
  log::add_to_file("host",
                   fmt::format("{}, process {} in {}", fmt::join(run.hosts, ", "), ::getpid(),
                               std::filesystem::current_path(ignored).string()));
  log::add_to_file("run", fmt::format("{} rank(s) x {} thread(s), seed {}, kernel {}", run.ranks,
                                      run.threads, run.seed, run.kernel));
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
  throw UsageError(fmt::format("{} is missing; usage: {}", shown, usage_line(usage_)));
}

std::string Arguments::shown(const std::string& name) const {
  const boost::any& value = values_[name].value();
  if (const auto* text = boost::any_cast<std::string>(&value)) return *text;
  if (boost::any_cast<std::vector<std::string>>(&value) != nullptr) {
    return fmt::format("{}", fmt::join(texts(name), ","));
  }
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
  if (path == "-" && json()) {
    throw UsageError(
        "-o -, --json: both would go to standard output; name a file, or leave --json out");
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
