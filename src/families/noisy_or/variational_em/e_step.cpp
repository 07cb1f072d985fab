#include "families/noisy_or/variational_em/e_step.hpp"

#include <bit>

#include "families/noisy_or/variational_em/start.hpp"
#include "kernels/kernels.hpp"

namespace orrery::variational_em {

extern const EStepKernel e_step_baseline;
extern const EStepKernel e_step_avx2;
extern const EStepKernel e_step_avx512;

const EStepKernel& e_step_kernel() {
#if defined(__x86_64__)
  const kernels::Isa isa = kernels::active().isa;
  if (isa == kernels::Isa::avx512) return e_step_avx512;
  if (isa == kernels::Isa::avx2) return e_step_avx2;
#endif
  return e_step_baseline;
}

namespace {

std::size_t table_doubles(std::size_t n, std::size_t m) {
  return (1 + n + m * leak_fields + m * n) * lanes;
}
std::size_t table_floats(std::size_t n, std::size_t m) {
  return (2 * m + m * n * edge_fields) * lanes;
}

void list_bits(std::span<const std::uint64_t> words, std::vector<std::size_t>& list) {
  list.clear();
  for (std::size_t w = 0; w < words.size(); ++w) {
    for (std::uint64_t left = words[w]; left != 0; left &= left - 1) {
      list.push_back(64 * w + static_cast<std::size_t>(std::countr_zero(left)));
    }
  }
}

}  // namespace

Tables::Tables(std::span<const Parameters* const> restarts)
    : doubles_(table_doubles(restarts[0]->n_causes, restarts[0]->n_observed)),
      floats_(table_floats(restarts[0]->n_causes, restarts[0]->n_observed)) {
  const std::size_t n = restarts[0]->n_causes;
  const std::size_t m = restarts[0]->n_observed;
  view_.n_causes = n;
  view_.n_observed = m;
  view_.n_lanes = restarts.size();
  view_.all_off = doubles_.data();
  view_.log_odds = view_.all_off + lanes;
  view_.leak = view_.log_odds + n * lanes;
  view_.strength = view_.leak + m * leak_fields * lanes;
  view_.fast_leak = floats_.data();
  view_.fast_edge = view_.fast_leak + 2 * m * lanes;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const Parameters& from = *restarts[lane < restarts.size() ? lane : 0];
    for (std::size_t k = 0; k < n; ++k) view_.log_odds[k * lanes + lane] = from.prior[k];
    for (std::size_t a = 0; a < m; ++a) {
      view_.leak[(a * leak_fields + leak_value) * lanes + lane] = from.leak[a];
    }
    for (std::size_t i = 0; i < m * n; ++i) view_.strength[i * lanes + lane] = from.failure[i];
  }
  e_step_kernel().prepare(view_);
}

std::size_t Tables::bytes(std::size_t n_causes, std::size_t n_observed) {
  return table_doubles(n_causes, n_observed) * sizeof(double) +
         table_floats(n_causes, n_observed) * sizeof(float);
}

void EStep::add_rows(const LaneTables& tables, const EStepSettings& settings,
                     const learning::RowBlock& block, double* sums) {
  const EStepKernel& kernel = e_step_kernel();
  for (std::size_t i = 0; i < block.n_rows; ++i) {
    list_bits(block.row(i), on_);
    list_bits(block.missing_in(i), missing_);
    const std::size_t n_floats = local_floats(tables.n_causes, on_.size());
    const std::size_t n_doubles = local_doubles(tables.n_causes, on_.size());
    if (floats_.size() < n_floats) floats_.resize(n_floats);
    if (doubles_.size() < n_doubles) doubles_.resize(n_doubles);
    const bool held_out = settings.hold_out && is_held_out(block.first_row + i);
    kernel.add_row(tables, settings,
                   {on_.data(), on_.size(), missing_.data(), missing_.size(), held_out},
                   floats_.data(), doubles_.data(), sums);
  }
}

std::size_t EStep::bytes(std::size_t n_causes, std::size_t n_observed) {
  return local_floats(n_causes, n_observed) * sizeof(float) +
         local_doubles(n_causes, n_observed) * sizeof(double) +
         2 * n_observed * sizeof(std::size_t);
}

}  // namespace orrery::variational_em
