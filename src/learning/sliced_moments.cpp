// Each count is a pass over all slices: reading costs one time through the file per pass (from
// memory if the slices are held), counting as much as for samples in memory, from lists if there
// are any. Sums over ranks are of 32-bit counts: N < 2^32. At 1,000 ranks the first thing to break
// is that sum: every rank receives all counts of a batch of triples or quartets, budget_bytes at a
// time, and sends all those of pairs' companions, of which it receives those that it asked for.
#include "learning/sliced_moments.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <utility>

#include "moments/counted_moments.hpp"
#include "moments/moment_source.hpp"
#include "parallel/ledger.hpp"

namespace orrery::learning {

using data::panel_lanes;

namespace {

constexpr std::size_t tile_counts = panel_lanes * panel_lanes;

/// Number of the tile (i, j), i <= j, in the upper triangle of n x n.
std::size_t triangle_index(std::size_t i, std::size_t j, std::size_t n) {
  return i * n - i * (i - 1) / 2 - i + j;
}

std::vector<std::uint8_t> panels_of(std::span<const std::uint64_t> wanted, std::size_t m) {
  std::vector<std::uint8_t> panels((m + panel_lanes - 1) / panel_lanes);
  moments::mark_panels(wanted, panels);
  return panels;
}

/// Adds the tiles of one entry; `count(p, q, tile)` counts one of them.
template <class Count>
void add_tiles(const TileStore::Entry& entry, std::uint32_t* counts, const Count& count) {
  std::array<std::uint32_t, tile_counts> tile{};
  for (std::size_t p = 0; p < entry.rank_of.size(); ++p) {
    if (entry.rank_of[p] == 0) continue;
    for (std::size_t q = p; q < entry.rank_of.size(); ++q) {
      if (entry.rank_of[q] == 0) continue;
      count(p, q, tile.data());
      for (std::size_t i = 0; i < tile_counts; ++i) *counts++ += tile[i];
    }
  }
}

}  // namespace

void TileStore::clear() {
  entries.clear();
  counts.clear();
}

void TileStore::add(std::size_t a, std::size_t b, std::span<const std::uint8_t> panels) {
  Entry entry{counts.size(), std::vector<std::uint16_t>(panels.size(), 0), 0};
  for (std::size_t p = 0; p < entry.rank_of.size(); ++p) {
    if (panels[p] != 0) entry.rank_of[p] = static_cast<std::uint16_t>(++entry.n_panels);
  }
  counts.resize(counts.size() + entry.n_panels * (entry.n_panels + 1) / 2 * tile_counts, 0);
  entries.emplace(std::pair{a, b}, std::move(entry));
}

/// Tiles out of the stores.
class SlicedMoments::StoredTiles final : public moments::TileCounter {
 public:
  explicit StoredTiles(const SlicedMoments& source) : source_(source) {}

  void select(std::size_t a, std::span<const std::uint8_t> /*panels*/) override {
    a_ = a;
    triples_ = find(source_.triples_, a, a);
  }
  void triples(std::size_t p, std::size_t q, std::uint32_t* counts) override {
    copy(source_.triples_, triples_, p, q, counts, panel_lanes);
  }
  void select_pair(std::size_t b, std::span<const std::uint8_t> /*panels*/) override {
    quartets_ = find(source_.quartets_, a_, b);
  }
  void quartets(std::size_t p, std::size_t q, std::uint32_t* counts, std::size_t stride) override {
    copy(source_.quartets_, quartets_, p, q, counts, stride);
  }

 private:
  static const TileStore::Entry* find(const TileStore& store, std::size_t a, std::size_t b) {
    const auto entry = store.entries.find({a, b});
    return entry == store.entries.end() ? nullptr : &entry->second;
  }
  static void copy(const TileStore& store, const TileStore::Entry* entry, std::size_t p,
                   std::size_t q, std::uint32_t* counts, std::size_t stride) {
    if (entry == nullptr || entry->rank_of[p] == 0 || entry->rank_of[q] == 0) {
      throw std::logic_error("a count was not made ahead");
    }
    const std::size_t tile =
        triangle_index(entry->rank_of[p] - 1U, entry->rank_of[q] - 1U, entry->n_panels);
    const std::uint32_t* from = store.counts.data() + entry->first + tile * tile_counts;
    for (std::size_t r = 0; r < panel_lanes; ++r) {
      std::copy_n(from + panel_lanes * r, panel_lanes, counts + stride * r);
    }
  }

