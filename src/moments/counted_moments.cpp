#include "moments/counted_moments.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <utility>

#include "kernels/kernels.hpp"
#include "moments/moment_source.hpp"

namespace orrery::moments {
namespace {

/// Outer projections that a walker keeps: those of a block of pairs, if they fit in 32 MiB.
std::size_t outers_kept(const data::BitPanels& values) {
  constexpr std::size_t budget_bytes = std::size_t{32} << 20U;
  return std::clamp<std::size_t>(
      budget_bytes / projection_bytes(values.n_columns(), values.n_rows()), 1, 8);
}

}  // namespace

CountedMoments::CountedMoments(const data::BitPanels& values, const PairCounts& pairs,
                               StoredTriples stored_triples)
    : TiledMoments(pairs, std::move(stored_triples)), values_(values) {}

std::unique_ptr<TileCounter> CountedMoments::tiles() const {
  return count_tiles(values_, flips(), outers_kept(values_));
}

std::size_t CountedMoments::tiles_bytes() const {
  const std::size_t m = n_observed();
  // Rows in which the rarer value of a column holds, at most; and those of two columns.
  std::uint64_t outer = 0;
  std::uint64_t inner = 0;
  for (std::size_t a = 0; a < m; ++a) {
    const auto rows = [&](std::size_t x, std::uint64_t all, std::uint64_t off) {
      return flips()[x] != 0 ? off : all - off;
    };
    const std::uint64_t of_a = rows(a, n_samples(), off(a, a));
    outer = std::max(outer, of_a);
    for (std::size_t b = a + 1; b < m; ++b) {
      const std::uint64_t off_b = off(b, b);
      const std::uint64_t both_off = off(a, b);
      inner = std::max(inner, rows(b, of_a, flips()[a] != 0 ? both_off : off_b - both_off));
    }
  }
  const auto bytes = [&](std::uint64_t rows) {
    return values_.n_panels() * data::panel_lanes * ((rows + 63) / 64 + 1) * sizeof(std::uint64_t);
  };
  return outers_kept(values_) * bytes(outer) + bytes(inner);
}

std::uint64_t CountedMoments::count_off(std::span<const std::size_t> set) const {
  return moments::count_off(values_, set);
}

namespace {

/// Adds to counts[k][x - first] the bits that x shares with word_of(k, w), over all words w: up to
/// pairs_at_once k in one pass of tiles.
template <class WordOf>
void count_beside(const data::BitPanels& values, std::size_t n, std::size_t first, std::size_t last,
                  const WordOf& word_of, std::vector<std::vector<std::uint32_t>>& counts) {
  constexpr std::size_t slice_words = 256;
  static_assert(pairs_at_once == data::panel_lanes);
  // Lane k of word w: a panel like those of the samples.
  data::AlignedVector<std::uint64_t> lanes(data::panel_lanes * slice_words, 0);
  std::array<std::uint32_t, 64> tile{};
  for (std::size_t begin = 0; begin < values.n_words(); begin += slice_words) {
    const std::size_t n_words = std::min(slice_words, values.n_words() - begin);
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t w = 0; w < n_words; ++w) {
        lanes[data::panel_lanes * w + k] = word_of(k, begin + w);
      }
    }
    for (std::size_t p = first / 8; p < (last + 7) / 8; ++p) {
      kernels::active().tile(lanes.data(), values.panel(p) + data::panel_lanes * begin, n_words,
                             tile.data(), data::panel_lanes);
      for (std::size_t x = std::max(first, 8 * p); x < std::min(last, 8 * p + 8); ++x) {
        for (std::size_t k = 0; k < n; ++k) counts[k][x - first] += tile[8 * k + x % 8];
      }
    }
  }
}

}  // namespace

void count_on_beside_pairs(const data::BitPanels& values,
                           std::span<const std::array<std::uint32_t, 2>> pairs, std::size_t first,
                           std::size_t last, std::vector<std::vector<std::uint32_t>>& counts) {
  const std::uint64_t tail = values.n_rows() % 64 == 0
                                 ? ~std::uint64_t{0}
                                 : (std::uint64_t{1} << (values.n_rows() % 64)) - 1;
  const auto both_off = [&](std::size_t k, std::size_t w) {
    const auto [a, b] = pairs[k];
    const std::uint64_t off = ~(values.word(a, w) | values.word(b, w));
    return w + 1 == values.n_words() ? off & tail : off;
  };
  count_beside(values, pairs.size(), first, last, both_off, counts);
}

