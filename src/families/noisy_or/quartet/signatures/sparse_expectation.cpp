#include "families/noisy_or/quartet/signatures/sparse_expectation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "data/bits.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/refine/expectation.hpp"
#include "families/noisy_or/quartet/signatures/fixed_sums.hpp"
#include "model/sparse_posterior.hpp"

namespace orrery::quartet {
namespace {

using model::SparsePosterior;

/// Where sums are: in those of a RowPass, and in fine words of a thread's own.
struct Parts {
  SumLayout layout, words;
  std::size_t likelihood, inverse, n_missing;
  std::size_t present, square, if_off, without_cause, shared, on_with, unseen;

  Parts(const model::NoisyOrNetwork& network, bool may_miss)
      : likelihood(layout.part(2)),
        inverse(layout.part(network.n_observed())),
        n_missing(layout.part(may_miss ? network.n_observed() : 0)),
        present(words.part(network.n_causes())),
        square(words.part(network.n_causes())),
        if_off(words.part(network.n_causes())),
        without_cause(words.part(network.n_causes())),
        shared(words.part(network.edges().size())),
        on_with(words.part(network.edges().size())),
        unseen(words.part(may_miss ? network.edges().size() : 0)) {}
};

/// Natural logarithm of a positive normal number to within 1e-8: three times as fast as the exact
/// one.
double quick_log(double x) {
  constexpr std::uint64_t of_half_root = 0x3fe6a09e667f3bcd;  // sqrt(1/2)
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const auto exponent = static_cast<std::int64_t>(bits - of_half_root) >> 52;
  const auto part = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(exponent) << 52));
  const double t = (part - 1) / (part + 1);
  const double s = t * t;
  return static_cast<double>(exponent) * 0.6931471805599453 +
         2 * t * (1 + s * (1. / 3 + s * (1. / 5 + s * (1. / 7 + s * (1. / 9)))));
}

/// A cause and a variable without an edge: of rows with the variable on, beside what a row with it
/// off says.
struct EdgeEvidence {
  std::uint64_t slope = 0;
  std::uint64_t square = 0;  // of the slope
  std::uint64_t ratio = 0;   // log-likelihood ratio of the tried failure
};

// Rows are kept, or not, by so many.
constexpr std::uint64_t kept_block_rows = 256;

/// One thread's way through the rows.
class Collector {
 public:
  Collector(const model::NoisyOrNetwork& network, const model::SparseNetwork& prepared,
            const Parts& parts, Missing missing, std::uint64_t keep_step)
      : m_(network.n_observed()),
        n_(network.n_causes()),
        edges_(network.edges()),
        prepared_(prepared),
        parts_(parts),
        row_(prepared),
        words_(parts.words.size(), 0),
        keep_step_(keep_step) {
    if (missing != Missing::ignore) {
      evidence_.resize(n_ * m_);
      together_.resize(n_ * n_);
    }
    if (missing == Missing::find) attributed_.resize(n_ + 1);
    if (keep_step > 0) active_.emplace(n_, m_);
  }

  void add_block(const learning::RowBlock& block, std::span<double> into) {
    const bool is_kept = active_ && block.first_row / kept_block_rows % keep_step_ == 0;
    for (std::size_t r = 0; r < block.n_rows; ++r) {
      row_.evaluate(block.row(r), block.missing_in(r));
      add_expectation(into);
      add_unseen(block.missing_in(r), into);
      if (is_kept) active_->add(row_, block.missing_in(r));
      if (!evidence_.empty()) add_evidence(block.missing_in(r));
      if (!attributed_.empty()) attribute();
    }
  }

  std::vector<std::uint64_t>& words() { return words_; }
  std::vector<EdgeEvidence>& evidence() { return evidence_; }
  std::vector<std::uint64_t>& together() { return together_; }
  std::vector<Attribution>& attributed() { return attributed_; }
  std::optional<ActiveRows>& active() { return active_; }

 private:
  void add_expectation(std::span<double> into) {
    into[parts_.likelihood] += row_.log_likelihood();
    into[parts_.likelihood + 1] += row_.truncated() ? 1 : 0;
    for (const std::uint32_t u : row_.touched()) {
      add_fixed(words_[parts_.present + u], row_.posterior(u) - prepared_.quiet_posterior(u), fine);
    }
    for (std::size_t i = 0; i < row_.on().size(); ++i) {
      into[parts_.inverse + row_.on()[i]] += row_.inverse()[i];
    }
    for (const auto& candidate : row_.candidates()) {
      if (candidate.posterior < negligible) continue;
      add_fixed(words_[parts_.without_cause + candidate.cause],
                std::log1p(-std::min(candidate.posterior, 1 - 1e-15)), fine);
      for (const auto& link : row_.links(candidate)) {
        add_fixed(words_[parts_.shared + link.edge],
                  std::min(link.shared, constants::signatures::most_shared), fine);
        add_fixed(words_[parts_.on_with + link.edge], candidate.posterior, fine);
      }
    }
  }

