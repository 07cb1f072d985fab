// Opening a state of causes: the weights of all states that differ from it in one cause.
#pragma once

#include <cstddef>
#include <cstdint>

namespace orrery::model {

/// A row as its states need it, as plain pointers: the kernels' files must instantiate nothing that
/// others share.
struct RowArrays {
  std::size_t n_on;    ///< variables of the row that are on
  std::size_t stride;  ///< n_on, padded to a multiple of 8: quiet 0, failure 1
  std::size_t n_causes;
  std::size_t width;  ///< causes, one that changes nothing, and padding: a multiple of 8
  const std::uint32_t* on;
  const double *quiet_on,
      *failure_on;                  ///< by place in `on`; failure_on in a row of `stride` a cause
  const double *failure, *inverse;  ///< f, 1 / f: in a row of `width` a variable
  const double *field, *coupling;   ///< `width`; in a row of `width` a cause
};

/// A state of the causes, one a bit.
struct RowKernels {
  /// P(variable stays off) of each that is on, `stride` values.
  void (*find_off)(const RowArrays& row, std::uint64_t state, double* off);
  /// Log weight of the state with each cause flipped, less its own: `width` values. `off`: scratch.
  void (*open)(const RowArrays& row, std::uint64_t state, double* off, double* gains);
  /// Adds share / P(on) of each variable that is on to `inverse`, and to `shared` (rows of
  /// `stride`) of each cause that is on.
  void (*add_share)(const RowArrays& row, std::uint64_t state, double share, const double* off,
                    double* inverse, double* shared);
};
RowKernels row_kernels_baseline();
RowKernels row_kernels_avx2();
RowKernels row_kernels_avx512();

}  // namespace orrery::model
