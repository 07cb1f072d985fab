#include "kernels/wide_tile.hpp"

#include <array>

#include "kernels/implementations.hpp"

namespace orrery::kernels {
namespace {

template <Isa isa>
void by_tiles(const std::uint64_t* row_panel, const std::uint64_t* first_columns,
              const std::uint64_t* second_columns, std::size_t n_words,
              const std::uint64_t* /*next_rows*/, std::uint32_t* sums, std::size_t stride) {
  std::array<std::uint32_t, 128> counts{};
  const Kernel& kernel = *find(isa);
  kernel.tile(row_panel, first_columns, n_words, counts.data(), 16);
  kernel.tile(row_panel, second_columns, n_words, counts.data() + 8, 16);
  for (std::size_t i = 0; i < counts.size(); ++i) sums[i / 16 * stride + i % 16] += counts[i];
}

}  // namespace

WideTile wide_tile(Isa isa) noexcept {
#if defined(__x86_64__)
  if (isa == Isa::avx512) return avx512::wide_tile;
  if (isa == Isa::avx2) return by_tiles<Isa::avx2>;
#endif
  return by_tiles<Isa::scalar>;
}

}  // namespace orrery::kernels
