#include "families/noisy_or/quartet/growth/grown_sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "families/noisy_or/quartet/constants.hpp"

namespace orrery::quartet {
namespace {

constexpr std::size_t rows_a_block = 256;
// Equal rows are merged if that leaves no more than this share.
constexpr double worth_merging = .7;

}  // namespace

RowExpectation::RowExpectation(const model::BeamNetwork& network, const model::BeamOptions& options,
                               const SumPlaces& at)
    : beam_(network, options),
      at_(at),
      present_(at.n_causes),
      absent_(at.n_causes),
      inverse_((at.n_observed + 7) / 8 * 8),
      shared_(at.n_causes * inverse_.size()) {}

void RowExpectation::add(std::span<const std::uint64_t> values,
                         std::span<const std::uint64_t> missing, double weight,
                         std::span<double> sums) {
  beam_.evaluate(values, missing);
  sums[SumPlaces::log_likelihood] += weight * beam_.log_likelihood();
  sums[SumPlaces::n_rows] += weight;
  if (beam_.truncated()) sums[SumPlaces::n_truncated] += weight;
  const std::span<const std::uint32_t> on = beam_.on();
  const std::size_t n_on = on.size();
  std::fill_n(inverse_.data(), beam_.stride(), 0.0);
  std::uint64_t touched = 0;
  for (const model::Beam::State& state : beam_.states()) {
    const double share = weight * state.share;
    for (std::uint64_t rest = state.causes & ~touched; rest != 0; rest &= rest - 1) {
      const auto c = static_cast<std::size_t>(std::countr_zero(rest));
      present_[c] = 0;
      std::fill_n(shared_.data() + c * beam_.stride(), beam_.stride(), 0.0);
    }
    touched |= state.causes;
    beam_.add_share(state, weight, inverse_.data(), shared_.data());
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
  const model::RowPatterns patterns(*rows.values(), rows.missing(),
                                    static_cast<std::size_t>(worth_merging * n_rows_));
  if (patterns.size() == 0) return;
  distinct_ = patterns.as_samples();
  for (std::size_t i = 0; i < patterns.size(); ++i)
    weights_.push_back(static_cast<double>(patterns.count(i)));
  pass_.emplace(rows.team(), rows.n_threads(), distinct_.values,
                distinct_.missing ? &*distinct_.missing : nullptr);
}

std::vector<double> AllRows::expect(std::size_t part, const model::BeamNetwork& network,
                                    const model::BeamOptions& options, const SumPlaces& at) const {
  std::vector<RowExpectation> threads;
  for (int t = 0; t < pass_->n_threads(); ++t) threads.emplace_back(network, options, at);
  const learning::RowPass chosen = n_parts_ > 1 ? pass_->part(n_parts_, part) : *pass_;
  return chosen.sum(at.end, [&](const learning::RowBlock& block, int thread, std::span<double> to) {
    for (std::size_t i = 0; i < block.n_rows; ++i) {
      threads[static_cast<std::size_t>(thread)].add(
          block.row(i), block.missing_in(i), weights_.empty() ? 1 : weights_[block.first_row + i],
          to);
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

std::vector<double> TrialRows::expect(std::size_t part, const model::BeamNetwork& network,
                                      const model::BeamOptions& options,
                                      const SumPlaces& at) const {
  RowExpectation rows(network, options, at);
  std::vector<double> sums(at.end);
  for (std::size_t r = part; r < weights_.size(); r += n_parts_) {
    rows.add(patterns_.values(r), patterns_.missing(r), weights_[r], sums);
  }
  return sums;
}

}  // namespace orrery::quartet
