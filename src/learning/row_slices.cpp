#include "learning/row_slices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/progress.hpp"
#include "base/random.hpp"
#include "base/work_time.hpp"
#include "learning/load.hpp"
#include "learning/sliced_moments.hpp"
#include "moments/counted_moments.hpp"
#include "orrery/base/error.hpp"

namespace orrery::learning {

void set_missing_on(store::SampleReader::Block& block) {
  if (!block.missing) return;
  const std::span<std::uint64_t> values = block.values.words();
  const std::span<const std::uint64_t> missing = std::as_const(*block.missing).words();
  for (std::size_t w = 0; w < values.size(); ++w) values[w] |= missing[w];
}

std::uint64_t count_incomplete_rows(const data::BitPanels& missing) {
  std::uint64_t n = 0;
  for (std::size_t w = 0; w < missing.n_words(); ++w) {
    std::uint64_t any = 0;
    for (std::size_t c = 0; c < missing.n_columns(); ++c) any |= missing.word(c, w);
    n += static_cast<std::uint64_t>(std::popcount(any));
  }
  return n;
}

namespace {

// Sums over rows are of so many of them (learning/row_sums.cpp), and slices are of whole sums.
constexpr std::size_t rows_of_sum = 256;

/// Of n_rows rows those of this rank.
parallel::Team::Part rows_of(const parallel::Team& team, std::size_t n_rows) {
  const auto [begin, end] = team.part_of((n_rows + rows_of_sum - 1) / rows_of_sum);
  return {begin * rows_of_sum, std::min(end * rows_of_sum, n_rows)};
}

/// Rows from `first` on, a multiple of 64.
data::BitPanels part_of(const data::BitPanels& all, std::size_t first, std::size_t n_rows) {
  data::BitPanels part(all.n_columns(), n_rows);
  for (std::size_t p = 0; p < all.n_panels(); ++p) {
    std::copy_n(all.panel(p) + data::panel_lanes * (first / 64), data::panel_lanes * part.n_words(),
                part.words().data() + data::panel_lanes * p * part.n_words());
  }
  return part;
}

}  // namespace

RowSlices::RowSlices(const parallel::Team& team, const data::BitPanels& values,
                     const data::BitPanels* missing)
    : may_miss_(missing != nullptr), all_held_(true) {
  const auto [first, last] = rows_of(team, values.n_rows());
  const std::size_t rows = data::block_rows(values.n_columns());
  for (std::size_t row = first; row < last;) {
    const std::size_t n = std::min(rows - row % rows, last - row);
    Slice& slice = held_.emplace_back(Slice{row, values.view(row, n), std::nullopt});
    if (missing != nullptr) slice.missing = missing->view(row, n);
    row += n;
  }
}

RowSlices::RowSlices(const parallel::Team& team, const std::filesystem::path& path, bool hold)
    : reader_(std::make_unique<store::SampleReader>(path)),
      may_miss_(reader_->header().has_missing),
      hold_(hold) {
  const auto [first, last] = rows_of(team, reader_->header().n_samples);
  first_row_ = first;
  last_row_ = last;
  // Hosts may have other files of this name.
  const store::SampleHeader& own = reader_->header();
  std::vector<std::uint64_t> of_root{own.n_samples, own.n_observed, own.digest};
  team.broadcast(of_root);
  if (of_root != std::vector<std::uint64_t>{own.n_samples, own.n_observed, own.digest}) {
    throw InputError(fmt::format(
        "{}: {} rows x {} columns (digest {:016x}) here, but {} x {} (digest {:016x}) on {}, where "
        "rank 0 is; give all hosts the same file",
        path.string(), own.n_samples, own.n_observed, own.digest, of_root[0], of_root[1],
        of_root[2], team.hosts().front()));
  }
}

RowSlices::Slice RowSlices::read(std::size_t block) const {
  store::SampleReader::Block rows = reader_->read(block);
  set_missing_on(rows);
  const std::size_t m = rows.values.n_columns();
  const std::size_t begin = block * data::block_rows(m);
  const std::size_t end = begin + rows.values.n_rows();
  const std::size_t first = std::max(begin, first_row_);
  const std::size_t n = std::min(end, last_row_) - first;
  const auto own = [&](const data::BitColumns& bits) {
    data::BitPanels panels(m, bits.n_rows());
    panels.insert(0, bits);
    return n == bits.n_rows() ? std::move(panels) : part_of(panels, first - begin, n);
  };
  Slice slice{first, own(rows.values), std::nullopt};
  if (rows.missing) slice.missing = own(*rows.missing);
  return slice;
}

RowSlices::RowSlices(const RowSlices& rows, std::vector<std::uint32_t> columns, bool hold)
    : source_(&rows), columns_(std::move(columns)), may_miss_(rows.may_miss_), hold_(hold) {}

namespace {

/// Columns `kept` of `from`, one after the other; what is beyond the last is 0.
void pick_columns(const data::BitPanels& from, const std::vector<std::uint32_t>& kept,
                  data::BitPanels& to) {
  const std::size_t n_words = to.n_words();
  std::uint64_t* word = to.words().data();
  for (std::size_t p = 0; p < to.n_panels(); ++p) {
    for (std::size_t w = 0; w < n_words; ++w) {
      for (std::size_t lane = 0; lane < data::panel_lanes; ++lane) {
        const std::size_t c = p * data::panel_lanes + lane;
        *word++ = c < kept.size() ? from.word(kept[c], w) : 0;
      }
    }
  }
}

RowSlices::Slice with_columns(const RowSlices::Slice& rows,
                              const std::vector<std::uint32_t>& columns) {
  const std::size_t n = rows.values.n_rows();
  RowSlices::Slice made{rows.first_row, data::BitPanels(columns.size(), n), std::nullopt};
  pick_columns(rows.values, columns, made.values);
  if (rows.missing) {
    pick_columns(*rows.missing, columns, made.missing.emplace(columns.size(), n));
  }
  return made;
}

}  // namespace

bool RowSlices::make_each(const std::function<bool(Slice&& slice)>& visit) const {
  if (source_ != nullptr) {
    return source_->for_each(
        [&](const Slice& rows) { return visit(with_columns(rows, columns_)); });
  }
  const std::size_t rows = data::block_rows(reader_->header().n_observed);
  if (first_row_ == last_row_) return true;  // more ranks than parts
  for (std::size_t block = first_row_ / rows; block * rows < last_row_; ++block) {
    if (!visit(read(block))) return false;
  }
  return true;
}

bool RowSlices::for_each(const std::function<bool(const Slice&)>& visit) const {
  if (all_held_) return std::ranges::all_of(held_, visit);
  held_.clear();  // of a pass that was given up
  const bool to_the_end = make_each([&](Slice&& slice) {
    if (!visit(slice)) return false;
    if (hold_) held_.push_back(std::move(slice));
    return true;
  });
  all_held_ = hold_ && to_the_end;
  return to_the_end;
}

// Rows that are made from those of a run.

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

ChosenColumns::ChosenColumns(const LearnContext& original,
                             const std::vector<std::uint32_t>& columns, const std::string& stage)
    : original_(original) {
  for (const std::uint32_t a : columns) names_.push_back(original.names[a]);
  const bool are_in_memory = original.rows->values() != nullptr;
  if (are_in_memory && (original.memory_bytes == 0 ||
                        DerivedRows::bytes(original, columns.size()) < original.memory_bytes)) {
    hold_whole(columns, stage);
  } else {
    slice(columns, stage);
  }
}

void ChosenColumns::hold_whole(const std::vector<std::uint32_t>& columns,
                               const std::string& stage) {
  whole_ = std::make_unique<DerivedRows>(original_, names_, stage);
  whole_->fill(
      [&](const data::BitPanels& from, data::BitPanels& to) { pick_columns(from, columns, to); });
}

void ChosenColumns::slice(const std::vector<std::uint32_t>& columns, const std::string& stage) {
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
  SampleCounts counts = count_sliced_pairs(from.team, from.threads, *slices_, m, n_rows,
                                           from.checkpoints, count_stages_, stage + "_pairs");
  const moments::CountsAhead* ahead = from.moments.counts_ahead();
  const std::size_t budget =
      ahead != nullptr ? ahead->budget_bytes() : std::max<std::size_t>(memory_left_ / 4, 1);
  moments_ = std::make_unique<SlicedMoments>(from.team, from.threads, *slices_, values_of, nullptr,
                                             std::move(counts.off), budget);
  if (counts.observed) {
    moments_ = std::make_unique<moments::PairwiseDeleted>(
        std::move(moments_),
        std::make_unique<SlicedMoments>(from.team, from.threads, *slices_, missing_of, nullptr,
                                        std::move(*counts.observed), budget));
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
    : original_(context), rows_(context, context.names, "resample") {}

void Resample::draw(std::uint64_t number) {
  std::vector<std::uint64_t> drawn;
  rows_.fill([&](const data::BitPanels& from, data::BitPanels& to) {
    if (drawn.empty()) {
      RowRandom random(original_.seed, Stream::resample, number);
      drawn.resize(from.n_rows());
      for (std::uint64_t& row : drawn) row = random.below(from.n_rows());
    }
    pick(from, drawn, original_.threads, to);
  });
}

LearnContext Resample::context() {
  stages_.clear();
  return rows_.context(stages_);
}

}  // namespace orrery::learning
