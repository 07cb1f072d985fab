// The constants that decide what the default learner finds, stage by stage.
//
// Each comment says what a constant does and in which unit, where it comes from, and what was
// tried. A constant without a word on trials has not been varied on record. The prototype
// of the calibrated search found on seven benchmark networks that thresholds barely matter.
//
// What is not here: constants of --paper mode, which the paper fixes and which stand with its
// algorithms and in options.cpp; guards against rounding; layouts, and blocks that affect speed
// alone; and what only a forecast of --dry-run uses.
//
// Nats are differences of a log-likelihood over all rows unless it says "per row". A z is in
// standard errors. Sources that are cited by authors and year stand in src/BIBLIOGRAPHY.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace orrery::quartet::constants {

// Columns that repeat another one (copies.hpp).
namespace copies {

/// Most columns of a group that say the same, the first of them included. Four that agree may be
/// the children of a strong cause, which quartets can tell.
inline constexpr std::size_t most_in_group = 3;
/// Least rows in which a column is on, and in which it is off, for a correlation to be looked at.
/// The correlation of fewer rows says little.
inline constexpr double least_rows = 20;
/// Least correlation (phi) of a third column with each of two columns, for it to be their witness.
inline constexpr double least_witness = .3;
/// Least rows in which two columns differ, for witnesses to tell them apart.
inline constexpr double least_rows_apart = 5;
/// Least correlation (phi) of two columns about which witnesses are asked. It was 0.9 while only
/// distance told copies, which left near-copies of rare columns with 2 % of their values flipped.
inline constexpr double least_likeness = .8;
/// Least correlation (phi) of two columns where only their distance tells.
inline constexpr double least_likeness_apart = .9;
/// A witness is on less than so many times as often where two copies differ as where both are on.
inline constexpr double most_for_copies = .5;
/// Least correlation (phi) of two copies in the rows in which their witness is on.
inline constexpr double least_beside = .85;
/// Where no witness tells, copies are so many times closer (by 1 - phi) to each other than to any
/// other column. With 6 a near-copy of a strong cause's child stayed, and the cause came out twice;
/// with closeness alone sure children of one cause were taken for copies in 14 of 63 small tables.
inline constexpr double times_closer_alone = 4;
/// Columns that are so many times closer (by 1 - phi) to each other than to any other column are
/// copies, whatever witnesses say.
inline constexpr double times_closer_by_far = 10;

}  // namespace copies

// Which search is tried first (learner.cpp, options.cpp).
namespace search {

/// Up to so many variables the search goes through all quartets, which takes minutes on one core.
inline constexpr std::size_t most_exhaustive = 1000;
/// Least variables and least rows for pair signatures to be tried before all quartets. They take
/// ten to a hundred times less time and find the same causes there.
inline constexpr std::size_t many_variables = 80;
inline constexpr std::uint64_t many_rows = 10'000;
/// The same for tables of more variables and fewer rows: 900 variables took one second instead of
/// three minutes.
inline constexpr std::size_t very_many_variables = 500;
inline constexpr std::uint64_t some_rows = 2'000;
/// Causes that leave a larger share of the pairs unexplained before they settle, and more of the
/// dependence between variables (dependence_left), stand for several: pairs that leak together are
/// of these, and what is found once they settle is in doubt. Of 25 networks those whose causes all
/// become known before leave 0 to 4.8 % of the pairs, the others 5.1 to 99 % of the pairs and 2 to
/// 100 % of the dependence. Most causes of these come from what many pairs show together
/// (residual_components.hpp): 6 and then 30 of 30 of con:20,causes=30,observed=100 (20,000 rows,
/// seed 3) in 21 s, where quartets and growth take 56 s. Where the causes of a table depend on one
/// another (20 Newsgroups), settling takes a tenth of the time in vain. The more rows there are,
/// the more pairs causes of few rows leave.
inline constexpr double much_misfit = .05;
inline constexpr double much_left = .005;
/// The most of the dependence that those may leave which have settled; else all quartets are gone
/// through. Networks whose causes are all found leave next to none, the Health Knowledge Graph with
/// 112 of its 156 causes 0.01 % (0.06 % of a million rows), qmr:80,700,3000 of 5,000 rows with 34
/// of 80 causes 0.4 %; one of 20 equal causes is 5 % of it. While any pair six standard errors off
/// was taken for a missing cause, the quartets found less than the signatures had: 31, 26 and 29 of
/// 40 causes (con:3-10,causes=40,observed=200) instead of 37, 36 and 39, and 28 of 156 of the
/// Health Knowledge Graph instead of 90.
inline constexpr double most_left = .002;
/// The largest share of pairs that causes found by signatures may leave unexplained once they have
/// settled, where there are fewer than `many_rows` or much was unexplained before. Chance leaves
/// 0.0027; signatures miss causes of few rows. Of con:8-24,causes=20,failure=.7-.9,observed=100
/// with 12,000 rows 15 of 20 causes were matched that left 0.0046, and quartets find 19.
inline constexpr double most_misfit_in_doubt = .004;
/// Most times that doubtful edges are dropped from what signatures found, each time with EM after.
inline constexpr int most_times_edges_drop = 3;

}  // namespace search

