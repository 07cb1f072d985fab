// Columns that say the same, or nearly: learned from one of them.
//
// Two or three copies look like a cause that switches them on and off together, and a pair of them
// in a quartet hides what they share with others. So the search goes without all but the first, and
// in the network that it finds each copy has the causes of that one. Four that agree are no copies:
// they may be the children of a strong cause, which quartets can tell.
//
// Cost: O(m^2) from the pair moments, m triples for each pair that is alike, of which each column
// is asked for three at most.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "learning/learner.hpp"
#include "moments/moment_source.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::quartet {

struct Copies {
  std::vector<std::uint32_t> original;  ///< by column: the first that it is a copy of, or itself
  [[nodiscard]] std::vector<std::uint32_t> kept() const;
  [[nodiscard]] bool none() const { return kept().size() == original.size(); }
};

/// Groups of up to three columns that say the same (constants::copies). Witnesses tell: third
/// columns that go with both of two whose correlation (phi) is least_likeness or more. Of two
/// children of a cause each fails by itself: where they differ, the witness is on about as often as
/// where both are on, and where it is on, the two hardly agree more than by chance. Where a copy is
/// wrong the witness does not know, and it fails with its original: the witness is on less than
/// most_for_copies times as often, and beside it their correlation is least_beside or more. Without
/// witnesses, or with fewer than five rows that differ, copies are times_closer_alone, by 1 - phi,
/// to each other than to any other column; columns that are times_closer_by_far say the same
/// whatever witnesses say. Columns that have hardly a row apart from the others are left alone.
/// Collective.
Copies find_copies(const moments::MomentSource& moments, int threads);

/// A network of the columns that were kept, with the others beside: each has its original's edges,
/// and the leak that makes it on as often as it is. `names`, `moments`: of all columns.
model::LearnedModel with_copies(const model::LearnedModel& kept, const Copies& copies,
                                const std::vector<std::string>& names,
                                const moments::MomentSource& moments);

/// `learn` from the columns that are kept; from all where nothing is a copy, or where parts are
/// known. Collective.
model::LearnedModel learn_without_copies(
    const learning::LearnContext& context,
    const std::function<model::LearnedModel(const learning::LearnContext& context)>& learn);

}  // namespace orrery::quartet
