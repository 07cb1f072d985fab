// Triple and quartet off-counts from tiles, by inclusion-exclusion.
//
// The counts are of the complemented columns x' = x XOR flip: x' = 1 is the rarer value. "x off" is
// x' = 1 if the column is flipped and x' = 0 otherwise, so a count with x' = 1 becomes one with
// x = 0 by a subtraction for each variable that is not flipped. All sums are of integers: exact.
//
// Cost: triples of one variable m^2 N p / 2, quartets of one pair m^2 N p^2 / 2 bit operations (p
// the density of the rarer values), in 8x8 tiles; memory O(m^2) and the projected bits.
#include "moments/tiled_moments.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "moments/moment_source.hpp"
#include "orrery/base/error.hpp"

namespace orrery::moments {

using data::panel_lanes;

class TiledWalker final : public MomentWalker {
 public:
  explicit TiledWalker(const TiledMoments& source)
      : source_(source),
        m_(source.n_observed()),
        padded_(row_stride(m_)),
        counter_(source.tiles()),
        outer_panels_((m_ + panel_lanes - 1) / panel_lanes),
        wanted_panels_(outer_panels_.size()),
        pair_then_off_(padded_),
        keep_(padded_),
        tiles_(panel_lanes * padded_),
        row_(padded_) {
    for (std::size_t x = 0; x < m_; ++x) keep_[x] = source.flips_[x] != 0 ? 0 : ~std::uint32_t{0};
  }

  void triples(std::size_t a, std::span<const std::uint64_t> wanted, TripleSlab& slab) override;
  void select_pair(std::size_t a, std::size_t b, const TripleSlab& slab_a, const TripleSlab& slab_b,
                   std::span<const std::uint64_t> wanted) override;
  const double* quartets(std::size_t c) override;

 private:
  [[nodiscard]] bool flipped(std::size_t x) const { return source_.flips_[x] != 0; }
  [[nodiscard]] const std::uint32_t* off_row(std::size_t x) const {
    return source_.off_.data() + x * padded_;
  }
  [[nodiscard]] std::uint32_t rows_with(std::size_t a) const {  // #(a' = 1)
    const auto off = source_.off(a, a);
    return flipped(a) ? off : static_cast<std::uint32_t>(source_.n_samples()) - off;
  }
  void count_slab(std::size_t a, TripleSlab& slab);
  void take_stored(std::size_t a, TripleSlab& slab) const;

