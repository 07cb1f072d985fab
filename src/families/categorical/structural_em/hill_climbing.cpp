// Structural EM's search (Friedman 1998, "The Bayesian structural EM algorithm"): with the data
// completed once, each variable climbs by itself, an edge added or taken away at a time, to parents
// whose score nothing of that kind raises.
//
// All terms of the score (em.hpp) are of the completed data but the likelihood of the rows. It
// is not approximated: swapping variable i's table for another one changes it by
//
//   sum over rows n of log sum over joint states u of P(u|x^n) table'(x_i^n|u) / table(x_i^n|u).
//
// Gains of several variables need not add up; but the sum of what they gain in log P(D'|G) is a
// lower bound of what all together gain (Jensen).
//
// Cost: a round N D K S for K causes with S joint states, some K rounds. Memory: D L S counts and
// D K L S ratios, of as many variables at a time as fit into 2^23 numbers. Rows are shared; at
// 1,000 ranks the sums over ranks (48 bytes a count) come to matter first.
#include <algorithm>
#include <cmath>
#include <utility>

#include "families/categorical/network/inference.hpp"
#include "families/categorical/structural_em/search.hpp"

namespace orrery::structural_em {
namespace {

using model::CategoricalNetwork;
using model::CategoricalVariable;
using model::JointStates;

using Parents = std::vector<std::uint32_t>;

constexpr std::size_t most_ratios = std::size_t{1} << 23U;
// Rounding of a sum over rows is no gain; per row.
constexpr double least_score_gain = 1e-12;

Parents toggled(Parents parents, std::uint32_t cause) {
  const auto place = std::ranges::lower_bound(parents, cause);
  if (place != parents.end() && *place == cause) {
    parents.erase(place);
  } else {
    parents.insert(place, cause);
  }
  return parents;
}

/// Parents that a variable may have, with what is known of them but the rows' likelihood.
struct Candidate {
  Parents parents;
  std::vector<double> counts;
  double value = 0;            // score; of the rows' likelihood the change
  std::vector<double> ratios;  // table' / table, L x S
};

/// Where a variable has come to.
struct Climber {
  std::size_t variable = 0;
  std::vector<double> joint;   // counts, L x S
  std::vector<double> before;  // the table it comes from, L x S
  double start = 0;
  Candidate here;
  bool is_done = false;
};

class Climb {
 public:
  Climb(const CategoricalNetwork& network, const Data& data, const ScoreSettings& settings,
        std::size_t first, std::size_t last)
      : network_(network), data_(data), settings_(settings), inference_(network) {
    auto joint = joint_counts(network, data, first, last);
    for (std::size_t i = first; i < last; ++i) {
      const CategoricalVariable& variable = network.variables()[i];
      Climber climber{i, std::move(joint[i - first]), spread(variable.table, variable), 0, {}, {}};
      climber.here = candidate(climber, variable.parents);
      climbers_.push_back(std::move(climber));
    }
    std::vector<Candidate*> starts;
    std::vector<std::size_t> owners;
    for (std::size_t c = 0; c < climbers_.size(); ++c) {
      starts.push_back(&climbers_[c].here);
      owners.push_back(climbers_[c].variable);
    }
    add_likelihoods(starts, owners);
    for (Climber& climber : climbers_) climber.start = climber.here.value;
  }

  [[nodiscard]] std::vector<Change> run() {
    while (step()) {
    }
    std::vector<Change> changes;
    for (Climber& climber : climbers_) {
      if (climber.here.parents == network_.variables()[climber.variable].parents) continue;
      changes.push_back({static_cast<std::uint32_t>(climber.variable),
                         std::move(climber.here.parents), std::move(climber.here.counts),
                         climber.here.value - climber.start});
    }
    return changes;
  }

 private:
  [[nodiscard]] const JointStates& states() const { return inference_.states(); }

  /// A variable's table, as L x S.
  [[nodiscard]] std::vector<double> spread(const std::vector<double>& table,
                                           const CategoricalVariable& variable) const {
    return spread(table, variable.n_categories(), states().configurations(variable.parents));
  }
  [[nodiscard]] static std::vector<double> spread(const std::vector<double>& table,
                                                  std::size_t n_categories,
                                                  const std::vector<std::uint32_t>& row_of) {
    std::vector<double> spread(n_categories * row_of.size());
    for (std::size_t l = 0; l < n_categories; ++l) {
      for (std::size_t s = 0; s < row_of.size(); ++s) {
        spread[l * row_of.size() + s] = table[row_of[s] * n_categories + l];
      }
    }
    return spread;
  }

