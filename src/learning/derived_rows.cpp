#include "learning/derived_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/random.hpp"
#include "learning/load.hpp"
#include "learning/sliced_moments.hpp"
#include "moments/counted_moments.hpp"
#include "orrery/base/error.hpp"

namespace orrery::learning {

std::size_t DerivedRows::bytes(const LearnContext& original, std::size_t n_columns) {
  return (original.rows->missing() != nullptr ? 16 : 8) *
         data::BitPanels::words_needed(n_columns, original.rows->values()->n_rows());
}

namespace {

/// The pairs of some columns, of the values or of the mask of what is missing.
moments::PairCounts counts_of(const LearnContext& original,
                              const std::vector<std::uint32_t>& columns, bool of_mask) {
  // Moments of rows are counted: see LearnContext::rows.
  return of_mask ? original.moments.observed_counts_of(columns).value()
                 : original.moments.counts_of(columns).value();
}

}  // namespace

DerivedRows::DerivedRows(const LearnContext& original, std::vector<std::string> names)
    : original_(original) {
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

void DerivedRows::make_rows(const Make& make) {
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
}

void DerivedRows::fill(const Make& make, const std::string& stage) {
  make_rows(make);
  make_moments([&](bool of_mask) {
    return count_pairs(original_.team, original_.threads, of_mask ? *rows_.missing : rows_.values,
                       original_.checkpoints, count_stages_,
                       stage + (of_mask ? "_observed_pair" : "_pair"));
  });
}

void DerivedRows::choose(const std::vector<std::uint32_t>& columns) {
  make_rows(
      [&](const data::BitPanels& from, data::BitPanels& to) { pick_columns(from, columns, to); });
  make_moments([&](bool of_mask) { return counts_of(original_, columns, of_mask); });
}

void DerivedRows::make_moments(const PairsOf& pairs) {
  moments_ = moments_of(false, pairs(false));
  if (!rows_.missing) return;
  moments_ = std::make_unique<moments::PairwiseDeleted>(std::move(moments_),
                                                        moments_of(true, pairs(true)));
}

std::unique_ptr<moments::MomentSource> DerivedRows::moments_of(bool of_mask,
                                                               const moments::PairCounts& pairs) {
  const LearnContext& from = original_;
  const data::BitPanels& bits = of_mask ? *rows_.missing : rows_.values;
  // In slices where all the rows are counted in slices: whole columns do not fit the caches.
  if (const moments::CountsAhead* ahead = from.moments.counts_ahead()) {
    return std::make_unique<SlicedMoments>(from.team, from.threads, *slices_,
                                           of_mask ? missing_of : values_of, &bits, pairs,
                                           ahead->budget_bytes());
  }
  return std::make_unique<moments::CountedMoments>(bits, pairs);
}

LearnContext DerivedRows::context(std::vector<Stage>& stages) {
  return {original_.team, original_.threads,
          original_.seed, *moments_,
          rows_.names,    original_.samples != nullptr ? &rows_ : nullptr,
          pass_.get(),    memory_left_,
          stages,         original_.checkpoints,
          original_.known};
}

ChosenColumns::ChosenColumns(const LearnContext& original,
                             const std::vector<std::uint32_t>& columns)
    : original_(original) {
  for (const std::uint32_t a : columns) names_.push_back(original.names[a]);
  const bool are_in_memory = original.rows->values() != nullptr;
  if (are_in_memory && (original.memory_bytes == 0 ||
                        DerivedRows::bytes(original, columns.size()) < original.memory_bytes)) {
    whole_ = std::make_unique<DerivedRows>(original_, names_);
    whole_->choose(columns);
  } else {
    slice(columns);
  }
}

void ChosenColumns::slice(const std::vector<std::uint32_t>& columns) {
  const LearnContext& from = original_;
  const RowPass& rows = *from.rows;
  const RowSlices* all_columns = rows.slices();
  if (all_columns == nullptr) {
    all_columns_ = std::make_unique<RowSlices>(from.team, *rows.values(), rows.missing());
    all_columns = all_columns_.get();
  }
  const std::size_t m = columns.size();
  const std::uint64_t n_rows = rows.n_rows();
  const std::size_t n_own = n_rows / static_cast<std::size_t>(from.team.size()) + rows_of_sum;
  const std::size_t bytes = (rows.may_miss() ? 16 : 8) * data::BitPanels::words_needed(m, n_own);
  const bool hold = all_columns->are_held() && bytes < from.memory_bytes;
  memory_left_ = from.memory_bytes - (hold ? bytes : 0);
  slices_ = std::make_unique<RowSlices>(*all_columns, columns, hold);
  pass_ = std::make_unique<RowPass>(from.team, from.threads, *slices_, n_rows);
  const moments::CountsAhead* ahead = from.moments.counts_ahead();
  const std::size_t budget =
      ahead != nullptr ? ahead->budget_bytes() : std::max<std::size_t>(memory_left_ / 4, 1);
  const auto moments_of = [&](bool of_mask) {
    return std::make_unique<SlicedMoments>(from.team, from.threads, *slices_,
                                           of_mask ? missing_of : values_of, nullptr,
                                           counts_of(from, columns, of_mask), budget);
  };
  moments_ = moments_of(false);
  if (rows.may_miss()) {
    moments_ = std::make_unique<moments::PairwiseDeleted>(std::move(moments_), moments_of(true));
  }
}

LearnContext ChosenColumns::context(std::vector<Stage>& stages) {
  if (whole_) return whole_->context(stages);
  return {original_.team, original_.threads, original_.seed, *moments_, names_,
          nullptr,        pass_.get(),       memory_left_,   stages,    original_.checkpoints,
          original_.known};
}

// Drawing costs a cache line per row and eight columns. Rank 0 draws; its words go to the other
// hosts.

namespace {

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
  const std::size_t bytes = DerivedRows::bytes(context, context.names.size());
  if (context.memory_bytes == 0 || bytes < context.memory_bytes) return;
  throw UsageError(fmt::format(
      "--stability: --memory leaves {}, and a second copy of the rows takes {}; allow more, or "
      "leave --stability out",
      format_bytes(static_cast<double>(context.memory_bytes)),
      format_bytes(static_cast<double>(bytes))));
}

Resample::Resample(const LearnContext& context)
    : original_(context), rows_(context, context.names) {}

void Resample::draw(std::uint64_t number) {
  std::vector<std::uint64_t> drawn;
  rows_.fill(
      [&](const data::BitPanels& from, data::BitPanels& to) {
        if (drawn.empty()) {
          RowRandom random(original_.seed, Stream::resample, number);
          drawn.resize(from.n_rows());
          for (std::uint64_t& row : drawn) row = random.below(from.n_rows());
        }
        pick(from, drawn, original_.threads, to);
      },
      "resample");
}

LearnContext Resample::context() {
  stages_.clear();
  return rows_.context(stages_);
}

}  // namespace orrery::learning