  void add_unseen(std::span<const std::uint64_t> missing, std::span<double> into) {
    data::for_each_bit(missing, [&](std::size_t a) {
      into[parts_.n_missing + a] += 1;
      for (const auto& parent : prepared_.parents(a)) {
        const std::uint32_t cause = edges_[parent.edge].cause;
        add_fixed(words_[parts_.unseen + parent.edge], row_.posterior(cause), fine);
      }
    });
  }

  // A variable that is on has the slope shared - posterior, one that is off -posterior; with the
  // edge the row's likelihood is multiplied by 1 + (1 - f) slope. One that is missing has the slope
  // 0: as if it were on and shared = posterior.
  void add_evidence(std::span<const std::uint64_t> missing) {
    constexpr double step = 1 - constants::signatures::tried_failure;
    for (const auto& candidate : row_.candidates()) {
      const double p = candidate.posterior;
      if (p < constants::signatures::least_posterior) continue;
      const double if_off = std::log1p(-step * p);
      add_fixed(words_[parts_.square + candidate.cause], p * p, fine);
      add_fixed(words_[parts_.if_off + candidate.cause], if_off, fine);
      for (const auto& other : row_.candidates()) {
        if (other.posterior < constants::signatures::least_posterior) continue;
        add_fixed(together_[candidate.cause * n_ + other.cause], p * other.posterior, fine);
      }
      EdgeEvidence* evidence = evidence_.data() + candidate.cause * m_;
      // The table is far larger than caches: all of a row's misses at once.
      for (const std::uint32_t a : row_.on()) __builtin_prefetch(evidence + a, 1);
      const auto add_shared = [&](std::size_t a, double value) {
        const double shared = std::min(value, constants::signatures::most_shared);
        add_fixed(evidence[a].slope, shared, coarse);
        add_fixed(evidence[a].square, shared * (shared - 2 * p), coarse);
        add_fixed(evidence[a].ratio, quick_log(1 + step * (shared - p)) - if_off, coarse);
      };
      row_.for_each_unlinked(candidate, add_shared);
      data::for_each_bit(missing, [&](std::size_t a) { add_shared(a, p); });
    }
  }

  /// Variables go to what has more likely than not switched them on.
  void attribute() {
    variables_.clear();
    for (std::size_t i = 0; i < row_.on().size(); ++i) {
      const std::uint32_t a = row_.on()[i];
      if ((1 - prepared_.quiet(a)) * row_.inverse()[i] > constants::signatures::likely_cause)
        variables_.push_back(a);
    }
    attributed_[n_].add_row(variables_);
    for (const auto& candidate : row_.candidates()) {
      if (candidate.posterior < constants::signatures::surely_present) continue;
      variables_.clear();
      for (const auto& link : row_.links(candidate)) {
        if ((1 - link.failure) * link.shared > constants::signatures::likely_cause)
          variables_.push_back(row_.on()[link.on]);
      }
      attributed_[candidate.cause].add_row(variables_);
    }
  }

  std::size_t m_, n_;
  std::span<const model::Edge> edges_;
  const model::SparseNetwork& prepared_;
  const Parts& parts_;
  SparsePosterior row_;
  std::vector<std::uint64_t> words_;
  std::vector<EdgeEvidence> evidence_;   // n x m
  std::vector<std::uint64_t> together_;  // n x n
  std::vector<Attribution> attributed_;  // n + 1
  std::vector<std::uint32_t> variables_;
  std::uint64_t keep_step_;
  std::optional<ActiveRows> active_;
};

/// All threads' and ranks', in the first collector.
void gather(const parallel::Team& team, std::vector<Collector>& collectors) {
  Collector& all = collectors[0];
  const auto take = [](std::vector<std::uint64_t>& to, std::vector<std::uint64_t>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
    from = {};
  };
  for (std::size_t t = 1; t < collectors.size(); ++t) {
    take(all.words(), collectors[t].words());
    take(all.together(), collectors[t].together());
    for (std::size_t i = 0; i < all.evidence().size(); ++i) {
      const EdgeEvidence& more = collectors[t].evidence()[i];
      all.evidence()[i].slope += more.slope;
      all.evidence()[i].square += more.square;
      all.evidence()[i].ratio += more.ratio;
    }
    collectors[t].evidence() = {};
    for (std::size_t u = 0; u < all.attributed().size(); ++u) {
      all.attributed()[u].add(collectors[t].attributed()[u]);
    }
    collectors[t].attributed() = {};
  }
  if (team.size() == 1) return;
  team.sum_words(all.words());
  team.sum_words(all.together());
  std::vector<std::uint64_t> words;
  for (const EdgeEvidence& pair : all.evidence()) {
    words.insert(words.end(), {pair.slope, pair.square, pair.ratio});
  }
  team.sum_words(words);
  for (std::size_t i = 0; i < all.evidence().size(); ++i) {
    all.evidence()[i] = {words[3 * i], words[3 * i + 1], words[3 * i + 2]};
  }
}

