#include "learners/quartet/growth/grown_sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

namespace orrery::quartet {
namespace {

constexpr std::size_t rows_a_block = 256;
// Steps of EM between two passes over all rows, and the least rows that one may rest on.
constexpr std::size_t most_parts = 16;
constexpr std::size_t least_rows_a_part = 1024;
// Equal rows are merged if that leaves no more than this share.
constexpr double worth_merging = .7;

}  // namespace

RowExpectation::RowExpectation(const model::BeamNetwork& network, const model::BeamOptions& options,
                               const SumPlaces& at)
    : beam_(network, options),
      at_(at),
      present_(at.n_causes),
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
        sums[at_.together + pair_index(static_cast<std::size_t>(std::countr_zero(others)), d)] +=
            share;
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
  if (at_.with_losses) add_losses(weight, touched, sums);
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

AllRows::AllRows(const learners::RowPass& rows)
    : n_rows_(static_cast<double>(rows.n_rows())), pass_(rows) {
  if (rows.values() != nullptr) merge_equal_rows(rows);
  n_parts_ = std::clamp<std::size_t>(pass_->n_rows() / least_rows_a_part, 1, most_parts);
}

void AllRows::merge_equal_rows(const learners::RowPass& rows) {
  const data::BitPanels& values = *rows.values();
  const std::size_t m = values.n_columns();
  const std::size_t n_words = (m + 63) / 64;
  // Rows of the samples by their content, in the order in which they first appear.
  std::map<std::vector<std::uint64_t>, std::size_t> place;
  std::vector<const std::vector<std::uint64_t>*> order;
  std::vector<double> weights;
  const auto most = static_cast<std::size_t>(worth_merging * n_rows_);
  std::vector<std::uint64_t> key(2 * n_words);
  for (std::size_t r = 0; r < values.n_rows(); ++r) {
    std::ranges::fill(key, 0);
    for (std::size_t a = 0; a < m; ++a) {
      const std::uint64_t bit = std::uint64_t{1} << (a % 64);
      if (rows.missing() != nullptr && rows.missing()->at(r, a)) {
        key[n_words + a / 64] |= bit;
      } else if (values.at(r, a)) {
        key[a / 64] |= bit;
      }
    }
    const auto [found, is_new] = place.try_emplace(key, order.size());
    if (is_new) {
      order.push_back(&found->first);
      weights.push_back(0);
      if (order.size() > most) return;
    }
    weights[found->second] += 1;
  }
  distinct_.values = data::BitPanels(m, order.size());
  if (rows.missing() != nullptr) distinct_.missing.emplace(m, order.size());
  for (std::size_t r = 0; r < order.size(); ++r) {
    for (std::size_t a = 0; a < m; ++a) {
      const auto bit = [&](std::size_t first) {
        return (((*order[r])[first + a / 64] >> (a % 64)) & 1U) != 0;
      };
      if (bit(0)) distinct_.values.set(r, a, true);
      if (distinct_.missing && bit(n_words)) distinct_.missing->set(r, a, true);
    }
  }
  weights_ = std::move(weights);
  pass_.emplace(rows.team(), rows.n_threads(), distinct_.values,
                distinct_.missing ? &*distinct_.missing : nullptr);
}

std::vector<double> AllRows::expect(std::size_t part, const model::BeamNetwork& network,
                                    const model::BeamOptions& options, const SumPlaces& at) const {
  std::vector<RowExpectation> threads;
  for (int t = 0; t < pass_->n_threads(); ++t) threads.emplace_back(network, options, at);
  const learners::RowPass chosen = n_parts_ > 1 ? pass_->part(n_parts_, part) : *pass_;
  return chosen.sum(at.end, [&](const learners::RowBlock& block, int thread, std::span<double> to) {
    for (std::size_t i = 0; i < block.n_rows; ++i) {
      threads[static_cast<std::size_t>(thread)].add(
          block.row(i), block.missing_in(i), weights_.empty() ? 1 : weights_[block.first_row + i],
          to);
    }
  });
}

TrialRows::TrialRows(const learners::RowPass& rows, std::size_t n_observed, std::size_t n_parts)
    : n_rows_(static_cast<double>(rows.n_rows())), n_words_((n_observed + 63) / 64) {
  // Halves of words are numbers that a sum holds exactly; a block is the only one to add to its
  // own.
  const std::uint64_t n_blocks = (rows.n_rows() + rows_a_block - 1) / rows_a_block;
  const std::size_t n_halves = 2 * n_words_ * (rows.may_miss() ? 2 : 1);
  const std::uint64_t step = rows.step();
  const std::vector<double> halves = rows.sum(
      n_blocks * rows_a_block * n_halves,
      [&](const learners::RowBlock& block, int /*thread*/, std::span<double> sums) {
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
  const auto n = static_cast<std::size_t>(n_rows_);
  const auto word = [&](std::size_t at) {
    return static_cast<std::uint64_t>(halves[at]) |
           (static_cast<std::uint64_t>(halves[at + 1]) << 32U);
  };
  std::map<std::vector<std::uint64_t>, std::size_t> place;
  std::vector<std::uint64_t> key(n_halves / 2);
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t w = 0; w < key.size(); ++w) key[w] = word(r * n_halves + 2 * w);
    const auto [found, is_new] = place.try_emplace(key, weights_.size());
    if (is_new) {
      const auto middle = key.begin() + static_cast<std::ptrdiff_t>(n_words_);
      values_.insert(values_.end(), key.begin(), middle);
      missing_.insert(missing_.end(), middle, key.end());
      weights_.push_back(0);
    }
    weights_[found->second] += 1;
  }
  n_parts_ = std::clamp<std::size_t>(weights_.size() / 64, 1, n_parts);
}

std::vector<double> TrialRows::expect(std::size_t part, const model::BeamNetwork& network,
                                      const model::BeamOptions& options,
                                      const SumPlaces& at) const {
  RowExpectation rows(network, options, at);
  std::vector<double> sums(at.end);
  for (std::size_t r = part; r < weights_.size(); r += n_parts_) {
    const auto row = [&](const std::vector<std::uint64_t>& of) {
      return of.empty() ? std::span<const std::uint64_t>()
                        : std::span(of).subspan(r * n_words_, n_words_);
    };
    rows.add(row(values_), row(missing_), weights_[r], sums);
  }
  return sums;
}

}  // namespace orrery::quartet
