// Step 2, BuildLatentModel: the graph of the causes, and its tables, from their recovered moments
// (Halpern, Horng, Sontag 2015, Sec. 4.1, Eq. (5), Table 1, Theorem 1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learning/stages.hpp"
#include "orrery/model/cause_network.hpp"
#include "orrery/model/subset_tables.hpp"

namespace orrery::anchored {

enum class Structure : std::uint8_t { independent, tree, in_degree, degree };

struct StructureOptions {
  Structure structure = Structure::tree;
  std::size_t limit = 2;  ///< K of indegree:K (1 to 4) and degree:K (1 to 3)
  /// Rows that the moments are of; 0: exact moments. Weighs the penalty of Eq. (5) and the tests of
  /// independence.
  double n_samples = 0;
  /// P(A = 1 | Y = 0), P(A = 1 | Y = 1) of the anchors that the moments were recovered from, one a
  /// cause: rows seen through them are worth less (sampling_noise.hpp). Empty: the causes were
  /// seen.
  std::span<const std::array<double, 2>> rates{};
  double alpha = 0.01;  ///< of a test of independence
  /// Of the causes, for remarks and errors; empty: their numbers.
  std::span<const std::string> names{};
  /// Causes that dynamic programming takes; more go to the integer program.
  std::size_t max_exact = 25;
};

struct CauseStructure {
  std::vector<std::vector<std::uint32_t>> parents;  ///< a cause; rising
  double score = 0;                                 ///< Eq. (5); 0 where it is not used
  double bound = 0;  ///< no structure scores more; equals `score` when it is proved best
  std::vector<std::string> remarks;
};

/// Moments that are needed: 1, 2, K + 1, K + 2.
std::size_t order_needed(const StructureOptions& options);

/// Same result at every rank. Collective. Throws InputError for what it cannot take (moments of too
/// low an order, more causes than a method can take) with what to use instead.
CauseStructure learn_structure(const learning::Workers& workers, const model::SubsetTables& moments,
                               const StructureOptions& options);

/// P(cause | parents) from the moments of each family; where the parents' state has no mass, the
/// cause's own P.
model::CauseNetwork fit_tables(const model::SubsetTables& moments,
                               const std::vector<std::vector<std::uint32_t>>& parents);

}  // namespace orrery::anchored
