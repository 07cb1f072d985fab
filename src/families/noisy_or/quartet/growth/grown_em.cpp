#include "families/noisy_or/quartet/growth/grown_em.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/refine/expectation.hpp"
#include "learning/row_slices.hpp"

namespace orrery::quartet {
namespace {

constexpr std::size_t rows_a_block = 256;
// Equal rows are merged if that leaves no more than this share.
constexpr double worth_merging = .7;

}  // namespace

Grown to_grown(const model::NoisyOrNetwork& network) {
  Grown grown;
  for (const model::Observed& observed : network.observed()) grown.leaks.push_back(observed.leak);
  for (std::size_t c = 0; c < network.n_causes(); ++c) {
    grown.failures.push_back(network.dense_failures(c));
    grown.causes.add_root(network.causes()[c].prior);
  }
  if (network.has_dependent_causes()) grown.causes.tables = network.cause_network().tables();
  return grown;
}

model::NoisyOrNetwork to_network(const Grown& grown, const std::vector<std::string>& cause_names,
                                 const std::vector<std::string>& names) {
  std::vector<model::Cause> causes;
  std::vector<model::Edge> edges;
  const std::vector<double> priors = grown.causes.marginals();
  for (std::size_t c = 0; c < grown.n_causes(); ++c) {
    causes.push_back({cause_names[c], priors[c]});
    for (std::size_t a = 0; a < grown.n_observed(); ++a) {
      const double failure = grown.failures[c][a];
      if (failure >= 1) continue;
      edges.push_back({static_cast<std::uint32_t>(c), static_cast<std::uint32_t>(a), failure});
    }
  }
  std::vector<model::Observed> observed;
  for (std::size_t a = 0; a < names.size(); ++a) observed.push_back({names[a], grown.leaks[a]});
  model::CauseNetwork dependence;
  if (grown.causes.n_edges() > 0) dependence = grown.causes.network();
  return {std::move(causes), std::move(observed), std::move(edges), std::move(dependence)};
}

RowExpectation::RowExpectation(const model::BeamNetwork& network, const model::BeamOptions& options,
                               const SumPlaces& at)
    : beam_(network, options),
      at_(at),
      present_(at.n_causes),
      absent_(at.n_causes),
      inverse_((at.n_observed + 7) / 8 * 8),
      shared_(at.n_causes * inverse_.size()) {}

void RowExpectation::add(const WeightedRow& row, const EvaluateRow& evaluate,
                         std::span<double> sums) {
  evaluate(beam_, row);
  const double weight = row.weight;
  sums[SumPlaces::log_likelihood] += weight * beam_.log_likelihood();
  sums[SumPlaces::log_left_out] += weight * beam_.log_share_kept();
  sums[SumPlaces::n_rows] += weight;
  if (beam_.truncated()) sums[SumPlaces::n_truncated] += weight;
  const std::span<const std::uint32_t> on = beam_.on();
  const std::size_t n_on = on.size();
  std::fill_n(inverse_.data(), beam_.stride(), 0.0);
  std::uint64_t touched = 0;
  for (std::size_t i = 0; i < beam_.states().size(); ++i) {
    const model::Beam::State& state = beam_.states()[i];
    const double share = weight * state.share;
    for (std::uint64_t rest = state.causes & ~touched; rest != 0; rest &= rest - 1) {
      const auto c = static_cast<std::size_t>(std::countr_zero(rest));
      present_[c] = 0;
      std::fill_n(shared_.data() + c * beam_.stride(), beam_.stride(), 0.0);
    }
    touched |= state.causes;
    beam_.add_share(i, weight, inverse_.data(), shared_.data());
    for (std::uint64_t rest = state.causes; rest != 0; rest &= rest - 1) {
      const auto d = static_cast<std::size_t>(std::countr_zero(rest));
      present_[d] += share;
      for (std::uint64_t others = state.causes & ((std::uint64_t{1} << d) - 1); others != 0;
           others &= others - 1) {
        const auto c = static_cast<std::size_t>(std::countr_zero(others));
        sums[at_.together + pair_index(c, d)] += share;
        if (!at_.with_triples) continue;
        for (std::uint64_t below = state.causes & ((std::uint64_t{1} << c) - 1); below != 0;
             below &= below - 1) {
          sums[at_.triples +
               triple_index(static_cast<std::size_t>(std::countr_zero(below)), c, d)] += share;
        }
      }
    }
  }
  for (std::size_t j = 0; j < n_on; ++j) sums[at_.inverse + on[j]] += inverse_[j];
  for (std::uint64_t rest = touched; rest != 0; rest &= rest - 1) {
    const auto c = static_cast<std::size_t>(std::countr_zero(rest));
    sums[at_.present + c] += present_[c];
    const double* shared = shared_.data() + c * beam_.stride();
    double* to = sums.data() + at_.shared + c * at_.n_observed;
    for (std::size_t j = 0; j < n_on; ++j) to[on[j]] += shared[j];
    if (!at_.may_miss) continue;
    for (const std::uint32_t a : beam_.missing()) {
      sums[at_.unseen + c * at_.n_observed + a] += present_[c];
    }
  }
  if (at_.with_losses) {
    add_losses(weight, touched, sums);
    add_cause_losses(weight, touched, sums);
  }
  if (!at_.may_miss) return;
  for (const std::uint32_t a : beam_.missing()) sums[at_.missing + a] += weight;
}

/// Without the edge a state weighs 1 / f times as much where its variable is off, and
/// (1 - q / f) / (1 - q) times where it is on and otherwise stays off with probability q.
void RowExpectation::add_losses(double weight, std::uint64_t touched, std::span<double> sums) {
  const std::size_t m = at_.n_observed;
  is_on_.assign(m, false);  // or missing
  for (const std::uint32_t a : beam_.on()) is_on_[a] = true;
  for (const std::uint32_t a : beam_.missing()) is_on_[a] = true;
  for (std::uint64_t rest = touched; rest != 0; rest &= rest - 1) {
    const auto c = static_cast<std::size_t>(std::countr_zero(rest));
    const double present = present_[c] / weight;
    double* loss = sums.data() + at_.loss + c * m;
    for (std::size_t a = 0; a < m; ++a) {
      const double failure = beam_.failure(c, a);
      if (is_on_[a] || failure >= 1) continue;
      loss[a] -= weight * std::log1p(present * (1 / failure - 1));
    }
    for (std::size_t j = 0; j < beam_.on().size(); ++j) {
      const std::uint32_t a = beam_.on()[j];
      const double failure = beam_.failure(c, a);
      if (failure >= 1) continue;
      const double shared = shared_[c * beam_.stride() + j] / weight;
      loss[a] -= weight * std::log(std::max(1 + (1 - 1 / failure) * (shared - present), 1e-300));
    }
  }
}

/// P(row | cause off) = P(cause off | row) P(row) / P(cause off). 1 - present_ would lose all
/// digits.
void RowExpectation::add_cause_losses(double weight, std::uint64_t touched,
                                      std::span<double> sums) {
  std::ranges::fill(absent_, 0.0);
  for (const model::Beam::State& state : beam_.states()) {
    for (std::uint64_t rest = touched & ~state.causes; rest != 0; rest &= rest - 1) {
      absent_[static_cast<std::size_t>(std::countr_zero(rest))] += state.share;
    }
  }
  for (std::uint64_t rest = touched; rest != 0; rest &= rest - 1) {
    const auto c = static_cast<std::size_t>(std::countr_zero(rest));
    sums[at_.cause_loss + c] -=
        weight * std::log(std::max(absent_[c], constants::growth::least_absent));
  }
}

AllRows::AllRows(const learning::RowPass& rows)
    : n_rows_(static_cast<double>(rows.n_rows())), pass_(rows) {
  if (rows.values() != nullptr) merge_equal_rows(rows);
  n_parts_ = std::clamp<std::size_t>(pass_->n_rows() / constants::growth::least_rows_per_part, 1,
                                     constants::growth::most_parts);
}

void AllRows::merge_equal_rows(const learning::RowPass& rows) {
  const model::RowPatterns patterns(*rows.values(), rows.missing(), rows.columns(),
                                    static_cast<std::size_t>(worth_merging * n_rows_));
  if (patterns.size() == 0) return;
  distinct_ = patterns.as_samples();
  for (std::size_t i = 0; i < patterns.size(); ++i)
    weights_.push_back(static_cast<double>(patterns.count(i)));
  pass_.emplace(rows.team(), rows.n_threads(), distinct_.values,
                distinct_.missing ? &*distinct_.missing : nullptr);
}

std::vector<double> AllRows::sum(std::size_t part, std::size_t n_sums, const Work& work) const {
  const learning::RowPass chosen = n_parts_ > 1 ? pass_->part(n_parts_, part) : *pass_;
  return chosen.in_fixed_shares().sum(n_sums, [&](const learning::RowBlock& block, int thread,
                                                  std::span<double> to) {
    for (std::size_t i = 0; i < block.n_rows; ++i) {
      work({block.row(i), block.missing_in(i), weights_.empty() ? 1 : weights_[block.first_row + i],
            block.first_row / learning::rows_of_sum, i},
           thread, to);
    }
  });
}

TrialRows::TrialRows(const learning::RowPass& rows, const std::vector<double>& weights,
                     std::size_t n_observed, std::size_t n_parts)
    : may_miss_(rows.may_miss()), patterns_(n_observed, may_miss_) {
  // Halves of words are numbers that a sum holds exactly; a block is the only one to add to its
  // own.
  const std::uint64_t n_blocks = (rows.n_rows() + rows_a_block - 1) / rows_a_block;
  const std::size_t n_halves = 2 * ((n_observed + 63) / 64) * (may_miss_ ? 2 : 1);
  const std::uint64_t step = rows.step();
  const std::vector<double> halves = rows.sum(
      n_blocks * rows_a_block * n_halves,
      [&](const learning::RowBlock& block, int /*thread*/, std::span<double> sums) {
        for (std::size_t i = 0; i < block.n_rows; ++i) {
          double* to = sums.data() + (block.first_row / step + i) * n_halves;
          for (const std::span<const std::uint64_t> words : {block.row(i), block.missing_in(i)}) {
            for (const std::uint64_t word : words) {
              *to++ = static_cast<double>(word & 0xFFFFFFFFU);
              *to++ = static_cast<double>(word >> 32U);
            }
          }
        }
      });
  std::vector<std::uint64_t> key(n_halves / 2);
  for (std::size_t r = 0; r < rows.n_rows(); ++r) {
    const double* from = halves.data() + r * n_halves;
    for (std::size_t w = 0; w < key.size(); ++w) {
      key[w] = static_cast<std::uint64_t>(from[2 * w]) |
               (static_cast<std::uint64_t>(from[2 * w + 1]) << 32U);
    }
    const std::size_t at = patterns_.add(key);
    weights_.resize(patterns_.size());
    weights_[at] += weights.empty() ? 1 : weights[r];
    n_rows_ += weights.empty() ? 1 : weights[r];
  }
  n_parts_ = std::clamp<std::size_t>(weights_.size() / 64, 1, n_parts);
}

std::vector<double> TrialRows::sum(std::size_t part, std::size_t n_sums, const Work& work) const {
  std::vector<double> sums(n_sums);
  for (std::size_t r = part; r < weights_.size(); r += n_parts_) {
    work({patterns_.values(r), patterns_.missing(r), weights_[r], part, r / n_parts_}, 0, sums);
  }
  return sums;
}

namespace {

/// The E-step of a part of the rows.
std::vector<double> expect(const PartedRows& rows, std::size_t part,
                           const model::BeamNetwork& network, const model::BeamOptions& options,
                           const SumPlaces& at, const EvaluateRow& evaluate) {
  std::vector<RowExpectation> threads(static_cast<std::size_t>(rows.n_threads()),
                                      RowExpectation(network, options, at));
  return rows.sum(part, at.end, [&](const WeightedRow& row, int thread, std::span<double> to) {
    threads[static_cast<std::size_t>(thread)].add(row, evaluate, to);
  });
}

/// The states that the last search of each row found.
class KeptStates {
 public:
  KeptStates(const PartedRows& rows, std::size_t n_causes)
      : none_(n_causes, states_bytes_of_block(rows.n_blocks())),
        of_blocks_(rows.n_blocks(), none_) {}

