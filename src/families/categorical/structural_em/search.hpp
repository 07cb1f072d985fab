// Structural EM: EM for the tables, a climb for the structure, until neither raises the score.
#pragma once

#include <string>

#include "families/categorical/structural_em/options.hpp"
#include "families/categorical/structural_em/state.hpp"
#include "learning/stages.hpp"

namespace orrery::structural_em {

/// The network with the highest score of all restarts; a function of the table, options and seed.
/// `source` names the data in messages. Throws InputError as random_start does, Stopped.
/// Collective.
[[nodiscard]] Fit search(const data::CategoricalTable& table, const Options& options,
                         std::uint64_t seed, const std::string& source,
                         const learning::Workers& workers);

}  // namespace orrery::structural_em
