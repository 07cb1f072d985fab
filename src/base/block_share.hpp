// Numbered blocks of work that several processes share without knowing of one another.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace orrery {

/// Which blocks this process works on. Alone it has them all.
struct BlockShare {
  std::size_t number = 0;  ///< of this process
  std::size_t n_processes = 1;
  /// Given values of which each was found by one process and left 0 by the others: makes them those
  /// of all. Collective; empty: there are no others.
  std::function<void(std::vector<double>& values)> complete{};

  [[nodiscard]] bool has(std::size_t block) const noexcept { return block % n_processes == number; }
  void gather(std::vector<double>& values) const {
    if (complete) complete(values);
  }
};

}  // namespace orrery
