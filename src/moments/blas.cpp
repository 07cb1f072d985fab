#include "moments/blas.hpp"

#include <cstddef>

#include "base/memory_limit.hpp"

namespace orrery::moments {

void use_one_blas_thread() {
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
}

void require_blas_memory(int n_threads) {
  constexpr std::size_t buffer = std::size_t{128} << 20U;
  constexpr std::size_t beside_it = std::size_t{16} << 20U;  // what is taken until then
  if (openblas_set_num_threads == nullptr) return;
  require_address_space(static_cast<std::size_t>(n_threads) * buffer + beside_it,
                        "buffers of the BLAS");
}

}  // namespace orrery::moments
