// Networks like QMR-DT, the knowledge base of medical diagnosis that is not public.
#pragma once

#include <cstdint>
#include <string_view>

#include "orrery/model/network.hpp"

namespace orrery::model {

/// `spec` is qmr:causes,observed,edges, or qmr for the size of aQMR-DT (570,4075,45470). Throws
/// UsageError for sizes that no such network has. src/model/qmr_network.cpp says how it is drawn.
NoisyOrNetwork qmr_network(std::string_view spec, std::uint64_t seed);

}  // namespace orrery::model
