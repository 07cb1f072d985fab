// Options that every command has, and how a command line and the text of an option become values.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "parallel/team.hpp"
#include "store/run.hpp"

namespace orrery::cli {

struct HelpPage;

/// The words after the command's name, and the whole line as it was typed (for /run).
struct CommandLine {
  std::vector<std::string> words;
  std::string full;
  /// Of the options that commands share, those without an effect on this one: "seed".
  std::vector<std::string> useless{};
  /// Gets what --help would print; null: --help prints it.
  std::function<void(const HelpPage& page)> take_help{};

  /// The line of what is behind the first word: of "learn quartet ..." the method's.
  [[nodiscard]] CommandLine without_first() const {
    return {{words.begin() + 1, words.end()}, full, useless, take_help};
  }
};

/// How a command presents itself in --help.
struct Usage {
  std::string command;   ///< "learn quartet"
  std::string synopsis;  ///< what it needs: "DATA -o FILE"; "[options]" is put behind it
  std::string description;
  std::string example;                  ///< a line each
  std::vector<std::string> positional;  ///< names of the options that words without -- fill
  /// Options whose files the command writes; see require_own_files.
  std::vector<std::string> outputs = {"output", "checkpoint"};
  /// Tells what a NETWORK names a built-in generator by; null: every NETWORK is a file.
  bool (*is_generator)(const std::string& argument) = nullptr;
  /// The option of any further words without --, which are a list of texts; empty: there are none.
  std::string more_words{};
  /// By option, or by a word without --: the values that it may have, where they are too many for
  /// its name in --help ("FORMAT"). Short lists are that name: "em|none".
  std::map<std::string, std::vector<std::string>> choices{};
};

class Arguments {
 public:
  /// Parses the words and --config's file (the command line wins), sets the log level and the
  /// number of threads, and opens the file of --log; no file is read and written, or written twice
  /// (paths.hpp). Throws UsageError. If --help was asked for it is printed, and `helped` is true.
  Arguments(const Usage& usage, const boost::program_options::options_description& own,
            const CommandLine& line, const parallel::Team& team);

  [[nodiscard]] bool helped() const noexcept { return helped_; }
  [[nodiscard]] bool has(const std::string& name) const { return values_.count(name) > 0; }
  template <class T>
  [[nodiscard]] T get(const std::string& name) const {
    return values_[name].as<T>();
  }
  /// Throws UsageError naming the option if it was not given.
  [[nodiscard]] std::string required(const std::string& name) const;
  /// The value, or an empty text.
  [[nodiscard]] std::string text(const std::string& name) const {
    return has(name) ? get<std::string>(name) : std::string();
  }
  /// The values of an option that may be given several times, in their order.
  [[nodiscard]] std::vector<std::string> texts(const std::string& name) const {
    return has(name) ? get<std::vector<std::string>>(name) : std::vector<std::string>();
  }
  /// Another text for an option that was given one.
  void replace(const std::string& name, const std::string& value) {
    values_.at(name).value() = value;
  }
  /// The value of any option as text: "4000", "true"; several as "a,b".
  [[nodiscard]] std::string shown(const std::string& name) const;
  /// The file of -o. Throws UsageError if it is missing or has no name.
  [[nodiscard]] std::string output() const;
  [[nodiscard]] const boost::program_options::variables_map& values() const { return values_; }

  [[nodiscard]] int threads() const noexcept { return threads_; }
  [[nodiscard]] std::uint64_t seed() const { return get<std::uint64_t>("seed"); }
  [[nodiscard]] bool dry_run() const { return get<bool>("dry-run"); }
  [[nodiscard]] bool json() const { return get<bool>("json"); }
  [[nodiscard]] bool quiet() const { return get<bool>("quiet"); }
  [[nodiscard]] bool verbose() const { return get<bool>("verbose"); }
  /// Hosts, start, kernel, ranks, threads, seed, command line.
  [[nodiscard]] store::RunInfo run_info(const parallel::Team& team) const;

 private:
  void parse(const boost::program_options::options_description& all,
             const std::vector<std::string>& words, const parallel::Team& team);
  void configure(const parallel::Team& team);
  void open_log(const parallel::Team& team) const;

  Usage usage_;
  std::vector<std::string> useless_;
  boost::program_options::variables_map values_;
  std::string command_line_;
  std::string started_;
  int threads_ = 1;
  bool helped_ = false;
};

/// How long the ranks of a run are waited for while they come up: what --watchdog says, in seconds;
/// the usual time where the command line does not name it, or not as a time (which is refused when
/// all ranks are there).
double patience_at_start(int argc, char** argv);

/// Bytes of values that all ranks have read from orrery's files, for /run. Collective.
std::uint64_t bytes_read(const parallel::Team& team);

// Values of options as people write them: durations, sizes, and lists of variables, which are
// "a,b,c", or @FILE with a name per line.

/// "90", "90s", "5min", "2h", "1d" in seconds. Throws UsageError naming `option`.
double parse_duration(const std::string& option, const std::string& text);
/// "1000000", "64M" (10^6), "64MiB" (2^20), K, G, T alike, in bytes. Throws UsageError.
double parse_size(const std::string& option, const std::string& text);

/// The places among `names` of what `text` lists, in its order. Throws UsageError naming `option`
/// for a name that is not there, that stands twice in the list, or is of two variables; InputError
/// for a file that cannot be read.
std::vector<std::uint32_t> places_of_names(const std::string& option, const std::string& text,
                                           const std::vector<std::string>& names);

}  // namespace orrery::cli