// The calibrated scan, and the vote on its quartets (calibrated/).
namespace calibrated {

/// Least z of a pair that the false discovery rate is reckoned over (Benjamini and Hochberg 1995),
/// and the bar where no pair is beyond it.
inline constexpr double least_pair_bar = 2;
/// Least z of the four triples of a quartet that is tested: before and after learned causes are
/// subtracted.
inline constexpr double triple_bar = 2.5;
inline constexpr double triple_bar_after_subtraction = 3;
/// Least z of a child with each of the six pairs of a quartet: before and after subtraction. Any
/// pair that does not share a foreign cause vetoes a variable.
inline constexpr double child_bar = 2;
inline constexpr double child_bar_after_subtraction = 2.5;
/// Most chi-square of a quartet that one cause explains: the 1 % point with six degrees of freedom.
/// True quartets passed at 97.8 to 99.6 % where the covariance is that of the fit, and at 57 to
/// 98 % where it is that of the data.
inline constexpr double fit_limit = 16.81;
/// Range of the prior that a quartet's fit may have.
inline constexpr double least_fit_prior = 2e-4;
inline constexpr double most_fit_prior = .6;
/// Most failure that each of the four children of a fit may have.
inline constexpr double most_fit_failure = .9;
/// Most steps of Levenberg-Marquardt in a quartet's fit.
inline constexpr int most_fit_steps = 12;
/// How often a quartet is fitted with the covariance of its fit. A third time changes nothing.
inline constexpr int n_fit_rounds = 2;
/// From this chi-square on a quartet is not fitted again.
inline constexpr double hopeless_fit = 200;
/// Least Jaccard index of two sets of children that vote for the same cause.
inline constexpr double least_vote_overlap = .7;
/// Most quartets that a child's failure is estimated from.
inline constexpr std::size_t quartets_per_child = 16;
/// Range of the failures that quartets give an elected cause.
inline constexpr double least_elected_failure = .01;
inline constexpr double most_elected_failure = .95;
/// Least votes for a cause without refinement. Single quartets pass by chance where very much is
/// tested.
inline constexpr std::uint64_t enough_votes = 3;
/// Where a cause has few children, the share of their quartets that is enough votes instead.
inline constexpr double enough_votes_share = .3;

}  // namespace calibrated

