// Refinement of what pair signatures found: likelihood ascent where causes are hundreds and
// variables thousands. What refiner.hpp does by trials is done here for all edges and causes at
// once, from what one pass says of each:
//
//   parameters  EM (em.hpp)
//   edges       dropped where the rows with the variable on, given the cause, are no more than the
//               rest of the network makes (likelihood ratio of the two binomials) by what an edge
//               costs; added where that of a tried failure, or of the failure that the first two
//               derivatives promise, gains more than a new edge of that strength must
//               (structure_sums.hpp)
//   causes      dropped where the likelihood ratio without it is less than it and its edges cost
//
// (signature_pass.hpp.) The last passes, in which parameters settle, come after it.
//
// Cost: a pass over the rows an iteration (sparse_expectation.hpp).
#pragma once

#include <cstdint>
#include <functional>

#include "families/noisy_or/quartet/refine/em.hpp"
#include "families/noisy_or/quartet/state.hpp"
#include "learning/learner.hpp"

namespace orrery::quartet {

/// So few of all causes that another pass over the rows is not worth it.
[[nodiscard]] bool are_few(std::size_t n_causes, const State& state);

/// The network leaves so many pairs of variables unexplained, and so much of the dependence between
/// them, that its causes stand for several: what leaks together is of these, and a network that
/// settles from there is in doubt. False of more variables than can be gone through by quartets.
[[nodiscard]] bool explains_too_little(const learning::LearnContext& context,
                                       const model::NoisyOrNetwork& network);

/// The network that a `state` holds whose causes were refined: causes, edges and leaks.
[[nodiscard]] model::NoisyOrNetwork refined_network(const learning::LearnContext& context,
                                                    const State& state);

/// Log-likelihood of a network for which `found` was expected, less what causes and edges cost:
/// nats.
[[nodiscard]] double worth_of(const model::NoisyOrNetwork& network, const Expectation& found,
                              const Penalty& penalty);

/// Whether causes are looked for that hide behind others (hidden_causes.hpp).
enum class Hidden : std::uint8_t { ignore, find };

/// Of n_rows rows a refinement, the first one or one of the later ones, looks at about so many, and
/// at all if they are no more.
[[nodiscard]] std::uint64_t rows_of_refinement(std::uint64_t n_rows, bool is_first);

/// Puts the refined causes of `state` in the place of those that were found, causes that are not
/// needed left out. From the second refinement on, where many causes repeat others or are such as
/// chance makes, they go before hidden causes are looked for; and these only if those that the
/// refinement before found are worth what they cost (state.refined_worth). Hidden causes come last,
/// as they were found: unless they are few, state.n_refined says how many come before. `pause` is
/// called before each pass; a resumed run begins anew. Collective.
void refine_signatures(const learning::LearnContext& context, double alpha, Hidden hidden,
                       const std::function<void()>& pause, State& state);

/// A few steps of EM of the causes that are known beforehand, on some of the rows, so that the
/// search goes through what they leave. `pause` is called before each pass; a resumed run begins
/// anew. Collective.
void fit_signatures(const learning::LearnContext& context, const std::function<void()>& pause,
                    State& state);

/// What settling may change. On trial: all, but what leaves much of the dependence between
/// variables is not taken, so that no more causes are looked for (residual_components.hpp) once
/// much stays.
enum class Settle : std::uint8_t { all, on_trial, parameters };

/// EM of all parameters of `state`, whose leaks are known, until a pass gains next to nothing:
/// false if it still did after some passes. Unless these alone may change: before that, causes and
/// edges that are not needed once all are refined are dropped, among them each cause that stands
/// for what another does, and edges that are missing are added. `pause` is called before each pass;
/// a resumed run begins anew. Collective.
bool settle_signatures(const learning::LearnContext& context, double alpha, Settle what,
                       const std::function<void()>& pause, State& state);

}  // namespace orrery::quartet
