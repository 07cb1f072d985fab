// One mutex guards the terminal, so that log lines and the progress bar never interleave.
// spdlog formats and writes; the bar is a line without an end that each message first wipes.
#include "orrery/base/log.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <mutex>

namespace orrery::log {
namespace {

std::mutex terminal;
bool bar_stands = false;
std::atomic<Level> current_level{Level::normal};
std::atomic<bool> rank_speaks{true};

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
}

void write_line(const char* prefix, std::string_view message) {
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

Level level() { return current_level; }

bool shows_progress() { return rank_speaks && current_level != Level::quiet; }

void write_error(std::string_view message) { write_line("error: ", message); }

void write_warning(std::string_view message) {
  if (shows_progress()) write_line("warning: ", message);
}

void write_info(std::string_view message) {
  if (shows_progress()) write_line("", message);
}

void write_verbose(std::string_view message) {
  if (rank_speaks && current_level == Level::verbose) write_line("", message);
}

void write_progress(std::string_view message, bool is_terminal) {
  const std::lock_guard lock(terminal);
  if (is_terminal) {
    std::fputs("\r\033[K", stderr);
    std::fwrite(message.data(), 1, message.size(), stderr);
    bar_stands = true;
  } else {
    std::fwrite(message.data(), 1, message.size(), stderr);
    std::fputc('\n', stderr);
  }
  std::fflush(stderr);
}

void wipe_progress() {
  const std::lock_guard lock(terminal);
  wipe_bar_locked();
  std::fflush(stderr);
}

}  // namespace orrery::log
