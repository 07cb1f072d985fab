// --causes auto: which number of causes to try next.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace orrery::variational_em {

/// A number of causes that was fitted, and its bound of the rows held out (nats per row).
struct Tried {
  std::size_t n_causes = 0;
  double held_out = 0;
};

/// The highest bound; of equals the fewest causes. `tried` is not empty.
[[nodiscard]] std::size_t best_number(const std::vector<Tried>& tried);
/// 1, 2, 4, ... until the bound falls or `most` is reached; then halves the wider gap beside the
/// best until both its neighbours are tried. Nothing when there is no more to try.
[[nodiscard]] std::optional<std::size_t> next_number(const std::vector<Tried>& tried,
                                                     std::size_t most);

}  // namespace orrery::variational_em
