#include "learning/derived_rows.hpp"

#include <utility>

#include "learning/host_room.hpp"
#include "learning/sliced_moments.hpp"
#include "moments/pairwise_deleted.hpp"

namespace orrery::learning {

std::size_t DerivedRows::bytes(const LearnContext& original, std::size_t n_columns) {
  return (original.rows->missing() != nullptr ? 16 : 8) *
         data::BitPanels::words_needed(n_columns, original.rows->values()->n_rows());
}

DerivedRows::DerivedRows(const LearnContext& original, std::vector<std::string> names,
                         std::string stage)
    : original_(original), stage_(std::move(stage)) {
  const RowPass& rows = *original.rows;
  const std::size_t n_rows = rows.values()->n_rows();
  const std::size_t n_columns = names.size();
  const data::BitPanels* missing = nullptr;
  rows_.names = std::move(names);
  rows_.values = room_on_host(original.team, n_columns, n_rows, shared_values_);
  if (rows.missing() != nullptr) {
    rows_.missing = room_on_host(original.team, n_columns, n_rows, shared_missing_);
    missing = &*rows_.missing;
  }
  if (original.memory_bytes > 0) memory_left_ = original.memory_bytes - bytes(original, n_columns);
  slices_ = std::make_unique<RowSlices>(original.team, rows_.values, missing);
  pass_ = std::make_unique<RowPass>(original.team, original.threads, rows_.values, missing);
}

void DerivedRows::fill(const Make& make) {
  moments_.reset();
  const parallel::Team& team = original_.team;
  std::vector<std::uint64_t> here{1};
  team.sum_words(here);  // nobody reads what was there before
  if (shared_values_ == nullptr || team.is_root()) {
    make(*original_.rows->values(), rows_.values);
    if (rows_.missing) make(*original_.rows->missing(), *rows_.missing);
  }
  if (shared_values_ != nullptr) {
    const std::size_t n_words = rows_.values.words().size();
    team.broadcast_to_hosts(shared_values_, n_words);
    if (rows_.missing) team.broadcast_to_hosts(shared_missing_, n_words);
  }
  count();
}

void DerivedRows::count() {
  moments_ = moments_of(false);
  if (!rows_.missing) return;
  moments_ = std::make_unique<moments::PairwiseDeleted>(std::move(moments_), moments_of(true));
}

std::unique_ptr<moments::MomentSource> DerivedRows::moments_of(bool of_mask) {
  const LearnContext& from = original_;
  const data::BitPanels& bits = of_mask ? *rows_.missing : rows_.values;
  moments::PairCounts pairs =
      count_pairs(from.team, from.threads, bits, from.checkpoints, count_stages_,
                  stage_ + (of_mask ? "_observed_pair" : "_pair"));
  // In slices where all the rows are counted in slices: whole columns do not fit the caches.
  if (const moments::CountsAhead* ahead = from.moments.counts_ahead()) {
    return std::make_unique<SlicedMoments>(from.team, from.threads, *slices_,
                                           of_mask ? missing_of : values_of, &bits,
                                           std::move(pairs), ahead->budget_bytes());
  }
  return std::make_unique<moments::CountedMoments>(bits, std::move(pairs));
}

LearnContext DerivedRows::context(std::vector<Stage>& stages) {
  return {original_.team, original_.threads,
          original_.seed, *moments_,
          rows_.names,    original_.samples != nullptr ? &rows_ : nullptr,
          pass_.get(),    memory_left_,
          stages,         original_.checkpoints,
          original_.known};
}

}  // namespace orrery::learning
