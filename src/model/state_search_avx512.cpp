// The state search for one instruction set; its compile flags are in CMakeLists.txt.
#define ORRERY_LANES 8
#include "model/state_search_lanes.hpp"

namespace orrery::model {

SearchResult search_states_avx512(const SearchArrays& arrays) { return search_states(arrays); }

}  // namespace orrery::model
