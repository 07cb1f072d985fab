// Tiles by projection. Cost: see projection.hpp.
#include "moments/tiles.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "moments/projection.hpp"

namespace orrery::moments {
namespace {

using data::panel_lanes;

class ProjectedTiles final : public TileCounter {
 public:
  ProjectedTiles(const data::BitPanels& values, std::span<const std::uint64_t> flips,
                 std::size_t outers)
      : values_(values), flips_(flips), mask_(values.n_words()), outers_(outers) {}

  void select(std::size_t a, std::span<const std::uint8_t> panels) override;
  void triples(std::size_t p, std::size_t q, std::uint32_t* counts) override {
    outer_->rows.count_tile(p, q, counts, panel_lanes);
  }
  void select_pair(std::size_t b, std::span<const std::uint8_t> panels) override;
  void quartets(std::size_t p, std::size_t q, std::uint32_t* counts, std::size_t stride) override {
    inner_.count_tile(p, q, counts, stride);
  }

 private:
  // Rows with a' = 1, for the variables of late: a block of pairs comes back to a few of them.
  struct Outer {
    std::size_t variable = static_cast<std::size_t>(-1);
    std::vector<std::uint8_t> panels;  // the wanted ones
    Projection rows;
  };

  const data::BitPanels& values_;
  std::span<const std::uint64_t> flips_;
  std::vector<std::uint64_t> mask_;  // rows with a' = 1
  std::vector<Outer> outers_;
  std::size_t next_outer_ = 0;  // replaced next, in turn
  Outer* outer_ = nullptr;      // of the current variable
  Projection inner_;            // rows with a' = b' = 1
};

void ProjectedTiles::select(std::size_t a, std::span<const std::uint8_t> panels) {
  const auto found = std::ranges::find(outers_, a, &Outer::variable);
  if (found != outers_.end()) {
    outer_ = &*found;
    if (std::ranges::equal(found->panels, panels)) return;
  } else {
    outer_ = &outers_[next_outer_];
    next_outer_ = (next_outer_ + 1) % outers_.size();
  }
  for (std::size_t w = 0; w < mask_.size(); ++w) mask_[w] = values_.word(a, w) ^ flips_[a];
  if (values_.n_rows() % 64 != 0) {
    mask_.back() &= (std::uint64_t{1} << (values_.n_rows() % 64)) - 1;
  }
  const std::size_t n_rows = std::accumulate(
      mask_.begin(), mask_.end(), std::size_t{0}, [](std::size_t n, std::uint64_t word) {
        return n + static_cast<std::size_t>(std::popcount(word));
      });
  outer_->rows.from_samples(values_, flips_, mask_, n_rows, panels);
  outer_->variable = a;
  outer_->panels.assign(panels.begin(), panels.end());
}

void ProjectedTiles::select_pair(std::size_t b, std::span<const std::uint8_t> panels) {
  const std::uint64_t* column = outer_->rows.panel(b / panel_lanes) + b % panel_lanes;
  std::size_t n_rows = 0;
  for (std::size_t w = 0; w < outer_->rows.n_words(); ++w) {
    n_rows += static_cast<std::size_t>(std::popcount(column[panel_lanes * w]));
  }
  inner_.from_projection(outer_->rows, b, n_rows, (b + 1) / panel_lanes, panels);
}

}  // namespace

std::unique_ptr<TileCounter> count_tiles(const data::BitPanels& values,
                                         std::span<const std::uint64_t> flips, std::size_t outers) {
  return std::make_unique<ProjectedTiles>(values, flips, outers);
}

std::size_t projection_bytes(std::size_t n_columns, std::size_t n_rows) {
  return (n_columns + panel_lanes - 1) / panel_lanes * panel_lanes * (n_rows / 128 + 2) *
         sizeof(std::uint64_t);
}

void mark_panels(std::span<const std::uint64_t> wanted, std::span<std::uint8_t> panels) {
  for (std::size_t p = 0; p < panels.size(); ++p) {
    panels[p] = static_cast<std::uint8_t>((wanted[p / 8] >> (8 * (p % 8))) & 0xFFU);
  }
}

}  // namespace orrery::moments