  const SlicedMoments& source_;
  std::size_t a_ = 0;
  const TileStore::Entry* triples_ = nullptr;
  const TileStore::Entry* quartets_ = nullptr;
};

SlicedMoments::SlicedMoments(const parallel::Team& team, int threads, const RowSlices& slices,
                             Layer layer, const data::BitPanels* whole,
                             const moments::PairCounts& pairs, std::size_t budget_bytes)
    : TiledMoments(pairs),
      team_(team),
      threads_(threads),
      slices_(slices),
      layer_(layer),
      whole_(whole),
      budget_bytes_(budget_bytes) {}

std::unique_ptr<moments::TileCounter> SlicedMoments::tiles() const {
  return std::make_unique<StoredTiles>(*this);
}

bool SlicedMoments::for_each_slice(
    const std::function<bool(const RowSlices::Slice& rows)>& visit) const {
  const parallel::SharedTime time(threads_);
  return slices_.for_each(visit);
}

bool SlicedMoments::sum(bool whole, std::span<std::uint32_t> counts) const {
  std::vector<std::uint64_t> gave_up{whole ? 0U : 1U};
  team_.sum_words(gave_up);
  if (gave_up[0] > 0) return false;
  team_.sum_counts(counts);
  return true;
}

bool SlicedMoments::count_triples(std::span<const moments::TripleRequest> requests) {
  triples_.clear();
  for (const auto& request : requests) {
    triples_.add(request.a, request.a, panels_of(request.wanted, n_observed()));
  }
  const bool whole = for_each_slice([&](const RowSlices::Slice& rows) {
    const data::BitPanels& slice = layer_(rows);
#pragma omp parallel num_threads(threads_) default(shared)
    {
      const auto counter = moments::count_tiles(slice, flips(), 1);
#pragma omp for schedule(dynamic)
      for (std::size_t i = 0; i < requests.size(); ++i) {
        const std::size_t a = requests[i].a;
        const TileStore::Entry& entry = triples_.entries.at({a, a});
        counter->select(a, panels_of(requests[i].wanted, n_observed()));
        add_tiles(entry, triples_.counts.data() + entry.first,
                  [&](std::size_t p, std::size_t q, std::uint32_t* tile) {
                    counter->triples(p, q, tile);
                  });
      }
    }
    return !team_.stop_requested();
  });
  return sum(whole, triples_.counts);
}

bool SlicedMoments::count_quartets(std::span<const moments::QuartetRequest> requests) {
  quartets_.clear();
  for (const auto& request : requests) {
    quartets_.add(request.a, request.b, panels_of(request.wanted, n_observed()));
  }
  const bool whole = for_each_slice([&](const RowSlices::Slice& rows) {
    const data::BitPanels& slice = layer_(rows);
#pragma omp parallel num_threads(threads_) default(shared)
    {
      const auto counter = moments::count_tiles(slice, flips(), 1);
#pragma omp for schedule(dynamic, 16)  // neighbours share the projection of a
      for (std::size_t i = 0; i < requests.size(); ++i) {
        const auto& request = requests[i];
        const TileStore::Entry& entry = quartets_.entries.at({request.a, request.b});
        counter->select(request.a, panels_of(request.triples, n_observed()));
        counter->select_pair(request.b, panels_of(request.wanted, n_observed()));
        add_tiles(entry, quartets_.counts.data() + entry.first,
                  [&](std::size_t p, std::size_t q, std::uint32_t* tile) {
                    counter->quartets(p, q, tile, panel_lanes);
                  });
      }
    }
    return !team_.stop_requested();
  });
  return sum(whole, quartets_.counts);
}

void SlicedMoments::prepare(std::span<const std::array<std::uint32_t, 4>> sets) const {
  std::vector<std::uint32_t> counts(sets.size(), 0);
  for_each_slice([&](const RowSlices::Slice& rows) {
    const data::BitPanels& slice = layer_(rows);
#pragma omp parallel for num_threads(threads_) schedule(static) default(shared)
    for (std::size_t i = 0; i < sets.size(); ++i) {
      std::array<std::size_t, 4> set{};
      std::ranges::copy(sets[i], set.begin());
      const std::size_t n = sets[i][3] == moments::no_variable ? 3 : 4;
      counts[i] += static_cast<std::uint32_t>(moments::count_off(slice, std::span(set).first(n)));
    }
    return true;
  });
  team_.sum_counts(counts);
  off_counts_.clear();
  for (std::size_t i = 0; i < sets.size(); ++i) {
    auto key = sets[i];
    std::ranges::sort(key);
    off_counts_.emplace(key, counts[i]);
  }
}

void SlicedMoments::count_in_groups(const RowSlices::Slice& rows,
                                    std::span<const std::array<std::uint32_t, 2>> pairs,
                                    const CountGroup& count, std::span<std::uint32_t> on) const {
  using moments::pairs_at_once;
  constexpr std::size_t per_task = 32;
  const std::size_t m = n_observed();
  const std::size_t n_groups = (pairs.size() + pairs_at_once - 1) / pairs_at_once;
  const std::size_t n_parts = (m + per_task - 1) / per_task;
#pragma omp parallel for num_threads(threads_) schedule(dynamic) default(shared)
  for (std::size_t task = 0; task < n_groups * n_parts; ++task) {
    const std::size_t first_pair = task / n_parts * pairs_at_once;
    const auto group =
        pairs.subspan(first_pair, std::min(pairs_at_once, pairs.size() - first_pair));
    const std::size_t first = task % n_parts * per_task;
    const std::size_t last = std::min(first + per_task, m);
    std::vector<std::vector<std::uint32_t>> part(group.size(),
                                                 std::vector<std::uint32_t>(last - first, 0));
    count(rows, group, first, last, part);
    for (std::size_t k = 0; k < group.size(); ++k) {
      for (std::size_t x = first; x < last; ++x) {
        on[(first_pair + k) * m + x] += part[k][x - first];
      }
    }
  }
}

void SlicedMoments::count_for_pairs(std::span<const std::array<std::uint32_t, 2>> pairs,
                                    const CountSlice& count, PairCountsOfAll& into) const {
  into.places.clear();
  into.counts.assign(pairs.size() * n_observed(), 0);
  for (std::size_t k = 0; k < pairs.size(); ++k) into.places.emplace(pairs[k], k);
  for_each_slice([&](const RowSlices::Slice& rows) {
    count(rows, into.counts);
    return true;
  });
}

std::span<const std::uint32_t> SlicedMoments::counted(
    const PairCountsOfAll& counts, const std::array<std::uint32_t, 2>& pair) const {
  const auto found = counts.places.find(pair);
  if (found == counts.places.end()) throw std::logic_error("a pair was not prepared");
  return std::span(counts.counts).subspan(found->second * n_observed(), n_observed());
}

void SlicedMoments::prepare_pairs(std::span<const std::array<std::uint32_t, 2>> pairs) const {
  const auto count = [&](const RowSlices::Slice& rows, auto group, std::size_t first,
                         std::size_t last, auto& part) {
    moments::count_on_beside_pairs(layer_(rows), group, first, last, part);
  };
  count_for_pairs(
      pairs,
      [&](const RowSlices::Slice& rows, std::span<std::uint32_t> on) {
        count_in_groups(rows, pairs, count, on);
      },
      on_beside_pairs_);
  team_.sum_counts(on_beside_pairs_.counts);
}

std::vector<std::vector<double>> SlicedMoments::triples_of_pairs(
    std::span<const std::array<std::uint32_t, 2>> pairs, std::size_t first,
    std::size_t last) const {
  std::vector<std::vector<std::uint32_t>> part;
  for (const auto& pair : pairs) {
    const auto begin = counted(on_beside_pairs_, pair).begin();
    part.emplace_back(begin + static_cast<std::ptrdiff_t>(first),
                      begin + static_cast<std::ptrdiff_t>(last));
  }
  return off_beside_pairs(pairs, part);
}

std::vector<unsigned> SlicedMoments::thinnings_of(
    std::span<const std::array<std::uint32_t, 2>> pairs) const {
  std::vector<unsigned> thinnings;
  for (const auto& [a, b] : pairs) thinnings.push_back(moments::thinning_of(both_on(a, b)));
  return thinnings;
}

void SlicedMoments::prepare_many_pairs(int threads, std::size_t most_bytes) const {
  if (!lists_.empty() || !slices_.are_held()) return;
  std::uint64_t n_rows = 0;
  slices_.for_each([&](const RowSlices::Slice& rows) {
    n_rows += layer_(rows).n_rows();
    return true;
  });
  if (!moments::are_worth_listing(*this, n_rows, most_bytes)) return;
  for_each_slice([&](const RowSlices::Slice& rows) {
    lists_.emplace_back(layer_(rows), threads);
    return true;
  });
}

/// Counts of what is on with pairs, two in a word: sums over ranks are of half the bytes. Those of
/// a pair are wrong where more rows were looked at than most_looked_at.
class SlicedMoments::HalfCounts {
 public:
  HalfCounts(std::size_t n_pairs, std::size_t m)
      : m_(m), half_((m + 1) / 2), words_(n_pairs * width(), 0) {}