  const TiledMoments& source_;
  std::size_t m_;
  std::size_t padded_;  // row_stride(m): whole panels
  std::unique_ptr<TileCounter> counter_;
  std::vector<std::uint8_t> outer_panels_;
  std::vector<std::uint8_t> wanted_panels_;
  std::vector<std::uint32_t> pair_then_off_;  // [d] #(a' = 1, b' = 1, d off)
  std::vector<std::uint32_t> keep_;           // [d] all ones if d is not flipped
  std::vector<std::uint32_t> tiles_;          // 8 x padded: #(a'b'c'd' = 1) of one panel of c
  std::vector<double> row_;
  std::size_t a_ = 0, b_ = 0;
  std::size_t counted_panel_ = 0;  // panel of c in tiles_
  std::uint32_t pair_rows_ = 0;    // #(a' = 1, b' = 1)
  const TripleSlab* slab_a_ = nullptr;
  const TripleSlab* slab_b_ = nullptr;
};

void TiledWalker::count_slab(std::size_t a, TripleSlab& slab) {
  mark_panels(slab.wanted(), outer_panels_);
  counter_->select(a, outer_panels_);
  const std::uint32_t rows = rows_with(a);
  const std::size_t n_panels = outer_panels_.size();
  // with_off[x] = #(a' = 1, x off)
  std::vector<std::uint32_t> with_off(m_);
  for (std::size_t x = 0; x < m_; ++x) {
    const std::uint32_t both = off_row(a)[x];
    with_off[x] = flipped(a) ? both : off_row(x)[x] - both;
  }
  std::array<std::uint32_t, 64> counts{};
  for (std::size_t p = a / panel_lanes; p < n_panels; ++p) {
    if (outer_panels_[p] == 0) continue;
    for (std::size_t q = p; q < n_panels; ++q) {
      if (outer_panels_[q] == 0) continue;
      counter_->triples(p, q, counts.data());
      for (std::size_t x = 8 * p; x < std::min(8 * p + 8, m_); ++x) {
        if (!slab.wants(x)) continue;
        std::uint32_t* row = slab.counts(x);
        const std::uint32_t with_x = flipped(x) ? with_off[x] : rows - with_off[x];
        for (std::size_t y = std::max(8 * q, x + 1); y < std::min(8 * q + 8, m_); ++y) {
          // #(a' = 1, x' = 1, y off), then #(a' = 1, x off, y off), then #(a off, x off, y off).
          const std::uint32_t both = counts[8 * (x % 8) + y % 8];
          std::uint32_t count = flipped(y) ? both : with_x - both;
          if (!flipped(x)) count = with_off[y] - count;
          if (!flipped(a)) count = off_row(x)[y] - count;
          row[y] = count;
        }
      }
    }
  }
}

void TiledWalker::take_stored(std::size_t a, TripleSlab& slab) const {
  const std::vector<std::uint32_t> stored = source_.stored_triples_(a);
  const std::uint32_t* next = stored.data();
  for (std::size_t x = a + 1; x < m_; ++x) {
    const std::size_t n = m_ - x - 1;
    if (slab.wants(x)) std::copy_n(next, n, slab.counts(x) + x + 1);
    next += n;
  }
}

void TiledWalker::triples(std::size_t a, std::span<const std::uint64_t> wanted, TripleSlab& slab) {
  slab.reset(a, m_, wanted, true);
  if (source_.stored_triples_) {
    take_stored(a, slab);
  } else {
    count_slab(a, slab);
  }
  const double scale = 1 / static_cast<double>(source_.n_samples());
  for (std::size_t x = a + 1; x < m_; ++x) {
    if (!slab.wants(x)) continue;
    const std::uint32_t* count = slab.counts(x);
    double* moment = slab.moments(x);
    for (std::size_t y = x + 1; y < m_; ++y) moment[y] = count[y] * scale;
  }
}

void TiledWalker::select_pair(std::size_t a, std::size_t b, const TripleSlab& slab_a,
                              const TripleSlab& slab_b, std::span<const std::uint64_t> wanted) {
  assert(a < b && slab_a.wants(b));
  mark_panels(slab_a.wanted(), outer_panels_);
  counter_->select(a, outer_panels_);
  a_ = a;
  b_ = b;
  slab_a_ = &slab_a;
  slab_b_ = &slab_b;
  mark_panels(wanted, wanted_panels_);
  counted_panel_ = static_cast<std::size_t>(-1);

  const auto with_a_and_off = [&](std::size_t x) {  // #(a' = 1, x off)
    return flipped(a) ? off_row(a)[x] : off_row(x)[x] - off_row(a)[x];
  };
  pair_rows_ = flipped(b) ? with_a_and_off(b) : rows_with(a) - with_a_and_off(b);
  counter_->select_pair(b, wanted_panels_);
  const std::uint32_t* triple = slab_a.counts(b);
  for (std::size_t d = b + 1; d < m_; ++d) {
    const std::uint32_t both_off = flipped(a) ? triple[d] : off_row(b)[d] - triple[d];
    pair_then_off_[d] = flipped(b) ? both_off : with_a_and_off(d) - both_off;
  }
}

const double* TiledWalker::quartets(std::size_t c) {
  const std::size_t panel = c / panel_lanes;
  if (counted_panel_ != panel) {
    for (std::size_t q = panel; q < wanted_panels_.size(); ++q) {
      if (wanted_panels_[q] != 0) counter_->quartets(panel, q, tiles_.data() + 8 * q, padded_);
    }
    counted_panel_ = panel;
  }
  const std::uint32_t* count = tiles_.data() + c % panel_lanes * padded_;
  const std::uint32_t* pair = off_row(c);
  const std::uint32_t* triple_a = slab_a_->counts(c);
  const std::uint32_t* triple_b = slab_b_->counts(c);
  const std::uint32_t with_c =
      flipped(c) ? pair_then_off_[c] : pair_rows_ - pair_then_off_[c];  // #(a'b'c' = 1)
  // Masks instead of branches: all ones where the variable is not flipped.
  const std::uint32_t keep_a = keep_[a_];
  const std::uint32_t keep_b = keep_[b_];
  const std::uint32_t keep_c = keep_[c];
  const auto reflect = [](std::uint32_t whole, std::uint32_t part, std::uint32_t keep) {
    return part + (keep & (whole - 2 * part));  // keep ? whole - part : part
  };
  const double scale = 1 / static_cast<double>(source_.n_samples());
  for (std::size_t d = c + 1; d < m_; ++d) {
    std::uint32_t off = reflect(with_c, count[d], keep_[d]);  // #(a'b'c' = 1, d off)
    off = reflect(pair_then_off_[d], off, keep_c);            // #(a'b' = 1, cd off)
    const std::uint32_t with_a = reflect(pair[d], triple_a[d], keep_a);
    off = reflect(with_a, off, keep_b);       // #(a' = 1, bcd off)
    off = reflect(triple_b[d], off, keep_a);  // #(abcd off)
    row_[d] = off * scale;
  }
  return row_.data();
}

TiledMoments::TiledMoments(const PairCounts& pairs, StoredTriples stored_triples)
    : m_(pairs.n_observed),
      n_samples_(pairs.n_samples),
      scale_(1 / static_cast<double>(n_samples_)),
      flips_((m_ + panel_lanes - 1) / panel_lanes * panel_lanes, 0),
      stored_triples_(std::move(stored_triples)) {
  if (n_samples_ >= (std::uint64_t{1} << 32U)) {
    throw InputError("more than 2^32 - 1 rows: split the data set");
  }
  const std::size_t padded = row_stride(m_);
  off_.assign(m_ * padded, 0);
  for (std::size_t a = 0; a < m_; ++a) {
    if (2 * pairs.single(a) < n_samples_) flips_[a] = ~std::uint64_t{0};
    for (std::size_t b = 0; b < m_; ++b) {
      off_[a * padded + b] = static_cast<std::uint32_t>(pairs.at(a, b));
    }
  }
}

PairCounts TiledMoments::counts() const {
  PairCounts counts{m_, n_samples_, std::vector<std::uint64_t>(m_ * m_)};
  for (std::size_t a = 0; a < m_; ++a) {
    for (std::size_t b = 0; b < m_; ++b) counts.off[a * m_ + b] = off(a, b);
  }
  return counts;
}

double TiledMoments::triple(std::size_t a, std::size_t b, std::size_t c) const {
  return static_cast<double>(count_off(std::array{a, b, c})) * scale_;
}

double TiledMoments::quartet(std::size_t a, std::size_t b, std::size_t c, std::size_t d) const {
  return static_cast<double>(count_off(std::array{a, b, c, d})) * scale_;
}

std::vector<std::vector<double>> TiledMoments::off_beside_pairs(
    std::span<const std::array<std::uint32_t, 2>> pairs,
    const std::vector<std::vector<std::uint32_t>>& on) const {
  std::vector<std::vector<double>> values;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const std::uint64_t both_off = off(pairs[k][0], pairs[k][1]);
    auto& row = values.emplace_back();
    for (const std::uint64_t n : on[k]) row.push_back(static_cast<double>(both_off - n) * scale_);
  }
  return values;
}

OnWithPair TiledMoments::shares_with_pair(const std::array<std::uint32_t, 2>& pair,
                                          std::span<const std::uint32_t> counts) const {
  const auto [a, b] = pair;
  OnWithPair found{std::vector<double>(counts.begin(), counts.end()),
                   static_cast<double>(std::uint64_t{1} << thinning_of(both_on(a, b)))};
  const double rows = std::max(found.share[a], 1.0);  // x on in all of them
  if (rows > static_cast<double>(most_looked_at)) {
    std::ranges::fill(found.share, 0.0);
    return found;
  }
  for (double& share : found.share) share /= rows;
  return found;
}

std::unique_ptr<MomentWalker> TiledMoments::walker() const {
  return std::make_unique<TiledWalker>(*this);
}

std::size_t TiledMoments::walker_bytes() const {
  const std::size_t padded = row_stride(m_);
  // The counter, the row buffers, the tiles of one panel.
  return tiles_bytes() + 16 * padded + 4 * panel_lanes * padded;
}

}  // namespace orrery::moments
