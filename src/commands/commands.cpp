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
#include "orrery/base/error.hpp"
#include "orrery/base/version.hpp"

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

void print_help() {
  std::cout << "orrery " << version << ": finds the hidden causes behind binary data\n\n"
            << "usage: orrery COMMAND [options]      (orrery COMMAND --help says more)\n\n";
  for (const Command& command : commands()) {
    std::cout << fmt::format("  {:9}{}\n", command.name, command.summary);
  }
  std::cout << "\nexample:\n"
               "  orrery sample --network img --samples 10000 --seed 3 -o data.h5\n"
               "  orrery learn quartet data.h5 -o model.h5\n"
               "  orrery report model.h5 --truth img --grid 8x8 -o report.html\n";
}

std::string join(int argc, char** argv) {
  std::string full = "orrery";
  for (int i = 1; i < argc; ++i) full += fmt::format(" {}", argv[i]);
  return full;
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> table{
      {"import", "read CSV, TSV, 0/1 rows, MatrixMarket or NPY into HDF5", run_import},
      {"sample", "draw samples from a network", run_sample},
      {"moments", "count pairs and triples once, for every later learn", run_moments},
      {"learn", "find hidden causes", run_learn},
      {"params", "learn the parameters of a known structure", run_params},
      {"depth", "say which causes perfect tests could learn", run_depth},
      {"evaluate", "compare a model with a known truth, score it on data", run_evaluate},
      {"plan", "say how many samples a structure takes, by theory", run_plan},
      {"infer", "say which causes are behind each row", run_infer},
      {"report", "draw a model as one HTML page", run_report},
      {"export", "write a model as JSON, CSV, DOT, GraphML or BIF", run_export},
      {"info", "say what a file holds", run_info},
  };
  return table;
}

void run(int argc, char** argv, const parallel::Team& team) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty()) throw UsageError("a command is missing; `orrery --help` lists them");
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    if (team.is_root()) print_help();
    return;
  }
  if (std::ranges::find(words, "--version") != words.end()) {
    if (team.is_root()) std::cout << "orrery " << version << '\n';
    return;
  }
  const auto command = std::ranges::find_if(
      commands(), [&](const Command& entry) { return words[0] == entry.name; });
  if (command == commands().end()) {
    throw UsageError(fmt::format("\"{}\" is not a command; `orrery --help` lists them", words[0]));
  }
  std::optional<BusyLine> busy;
  const bool quiet = std::ranges::any_of(
      words, [](const std::string& word) { return word == "-q" || word == "--quiet"; });
  if (team.is_root() && !quiet) busy.emplace(fmt::format("orrery {}", command->name));
  command->run({{words.begin() + 1, words.end()}, join(argc, argv)}, team);
  std::cout.flush();
  if (!std::cout) {
    throw EnvironmentError("standard output cannot be written (a full disk or a closed pipe?)");
  }
}

}  // namespace orrery::commands
