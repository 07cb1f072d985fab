#include "families/noisy_or/quartet/signatures/active_rows.hpp"

#include <algorithm>

#include "data/bits.hpp"
#include "families/noisy_or/quartet/constants.hpp"

namespace orrery::quartet {
namespace {

constexpr std::size_t piece_cells = std::size_t{1} << 11;

}  // namespace

PackedCells::PackedCells(std::span<const std::uint32_t> cells) {
  if (std::ranges::all_of(cells, [](std::uint32_t x) { return x <= 0xFFFF; })) {
    narrow_.assign(cells.begin(), cells.end());
  } else {
    wide_.assign(cells.begin(), cells.end());
  }
}

void PackedCells::unpack(std::vector<std::uint32_t>& cells) const {
  if (wide_.empty()) {
    cells.assign(narrow_.begin(), narrow_.end());
  } else {
    cells = wide_;
  }
}

void ActiveRows::add(const model::SparsePosterior& row, std::span<const std::uint64_t> missing) {
  ++n_rows;
  for (const std::uint32_t a : row.on()) ++n_on[a];
  touched_.add(row.touched());
  data::for_each_bit(missing, [&](std::size_t a) { ++n_missing[a]; });
  causes_.clear();
  std::uint32_t likeliest = model::SparsePosterior::none;
  double most = -1;
  for (const auto& candidate : row.candidates()) {
    if (candidate.posterior < constants::signatures::active_posterior && !row.is_open(candidate))
      continue;
    causes_.push_back(candidate.cause);
    if (candidate.posterior > most) {
      most = candidate.posterior;
      likeliest = candidate.cause;
    }
  }
  if (causes_.empty()) return;
  std::vector<std::uint32_t>& cells = waiting_[likeliest];
  if (cells.size() + row.on().size() > piece_cells) pack(likeliest);
  cells.reserve(piece_cells);
  const std::size_t head = cells.size();
  cells.insert(cells.end(), {static_cast<std::uint32_t>(causes_.size()),
                             static_cast<std::uint32_t>(row.on().size()), 0});
  cells.insert(cells.end(), causes_.begin(), causes_.end());
  cells.insert(cells.end(), row.on().begin(), row.on().end());
  const std::size_t before = cells.size();
  data::for_each_bit(missing,
                     [&](std::size_t a) { cells.push_back(static_cast<std::uint32_t>(a)); });
  cells[head + 2] = static_cast<std::uint32_t>(cells.size() - before);
}

void ActiveRows::pack(std::uint32_t cause) {
  std::vector<std::uint32_t>& cells = waiting_[cause];
  if (!cells.empty()) pieces.push_back({cause, PackedCells(cells)});
  cells.clear();
}

void ActiveRows::end() {
  for (std::uint32_t u = 0; u < waiting_.size(); ++u) pack(u);
  waiting_ = {};
  const std::vector<std::uint64_t>& counts = touched_.counts();
  std::copy_n(counts.begin(), n_touched.size(), n_touched.begin());
}

namespace {

/// Of all rows, about: each as if it had a likely cause.
double bytes_of_active(const learning::RowPass& rows, const model::NoisyOrNetwork& network) {
  // Of missing values it is known only that they are no more than there are variables.
  const std::size_t m = network.n_observed();
  double cells = 5 + (rows.may_miss() ? .5 * static_cast<double>(m) : 0);
  std::vector<double> off(m);
  for (std::size_t a = 0; a < m; ++a) off[a] = 1 - network.observed()[a].leak;
  for (const model::Edge& edge : network.edges())
    off[edge.observed] *= 1 - network.causes()[edge.cause].prior * (1 - edge.failure);
  for (const double share : off) cells += 1 - share;
  const double bytes = std::max(m, network.n_causes()) > 0xFFFF ? 4 : 2;
  return static_cast<double>(rows.n_rows()) * cells * bytes;
}

}  // namespace

Keep keep_sample(const learning::RowPass& rows, const model::NoisyOrNetwork& network) {
  const auto step = static_cast<std::uint64_t>(bytes_of_active(rows, network) /
                                               constants::signatures::most_sample_bytes);
  return {std::max(step + 1, rows.n_rows() / constants::signatures::sample_rows), false};
}

Keep keep_all(const learning::RowPass& rows, const model::NoisyOrNetwork& network) {
  return {keep_sample(rows, network).sample_step,
          bytes_of_active(rows, network) <= constants::signatures::most_active_bytes};
}

}  // namespace orrery::quartet
