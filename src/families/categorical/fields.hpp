// The fields of a categorical network, once: in HDF5 and in JSON, to be written and to be read.
#pragma once

#include "orrery/model/categorical_network.hpp"
#include "store/archive.hpp"

namespace orrery::categorical {

/// Takes the model out of the archive, or puts it in, as archive.reads() says. Throws as an archive
/// does; a name that HDF5 cannot store is an InputError.
void fields(store::Archive& archive, model::LearnedCategorical& learned);

}  // namespace orrery::categorical