// Pair signatures: the search (signatures/signature_search.hpp, signatures/seed_search.cpp).
namespace signatures {

/// Least z of a pair beyond what the learned causes say, for it to be a seed.
inline constexpr double least_excess_z = 4;
/// A seed is coupled beyond what the learned causes explain by this share of it at least.
inline constexpr double least_seed_share = .2;
/// The same for each pair of the members of a growing cause.
inline constexpr double least_third_share = .3;
/// Least rows in which both variables of a seed are on.
inline constexpr double least_seed_rows = 8;
/// Variables that the signature of a pair is strongest at, by which it is compared with others.
inline constexpr std::size_t most_strongest = 60;
/// Least strength (1 - failure), and its least z, of a third variable in a pair's signature.
inline constexpr double least_third = .1;
inline constexpr double least_third_z = 4;
/// Third variables that are looked at together, and all that are looked at.
inline constexpr std::size_t first_thirds = 6;
inline constexpr std::size_t later_thirds = 24;
/// Least and most members whose pairs speak for a cause.
inline constexpr std::size_t least_members = 3;
inline constexpr std::size_t most_members = 6;
/// Least z of three members that no fourth confirms. With 4, networks like QMR-DT of 60,000 rows
/// had 5 and 15 extra causes (544 and 541 matched), with 6 they have 5 and 5 (543 and 548 matched).
inline constexpr double least_triple_z = 6;
/// Most children of a cause that three members speak for; of more, more than three would agree.
inline constexpr std::ptrdiff_t most_of_three = 6;
/// Error of strengths that is added to their standard errors: strengths are of first order in the
/// prior, and other causes have errors too.
inline constexpr double strength_tolerance = .04;
/// Most mean square difference of two signatures that agree, in squared standard errors.
inline constexpr double most_disagreement = 2;
/// Least strength, and its least z, of an edge of a found cause.
inline constexpr double least_edge_strength = .04;
inline constexpr double least_edge_z = 4;
/// Standard errors of pooled strengths times this: signatures of one cause share rows.
inline constexpr double pooled_doubt = 1.5;
/// Least strength of three edges that a found cause must have.
inline constexpr double strong_edge = .1;
/// Range of the prior of a found cause.
inline constexpr double least_found_prior = 1e-6;
inline constexpr double most_found_prior = .4;
/// A cause stands for two if more than `most_deficits` of the pairs of its `most_paired_children`
/// strongest children come together in fewer rows than it says, by `deficit_z`. Looked at are pairs
/// whose coupling would be seen at `visible_z`.
inline constexpr std::size_t most_paired_children = 50;
inline constexpr double visible_z = 4;
inline constexpr double deficit_z = -2;
inline constexpr double most_deficits = .1;
/// Share of a pair's coupling that is held against a cause; the rest is for errors of parameters.
inline constexpr double coupling_room = .85;
/// Seeds of a variable that may fail before its other seeds are given up.
inline constexpr std::uint32_t patience = 8;
/// A round after a refinement ends once so many seeds have failed, at least one for each variable,
/// for each that became a cause and for one more. Of 40 causes of 100 to 300 children it was 4,602
/// seeds of 1,100 variables, a tenth of the time, and where one became a cause 91,505. Less
/// `patience` instead loses causes of the Health Knowledge Graph.
inline constexpr std::size_t barren_seeds = 1000;
/// Seeds that are searched at once, and seeds that wait because they may have to do with those.
/// Most that wait are explained by the next causes. Batches, and looking at some thousand rows of a
/// pair, took 9.9 s instead of 16.6 s on 100,000 rows of a network like QMR-DT and matched the same
/// 560 causes.
inline constexpr std::size_t seeds_at_once = 16;
inline constexpr std::size_t most_waiting_seeds = 512;
/// Batches of seeds that are searched together, at most, while none finds a cause: what a batch
/// finds does not depend on it.
inline constexpr std::size_t batches_at_once = 16;
/// Least cosine of the strengths of a found and a learned cause that are the same.
inline constexpr double same_as_learned = .97;
/// Least strength by which a cause touches a variable, whose seeds are then tried again.
inline constexpr double touching_strength = .1;

// Their refinement pass by pass (signature_refinement.hpp, signature_pass.hpp).

/// The first steps of EM look at about so many rows, or at fewer if the cause of median prior is
/// expected in so many of them. Parameters that settle on those are near enough for all rows to
/// judge the structure by: nine sets of 20 causes over 100 variables (20,000 rows) take 70 s
/// instead of 99, and the same causes are found. With 250 rows two of them have a cause too many.
/// (Steps on so small a sample beside sums over all rows, as in active_expectation.hpp, lose
/// hundreds of nats.)
inline constexpr std::uint64_t first_step_rows = 50'000;
inline constexpr double first_step_presences = 500;
/// The pass of EM of known causes looks at about so many rows, and so does the first that looks for
/// edges and hidden causes.
inline constexpr std::uint64_t first_pass_rows = 250'000;
/// Fewer rows are few: their structure is judged after every step of EM. Settled further between
/// two passes, BBC (1,670 rows, ten random splits) predicts rows held out worse by 0.5 nats each.
/// Of 20,000 rows, where many causes are present in a row, what is judged so early takes many
/// passes and is often wrong: with 50,000 in place of this number, signatures did not find 25
/// causes of 150 variables (`con:4-30`).
inline constexpr std::uint64_t few_rows = 10'000;
/// Where at most one in so many causes is new, parameters settle before a round's pass judges
/// the structure. Where many are, others are yet to be found, and new causes would settle as parts
/// of them: of 40 dense causes (three sets) 114 are found instead of 120, and 13 too many.
inline constexpr std::size_t few_new_causes_of = 4;
/// Of more than 4 million rows, the first pass that looks for edges and hidden causes looks at one
/// row in so many; from 5 million on, later passes that look for hidden causes look at so many
/// rows, or at up to twice as many. Ten million rows of a network like QMR-DT: with 250,000 rows at
/// first and all of them later 12 min 53 s, 24 edges that are not there and 9 missing; in this way
/// 9 min 46 s, 22 and 10. (All rows show where parameters of few are wrong: after the first
/// refinement 72,514 pairs were unexplained and tried as seeds, and now 20,634.)
inline constexpr std::uint64_t first_pass_share = 16;
inline constexpr std::uint64_t later_pass_rows = 2'500'000;
/// Passes of EM after the search.
inline constexpr int n_fit_steps = 8;
/// New causes are few if they are less than one in so many: another round is not worth a pass over
/// a million rows, and what the moments show of so few is as often false.
inline constexpr std::size_t few_causes_of = 200;
/// The same of causes that only pairs show (hidden_causes.hpp). With 200, networks like QMR-DT have
/// 569 of 570 causes matched instead of 568 from 100,000 rows, in 1.2 times the time; but of a
/// million rows 482 edges are missing instead of 346 (seed 2), and the round takes 10 s.
inline constexpr std::size_t few_by_pairs_of = 100;
/// Pseudo-counts of every failure in EM. Edges are many and unlike, so that failures are held to
/// nothing but to be inside (0, 1).
inline constexpr double pseudo_failures = .5;
inline constexpr double pseudo_successes = .5;
/// What an edge must gain, nats: one for its parameter (Akaike), and one for having been chosen
/// among many. Rows in which both variables are on are so few that the ratio of two
/// binomials seldom comes near by chance. With half a logarithm of the rows most weak edges of rare
/// causes are lost.
inline constexpr double edge_cost = 2;
/// An edge that is added must gain so much more for each factor of e by which it is weaker than one
/// of strength 1, and for each factor of ten by which the rows are more than ten: the more rows
/// there are, the more of what the network does not say exactly looks like a weak edge. Where every
/// edge had to gain two nats, by a quadratic (the score test), a million rows of a network like
/// QMR-DT got 2,005 false edges and lost 463 of 45,470 true ones; now they get 69 and lose 279. BBC
/// (1,670 rows, ten random splits) gains 0.7 nats per row held out; it would lose 0.5 with the cost
/// of 100,000 rows and half a nat more for each edge.
inline constexpr double weakness_cost = .25;
/// What an edge that stays must gain, nats. It is less than an edge that is added must gain, or
/// else some would come and go.
inline constexpr double least_edge_worth = 1;
/// Least expected rows in which a cause is present.
inline constexpr double least_present_rows = 4;
/// So many rows are sure of an edge of strength 0.02, four times as many of half of it: a round of
/// refinement begins with no weaker ones (refined_range). With 0.02 for any number of rows, ten
/// million rows of a network like QMR-DT fell from -104 to -107 nats each, and 52,000 edges were
/// added that the next passes dropped. With no such limit, 100,000 rows of the Health Knowledge
/// Graph (ten seeds) recovered 560 causes instead of 582.
inline constexpr double clear_strength_rows = 100'000;
/// A cause repeats another one if the cosine of their strengths is above the first, or above the
/// second while so large a share of the rarer one's rows has the other one too and it gains less
/// than so many nats per row with it and child. (Where many causes are present in a row, one may
/// have rows of two until the second is found, which then seldom comes alone: such causes of
/// con:20,causes=30,observed=100 gain 1.9 nats, the shadows of dense causes less than 0.5.)
inline constexpr double double_cosine = .95;
inline constexpr double shadow_cosine = .3;
inline constexpr double shadow_rows = .7;
inline constexpr double most_shadow_gain = .5;
/// A posterior below this says nothing of missing edges.
inline constexpr double least_posterior = .01;
/// Failure that a missing edge is tried with, besides the slope at 1.
inline constexpr double tried_failure = .5;
/// Most that a single row can say: 1 / P(variable on) is held to this.
inline constexpr double most_shared = 1000;
/// A variable goes to what has switched it on with more than this probability.
inline constexpr double likely_cause = .5;
/// Least posterior of a cause to which variables of a row are attributed.
inline constexpr double surely_present = .9;

// What many pairs show together (residual_components.hpp).

/// Most variables: the sums over them take half a second, and cubes of their number from there on.
inline constexpr std::size_t most_component_variables = 1'000;
/// Directions that are looked at at once, and iterations that tell them from noise.
inline constexpr int most_components = 8;
inline constexpr int iterations_per_component = 30;
/// About so many rows say how much of a direction is chance.
inline constexpr std::uint64_t component_rows = 50'000;
/// Where EM begins with such a cause: edges are no weaker than this.
inline constexpr double least_component_strength = .1;
/// On trial, where more than this share of the dependence stays, and much of it, no more are looked
/// for: of networks of independent causes at most a fifth stays. Of Accidents (begun without a
/// cause), where causes depend on one another, two thirds stay after the first time and more after
/// each later one. Plants takes 14 s instead of 34 s with it, and 40 causes instead of 64, which
/// would not be taken either.
inline constexpr double most_left_of_dependence = .5;
/// Most times that causes are looked for in what is left.
inline constexpr int most_component_rounds = 4;

// What hides behind causes (hidden_causes.hpp, attribution.hpp).

/// Least rows in which both variables of a pair are on, for the pair to be looked at.
inline constexpr double least_pair_rows = 8;
/// Least strength of an edge of a part.
inline constexpr double weakest_part_edge = .04;
/// Iterations for the leading principal component of attributed rows, and of EM of two classes.
inline constexpr int component_iterations = 20;
inline constexpr int mixture_iterations = 15;
/// Clearest pairs that a mixture of two classes is begun from.
inline constexpr std::size_t most_mixture_pairs = 4;
/// Least variance of the leading component. A cause of few children seems present where enough of
/// them are on, which makes them exclude each other: that alone leaves 1.5 at most.
inline constexpr double least_component_variance = 2;
/// Least cosine of the strengths of a part and a cause of the network that are the same.
inline constexpr double same_as_part = .85;

// Their last passes and standard errors (signature_refinement.cpp, sparse_errors.cpp).

/// Causes of a row that later steps of EM look at again.
inline constexpr double active_posterior = 1e-5;
/// Rows that these steps look at, about, and the most memory of such rows. With 250,000 rows of a
/// million of a network like QMR-DT 520 causes had their parameters right and not 557.
inline constexpr std::uint64_t sample_rows = 1'000'000;
inline constexpr double most_sample_bytes = 0x1p27;
/// The most memory of all rows, kept to judge the structure without another look at each whole row:
/// ten million rows of a network like QMR-DT take 1.3 GB, a quarter of their bits. Of more rows
/// each pass looks at the whole of each. --memory does not change it: the model would be another
/// one, and not the same on any number of ranks.
inline constexpr double most_active_bytes = 0x1.8p30;
/// Most such steps after a pass over all rows, and where the structure changes yet: a cause that
/// stands for a part of another would settle where it is.
inline constexpr int most_active_steps = 45;
inline constexpr int most_rough_steps = 3;
/// Most such steps before a pass that looks for edges and hidden causes. 60,000 rows of 40
/// dense causes, of which fourteen are known by then, would take 45 instead of 12 and 12 s instead
/// of 4, and the same causes are found.
inline constexpr int most_first_steps = 12;
/// Most passes that tidy the network, and of few rows those after which edges that come and go end
/// it.
inline constexpr int most_tidy_passes = 8;
inline constexpr int least_tidy_passes = 3;
/// Where a pass of a refinement drops more than one cause in so many, there is another one before
/// hidden causes are looked for. BBC (1,670 rows, ten random splits) predicts rows held out better
/// by 0.6 nats each than where such causes went at the end only.
inline constexpr std::size_t many_causes_of = 20;
/// A cause is clear that gains so many times the price of an edge for each of its edges. Those of
/// BBC that owe less than half of their gain to their own edges gain 0.9 to 3.5 times as much,
/// false ones of networks with dense causes or like QMR-DT 0.4 to 1.7 times, and causes of the
/// Health Knowledge Graph 2 to 60 times. With 4, 100,000 of its rows (two seeds) recover 181 of 312
/// causes, with 10 152, and with 100, as it was, 116.
inline constexpr double clear_gain = 4;
/// Tidying ends where the number of edges changes by less than one in so many.
inline constexpr std::size_t few_edges_of = 200;
/// Most passes of EM at the end.
inline constexpr int most_settling_passes = 15;
/// EM has settled where a pass gains less nats over all rows for each 1,000 parameters.
inline constexpr double settled_gain = .05;
/// So many times that where the structure changes yet.
inline constexpr double rough_gain = 50;
/// Most children of a cause whose standard errors take the children's leaks as unknown too.
inline constexpr std::size_t most_children_with_leaks = 30;
/// Where a posterior differs by less from that of a row with nothing on, the row says nothing of
/// the cause's failures.
inline constexpr double negligible_change = 1e-6;
/// A cause less likely than this in a row, and less than with nothing on, counts as absent there.
inline constexpr double surely_absent = 1e-4;
/// Beyond so many sums of the standard errors about so many rows are looked at.
inline constexpr std::size_t many_error_sums = 1'000'000;
inline constexpr std::uint64_t enough_error_rows = 20'000;
/// Beyond so many sums there are no standard errors.
inline constexpr std::size_t most_error_sums = 4'000'000;

}  // namespace signatures