void count_on_with_pairs(const data::BitPanels& values, std::uint64_t first_row,
                         std::span<const std::array<std::uint32_t, 2>> pairs,
                         std::span<const unsigned> thinnings, std::size_t first, std::size_t last,
                         std::vector<std::vector<std::uint32_t>>& counts) {
  const auto looked_at = [&](std::size_t k, std::size_t w) {
    const auto [a, b] = pairs[k];
    std::uint64_t on = values.word(a, w) & values.word(b, w);
    if (thinnings[k] == 0) return on;
    for (std::uint64_t left = on; left != 0; left &= left - 1) {
      const std::uint64_t row = first_row + 64 * w + static_cast<unsigned>(std::countr_zero(left));
      if (!is_looked_at(row, thinnings[k])) on ^= left & (~left + 1);
    }
    return on;
  };
  count_beside(values, pairs.size(), first, last, looked_at, counts);
}

namespace {

/// Those of `from` that `is_one` says yes to, into `to`, which may be `from`. Without a branch: no
/// processor could guess which they are, and with a wrong guess the next ones would wait.
template <class IsOne>
void list_those(std::span<const std::uint32_t> from, std::vector<std::uint32_t>& to,
                const IsOne& is_one) {
  to.resize(std::max(to.size(), from.size()));
  std::size_t n = 0;
  for (const std::uint32_t r : from) {
    to[n] = r;
    n += static_cast<std::size_t>(is_one(r));
  }
  to.resize(n);
}

}  // namespace

void list_on_with_pair(const data::BitPanels& values, std::uint64_t first_row,
                       const data::RowLists& lists, const std::array<std::uint32_t, 2>& pair,
                       unsigned thinning, std::span<std::uint32_t> counts) {
  const auto [a, b] = pair;
  const bool a_rarer = lists.rows_of(a).size() < lists.rows_of(b).size();
  const std::size_t other = a_rarer ? b : a;
  std::vector<std::uint32_t> rows;
  list_those(lists.rows_of(a_rarer ? a : b), rows,
             [&](std::uint32_t r) { return is_looked_at(first_row + r, thinning); });
  list_those(rows, rows, [&](std::uint32_t r) { return values.at(r, other); });
  constexpr std::size_t ahead = 8;  // rows are all over memory
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + 2 * ahead < rows.size()) lists.prefetch_begin(rows[i + 2 * ahead]);
    if (i + ahead < rows.size()) {
      const std::span<const std::uint16_t> row = lists.row(rows[i + ahead]);
      __builtin_prefetch(row.data());
      __builtin_prefetch(row.data() + row.size());
    }
    for (const std::uint16_t x : lists.row(rows[i])) ++counts[x];
  }
}

bool are_worth_listing(const MomentSource& moments, std::uint64_t n_rows, std::size_t most_bytes) {
  constexpr double sparse = .05;
  const std::size_t m = moments.n_observed();
  double on = 0;  // per row
  for (std::size_t a = 0; a < m; ++a) on += 1 - moments.single(a);
  return m <= data::RowLists::most_columns && on < sparse * static_cast<double>(m) &&
         data::RowLists::bytes(on, n_rows) <= static_cast<double>(most_bytes);
}

void CountedMoments::prepare_many_pairs(int threads, std::size_t most_bytes) const {
  if (lists_ || !are_worth_listing(*this, n_samples(), most_bytes)) return;
  lists_ = std::make_unique<const data::RowLists>(values_, threads);
}

std::vector<std::vector<double>> CountedMoments::triples_of_pairs(
    std::span<const std::array<std::uint32_t, 2>> pairs, std::size_t first,
    std::size_t last) const {
  std::vector<std::vector<std::uint32_t>> on(pairs.size(),
                                             std::vector<std::uint32_t>(last - first, 0));
  count_on_beside_pairs(values_, pairs, first, last, on);
  return off_beside_pairs(pairs, on);
}

std::vector<OnWithPair> CountedMoments::on_with_pairs(
    std::span<const std::array<std::uint32_t, 2>> pairs) const {
  std::vector<unsigned> thinnings;
  for (const auto [a, b] : pairs) thinnings.push_back(thinning_of(both_on(a, b)));
  std::vector<std::vector<std::uint32_t>> counts(pairs.size(),
                                                 std::vector<std::uint32_t>(n_observed(), 0));
  if (lists_) {
    for (std::size_t k = 0; k < pairs.size(); ++k)
      list_on_with_pair(values_, 0, *lists_, pairs[k], thinnings[k], counts[k]);
  } else {
    count_on_with_pairs(values_, 0, pairs, thinnings, 0, n_observed(), counts);
  }
  std::vector<OnWithPair> found;
  for (std::size_t k = 0; k < pairs.size(); ++k)
    found.push_back(shares_with_pair(pairs[k], counts[k]));
  return found;
}

std::uint64_t count_off(const data::BitPanels& values, std::span<const std::size_t> set) {
  std::uint64_t count = 0;
  for (std::size_t w = 0; w < values.n_words(); ++w) {
    std::uint64_t on = 0;
    for (const std::size_t x : set) on |= values.word(x, w);
    count += static_cast<std::uint64_t>(__builtin_popcountll(~on));
  }
  return count - (64 * values.n_words() - values.n_rows());  // padding rows read as off
}

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
