#include "cli/busy_line.hpp"

#include <unistd.h>

#include <chrono>
#include <iostream>
#include <streambuf>
#include <utility>

#include "base/log.hpp"

namespace orrery::cli {

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

}  // namespace orrery::cli
