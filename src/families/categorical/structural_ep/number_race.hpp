// Which number of causes, of those to be tried: the one whose networks predict rows best that they
// were not learned from.
//
// A race, since a number costs what it takes to learn its networks: all numbers are judged by the
// first part of the rows held out; only those that may still be the best one, by the differences of
// what each row is predicted with, are judged by the next part, and so on. Where one number is
// clearly the best, it takes a network a number instead of one a number and part. All of it is a
// function of what the rows were predicted with: a run that was stopped goes on with the same
// number.
//
// Place 0 may stand for no cause at all (RaceRules::begins_at_none): variables that are independent
// are judged by the same rows, and a number of causes wins only where it is better than they are by
// more than chance makes it.
//
// Cost beside the learning: numbers x rows additions after each network. Memory: 8 bytes per number
// and row held out, on every rank; in a checkpoint too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orrery/model/categorical_network.hpp"

namespace orrery::structural_ep {

/// What a number of causes predicts the rows of the first parts with, part after part.
struct Trial {
  std::vector<double> held_out;     ///< log likelihoods of the rows of these parts
  std::vector<std::uint64_t> ends;  ///< rows of the first part, of the first two, ...
};

/// What the race is about, beside the trials.
struct RaceRules {
  std::uint64_t n_parts = 0;
  std::uint64_t n_rows = 0;  ///< of all parts
  /// --causes auto: no further numbers once two in a row are no better than one before.
  bool stops_early = false;
  /// Place 0 is no cause: independent variables, which no early end is counted from.
  bool begins_at_none = false;
};

/// The number (its place in `trials`, which go from the fewest causes on) that is to be judged by
/// its next part; none when the race is over.
[[nodiscard]] std::optional<std::size_t> next_to_try(std::span<const Trial> trials,
                                                     const RaceRules& rules);

/// The best of those judged by most parts, of the trials so far: of numbers that differ by less
/// than a nat over all rows the one with fewest causes. None without a trial.
[[nodiscard]] std::optional<std::size_t> winner(std::span<const Trial> trials,
                                                const RaceRules& rules);

/// What causes add to what independent variables predict rows with.
struct Gain {
  std::size_t place = 0;  ///< the number of causes that adds most
  double mean = 0;        ///< nats per row, of the rows that both were judged by
  double error = 0;       ///< standard error of the mean
};
/// None without such a place, and before a number of causes was judged.
[[nodiscard]] std::optional<Gain> gain_over_none(std::span<const Trial> trials,
                                                 const RaceRules& rules);

/// Of those that were tried, n_causes = first, first + 1, ...: the mean held-out log likelihood per
/// row, as if all had been judged by the winner's rows: the winner's mean, and the mean difference
/// on the rows that both were judged by.
[[nodiscard]] std::vector<model::LearnedCategorical::Choice> choices(std::uint32_t first,
                                                                     std::span<const Trial> trials,
                                                                     const RaceRules& rules);

}  // namespace orrery::structural_ep
