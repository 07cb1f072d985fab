// refuse_each FOLDER <COMMANDS: runs thousands of commands that orrery must refuse, each in a
// process of its own, which is a copy of this one: it holds the whole program, so its libraries are
// loaded and linked once and not once per command. A line of standard input is a command, its words
// separated by tabs, behind the file that it must name. A command is refused if it ends with exit
// code 3, prints nothing, and says one line of error, which names the file. Prints what is not
// refused so, and how many commands there were. FOLDER is for what commands say.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

int orrery_main(int argc, char** argv);  // main of src/commands/main.cpp, renamed by CMakeLists.txt

namespace {

constexpr unsigned patience_seconds = 60;

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + " cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void open_as(int descriptor, const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags, 0600);
  if (file < 0 || ::dup2(file, descriptor) < 0) std::_Exit(126);
  ::close(file);
}

/// In the copy: the program from main to exit, as if it had been started by its name.
[[noreturn]] void become_orrery(std::vector<std::string> words, const std::string& out,
                                const std::string& err) {
  open_as(STDIN_FILENO, "/dev/null", O_RDONLY);
  open_as(STDOUT_FILENO, out, O_WRONLY | O_CREAT | O_TRUNC);
  open_as(STDERR_FILENO, err, O_WRONLY | O_CREAT | O_TRUNC);
  ::alarm(patience_seconds);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::exit(orrery_main(static_cast<int>(words.size()), argv.data()));
}

/// What is wrong with how a command ended; empty if nothing is.
std::string judge(int status, const std::string& file, const std::string& out,
                  const std::string& err) {
  if (WIFSIGNALED(status)) return fmt::format("ended by signal {}: {}", WTERMSIG(status), err);
  const int code = WEXITSTATUS(status);
  if (code != 3) return fmt::format("ended with {}, not 3: {}", code, err);
  const bool one_line = !err.empty() && err.find('\n') == err.size() - 1;
  if (!one_line || !err.starts_with("orrery: error: ") || err.find(file) == std::string::npos) {
    return fmt::format("not one line of error that names {}: {}", file, err);
  }
  if (!out.empty()) return "prints: " + out.substr(0, 300);
  return {};
}

std::string run(const std::vector<std::string>& words, const std::string& file,
                const std::string& folder) {
  const std::string out = folder + "/out";
  const std::string err = folder + "/err";
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process can be started");
  if (child == 0) become_orrery(words, out, err);
  int status = 0;
  if (::waitpid(child, &status, 0) != child) throw std::runtime_error("a process is lost");
  return judge(status, file, content(out), content(err));
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream rest(line);
  for (std::string word; std::getline(rest, word, '\t');) words.push_back(word);
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw std::runtime_error("usage: refuse_each FOLDER <COMMANDS");
    int commands = 0;
    int wrong = 0;
    for (std::string line; std::getline(std::cin, line); ++commands) {
      std::vector<std::string> words = split(line);
      if (words.size() < 2) throw std::runtime_error("no command: " + line);
      const std::string file = std::exchange(words.front(), "orrery");
      const std::string fault = run(words, file, argv[1]);
      if (fault.empty()) continue;
      ++wrong;
      fmt::print("FAILED: {}: {}\n", fmt::join(words, " "), fault);
    }
    fmt::print("{} commands, {} not refused\n", commands, wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& error) {
    fmt::print(stderr, "refuse_each: {}\n", error.what());
    return EXIT_FAILURE;
  }
}