// Refinement by EM over the rows (refine/).
namespace refinement {

/// Causes that so many quartets agree on are taken at once, the others one by one.
inline constexpr std::uint64_t sure_support = 20;
/// The first round begins on about so many rows; what they show clearly the others need not.
inline constexpr std::uint64_t first_round_rows = 2048;
/// Least children of a cause: with two, one dependence would have to tell three parameters.
inline constexpr std::size_t least_children = 3;

// States of the causes that a search may take before growth is tried instead.

/// States for each row, and for each row where most of the causes that it begins with are sure.
/// With the larger limit con:20,causes=30,observed=100 with 15,000 rows finds 30 of 30 causes where
/// growth found 24.
inline constexpr double states_per_row = 300;
inline constexpr double states_per_row_if_sure = 3000;
/// Rows that are counted at least, and variables beyond which a search may take proportionally
/// fewer states, since a state of many variables takes longer.
inline constexpr double many_rows = 1e5;
inline constexpr double many_variables = 128;
/// Share of sure causes that makes a search sure. Most causes are sure that begin a noisy-OR
/// network of independent causes, a tenth to a third of them in tables that are none.
inline constexpr double share_of_sure = .4;
/// A grown network with fewer edges among its causes than this share of their number is one of
/// independent causes, which refinement finds better however long it takes. Without this way back
/// to refinement 18 of 20 sets of such causes were found instead of 20.
inline constexpr double few_edges = 1. / 3;

// EM and the standard errors (em.hpp, expectation.hpp, errors.hpp).

/// Pseudo-counts of every failure until the last fit: the exponents of its Beta prior. Without
/// priors (maximum likelihood) the prototype recovered 2 to 8 of 8 causes from 500 rows.
inline constexpr double pseudo_failures = 2;
inline constexpr double pseudo_successes = 6;
/// Pseudo-counts of a prior, each way, and of a leak: half a case. A leak that no row shows cost a
/// held-out row 14 nats without it.
inline constexpr double pseudo_prior = .5;
inline constexpr double pseudo_leak = .5;
/// EM keeps failures and leaks so far inside (0, 1).
inline constexpr double least_failure = 1e-4;
inline constexpr double least_leak = 1e-7;
/// Weakest and strongest failure that EM begins with; an iteration or two would move it further.
inline constexpr double weakest_start = .9;
inline constexpr double strongest_start = .02;
/// Failure that EM begins with of an edge that the user requires.
inline constexpr double required_start = .5;
/// States that weigh less than this share of a row's heaviest are left out: of what is kept, and of
/// what is tried.
inline constexpr double state_tolerance = 1e-7;
inline constexpr double trial_tolerance = 1e-4;
/// Range of the pseudo-counts together that the spread of the failures gives in the last fit
/// (empirical Bayes). Failures that are all alike are not held to each other by more cases: their
/// errors would tell of the others rather than of themselves. The weight ended at 50 cases while
/// sampling noise was taken for spread.
inline constexpr double most_alike = 200;
inline constexpr double least_alike = 4;
/// Up to so many parameters the standard errors are of all of them together.
inline constexpr std::size_t most_joint = 1200;

/// Of one EM every so many iterations at most search the rows for the states of the causes that
/// matter, and so does the last; the others sum those that were found. With priors of 0.3 to 0.45
/// and 2,000 rows, two data sets of six: 4 instead of 10 takes 5.4 and 10.3 s instead of 4.8 and
/// 8.8 s.
inline constexpr int iterations_per_search = 10;
/// Most memory of the states found for one network, on all ranks together and of a block of 256
/// rows; two networks may have theirs at a time. Rows that find no room are searched each time.
inline constexpr std::size_t most_bytes_of_states = 0x1p25;
inline constexpr std::size_t most_bytes_of_block = 0x1p20;

/// Longest stride of squared extrapolation (extrapolation.hpp).
inline constexpr double longest_stride = 16;
/// An EM that may go on for so many iterations goes on by squared extrapolation. With priors of 0.3
/// to 0.45 and 500 rows, 20 data sets, 193 causes are found and 27 beside them, as without it; with
/// 12 also 29 beside them, with 8 only 191 and 31.
inline constexpr int least_extrapolated = 20;
/// Most iterations of one EM, and nats over all rows that an iteration must gain.
struct EmLimits {
  int iterations;
  double tolerance;
};
/// EM of what refinement begins with; of leaks alone; and where more rows are looked at.
inline constexpr EmLimits start_em{8, .5};
inline constexpr EmLimits leaks_em{1, 0};
inline constexpr EmLimits more_rows_em{10, .5};
/// EM of the causes that are taken at once.
inline constexpr EmLimits sure_causes_em{15, 1};
/// EM after edges were dropped or added, or causes without children dropped.
inline constexpr EmLimits edges_em{8, .5};
/// EM of an offered cause at first, and once its edges were tidied.
inline constexpr EmLimits offer_em{6, .5};
inline constexpr EmLimits tidied_offer_em{12, .3};
/// EM of another network, which is not given up before so many iterations.
inline constexpr EmLimits move_em{10, .3};
inline constexpr int least_move_iterations = 3;
/// EM once nothing changes any more, and of the end.
inline constexpr EmLimits settled_em{20, .1};
inline constexpr EmLimits last_em{500, 1e-3};

// Moves (refiner.hpp).

/// Most rounds in which edges are dropped and added, of the network and in a trial.
inline constexpr int tidy_rounds = 4;
inline constexpr int trial_tidy_rounds = 3;
/// What an edge that is added must promise beyond its penalty, nats.
inline constexpr double least_edge_surplus = 1;
/// Least z at which two causes come together more often than chance has it, and least factor by
/// which they then do, for the one to get the other's children or both to be merged.
inline constexpr double least_lift_z = 3;
inline constexpr double least_lift = 1.5;
/// A cause is tried without where another one comes with it more than so many times as often as
/// chance has it, or where their Jaccard index of children is larger than the second.
inline constexpr double replaceable_lift = 2;
inline constexpr double replaceable_overlap = .5;
/// Largest Jaccard index of children with a cause of the network for an offered cause to be tried.
inline constexpr double most_offer_overlap = .7;
/// Failures that edges begin with: those that the heirs of a cause get, those that one cause gets
/// of another one, and those of the parts of a split cause.
inline constexpr double inherited_failure = .6;
inline constexpr double shared_failure = .3;
inline constexpr double split_failure = .2;
/// Prior of each part of a split cause, as a share of the whole one's.
inline constexpr double split_prior_share = .6;
/// Most pairs of causes that are merged for a trial in one look.
inline constexpr std::size_t most_merges = 3;
/// Least gain of a move, nats. Smaller gains are those of EM that goes on, not of a better network.
inline constexpr double least_gain = .5;
/// Failures that a missing edge is tried with. The slope at 1 tells weak edges; of a strong one it
/// tells too little: k rows that only it explains are worth k/2 nats by the score test (Rao 1948).
/// By the slope alone PLNT at 500 rows missed six edges, worth 25 nats each.
inline constexpr std::array<double, 3> tried_failures{.2, .5, .8};
/// A cause whose first trial gains less than this share of its cost is given up.
inline constexpr double least_share_of_cost = .5;
/// A trial network that has more edges may gain by dropping them: each costs its penalty, and this
/// much of the density of a failure near 1, nats.
inline constexpr double least_density = 10;
/// A trial is given up if so many times the gain of EM's last step would not make it better. EM's
/// gains shrink from step to step.
inline constexpr double steps_ahead = 10;
/// Most pairs of causes that are tried in one look for shared children.
inline constexpr std::size_t most_shares = 6;
/// A cause may be two if the leading eigenvalue of its children's residual z is so many times that
/// of noise alone (Wigner's semicircle: 2 sqrt(k) of k children).
inline constexpr double least_excess = 1.5;
/// Children whose component is less than this times 1 / sqrt(k), the root mean square of the
/// components, belong to both parts.
inline constexpr double undecided = .5;
/// Most splits that are tried in one look.
inline constexpr std::size_t most_splits = 4;
/// Parts of causes are looked for in about so many rows: they show in fewer than a table may have.
inline constexpr std::uint64_t most_rows_attributed = 125'000;
/// Cosines of strengths where a cause stands for two others: least with both of them together, and
/// most with one of them.
inline constexpr double least_alike_to_both = .95;
inline constexpr double most_alike_to_part = .9;

// Seeds of causes with three children (cause_seeds.cpp).

/// Least z of a pair whose triples are looked at, and of a triple.
inline constexpr double least_pair_z = 2.5;
inline constexpr double least_triple_z = 4;
/// Most pairs whose triples are looked at, and most seeds that triples give.
inline constexpr std::size_t most_triple_pairs = 4096;
inline constexpr std::size_t most_triple_seeds = 12;
/// Beyond so many variables no leaks are looked at, and most seeds that leaks give.
inline constexpr std::size_t most_leak_variables = 1500;
inline constexpr std::size_t most_leak_seeds = 6;
/// Least probability that a variable was switched on by its leak, for a row to count.
inline constexpr double least_responsibility = .02;
/// Least z (of a Poisson count) of the first pair of leaks, and of a further member with the
/// others.
inline constexpr double first_leak_z = 5;
inline constexpr double member_leak_z = 2.5;
/// Failure that a seed from leaks begins with.
inline constexpr double leak_seed_failure = .2;

}  // namespace refinement

