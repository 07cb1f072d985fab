// The fields of a tree of signs, once: in HDF5 and in JSON, to be written and to be read.
#pragma once

#include "orrery/model/sign_tree.hpp"
#include "store/archive.hpp"

namespace orrery::sign_tree {

/// Takes the model out of the archive, or puts it in, as archive.reads() says. Throws as an archive
/// does; a name that HDF5 cannot store is an InputError.
void fields(store::Archive& archive, model::LearnedTree& learned);

}  // namespace orrery::sign_tree
