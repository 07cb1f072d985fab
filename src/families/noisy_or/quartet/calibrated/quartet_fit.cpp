#include "families/noisy_or/quartet/calibrated/quartet_fit.hpp"

#include "families/noisy_or/quartet/constants.hpp"

namespace orrery::quartet {

FitKernel find_fit_kernel(kernels::Isa isa) {
  if (kernels::find(isa) == nullptr) return nullptr;
#if defined(__x86_64__)
  if (isa == kernels::Isa::avx2) return fit_avx2;
  if (isa == kernels::Isa::avx512) return fit_avx512;
#endif
  return fit_baseline;
}

FitKernel fit_kernel() { return find_fit_kernel(kernels::active().isa); }

bool accepts(const FitResult& result, std::size_t lane) {
  if (!(result.chi_square[lane] < constants::calibrated::fit_limit)) return false;
  if (!(result.prior[lane] > constants::calibrated::least_fit_prior &&
        result.prior[lane] < constants::calibrated::most_fit_prior))
    return false;
  for (std::size_t k = 0; k < 4; ++k) {
    if (!(result.failure[k][lane] < constants::calibrated::most_fit_failure)) return false;
  }
  return true;
}

}  // namespace orrery::quartet