  [[nodiscard]] Candidate candidate(const Climber& climber, Parents parents) const {
    const std::size_t n_categories = network_.variables()[climber.variable].n_categories();
    const std::size_t n_states = states().size();
    const std::vector<std::uint32_t> row_of = states().configurations(parents);
    Candidate made;
    made.counts.resize(states().n_configurations(parents) * n_categories, 0);
    for (std::size_t l = 0; l < n_categories; ++l) {
      for (std::size_t s = 0; s < n_states; ++s) {
        made.counts[row_of[s] * n_categories + l] += climber.joint[l * n_states + s];
      }
    }
    const std::vector<double> table = posterior_means(made.counts, n_categories, settings_.alpha);
    made.value = table_score(made.counts, table, n_categories, data_.table.n_rows, settings_);
    made.ratios = spread(table, n_categories, row_of);
    for (std::size_t e = 0; e < made.ratios.size(); ++e) made.ratios[e] /= climber.before[e];
    made.parents = std::move(parents);
    return made;
  }

  /// Adds to each candidate's value what its table makes of the likelihood; `owners` are their
  /// variables.
  void add_likelihoods(const std::vector<Candidate*>& candidates,
                       const std::vector<std::size_t>& owners) const {
    const std::size_t n_states = states().size();
    std::vector<std::vector<double>> scratch(static_cast<std::size_t>(data_.rows.n_threads()),
                                             std::vector<double>(n_states));
    const std::vector<double> sums = data_.rows.sum(
        candidates.size(), [&](std::size_t row, int thread, std::span<double> block) {
          std::vector<double>& posterior = scratch[static_cast<std::size_t>(thread)];
          const auto codes = data_.row(row);
          inference_.log_joint(codes, posterior);
          (void)model::normalise_log_weights(posterior);
          for (std::size_t c = 0; c < candidates.size(); ++c) {
            const std::uint8_t code = codes[owners[c]];
            if (code == data::missing_code) continue;
            const double* ratio = candidates[c]->ratios.data() + code * n_states;
            double sum = 0;
            for (std::size_t s = 0; s < n_states; ++s) sum += posterior[s] * ratio[s];
            block[c] += std::log(sum);
          }
        });
    for (std::size_t c = 0; c < candidates.size(); ++c) candidates[c]->value += sums[c];
  }

  /// One edge of each variable that is not at its top yet; false if all are.
  bool step() {
    std::vector<Candidate> tried;
    std::vector<std::size_t> owners;
    for (const Climber& climber : climbers_) {
      if (climber.is_done) continue;
      for (std::uint32_t k = 0; k < network_.n_causes(); ++k) {
        tried.push_back(candidate(climber, toggled(climber.here.parents, k)));
        owners.push_back(climber.variable);
      }
    }
    if (tried.empty()) return false;
    std::vector<Candidate*> pointers;
    pointers.reserve(tried.size());
    for (Candidate& one : tried) pointers.push_back(&one);
    add_likelihoods(pointers, owners);
    const double threshold = least_score_gain * static_cast<double>(data_.table.n_rows);
    std::size_t next = 0;
    for (Climber& climber : climbers_) {
      if (climber.is_done) continue;
      const auto begin = tried.begin() + static_cast<std::ptrdiff_t>(next);
      next += network_.n_causes();
      // Of equal values the first: that of the lowest cause.
      const auto best =
          std::max_element(begin, begin + static_cast<std::ptrdiff_t>(network_.n_causes()),
                           [](const auto& a, const auto& b) { return a.value < b.value; });
      climber.is_done = !(best->value > climber.here.value + threshold);
      if (!climber.is_done) climber.here = std::move(*best);
    }
    return true;
  }

  const CategoricalNetwork& network_;
  const Data& data_;
  const ScoreSettings& settings_;
  model::CategoricalInference inference_;
  std::vector<Climber> climbers_;
};

/// One variable's part of the ratios of a round, the table and the counts it comes from.
std::size_t numbers_of(const CategoricalNetwork& network, std::size_t n_states, std::size_t i) {
  return network.variables()[i].n_categories() * n_states * (network.n_causes() + 3);
}

}  // namespace

std::vector<Change> climb(const CategoricalNetwork& network, const Data& data,
                          const ScoreSettings& settings) {
  const std::size_t n_states = model::CategoricalInference(network).n_states();
  std::vector<Change> changes;
  for (std::size_t first = 0; first < network.n_observed();) {
    std::size_t last = first;
    std::size_t numbers = 0;
    do {
      numbers += numbers_of(network, n_states, last++);
    } while (last < network.n_observed() &&
             numbers + numbers_of(network, n_states, last) <= most_ratios);
    for (Change& change : Climb(network, data, settings, first, last).run()) {
      changes.push_back(std::move(change));
    }
    first = last;
  }
  std::ranges::stable_sort(changes, std::greater<>(), &Change::gain);
  return changes;
}

CategoricalNetwork changed(const CategoricalNetwork& network, const std::vector<Change>& changes,
                           std::size_t n, double alpha) {
  std::vector<CategoricalVariable> variables = network.variables();
  for (std::size_t c = 0; c < n; ++c) {
    CategoricalVariable& variable = variables[changes[c].variable];
    variable.parents = changes[c].parents;
    variable.table = posterior_means(changes[c].counts, variable.n_categories(), alpha);
    variable.counts = changes[c].counts;
    for (double& count : variable.counts) count += alpha;
  }
  return {network.causes(), std::move(variables)};
}

}  // namespace orrery::structural_em
