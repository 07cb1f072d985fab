#include "families/noisy_or/variational_em/e_step.hpp"

#include <algorithm>
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
  return (1 + n + (m + 1) * (3 + n)) * lanes;
}
std::size_t table_floats(std::size_t n, std::size_t m) { return (m + 1) * (2 + 4 * n) * lanes; }

constexpr std::size_t rows_in_a_block = 256;  // see learning::RowPass

void list_bits(std::span<const std::uint64_t> words, std::vector<std::size_t>& list) {
  for (std::size_t w = 0; w < words.size(); ++w) {
    for (std::uint64_t left = words[w]; left != 0; left &= left - 1) {
      list.push_back(64 * w + static_cast<std::size_t>(std::countr_zero(left)));
    }
  }
}

/// n_entries of `lanes` values each become n_entries of n_lanes.
template <class Real>
void narrow_entries(Real* table, std::size_t n_entries, std::size_t n_lanes) {
  for (std::size_t i = 0; i < n_entries; ++i) {
    std::copy_n(table + i * lanes, n_lanes, table + i * n_lanes);
  }
}

}  // namespace

template <>
std::vector<Tables::Entries<double>> Tables::tables_of() {
  const std::size_t n = view_.n_causes;
  const std::size_t m = view_.n_observed + 1;
  return {{&view_.all_off, 1},        {&view_.log_odds, n},   {&view_.leak, m},
          {&view_.minus_log_leak, m}, {&view_.strength_0, m}, {&view_.strength, m * n}};
}

template <>
std::vector<Tables::Entries<float>> Tables::tables_of() {
  const std::size_t n = view_.n_causes;
  const std::size_t m = view_.n_observed + 1;
  return {{&view_.fast_not_leaked, m},   {&view_.fast_minus_log_leak, m},
          {&view_.fast_strength, m * n}, {&view_.first_share, m * n},
          {&view_.first_gain, m * n},    {&view_.first_term, m * n}};
}

Tables::Tables(std::span<const Parameters* const> restarts)
    : doubles_(table_doubles(restarts[0]->n_causes, restarts[0]->n_observed)),
      floats_(table_floats(restarts[0]->n_causes, restarts[0]->n_observed)) {
  const std::size_t n = restarts[0]->n_causes;
  const std::size_t m = restarts[0]->n_observed;
  view_.n_causes = n;
  view_.n_observed = m;
  view_.n_lanes = restarts.size();
  double* free_double = doubles_.data();
  for (const auto& [table, n_entries] : tables_of<double>()) {
    *table = free_double;
    free_double += n_entries * lanes;
  }
  float* free_float = floats_.data();
  for (const auto& [table, n_entries] : tables_of<float>()) {
    *table = free_float;
    free_float += n_entries * lanes;
  }
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const Parameters& from = *restarts[lane < restarts.size() ? lane : 0];
    for (std::size_t k = 0; k < n; ++k) view_.log_odds[k * lanes + lane] = from.prior[k];
    for (std::size_t a = 0; a < m; ++a) view_.leak[a * lanes + lane] = from.leak[a];
    for (std::size_t i = 0; i < m * n; ++i) view_.strength[i * lanes + lane] = from.failure[i];
  }
  e_step_kernel().prepare(view_);
  for (const auto& [table, n_entries] : tables_of<double>()) {
    narrow_entries(*table, n_entries, view_.n_lanes);
  }
  for (const auto& [table, n_entries] : tables_of<float>()) {
    narrow_entries(*table, n_entries, view_.n_lanes);
  }
}

std::size_t Tables::bytes(std::size_t n_causes, std::size_t n_observed) {
  return table_doubles(n_causes, n_observed) * sizeof(double) +
         table_floats(n_causes, n_observed) * sizeof(float);
}

void EStep::list_rows(const learning::RowBlock& block, bool hold_out) {
  on_.clear();
  missing_.clear();
  rows_.clear();
  for (std::size_t i = 0; i < block.n_rows; ++i) {
    const std::size_t n_on = on_.size();
    const std::size_t n_missing = missing_.size();
    list_bits(block.row(i), on_);
    list_bits(block.missing_in(i), missing_);
    rows_.push_back({nullptr, on_.size() - n_on, nullptr, missing_.size() - n_missing,
                     hold_out && is_held_out(block.first_row + i)});
  }
  // The lists no longer grow, so they no longer move.
  const std::size_t* on = on_.data();
  const std::size_t* missing = missing_.data();
  for (RowLists& row : rows_) {
    row.on = on;
    row.missing = missing;
    on += row.n_on;
    missing += row.n_missing;
  }
  std::ranges::stable_sort(rows_, std::ranges::greater{}, &RowLists::n_on);
}

void EStep::add_rows(const LaneTables& tables, const EStepSettings& settings,
                     const learning::RowBlock& block, double* sums) {
  list_rows(block, settings.hold_out);
  const std::size_t n = tables.n_causes;
  const std::size_t most_on = rows_.front().n_on;
  if (floats_.size() < local_floats(n, most_on)) floats_.resize(local_floats(n, most_on));
  if (doubles_.size() < local_doubles(n, most_on)) doubles_.resize(local_doubles(n, most_on));
  if (places_.size() < local_places(most_on)) places_.resize(local_places(most_on));
  e_step_kernel().add_rows(tables, settings, rows_.data(), rows_.size(),
                           {floats_.data(), doubles_.data(), places_.data()},
                           SumLayout(n, tables.n_observed, tables.n_lanes).at(sums));
}

std::size_t EStep::bytes(std::size_t n_causes, std::size_t n_observed) {
  return local_floats(n_causes, n_observed) * sizeof(float) +
         local_doubles(n_causes, n_observed) * sizeof(double) +
         (local_places(n_observed) + 2 * rows_in_a_block * n_observed) * sizeof(std::size_t);
}

}  // namespace orrery::variational_em