std::vector<double> reals(const std::vector<std::uint64_t>& words, std::size_t first,
                          std::size_t n) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(real(words[first + i], fine));
  return values;
}

std::vector<MissingEdge> missing_edges(const model::NoisyOrNetwork& network, Collector& sums,
                                       const Parts& parts, const SparseExpectation& found,
                                       double least_gain) {
  const std::size_t m = network.n_observed();
  const double n_rows = found.expected.n_rows;
  std::vector<MissingEdge> missing;
  for (std::uint32_t u = 0; u < network.n_causes(); ++u) {
    std::vector<bool> has(m, false);
    for (const model::Edge& edge : network.children(u)) has[edge.observed] = true;
    for (std::uint32_t a = 0; a < m; ++a) {
      const EdgeEvidence& pair = sums.evidence()[u * m + a];
      if (has[a] || pair.slope == 0) continue;
      const double slope = real(pair.slope, coarse) - found.expected.present[u];
      if (!(slope > 0)) continue;
      const double variance =
          std::max(real(pair.square, coarse) + real(sums.words()[parts.square + u], fine),
                   slope * slope / n_rows);
      MissingEdge edge{{u, a, std::clamp(1 - slope / variance, .2, .97)},
                       slope * slope / (2 * variance)};
      const double ratio = real(pair.ratio, coarse) + real(sums.words()[parts.if_off + u], fine);
      if (ratio > edge.gain) edge = {{u, a, constants::signatures::tried_failure}, ratio};
      if (edge.gain > least_gain) missing.push_back(edge);
    }
  }
  std::ranges::sort(missing, [](const MissingEdge& a, const MissingEdge& b) {
    return std::tuple(a.edge.observed, -a.gain, a.edge.cause) <
           std::tuple(b.edge.observed, -b.gain, b.edge.cause);
  });
  return missing;
}

}  // namespace

SparseExpectation expect_sparse(const learning::RowPass& rows, const model::NoisyOrNetwork& network,
                                Missing missing, double gain_needed, Keep keep) {
  const std::size_t n = network.n_causes();
  const std::size_t n_edges = network.edges().size();
  const model::SparseNetwork prepared(network);
  const Parts parts(network, rows.may_miss());
  const std::uint64_t keep_step = keep == Keep::active_rows ? active_step(rows, network) : 0;
  std::vector<Collector> collectors(static_cast<std::size_t>(rows.n_threads()),
                                    Collector(network, prepared, parts, missing, keep_step));
  const std::vector<double> sums =
      rows.sum(parts.layout.size(),
               [&](const learning::RowBlock& block, int thread, std::span<double> into) {
                 collectors[static_cast<std::size_t>(thread)].add_block(block, into);
               });
  gather(rows.team(), collectors);
  Collector& all = collectors[0];
  SparseExpectation found;
  Expectation& expected = found.expected;
  expected.n_rows = static_cast<double>(rows.n_rows());
  expected.log_likelihood = sums[parts.likelihood];
  expected.n_truncated = sums[parts.likelihood + 1];
  expected.inverse = slice(sums, parts.inverse, network.n_observed());
  expected.present = reals(all.words(), parts.present, n);
  for (std::size_t u = 0; u < n; ++u) {
    expected.present[u] += expected.n_rows * prepared.quiet_posterior(u);
  }
  expected.shared = reals(all.words(), parts.shared, n_edges);
  expected.unseen.assign(n_edges, 0);
  expected.rows_observed.assign(network.n_observed(), expected.n_rows);
  if (rows.may_miss()) {
    expected.unseen = reals(all.words(), parts.unseen, n_edges);
    for (std::size_t a = 0; a < network.n_observed(); ++a) {
      expected.rows_observed[a] -= sums[parts.n_missing + a];
    }
  }
  found.on_with = reals(all.words(), parts.on_with, n_edges);
  found.without_cause = reals(all.words(), parts.without_cause, n);
  found.together = reals(all.together(), 0, all.together().size());
  for (Collector& one : collectors) {
    if (one.active()) found.active.push_back(std::move(*one.active()));
  }
  if (missing == Missing::find)
    found.attributed = gathered(rows.team(), std::move(all.attributed()));
  if (missing != Missing::ignore) {
    found.missing = missing_edges(network, all, parts, found, gain_needed);
  }
  return found;
}

}  // namespace orrery::quartet