// Growth of a network whose causes may depend on one another, and its pruning (growth/).
namespace growth {

/// Pairs that are tried at a time. Five find networks as good as eight did, in two thirds of the
/// time. The best alone is kept: keeping others whose causes have hardly any children in common
/// with it halved the time, but of 20 tables of images with flipped pixels one lost a cause, and
/// held-out rows of accidents lost 0.42 nats or gained 0.28, by small changes of the rule.
inline constexpr std::size_t n_proposals = 5;
/// Rounds of proposals refused in a row that end growth.
inline constexpr int patience = 3;
/// A trial is fitted to about so many rows, or to all of them if no more than so many differ.
inline constexpr std::uint64_t trial_rows = 4096;
/// Steps of EM in each pass over the rows of a trial.
inline constexpr std::size_t trial_parts = 16;
/// Passes of EM in a trial, and over all rows for the best of the trials.
inline constexpr int trial_passes = 4;
inline constexpr int full_passes = 8;
/// Most states that are opened for a row while the network grows, and in a trial, and most that are
/// kept in a trial, which only compares.
inline constexpr std::size_t most_opened = 24;
inline constexpr std::size_t most_opened_in_trial = 8;
inline constexpr std::size_t most_kept_in_trial = 24;
/// Of so many passes of EM the first, and the last of all, search each row for its states; the
/// others sum the states that were found. Weak causes (20 of 100 variables) grow in 19 s instead of
/// 32, Plants' in 31 instead of 50. Held-out rows of tables shuffled three times gain, in nats per
/// row on average, 0.09 (accidents), 0.04 (Plants), 0.02 (Jester) and 0.01 (NLTCS), and lose 0.08
/// (mushrooms). With 4 instead of 8 it takes a sixth longer. If trials search in the second pass in
/// the place of the last, accidents lose 0.12 and Plants 0.07 of it.
inline constexpr int passes_per_search = 8;
/// Least z of a pair that proposes a cause.
inline constexpr double least_proposal_z = 3;
/// Where EM begins with a new cause: the strength of the pair that proposed it, its prior, and what
/// the leaks are multiplied by.
inline constexpr double start_strength = .6;
inline constexpr double start_prior = .12;
inline constexpr double start_leak_factor = .8;
/// What a cause must gain, as a share of what the causes before it gain over independent variables.
inline constexpr double least_gained_share = 3e-4;
/// Edges count whose strength (1 - failure) is above this.
inline constexpr double least_strength = .02;
/// EM keeps leaks and failures so far inside (0, 1).
inline constexpr double least_leak = 1e-7;
inline constexpr double least_failure = 1e-4;
/// Nats per row that a pass must gain while the network grows.
inline constexpr double least_pass_gain = 1e-4;
/// Once all causes are there: nats per row that a step must gain, passes of EM in a step, and most
/// steps.
inline constexpr double settled_gain = 2e-4;
inline constexpr int passes_per_step = 10;
inline constexpr int most_settle_steps = 5;
/// No leak is set lower than this to match the share of a variable: it would forbid rows. Matched
/// leaks and second parents leave 8 % of Jester's pairs unexplained instead of 27 %, and 1 % of
/// Plants' instead of 10 %.
inline constexpr double least_matched_leak = 1e-3;
/// Most steps of EM between two passes over all rows, and the least rows that a step may rest on.
inline constexpr std::size_t most_parts = 16;
inline constexpr std::size_t least_rows_per_part = 1024;
/// Pseudo-counts of leaks and failures, and of the tables of the causes, each way: half a case.
inline constexpr double pseudo_count = .5;
inline constexpr double table_pseudo_count = .5;
/// Probabilities in tables of causes are kept so far inside (0, 1).
inline constexpr double least_table_probability = 1e-6;
/// Most causes of the largest table of a sum over all states of the causes.
inline constexpr std::size_t most_width = 10;
/// Nats that a change of the dependence among causes must gain; rounding is less.
inline constexpr double least_graph_gain = 1e-3;
/// Least standard error of a pair, in rows: one row with a pair that hardly any row has is no
/// surprise. It came with errors of their own where values are missing: Plants -13.56 nats per row
/// instead of -13.68, and 9.6 % of the pairs misfit instead of 12.2 %.
inline constexpr double least_pair_error_rows = .5;

// Pruning.

/// Most steps that drop edges which do not pay.
inline constexpr int most_prune_steps = 3;
/// At the end a cause goes that is worth less than so many times what it costs, and less than
/// `least_worth_share` of what all causes gain: other rows of the same kind have others in its
/// place. Without this rule three quarters of the causes of Jester and of Plants are found again
/// from resampled rows, with it 85 %. With 3 Jester keeps a cause that one of twenty resamples
/// finds; with 5 instead of 3 held-out rows lose 0.02 nats (Jester), 0.008 (Plants) or nothing. By
/// their cost alone, wide tables of few rows would lose good causes.
inline constexpr double least_worth = 5;
/// See above. By this share alone, Plants would lose good causes, or Jester keep the others.
inline constexpr double least_worth_share = .01;
/// Weight of the states without a cause in a row that keeps none of them: somewhere below a
/// thousandth. This value says that the cause is worth much there.
inline constexpr double least_absent = 1e-9;
/// A cause is tried without where other causes come with it so often, and together are on in so
/// large a share of its rows. Without this trial six of ten forests of strongly dependent causes
/// lost two causes each.
inline constexpr double least_implied = .9;
inline constexpr double least_covered = .8;

}  // namespace growth

