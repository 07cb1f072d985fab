// The table of the commands, and how one of them is run.
#include "commands/commands.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <streambuf>
#include <string>
#include <thread>
#include <utility>

#include "base/log.hpp"
#include "base/typed_words.hpp"
#include "commands/help.hpp"
#include "commands/version.hpp"
#include "orrery/base/error.hpp"

namespace orrery::commands {
namespace {

/// A terminal never stands still while a command works: where a stage says nothing for a second,
/// the line on the terminal goes on with the time since it changed. Ends at the first word on
/// standard output, which may be the same terminal. Standard error must be a terminal, or it does
/// nothing.
class BusyLine {
 public:
  /// `what` works: "orrery learn".
  explicit BusyLine(std::string what);
  BusyLine(const BusyLine&) = delete;
  BusyLine& operator=(const BusyLine&) = delete;
  ~BusyLine();

 private:
  class Output;

  void end();
  void move_until_end();

  std::string what_;
  std::unique_ptr<Output> output_;  // none where nothing is shown
  std::mutex mutex_;                // guards is_over_
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread mover_;
};

/// Standard output, of which the first word ends the line.
class BusyLine::Output : public std::streambuf {
 public:
  explicit Output(BusyLine& line) : line_(line), behind_(std::cout.rdbuf(this)) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() override { std::cout.rdbuf(behind_); }

 protected:
  int_type overflow(int_type character) override {
    line_.end();
    if (traits_type::eq_int_type(character, traits_type::eof())) return behind_->pubsync();
    return behind_->sputc(traits_type::to_char_type(character));
  }
  std::streamsize xsputn(const char* text, std::streamsize n) override {
    line_.end();
    return behind_->sputn(text, n);
  }
  int sync() override { return behind_->pubsync(); }

 private:
  BusyLine& line_;
  std::streambuf* behind_;
};

BusyLine::BusyLine(std::string what) : what_(std::move(what)) {
  if (::isatty(STDERR_FILENO) != 1) return;
  output_ = std::make_unique<Output>(*this);
  mover_ = std::thread([this] { move_until_end(); });
}

BusyLine::~BusyLine() { end(); }

void BusyLine::end() {
  if (!mover_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  over_.notify_one();
  mover_.join();
  log::wipe_progress();
}

void BusyLine::move_until_end() {
  constexpr std::chrono::milliseconds moves_every{500};
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      if (over_.wait_for(lock, moves_every, [this] { return is_over_; })) return;
    }
    log::keep_moving(what_);
  }
}

std::string join(int argc, char** argv) {
  std::string full = "orrery";
  for (int i = 1; i < argc; ++i) full += fmt::format(" {}", argv[i]);
  return full;
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> table{
      {"import",
       "read a table of another program (CSV, NPY, ARFF, ...) into HDF5",
       run_import,
       {"threads"}},
      {"sample", "draw samples from a network", run_sample},
      {"split", "divide rows into those to learn from and those held out", run_split, {"threads"}},
      {"cat", "put the rows of several files into one", run_cat, {"seed", "threads"}},
      {"moments", "count pairs and triples once, for every later learn", run_moments, {"seed"}},
      {"learn", "find hidden causes", run_learn},
      {"params", "learn the parameters of a known structure", run_params},
      {"depth", "say which causes perfect tests could learn", run_depth, {"threads"}},
      {"evaluate", "compare a model with a known truth, score it on data", run_evaluate},
      {"plan", "say how many samples a structure takes, by theory", run_plan, {"seed", "threads"}},
      {"infer", "say which causes are behind each row", run_infer},
      {"report", "draw a model as one HTML page", run_report},
      {"export", "write a model or rows in the format of another program", run_export, {"threads"}},
      {"rename",
       "give causes and variables of a model other names",
       run_rename,
       {"seed", "threads"}},
      {"info", "say what a file holds", run_info, {"seed", "threads"}},
      {"cite", "print what to cite, as BibTeX", run_cite, {"seed", "threads"}},
      {"completion",
       "print a script that completes words on the command line",
       run_completion,
       {"seed", "threads"}},
      {"manual", "print pages of the manual, for man", run_manual, {"seed", "threads"}},
  };
  return table;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.push_back(command.name);
  return names;
}

const Command* find_command(const std::string& name) {
  const auto found = std::ranges::find(commands(), name, &Command::name);
  return found == commands().end() ? nullptr : &*found;
}

namespace {

void run_command(const Command& command, const cli::CommandLine& line, const parallel::Team& team) {
  std::optional<BusyLine> busy;
  const bool quiet = std::ranges::any_of(
      line.words, [](const std::string& word) { return word == "-q" || word == "--quiet"; });
  if (team.is_root() && !quiet) busy.emplace(fmt::format("orrery {}", command.name));
  command.run(line, team);
}

void require_written() {
  std::cout.flush();
  if (std::cout) return;
  throw EnvironmentError("standard output cannot be written (a full disk or a closed pipe?)");
}

}  // namespace

ExitCode run(int argc, char** argv, const parallel::Team& team) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty()) {
    if (team.is_root()) std::cerr << help_text();
    return ExitCode::usage;
  }
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    show_help({{words.begin() + 1, words.end()}, join(argc, argv)}, team);
  } else if (std::ranges::find(words, "--version") != words.end()) {
    if (team.is_root()) std::cout << version_text(words);
  } else if (const Command* command = find_command(words[0])) {
    run_command(*command, {{words.begin() + 1, words.end()}, join(argc, argv), command->useless},
                team);
  } else {
    throw UsageError(fmt::format("\"{}\" is not a command{}; `orrery --help` lists them", words[0],
                                 did_you_mean(words[0], command_names())));
  }
  require_written();
  return ExitCode::done;
}

}  // namespace orrery::commands
