// Cost: a cache line a row and eight columns. Rank 0 draws; its words go to the other hosts.
#include "learners/resample.hpp"

#include <fmt/format.h>

#include <utility>

#include "learners/sliced_moments.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/progress.hpp"
#include "orrery/base/random.hpp"
#include "orrery/moments/pairwise_deleted.hpp"

namespace orrery::learners {
namespace {

std::size_t bytes_of(const RowPass& rows) {
  const data::BitPanels& values = *rows.values();
  return (rows.missing() != nullptr ? 16 : 8) *
         data::BitPanels::words_needed(values.n_columns(), values.n_rows());
}

data::BitPanels make_room(const parallel::Team& team, const data::BitPanels& like,
                          std::uint64_t*& shared) {
  const std::size_t m = like.n_columns();
  const std::size_t n = like.n_rows();
  shared = team.host_words(data::BitPanels::words_needed(m, n));
  return shared == nullptr ? data::BitPanels(m, n) : data::BitPanels(m, n, shared);
}

/// Rows `drawn` of `all`, one after the other.
void pick(const data::BitPanels& all, const std::vector<std::uint64_t>& drawn, int threads,
          data::BitPanels& picked) {
  constexpr std::size_t lanes = data::panel_lanes;
  const std::size_t n_words = picked.n_words();
  std::uint64_t* const words = picked.words().data();
#pragma omp parallel for num_threads(threads) schedule(static) collapse(2)
  for (std::size_t p = 0; p < all.n_panels(); ++p) {
    for (std::size_t w = 0; w < n_words; ++w) {
      std::uint64_t word[lanes] = {};
      const std::size_t last = std::min(drawn.size(), 64 * w + 64);
      for (std::size_t i = 64 * w; i < last; ++i) {
        const std::uint64_t* from = all.panel(p) + lanes * (drawn[i] / 64);
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          word[lane] |= ((from[lane] >> (drawn[i] % 64)) & 1U) << (i % 64);
        }
      }
      std::copy_n(word, lanes, words + lanes * (p * n_words + w));
    }
  }
}

}  // namespace

void require_room_to_resample(const LearnContext& context) {
  if (context.rows == nullptr) {
    throw UsageError("--stability: draws rows anew, and exact moments have none; leave it out");
  }
  if (context.rows->values() == nullptr) {
    throw UsageError(
        "--stability: draws rows from all rows, and --memory leaves no room for them; allow more "
        "(--dry-run says how much), or leave --stability out");
  }
  const std::size_t bytes = bytes_of(*context.rows);
  if (context.memory_bytes == 0 || bytes < context.memory_bytes) return;
  throw UsageError(fmt::format(
      "--stability: --memory leaves {}, and a second copy of the rows takes {}; allow more, or "
      "leave --stability out",
      format_bytes(static_cast<double>(context.memory_bytes)),
      format_bytes(static_cast<double>(bytes))));
}

Resample::Resample(const LearnContext& context) : original_(context) {
  const RowPass& rows = *context.rows;
  const data::BitPanels* missing = nullptr;
  rows_.names = context.names;
  rows_.values = make_room(context.team, *rows.values(), shared_values_);
  if (rows.missing() != nullptr) {
    rows_.missing = make_room(context.team, *rows.missing(), shared_missing_);
    missing = &*rows_.missing;
  }
  if (context.memory_bytes > 0) memory_left_ = context.memory_bytes - bytes_of(rows);
  slices_ = std::make_unique<RowSlices>(context.team, rows_.values, missing);
  pass_ = std::make_unique<RowPass>(context.team, context.threads, rows_.values, missing);
}

void Resample::draw(std::uint64_t number) {
  moments_.reset();
  fill(number);
  count();
}

void Resample::fill(std::uint64_t number) {
  const parallel::Team& team = original_.team;
  std::vector<std::uint64_t> here{1};
  team.sum_words(here);  // nobody reads the rows of the resample before
  if (shared_values_ == nullptr || team.is_root()) {
    const std::uint64_t n = original_.rows->n_rows();
    RowRandom random(original_.seed, Stream::resample, number);
    std::vector<std::uint64_t> drawn(n);
    for (std::uint64_t& row : drawn) row = random.below(n);
    pick(*original_.rows->values(), drawn, original_.threads, rows_.values);
    if (rows_.missing) {
      pick(*original_.rows->missing(), drawn, original_.threads, *rows_.missing);
    }
  }
  if (shared_values_ == nullptr) return;
  const std::size_t n_words = rows_.values.words().size();
  team.broadcast_to_hosts(shared_values_, n_words);
  if (rows_.missing) team.broadcast_to_hosts(shared_missing_, n_words);
}

void Resample::count() {
  moments_ = moments_of(false);
  if (!rows_.missing) return;
  moments_ = std::make_unique<moments::PairwiseDeleted>(std::move(moments_), moments_of(true));
}

std::unique_ptr<moments::MomentSource> Resample::moments_of(bool of_mask) {
  const LearnContext& from = original_;
  const data::BitPanels& bits = of_mask ? *rows_.missing : rows_.values;
  moments::PairCounts pairs = count_pairs(from.team, from.threads, bits, from.checkpoints, stages_,
                                          of_mask ? "resample_observed_pair" : "resample_pair");
  // In slices where all the rows are counted in slices: whole columns do not fit the caches.
  if (const moments::CountsAhead* ahead = from.moments.counts_ahead()) {
    return std::make_unique<SlicedMoments>(from.team, from.threads, *slices_,
                                           of_mask ? missing_of : values_of, &bits,
                                           std::move(pairs), ahead->budget_bytes());
  }
  return std::make_unique<moments::CountedMoments>(bits, std::move(pairs));
}

LearnContext Resample::context() {
  stages_.clear();
  return {original_.team,  original_.threads,
          original_.seed,  *moments_,
          original_.names, original_.samples != nullptr ? &rows_ : nullptr,
          pass_.get(),     memory_left_,
          stages_,         original_.checkpoints,
          original_.known};
}

}  // namespace orrery::learners
