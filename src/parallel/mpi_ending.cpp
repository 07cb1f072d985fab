#include "parallel/mpi_ending.hpp"

#include <mpi.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace orrery::parallel {
namespace {

/// The parent's command, as the kernel has it.
std::string parent_name() {
  const std::string path = "/proc/" + std::to_string(::getppid()) + "/comm";
  std::array<char, 64> name{};
  if (std::FILE* file = std::fopen(path.c_str(), "r")) {
    if (std::fgets(name.data(), static_cast<int>(name.size()), file) == nullptr) name[0] = 0;
    std::fclose(file);
  }
  std::string text(name.data());
  return text.substr(0, text.find('\n'));
}

}  // namespace

void end_run(int exit_code) noexcept {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

void end_cut_off(int exit_code) noexcept {
  const std::string parent = parent_name();
  for (const char* daemon : {"mpirun", "mpiexec", "orterun", "orted", "prterun", "prted"}) {
    if (parent != daemon) continue;
    ::sleep(1);  // it still has to pass on what the ranks of this host said
    ::kill(::getppid(), SIGKILL);
    std::_Exit(exit_code);
  }
  // Under srun MPI_Abort ends the job with this code where it gets through; it may also hang.
  std::thread([exit_code] { MPI_Abort(MPI_COMM_WORLD, exit_code); }).detach();
  ::sleep(2);
  std::_Exit(exit_code);
}

}  // namespace orrery::parallel