  /// Those of some rows: on[x] of pair k, of which n_rows were looked at.
  void add(std::size_t k, std::span<const std::uint32_t> on, std::uint32_t n_rows) {
    std::uint32_t* const to = words_.data() + k * width();
    for (std::size_t x = 0; x < half_; ++x) to[x] += on[x];
    for (std::size_t x = half_; x < m_; ++x) to[x - half_] += on[x] << 16U;
    to[half_] += n_rows;
  }
  /// Over ranks; rank r then has those of the pairs from begins[r] on, before begins[r + 1].
  /// Collective.
  void sum(const parallel::Team& team, const std::vector<std::size_t>& begins) {
    std::vector<std::size_t> places;
    for (const std::size_t begin : begins) places.push_back(begin * width());
    team.sum_parts(words_, places);
  }
  [[nodiscard]] std::uint32_t n_rows(std::size_t k) const { return words_[k * width() + half_]; }
  void copy(std::size_t k, std::span<std::uint32_t> on) const {
    const std::uint32_t* const from = words_.data() + k * width();
    for (std::size_t x = 0; x < half_; ++x) on[x] = from[x] & 0xFFFFU;
    for (std::size_t x = half_; x < m_; ++x) on[x] = from[x - half_] >> 16U;
  }

 private:
  [[nodiscard]] std::size_t width() const { return half_ + 1; }

