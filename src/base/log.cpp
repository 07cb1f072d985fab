// One mutex guards the terminal, so that log lines and the progress bar never interleave.
// spdlog formats and writes; the bar is a line without an end that each message first wipes.
#include "base/log.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

#include "base/log_file.hpp"
#include "base/progress.hpp"

namespace orrery::log {
namespace {

using Clock = std::chrono::steady_clock;

std::mutex terminal;  // guards the next three
bool bar_stands = false;
std::string bar;  // without the time since it changed; empty: none stands, or an idle line
Clock::time_point changed = Clock::now();
std::atomic<Level> current_level{Level::normal};
std::atomic<bool> rank_speaks{true};
std::atomic<bool> is_hushed{false};

constexpr const char* red = "\033[31m";
constexpr const char* yellow = "\033[33m";

spdlog::logger& logger() {
  static spdlog::logger instance = [] {
    spdlog::logger made("orrery", std::make_shared<spdlog::sinks::stderr_sink_st>());
    made.set_pattern("%v");
    made.flush_on(spdlog::level::info);
    return made;
  }();
  return instance;
}

void wipe_bar_locked() {
  if (bar_stands) {
    std::fputs("\r\033[K", stderr);
    bar_stands = false;
  }
  bar.clear();
  changed = Clock::now();
}

void draw_bar_locked(std::string_view line) {
  std::fputs("\r\033[K", stderr);
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
  bar_stands = true;
}

/// "error: " in its colour where there are colours.
std::string coloured(std::string_view kind, const char* colour) {
  return shows_colours(STDERR_FILENO) ? fmt::format("{}{}:\033[0m ", colour, kind)
                                      : fmt::format("{}: ", kind);
}

void write_line(std::string_view prefix, std::string_view message) {
  const std::lock_guard lock(terminal);
  wipe_bar_locked();
  logger().info("orrery: {}{}", prefix, printable(message));
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte < 0x20 || byte == 0x7f) {
      shown += fmt::format("\\x{:02x}", byte);
    } else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {  // U+0080 to U+009F in UTF-8
      shown += fmt::format("\\x{:02x}", next);
      ++i;
    } else {
      shown += text[i];
    }
  }
  return shown;
}

void configure(Level level, bool speaks) {
  current_level = level;
  rank_speaks = speaks;
}

bool hush(bool is_on) { return is_hushed.exchange(is_on); }

bool shows_colours(int descriptor) {
  const auto is_set = [](const char* name) {
    const char* text = std::getenv(name);
    return text != nullptr && *text != '\0';
  };
  // Open MPI gives its processes a terminal even where it writes their output to a file.
  const bool is_launched =
      is_set("OMPI_COMM_WORLD_SIZE") || is_set("PMIX_RANK") || is_set("PMI_RANK");
  return !is_launched && !is_set("NO_COLOR") && is_set("TERM") &&
         std::string_view(std::getenv("TERM")) != "dumb" && ::isatty(descriptor) == 1;
}

bool shows_progress() { return rank_speaks && !is_hushed && current_level != Level::quiet; }

void write_error(std::string_view message) {
  write_line(coloured("error", red), message);
  add_error_to_file(message);
}

void write_warning(std::string_view message) {
  if (shows_progress()) write_line(coloured("warning", yellow), message);
  if (!is_hushed) add_to_file("warning", message);
}

void write_info(std::string_view message) {
  if (shows_progress()) write_line("", message);
  if (!is_hushed) add_to_file("", message);
}

void write_verbose(std::string_view message) {
  if (shows_progress() && current_level == Level::verbose) write_line("", message);
  if (!is_hushed) add_to_file("", message);
}

void write_progress(std::string_view message, bool is_terminal) {
  const std::lock_guard lock(terminal);
  if (is_terminal) {
    draw_bar_locked(message);
    bar = message;
    changed = Clock::now();
    return;
  }
  std::fwrite(message.data(), 1, message.size(), stderr);
  std::fputc('\n', stderr);
  std::fflush(stderr);
}

void wipe_progress() {
  const std::lock_guard lock(terminal);
  wipe_bar_locked();
  std::fflush(stderr);
}

void keep_moving(std::string_view idle) {
  constexpr double patience = 1;
  if (!shows_progress()) return;
  const std::lock_guard lock(terminal);
  const double seconds = std::chrono::duration<double>(Clock::now() - changed).count();
  if (seconds < patience) return;
  const std::string since = bar.empty()
                                ? fmt::format(": {}", format_duration(seconds))
                                : fmt::format(", unchanged for {}", format_duration(seconds));
  const std::size_t columns = terminal_columns() - 1;
  std::string line(bar.empty() ? idle : std::string_view(bar));
  line.resize(std::min(line.size(), columns - std::min(columns, since.size())));
  draw_bar_locked((line + since).substr(0, columns));
}

}  // namespace orrery::log
