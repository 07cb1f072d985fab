// Memory for bits that the ranks of a host share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "orrery/data/sample_matrix.hpp"
#include "parallel/team.hpp"

namespace orrery::learning {

/// Room for a bit per value; `shared` is then what the ranks of a host share, or null where each
/// has its own. Collective.
inline data::BitPanels room_on_host(const parallel::Team& team, std::size_t n_columns,
                                    std::size_t n_rows, std::uint64_t*& shared) {
  shared = team.host_words(data::BitPanels::words_needed(n_columns, n_rows));
  return shared == nullptr ? data::BitPanels(n_columns, n_rows)
                           : data::BitPanels(n_columns, n_rows, shared);
}

}  // namespace orrery::learning
