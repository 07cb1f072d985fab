// Drawing costs a cache line per row and eight columns. Rank 0 draws; its words go to the other
// hosts.
#include "learning/resample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/random.hpp"
#include "learning/load.hpp"
#include "learning/sliced_moments.hpp"
#include "moments/counted_moments.hpp"
#include "orrery/base/error.hpp"

namespace orrery::learning {
namespace {

/// What the rows of a context take, with their mask.
std::size_t bytes_of(const LearnContext& context) {
  return (context.rows->missing() != nullptr ? 16 : 8) *
         data::BitPanels::words_needed(context.names.size(), context.rows->values()->n_rows());
}

/// Rows `drawn` of `all`, of these columns, one after the other.
void pick(const data::BitPanels& all, const std::vector<std::uint32_t>& columns,
          const std::vector<std::uint64_t>& drawn, int threads, data::BitPanels& picked) {
  constexpr std::size_t lanes = data::panel_lanes;
  const std::size_t n_words = picked.n_words();
  std::uint64_t* const words = picked.words().data();
#pragma omp parallel for num_threads(threads) schedule(static) collapse(2)
  for (std::size_t p = 0; p < picked.n_panels(); ++p) {
    for (std::size_t w = 0; w < n_words; ++w) {
      std::uint64_t word[lanes] = {};
      const std::size_t n = std::min(lanes, columns.size() - lanes * p);
      const std::size_t last = std::min(drawn.size(), 64 * w + 64);
      for (std::size_t i = 64 * w; i < last; ++i) {
        for (std::size_t lane = 0; lane < n; ++lane) {
          const std::uint64_t from = all.word(columns[lanes * p + lane], drawn[i] / 64);
          word[lane] |= ((from >> (drawn[i] % 64)) & 1U) << (i % 64);
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
  const std::size_t bytes = bytes_of(context);
  if (context.memory_bytes == 0 || bytes < context.memory_bytes) return;
  throw UsageError(fmt::format(
      "--stability: --memory leaves {}, and a second copy of the rows takes {}; allow more, or "
      "leave --stability out",
      format_bytes(static_cast<double>(context.memory_bytes)),
      format_bytes(static_cast<double>(bytes))));
}

Resample::Resample(const LearnContext& original) : original_(original) {
  const std::size_t n_rows = original.rows->values()->n_rows();
  const std::size_t m = original.names.size();
  const data::BitPanels* missing = nullptr;
  rows_.names = original.names;
  rows_.values = room_on_host(original.team, original.threads, m, n_rows, shared_values_);
  if (original.rows->missing() != nullptr) {
    rows_.missing = room_on_host(original.team, original.threads, m, n_rows, shared_missing_);
    missing = &*rows_.missing;
  }
  if (original.memory_bytes > 0) memory_left_ = original.memory_bytes - bytes_of(original);
  slices_ = std::make_unique<RowSlices>(original.team, rows_.values, missing);
  pass_ = std::make_unique<RowPass>(original.team, original.threads, rows_.values, missing);
}

void Resample::draw_rows(std::uint64_t number) {
  const RowPass& from = *original_.rows;
  const std::vector<std::uint32_t> columns = from.columns();
  RowRandom random(original_.seed, Stream::resample, number);
  std::vector<std::uint64_t> drawn(from.values()->n_rows());
  for (std::uint64_t& row : drawn) row = random.below(drawn.size());
  pick(*from.values(), columns, drawn, original_.threads, rows_.values);
  if (rows_.missing) pick(*from.missing(), columns, drawn, original_.threads, *rows_.missing);
}

void Resample::draw(std::uint64_t number) {
  moments_.reset();
  const parallel::Team& team = original_.team;
  std::vector<std::uint64_t> here{1};
  team.sum_words(here);  // nobody reads what was there before
  if (shared_values_ == nullptr || team.is_root()) draw_rows(number);
  if (shared_values_ != nullptr) {
    const std::size_t n_words = rows_.values.words().size();
    team.broadcast_to_hosts(shared_values_, n_words);
    if (rows_.missing) team.broadcast_to_hosts(shared_missing_, n_words);
  }
  moments_ = moments_of(false);
  if (!rows_.missing) return;
  moments_ = std::make_unique<moments::PairwiseDeleted>(std::move(moments_), moments_of(true));
}

std::unique_ptr<moments::MomentSource> Resample::moments_of(bool of_mask) {
  const LearnContext& from = original_;
  const data::BitPanels& bits = of_mask ? *rows_.missing : rows_.values;
  const moments::PairCounts pairs =
      count_pairs(from.team, from.threads, bits, from.checkpoints, stages_,
                  of_mask ? "resample_observed_pair" : "resample_pair");
  // In slices where all the rows are counted in slices: whole columns do not fit the caches.
  if (const moments::CountsAhead* ahead = from.moments.counts_ahead()) {
    return std::make_unique<SlicedMoments>(from.team, from.threads, *slices_,
                                           of_mask ? missing_of : values_of, &bits, pairs,
                                           ahead->budget_bytes());
  }
  return std::make_unique<moments::CountedMoments>(bits, pairs);
}

LearnContext Resample::context() {
  stages_.clear();
  return {original_.team, original_.threads,
          original_.seed, *moments_,
          rows_.names,    original_.samples != nullptr ? &rows_ : nullptr,
          pass_.get(),    memory_left_,
          stages_,        original_.checkpoints,
          original_.known};
}

}  // namespace orrery::learning
