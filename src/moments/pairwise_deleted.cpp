#include "moments/pairwise_deleted.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace orrery::moments {

/// Divides what two walkers give. The slabs of M's triples stand beside those of V.
class PairwiseWalker final : public MomentWalker {
 public:
  explicit PairwiseWalker(const PairwiseDeleted& source)
      : source_(source),
        off_(source.off_->walker()),
        observed_(source.observed_->walker()),
        row_(row_stride(source.n_observed())) {}

  void triples(std::size_t a, std::span<const std::uint64_t> wanted, TripleSlab& slab) override;
  void select_pair(std::size_t a, std::size_t b, const TripleSlab& slab_a, const TripleSlab& slab_b,
                   std::span<const std::uint64_t> wanted) override;
  const double* quartets(std::size_t c) override;

 private:
  const PairwiseDeleted& source_;
  std::unique_ptr<MomentWalker> off_;
  std::unique_ptr<MomentWalker> observed_;
  std::vector<std::uint64_t> wanted_;
  std::vector<double> row_;
  std::size_t a_ = 0, b_ = 0;
};

namespace {

/// to[y] = off[y] / observed[y] for first <= y < m; where nothing was observed, and y is wanted,
/// what `otherwise(y)` says.
template <class Otherwise>
void divide(const double* off, const double* observed, std::size_t first, std::size_t m,
            std::span<const std::uint64_t> wanted, const Otherwise& otherwise, double* to) {
  bool all = true;
  for (std::size_t y = first; y < m; ++y) {
    all &= observed[y] > 0;
    to[y] = off[y] / observed[y];
  }
  for (std::size_t y = first; !all && y < m; ++y) {
    if (((wanted[y / 64] >> (y % 64)) & 1U) != 0 && !(observed[y] > 0)) to[y] = otherwise(y);
  }
}

}  // namespace

void PairwiseWalker::triples(std::size_t a, std::span<const std::uint64_t> wanted,
                             TripleSlab& slab) {
  off_->triples(a, wanted, slab);
  observed_->triples(a, wanted, slab.beside());
  const std::size_t m = source_.n_observed();
  for (std::size_t x = a + 1; x < m; ++x) {
    if (!slab.wants(x)) continue;
    divide(
        slab.moments(x), slab.beside().moments(x), x + 1, m, slab.wanted(),
        [&](std::size_t y) {
          return source_.from_pairs(std::array{a, x, y});
        },
        slab.moments(x));
  }
}

void PairwiseWalker::select_pair(std::size_t a, std::size_t b, const TripleSlab& slab_a,
                                 const TripleSlab& slab_b, std::span<const std::uint64_t> wanted) {
  off_->select_pair(a, b, slab_a, slab_b, wanted);
  observed_->select_pair(a, b, slab_a.beside(), slab_b.beside(), wanted);
  wanted_.assign(wanted.begin(), wanted.end());
  a_ = a;
  b_ = b;
}

const double* PairwiseWalker::quartets(std::size_t c) {
  divide(
      off_->quartets(c), observed_->quartets(c), c + 1, source_.n_observed(), wanted_,
      [&](std::size_t d) {
        return source_.from_pairs(std::array{a_, b_, c, d});
      },
      row_.data());
  return row_.data();
}

PairwiseDeleted::PairwiseDeleted(std::unique_ptr<MomentSource> off,
                                 std::unique_ptr<MomentSource> observed)
    : off_(std::move(off)), observed_(std::move(observed)), pairs_(off_->pairs()) {
  assert(off_->n_observed() == observed_->n_observed());
  assert(off_->n_samples() == observed_->n_samples());
  const std::size_t m = n_observed();
  for (std::size_t a = 0; a < m; ++a) {
    const double share = observed_->single(a);
    pairs_[a * m + a] = share > 0 ? pairs_[a * m + a] / share : 1;
  }
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = 0; b < m; ++b) {
      if (a == b) continue;
      const double both = observed_->pair(a, b);
      pairs_[a * m + b] = both > 0 ? pairs_[a * m + b] / both : single(a) * single(b);
    }
  }
}