// Rows set aside (verdict.cpp).
namespace held_out {

/// Least rows of a table of which some are set aside.
inline constexpr std::size_t least_rows = 100;
/// Most rows that are looked at.
inline constexpr std::size_t most_rows = 20'000;
/// Up to so many rows every tenth of them is set aside in turn.
inline constexpr std::size_t few_rows = 1'000;
/// Most passes of EM that forgets the rows set aside, and nats per row that a pass must gain.
inline constexpr int most_passes = 20;
inline constexpr double settled_gain = 1e-5;
/// Most rows that a mixture of kinds of rows is learned from. More would take longer than the
/// network itself.
inline constexpr std::size_t most_mixture_rows = 6'000;

}  // namespace held_out

// The verdict on the network (verdict.cpp).
namespace verdict {

/// Standard errors beyond which a pair misfits; chance leaves 0.0027 of the pairs there.
inline constexpr double surprising = 3;
/// What z^2 is beyond 9 on average where chance alone makes it: 6 phi(3) - 16 Phi(-3).
inline constexpr double excess_by_chance = .005;
/// From this share of misfitting pairs on, the network does not explain the table.
inline constexpr double most_misfit = .01;
/// Most variables of a table whose pairs are looked at (a table of 128 MB), and most terms of their
/// sums (a second or two). The limit was 1,000 variables, so that wide tables had no verdict.
inline constexpr std::size_t most_variables = 4'000;
inline constexpr double most_terms = 1e9;
/// Fewer rows for each variable tell too little of how well a network fits, so that rows are set
/// aside even where the pairs fit. On a table of 1,359 votes a mixture is better by 12 nats per
/// row.
inline constexpr std::size_t few_rows_per_variable = 5;
/// Two columns exclude one another if they would be on together by chance in so many rows at least,
/// and are in at most this share of them.
inline constexpr double least_expected = 20;
inline constexpr double hardly_any = .01;
/// Share of the rows in which one of the columns of a question is on.
inline constexpr double least_answered = .8;
/// Two columns that exclude one another are opposite if one of them is on in more than this share
/// of the rows.
inline constexpr double nearly_all = .95;
/// Nats per row by which a mixture may be better before that is called a misfit.
inline constexpr double worse_than_kinds = .5;

}  // namespace verdict

}  // namespace orrery::quartet::constants
