#include "families/categorical/structural_ep/number_race.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery::structural_ep {
namespace {

/// Numbers in a row that are no better, at which --causes auto ends.
constexpr std::size_t most_idle = 2;
/// Rows by which a number can fall out, and standard errors of the mean difference.
constexpr std::size_t least_rows = 50;
constexpr double clear_errors = 3;
/// Nats over all rows that a number with more causes must be worth.
constexpr double least_worth = 1;
/// Standard errors by which causes must predict rows better than independent variables do.
constexpr double errors_above_none = 1;

/// Of what the first rows are predicted with: by `a` less by `b`.
struct Difference {
  std::size_t n = 0;
  double mean = 0;
  double error = 0;  // of the mean
};

Difference difference(const Trial& a, const Trial& b) {
  Difference result;
  result.n = std::min(a.held_out.size(), b.held_out.size());
  if (result.n == 0) return result;
  const auto n = static_cast<double>(result.n);
  for (std::size_t row = 0; row < result.n; ++row) result.mean += a.held_out[row] - b.held_out[row];
  result.mean /= n;
  double squares = 0;
  for (std::size_t row = 0; row < result.n; ++row) {
    const double rest = a.held_out[row] - b.held_out[row] - result.mean;
    squares += rest * rest;
  }
  result.error = std::sqrt(squares / n / n);
  return result;
}

/// Of what a row is predicted with by `a`, and of what `b` adds to it.
double covariance(const Trial& a, const Trial& b) {
  const Difference added = difference(b, a);
  const auto n = static_cast<double>(added.n);
  double mean = 0;
  for (std::size_t row = 0; row < added.n; ++row) mean += a.held_out[row] / n;
  double sum = 0;
  for (std::size_t row = 0; row < added.n; ++row) {
    sum += (a.held_out[row] - mean) * (b.held_out[row] - a.held_out[row] - added.mean);
  }
  return sum / n;
}

double worth_a_row(const RaceRules& rules) {
  return least_worth / static_cast<double>(std::max<std::uint64_t>(rules.n_rows, 1));
}

/// The best of these places, which rise; nothing of it is clear.
std::size_t leader_with_causes(std::span<const Trial> trials, std::span<const std::size_t> places,
                               const RaceRules& rules) {
  std::size_t best = places.front();
  for (const std::size_t place : places.subspan(1)) {
    if (difference(trials[place], trials[best]).mean > worth_a_row(rules)) best = place;
  }
  return best;
}

/// The same, where place 0 may be no cause: it leads unless the best of the others is better by
/// more than chance.
std::size_t leader(std::span<const Trial> trials, std::span<const std::size_t> places,
                   const RaceRules& rules) {
  const bool has_none = rules.begins_at_none && places.front() == 0;
  if (!has_none) return leader_with_causes(trials, places, rules);
  if (places.size() == 1) return 0;
  const std::size_t best = leader_with_causes(trials, places.subspan(1), rules);
  const Difference gain = difference(trials[best], trials[0]);
  return gain.mean > std::max(worth_a_row(rules), errors_above_none * gain.error) ? best : 0;
}

/// It is clear that this number is not better than `best`, or not by enough to be worth its causes.
bool is_beaten(std::span<const Trial> trials, std::size_t place, std::size_t best,
               const RaceRules& rules) {
  const Difference behind = difference(trials[best], trials[place]);
  if (behind.n < least_rows) return false;
  const double asked = place > best ? -worth_a_row(rules) : 0;
  return behind.mean - clear_errors * behind.error > asked;
}

/// Numbers judged by so many parts or more.
std::vector<std::size_t> judged_by(std::span<const Trial> trials, std::size_t n_parts) {
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < trials.size(); ++place) {
    if (trials[place].ends.size() >= n_parts) places.push_back(place);
  }
  return places;
}

/// The trials as they were when so many parts were over.
std::vector<Trial> first_parts(std::span<const Trial> trials, std::size_t n_parts) {
  std::vector<Trial> cut(trials.begin(), trials.end());
  for (Trial& trial : cut) {
    if (trial.ends.size() <= n_parts) continue;
    trial.ends.resize(n_parts);
    trial.held_out.resize(trial.ends.back());
  }
  return cut;
}