double PairwiseDeleted::from_pairs(std::span<const std::size_t> set) const {
  double moment = 1;
  for (std::size_t i = 0; i < set.size(); ++i) {
    for (std::size_t j = i + 1; j < set.size(); ++j) moment *= pair(set[i], set[j]);
  }
  for (const std::size_t x : set) {
    if (single(x) == 0) return 0;
    for (std::size_t k = 2; k < set.size(); ++k) moment /= single(x);
  }
  return moment;
}

double PairwiseDeleted::triple(std::size_t a, std::size_t b, std::size_t c) const {
  return ratio(off_->triple(a, b, c), observed_->triple(a, b, c), std::array{a, b, c});
}

double PairwiseDeleted::quartet(std::size_t a, std::size_t b, std::size_t c, std::size_t d) const {
  return ratio(off_->quartet(a, b, c, d), observed_->quartet(a, b, c, d), std::array{a, b, c, d});
}

void PairwiseDeleted::prepare(std::span<const std::array<std::uint32_t, 4>> sets) const {
  off_->prepare(sets);
  observed_->prepare(sets);
}

void PairwiseDeleted::prepare_pairs(std::span<const std::array<std::uint32_t, 2>> pairs) const {
  off_->prepare_pairs(pairs);
  observed_->prepare_pairs(pairs);
}

std::vector<std::vector<double>> PairwiseDeleted::triples_of_pairs(
    std::span<const std::array<std::uint32_t, 2>> pairs, std::size_t first,
    std::size_t last) const {
  auto values = off_->triples_of_pairs(pairs, first, last);
  const auto observed = observed_->triples_of_pairs(pairs, first, last);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const std::array<std::size_t, 2> both{pairs[k][0], pairs[k][1]};
    for (std::size_t x = first; x < last; ++x) {
      double& value = values[k][x - first];
      value = ratio(value, observed[k][x - first], std::array{both[0], both[1], x});
    }
  }
  return values;
}

OnWithPair PairwiseDeleted::on_with_pair(const std::array<std::uint32_t, 2>& pair) const {
  const auto [a, b] = pair;
  const std::size_t m = n_observed();
  const double both = 1 - single(a) - single(b) + this->pair(a, b);
  OnWithPair found{std::vector<double>(m, 0), 1};
  if (!(both > 0)) return found;
  const auto triples = triples_of_pairs({&pair, 1}, 0, m);
  for (std::size_t x = 0; x < m; ++x) {
    if (x == a || x == b) continue;
    const double all = both - single(x) + this->pair(a, x) + this->pair(b, x) - triples[0][x];
    found.share[x] = std::clamp(all / both, 0.0, 1.0);
  }
  return found;
}

std::unique_ptr<MomentWalker> PairwiseDeleted::walker() const {
  return std::make_unique<PairwiseWalker>(*this);
}

std::size_t PairwiseDeleted::walker_bytes() const {
  return off_->walker_bytes() + observed_->walker_bytes() +
         row_stride(n_observed()) * sizeof(double);
}

CountsAhead* PairwiseDeleted::counts_ahead() const {
  if (off_->counts_ahead() == nullptr || observed_->counts_ahead() == nullptr) return nullptr;
  return const_cast<PairwiseDeleted*>(this);  // what was counted ahead is no part of the value
}

bool PairwiseDeleted::count_triples(std::span<const TripleRequest> requests) {
  return off_->counts_ahead()->count_triples(requests) &&
         observed_->counts_ahead()->count_triples(requests);
}

bool PairwiseDeleted::count_quartets(std::span<const QuartetRequest> requests) {
  return off_->counts_ahead()->count_quartets(requests) &&
         observed_->counts_ahead()->count_quartets(requests);
}

std::size_t PairwiseDeleted::budget_bytes() const {
  return std::min(off_->counts_ahead()->budget_bytes(), observed_->counts_ahead()->budget_bytes());
}

}  // namespace orrery::moments