  std::size_t m_, half_;
  std::vector<std::uint32_t> words_;
};

void SlicedMoments::count_on_with_pairs(std::span<const std::array<std::uint32_t, 2>> pairs,
                                        HalfCounts& counts) const {
  const std::vector<unsigned> thinnings = thinnings_of(pairs);
  const auto from_bits = [&](const RowSlices::Slice& rows, auto group, std::size_t first,
                             std::size_t last, auto& part) {
    moments::count_on_with_pairs(layer_(rows), rows.first_row, group, thinnings_of(group), first,
                                 last, part);
  };
  const std::size_t m = n_observed();
  std::vector<std::uint32_t> of_all;
  std::vector<std::vector<std::uint32_t>> of_thread;  // made here: nothing may throw among threads
  if (!lists_.empty()) of_thread.assign(static_cast<std::size_t>(threads_), of_all);
  for (auto& on : of_thread) on.resize(m);
  std::size_t slice = 0;
  for_each_slice([&](const RowSlices::Slice& rows) {
    if (lists_.empty()) {
      of_all.assign(pairs.size() * m, 0);
      count_in_groups(rows, pairs, from_bits, of_all);
    }
    const data::RowLists* lists = lists_.empty() ? nullptr : &lists_[slice++];
#pragma omp parallel for num_threads(threads_) schedule(dynamic) default(shared)
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      std::span<std::uint32_t> on;
      if (lists == nullptr) {
        on = std::span(of_all).subspan(k * m, m);
      } else {
        on = of_thread[static_cast<std::size_t>(omp_get_thread_num())];
        std::ranges::fill(on, 0U);
        moments::list_on_with_pair(layer_(rows), rows.first_row, *lists, pairs[k], thinnings[k],
                                   on);
      }
      counts.add(k, on, on[pairs[k][0]]);
    }
    return true;
  });
}

void SlicedMoments::prepare_on_with_pairs(std::span<const std::array<std::uint32_t, 2>> pairs,
                                          const std::vector<std::size_t>& begins) const {
  const std::size_t m = n_observed();
  HalfCounts counts(pairs.size(), m);
  count_on_with_pairs(pairs, counts);
  counts.sum(team_, begins);
  // A pair that several ranks ask for is there once for each.
  const auto rank = static_cast<std::size_t>(team_.rank());
  const std::size_t first = begins[rank];
  const std::size_t n_own = begins[rank + 1] - first;
  on_with_pairs_.places.clear();
  on_with_pairs_.counts.resize(n_own * m);
  for (std::size_t k = 0; k < n_own; ++k) {
    const auto& pair = pairs[first + k];
    const auto on = std::span(on_with_pairs_.counts).subspan(k * m, m);
    counts.copy(first + k, on);
    for (const std::uint32_t x : pair) on[x] = counts.n_rows(first + k);
    on_with_pairs_.places.emplace(pair, k);
  }
}

std::vector<moments::OnWithPair> SlicedMoments::on_with_pairs(
    std::span<const std::array<std::uint32_t, 2>> pairs) const {
  std::vector<moments::OnWithPair> found;
  for (const auto& pair : pairs)
    found.push_back(shares_with_pair(pair, counted(on_with_pairs_, pair)));
  return found;
}

std::uint64_t SlicedMoments::count_off(std::span<const std::size_t> set) const {
  std::array<std::uint32_t, 4> key{};
  key.fill(moments::no_variable);
  for (std::size_t k = 0; k < set.size(); ++k) key[k] = static_cast<std::uint32_t>(set[k]);
  std::ranges::sort(key);
  const auto found = off_counts_.find(key);
  if (found != off_counts_.end()) return found->second;
  if (whole_ == nullptr) throw std::logic_error("a set was not prepared");
  return moments::count_off(*whole_, set);
}

}  // namespace orrery::learning