/// Of those judged by so many parts: those that the next part is to judge. One: the race is over.
std::vector<std::size_t> runners_after(std::span<const Trial> trials, std::size_t n_parts,
                                       const RaceRules& rules) {
  const auto runners = judged_by(trials, n_parts);
  const auto then = first_parts(trials, n_parts);
  const std::size_t best = leader(then, runners, rules);
  std::vector<std::size_t> left;
  for (const std::size_t place : runners) {
    if (place == best || !is_beaten(then, place, best, rules)) left.push_back(place);
  }
  return left;
}

/// --causes auto: whether the last numbers were no better, by the first part.
bool are_idle(std::span<const Trial> trials, std::span<const std::size_t> tried,
              const RaceRules& rules) {
  const auto with_causes = tried.subspan(std::min<std::size_t>(rules.begins_at_none, tried.size()));
  if (!rules.stops_early || with_causes.empty()) return false;
  const auto then = first_parts(trials, 1);
  return with_causes.back() - leader_with_causes(then, with_causes, rules) >= most_idle;
}

}  // namespace

std::optional<std::size_t> next_to_try(std::span<const Trial> trials, const RaceRules& rules) {
  if (trials.empty()) return std::nullopt;
  const auto tried = judged_by(trials, 1);
  if (tried.size() < trials.size() && !are_idle(trials, tried, rules)) return tried.size();
  for (std::size_t n_parts = 1; n_parts < rules.n_parts; ++n_parts) {
    const auto left = runners_after(trials, n_parts, rules);
    if (left.size() < 2) return std::nullopt;
    for (const std::size_t place : left) {
      if (trials[place].ends.size() == n_parts) return place;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> winner(std::span<const Trial> trials, const RaceRules& rules) {
  auto runners = judged_by(trials, 1);
  if (runners.empty()) return std::nullopt;
  // Where the race was broken off in a part, the others were not judged by it yet.
  for (std::size_t n_parts = 1; runners.size() > 1 && n_parts <= rules.n_parts; ++n_parts) {
    const auto further = runners_after(trials, n_parts, rules);
    const bool all = std::ranges::all_of(
        further, [&](std::size_t place) { return trials[place].ends.size() > n_parts; });
    runners = further;
    if (!all) return leader(first_parts(trials, n_parts), runners, rules);
  }
  return runners.front();
}

std::optional<Gain> gain_over_none(std::span<const Trial> trials, const RaceRules& rules) {
  std::optional<Gain> best;
  if (!rules.begins_at_none || judged_by(trials, 1).empty()) return best;
  for (const std::size_t place : judged_by(trials, 1)) {
    const Difference gain = difference(trials[place], trials[0]);
    if (place == 0 || gain.n == 0) continue;
    if (!best || gain.mean > best->mean) best = {place, gain.mean, gain.error};
  }
  return best;
}

std::vector<model::LearnedCategorical::Choice> choices(std::uint32_t first,
                                                       std::span<const Trial> trials,
                                                       const RaceRules& rules) {
  std::vector<model::LearnedCategorical::Choice> result;
  const auto best = winner(trials, rules);
  if (!best) return result;
  const Trial& of_best = trials[*best];
  const Trial none{std::vector<double>(of_best.held_out.size()), {}};
  const Difference level = difference(of_best, none);
  for (const std::size_t place : judged_by(trials, 1)) {
    const Trial& trial = trials[place];
    const Difference behind = difference(trial, of_best);
    // Of the sum of two means, of which the second is over some of the first one's rows.
    const double variance = level.error * level.error + behind.error * behind.error +
                            2 * covariance(of_best, trial) / static_cast<double>(level.n);
    result.push_back({first + static_cast<std::uint32_t>(place), level.mean + behind.mean,
                      std::sqrt(std::max(0.0, variance))});
  }
  return result;
}

}  // namespace orrery::structural_ep