  [[nodiscard]] std::vector<double> search(const PartedRows& rows, std::size_t part,
                                           const model::BeamNetwork& network,
                                           const model::BeamOptions& options, const SumPlaces& at) {
    return expect(rows, part, network, options, at,
                  [this](model::Beam& beam, const WeightedRow& row) {
                    model::BeamStates& states = of_blocks_[row.block];
                    if (row.place == 0) states = none_;
                    beam.evaluate(row.values, row.missing, states);
                  });
  }
  /// `before`: the sums of the pass before. What the states leave out of the likelihood is taken to
  /// be what they left out of it where they were found.
  [[nodiscard]] std::vector<double> follow(const PartedRows& rows, std::size_t part,
                                           const model::BeamNetwork& network,
                                           const model::BeamOptions& options, const SumPlaces& at,
                                           const std::vector<double>& before) const {
    std::vector<double> sums =
        expect(rows, part, network, options, at, [this](model::Beam& beam, const WeightedRow& row) {
          beam.follow(row.values, row.missing, of_blocks_[row.block], row.place);
        });
    for (const std::size_t i : {SumPlaces::n_truncated, SumPlaces::log_left_out})
      sums[i] = before[i];
    sums[SumPlaces::log_likelihood] -= before[SumPlaces::log_left_out];
    return sums;
  }

