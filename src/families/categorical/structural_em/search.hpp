// Structural EM: EM for the tables, a climb for the structure, until neither raises the score; and
// how a checkpoint keeps what the search has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "families/categorical/structural_em/em.hpp"
#include "families/categorical/structural_em/options.hpp"
#include "learning/stages.hpp"
#include "orrery/model/categorical_network.hpp"
#include "parallel/team.hpp"
#include "store/run.hpp"

namespace orrery::structural_em {

// ---- the climb (hill_climbing.cpp)

struct Change {
  std::uint32_t variable = 0;
  std::vector<std::uint32_t> parents;  ///< rising
  std::vector<double> counts;          ///< expected ones, J x L by rows
  double gain = 0;                     ///< of the score, all other variables as they were
};

/// The variables whose climb ends elsewhere, by falling gain, then by number. Collective.
[[nodiscard]] std::vector<Change> climb(const model::CategoricalNetwork& network, const Data& data,
                                        const ScoreSettings& settings);

/// The network with the first `n` changes made; tables are posterior means.
[[nodiscard]] model::CategoricalNetwork changed(const model::CategoricalNetwork& network,
                                                const std::vector<Change>& changes, std::size_t n,
                                                double alpha);

// ---- the search

/// How far the search has come.
struct State {
  std::uint64_t restart = 0;  ///< under way; those before are done
  /// The structure takes shape: EM is cut short before each climb.
  bool is_early = false;
  std::uint64_t n_changes = 0;  ///< of the accepted structure's changes, made in `trial`
  Fit trial;                    ///< under EM
  std::optional<Fit> accepted;  ///< of this restart; none: `trial` is a start
  std::optional<Fit> best;      ///< of the restarts that are done
};

void save(const State& state, store::Checkpoint& checkpoint);
/// `like`: a network with the same causes and variables. Nothing: the checkpoint has no state.
/// Throws InputError naming the array that does not fit. The checkpoint is root's. Collective.
[[nodiscard]] std::optional<State> load_everywhere(const parallel::Team& team,
                                                   const store::Checkpoint& checkpoint,
                                                   const model::CategoricalNetwork& like);

/// The network with the highest score of all restarts; a function of the table, options and seed.
/// `source` names the data in messages. Throws InputError as random_start does, Stopped.
/// Collective.
[[nodiscard]] Fit search(const data::CategoricalTable& table, const Options& options,
                         std::uint64_t seed, const std::string& source,
                         const learning::Workers& workers);

}  // namespace orrery::structural_em
