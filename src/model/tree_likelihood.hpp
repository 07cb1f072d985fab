// The likelihood of rows under a tree of signs, shared by several processes.
#pragma once

#include "base/block_share.hpp"
#include "orrery/model/tree_inference.hpp"

namespace orrery::model {

/// As mean_log_likelihood(channel, samples), which works alone: the same bits. Collective.
double mean_log_likelihood(const TreeChannel& channel, const data::SampleMatrix& samples,
                           const BlockShare& share);

}  // namespace orrery::model
