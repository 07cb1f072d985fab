// Preloaded beside libfiu's stand-ins for the system calls: makes one of them fail, or all from one
// on, as on a disk that stays full.
//   ORRERY_FAIL="posix/io/rw/pwrite 3 28 once"   libfiu's point, which call, errno, once|on
//   ORRERY_FAILED=FILE                           is made when the call fails
#include <fcntl.h>
#include <fiu-control.h>
#include <fiu.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

long which = 0;
bool goes_on = false;
std::atomic<long> calls{0};

/// By number: the stand-ins must not see it.
void leave_mark() {
  const char* mark = std::getenv("ORRERY_FAILED");
  const long file = ::syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (file >= 0) ::syscall(SYS_close, file);
}

int fails(const char* /*point*/, int* /*failnum*/, void** /*failinfo*/, unsigned* /*flags*/) {
  const long call = ++calls;
  if (call == which) leave_mark();
  return call == which || (goes_on && call > which) ? 1 : 0;
}

[[gnu::constructor]] void enable() {
  const char* wanted = std::getenv("ORRERY_FAIL");
  if (wanted == nullptr) return;
  char point[64] = "";
  char how[8] = "";
  long error = 0;
  if (std::sscanf(wanted, "%63s %ld %ld %7s", point, &which, &error, how) != 4 ||
      std::getenv("ORRERY_FAILED") == nullptr || fiu_init(0) < 0) {
    std::abort();
  }
  goes_on = std::strcmp(how, "on") == 0;
  void* info = nullptr;  // libfiu takes errno for a pointer
  std::memcpy(&info, &error, sizeof info);
  if (fiu_enable_external(point, 1, info, 0, fails) < 0) std::abort();
}

}  // namespace
