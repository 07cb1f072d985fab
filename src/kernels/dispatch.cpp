// Run-time choice of the kernel, by the features of the processor (never by its model name, which
// is unknown to the compiler on new machines).
#include <atomic>
#include <cstdlib>
#include <string>

#include "kernels/implementations.hpp"
#include "orrery/base/error.hpp"

namespace orrery::kernels {
namespace {

std::atomic<const Kernel*> chosen{nullptr};

const Kernel& best() {
  for (const Isa isa : {Isa::avx512, Isa::avx2}) {
    if (const Kernel* kernel = find(isa)) return *kernel;
  }
  return scalar_kernel;
}

const Kernel& named(std::string_view name) {
  for (const Isa isa : {Isa::scalar, Isa::avx2, Isa::avx512}) {
    const Kernel* kernel = find(isa);
    if (kernel != nullptr && name == kernel->name) return *kernel;
  }
  throw UsageError(
      "kernel \"" + std::string(name) +
      "\" is not one of scalar, avx2, avx512, or this processor lacks it (best here: " +
      best().name + "); set or unset ORRERY_KERNEL");
}

}  // namespace

const Kernel* find(Isa isa) noexcept {
#if defined(__x86_64__)
  if (isa == Isa::avx512 && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vpopcntdq") &&
      find(Isa::avx2) != nullptr) {
    return &avx512_kernel;
  }
  if (isa == Isa::avx2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt")) {
    return &avx2_kernel;
  }
#endif
  return isa == Isa::scalar ? &scalar_kernel : nullptr;
}

const Kernel& active() {
  if (const Kernel* kernel = chosen.load(std::memory_order_acquire)) return *kernel;
  const char* wanted = std::getenv("ORRERY_KERNEL");
  const Kernel& kernel = wanted != nullptr && *wanted != '\0' ? named(wanted) : best();
  chosen.store(&kernel, std::memory_order_release);
  return kernel;
}

void force(std::string_view name) { chosen.store(&named(name), std::memory_order_release); }

}  // namespace orrery::kernels