 private:
  model::BeamStates none_;
  std::vector<model::BeamStates> of_blocks_;
};

/// From sums over states to expected firings of leaks and edges.
void count_firings(const Grown& grown, const SumPlaces& at, std::vector<double>& sums) {
  for (std::size_t a = 0; a < at.n_observed; ++a) sums[at.inverse + a] *= grown.leaks[a];
  for (std::size_t c = 0; c < at.n_causes; ++c) {
    for (std::size_t a = 0; a < at.n_observed; ++a) {
      sums[at.shared + c * at.n_observed + a] *= 1 - grown.failures[c][a];
    }
  }
}

CauseCounts counts_of(const std::vector<double>& sums, const SumPlaces& at) {
  const std::span<const double> all(sums);
  return {sums[SumPlaces::n_rows], all.subspan(at.present, at.n_causes),
          all.subspan(at.together, at.inverse - at.together),
          all.subspan(at.triples, at.end - at.triples)};
}

Grown maximize(const Grown& grown, const std::vector<double>& sums, const SumPlaces& at,
               const GrownFitOptions& options, bool is_first) {
  Grown next = grown;
  const std::size_t m = at.n_observed;
  const double n_rows = sums[SumPlaces::n_rows];
  const double stride = is_first ? 1 : options.stride;
  for (std::size_t a = 0; a < m; ++a) {
    const double seen = n_rows - (at.may_miss ? sums[at.missing + a] : 0);
    const double leak = (sums[at.inverse + a] + constants::growth::pseudo_count) /
                        (seen + 2 * constants::growth::pseudo_count);
    next.leaks[a] = std::clamp(grown.leaks[a] * std::pow(leak / grown.leaks[a], stride),
                               constants::growth::least_leak, 1 - constants::growth::least_leak);
  }
  for (std::size_t c = 0; c < at.n_causes; ++c) {
    for (std::size_t a = 0; a < m; ++a) {
      if (grown.failures[c][a] >= 1) continue;
      const std::size_t edge = c * m + a;
      const double exposed = sums[at.present + c] - (at.may_miss ? sums[at.unseen + edge] : 0);
      const double strength = sums[at.shared + edge] / (exposed + constants::growth::pseudo_count);
      const double old = 1 - grown.failures[c][a];
      next.failures[c][a] = std::clamp(1 - old * std::pow(strength / old, stride),
                                       constants::growth::least_failure, 1.0);
    }
  }
  if (is_first || !options.second_parents) {
    next.causes = learn_graph(counts_of(sums, at), options.tie_price);
  } else {
    refit(counts_of(sums, at), next.causes);
  }
  return next;
}

}  // namespace

GrownFit fit(const PartedRows& rows, Grown start, const GrownFitOptions& options) {
  GrownFit result{std::move(start), 0, 0};
  const SumPlaces at{result.grown.n_causes(), result.grown.n_observed(), rows.may_miss(), false,
                     options.second_parents};
  std::vector<std::vector<double>> of_parts(rows.n_parts());
  std::vector<double> sums;
  const auto add_up = [&] {
    sums.assign(at.end, 0);
    for (const auto& part : of_parts) {
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += part[i];
    }
  };
  KeptStates found(rows, at.n_causes);
  double before = 0;
  bool ends = false;
  for (int pass = 0; pass < options.passes; ++pass) {
    const bool searches =
        ends || pass % constants::growth::passes_per_search == 0 || pass + 1 == options.passes;
    for (std::size_t part = 0; part < of_parts.size(); ++part) {
      if (options.pause) options.pause();
      const model::BeamNetwork network = prepare(result.grown);
      of_parts[part] = searches
                           ? found.search(rows, part, network, options.beam, at)
                           : found.follow(rows, part, network, options.beam, at, of_parts[part]);
      count_firings(result.grown, at, of_parts[part]);
      if (pass == 0) continue;
      add_up();
      result.grown = maximize(result.grown, sums, at, options, false);
    }
    if (pass == 0) {
      add_up();
      result.grown = maximize(result.grown, sums, at, options, true);
    }
    result.log_likelihood = sums[SumPlaces::log_likelihood];
    result.n_truncated = sums[SumPlaces::n_truncated];
    if (ends) break;
    // From found states to a search the likelihood differs by more than a late pass gains.
    ends = pass > 1 && !searches && result.log_likelihood - before < options.tolerance;
    before = result.log_likelihood;
  }
  return result;
}

std::vector<double> expect(const PartedRows& rows, const Grown& grown,
                           const model::BeamOptions& options, const SumPlaces& at) {
  const model::BeamNetwork network = prepare(grown);
  std::vector<double> sums(at.end);
  for (std::size_t part = 0; part < rows.n_parts(); ++part) {
    const std::vector<double> of_part = expect(
        rows, part, network, options, at,
        [](model::Beam& beam, const WeightedRow& row) { beam.evaluate(row.values, row.missing); });
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += of_part[i];
  }
  return sums;
}

double log_likelihood(const PartedRows& rows, const Grown& grown,
                      const model::BeamOptions& options) {
  const SumPlaces at{grown.n_causes(), grown.n_observed(), rows.may_miss()};
  return expect(rows, grown, options, at)[SumPlaces::log_likelihood];
}

}  // namespace orrery::quartet
