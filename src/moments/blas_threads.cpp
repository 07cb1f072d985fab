#include "orrery/moments/blas_threads.hpp"

#include "moments/blas.hpp"

namespace orrery::moments {

void use_one_blas_thread() {
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
}

}  // namespace orrery::moments
