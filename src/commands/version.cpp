#include "commands/version.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Core>
#include <algorithm>
#include <boost/version.hpp>
#include <nlohmann/json.hpp>

#include "base/build.hpp"
#include "family/table.hpp"
#include "kernels/kernels.hpp"
#include "orrery/base/version.hpp"
#include "parallel/mpi_library.hpp"
#include "report/sheet.hpp"
#include "store/hdf5_version.hpp"

// OpenBLAS says what it is; another BLAS has no such function, and its address is then null.
extern "C" __attribute__((weak)) char* openblas_get_config();

namespace orrery::commands {
namespace {

std::string compiler() {
#ifdef __clang__
  return fmt::format("Clang {}", __clang_version__);
#else
  return fmt::format("GCC {}", __VERSION__);
#endif
}

std::string blas() {
  if (openblas_get_config != nullptr) return openblas_get_config();
  return ORRERY_BLAS;  // its file
}

/// Those that this machine can run, the slowest first.
std::vector<std::string> kernels_here() {
  std::vector<std::string> names;
  for (const kernels::Isa isa : {kernels::Isa::scalar, kernels::Isa::avx2, kernels::Isa::avx512}) {
    if (const kernels::Kernel* kernel = kernels::find(isa)) names.emplace_back(kernel->name);
  }
  return names;
}

void add_facts(report::Section& section) {
  const auto tell = [&](const char* key, const char* label, const std::string& value) {
    section.tell(key, value, label, value);
  };
  tell("commit", "commit", sources().commit);
  tell("commit_date", "date", sources().date);
  tell("compiler", "compiler", compiler());
  tell("flags", "flags", ORRERY_COMPILED_WITH);
  tell("build", "build", ORRERY_BUILD_TYPE);
  tell("mpi", "MPI", parallel::mpi_library());
  tell("hdf5", "HDF5", store::hdf5_version());
  tell("blas", "BLAS", blas());
  tell("eigen", "Eigen",
       fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION));
  tell("boost", "Boost",
       fmt::format("{}.{}.{}", BOOST_VERSION / 100'000, BOOST_VERSION / 100 % 1000,
                   BOOST_VERSION % 100));
  const std::vector<std::string> here = kernels_here();
  const std::string used = kernels::active().name;
  section.tell("kernels", here, "kernels", fmt::format("{}", fmt::join(here, ", ")))
      .tell("kernel", used, "kernel", used, "chosen here; ORRERY_KERNEL chooses another");
}

void add_families(report::Section& section) {
  nlohmann::json families = nlohmann::json::array();
  for (const family::Family* family : family::families()) {
    std::vector<std::string> learners;
    for (const learning::LearnerEntry* learner : family->learners) {
      learners.emplace_back(learner->name);
    }
    families.push_back({{"name", family->name}, {"learners", learners}});
    section.show(family->name, fmt::format("{}", fmt::join(learners, ", ")));
  }
  section.data("families", families);
}

}  // namespace

std::string version_text(const std::vector<std::string>& words) {
  const auto has = [&](const char* word) { return std::ranges::find(words, word) != words.end(); };
  report::Sheet sheet;
  report::Section& section = sheet.section("", "");
  section.data("version", version);
  section.sentences.push_back(fmt::format("orrery {}", version));
  if (has("--verbose") || has("-v")) {
    add_facts(section);
    add_families(section);
  }
  return has("--json") ? report::as_json(sheet).dump(2) + "\n" : report::as_text(sheet);
}

}  // namespace orrery::commands
