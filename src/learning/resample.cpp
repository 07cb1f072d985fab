// Cost: a cache line per row and eight columns. Rank 0 draws; its words go to the other hosts.
#include "learning/resample.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/progress.hpp"
#include "base/random.hpp"
#include "orrery/base/error.hpp"

namespace orrery::learning {
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
