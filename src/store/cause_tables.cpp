#include "store/cause_tables.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "store/dataset.hpp"

namespace orrery::store {

using hdf5::FormatError;
using hdf5::Handle;
using model::CauseNetwork;
using model::CauseTable;

namespace {

/// Values of P(on | parents), of all causes.
std::uint64_t table_cells(const std::vector<std::uint32_t>& n_parents) {
  std::uint64_t cells = 0;
  for (std::size_t i = 0; i < n_parents.size(); ++i) {
    if (n_parents[i] > CauseNetwork::max_parents) {
      throw FormatError(
          fmt::format("cause_tables/n_parents[{}] = {}, but a cause has at most {} "
                      "parents; write the file anew",
                      i, n_parents[i], CauseNetwork::max_parents));
    }
    cells += std::uint64_t{1} << n_parents[i];
  }
  return cells;
}

}  // namespace

void write_cause_tables(const Handle& parent, const CauseNetwork& causes) {
  std::vector<std::uint32_t> n_parents;
  std::vector<std::uint32_t> parents;
  std::vector<double> on;
  for (const CauseTable& table : causes.tables()) {
    n_parents.push_back(static_cast<std::uint32_t>(table.parents.size()));
    parents.insert(parents.end(), table.parents.begin(), table.parents.end());
    on.insert(on.end(), table.on.begin(), table.on.end());
  }
  Handle group = hdf5::create_group(parent, "cause_tables");
  write_array(group, "n_parents", n_parents);
  write_array(group, "parent", parents);
  write_array(group, "on", on);
  group.close();
}

CauseNetwork read_cause_tables(const Handle& parent_group, std::size_t n_causes) {
  const Handle group = hdf5::open_group(parent_group, "cause_tables");
  const auto n_parents = read_array<std::uint32_t>(group, "n_parents", {n_causes});
  const std::uint64_t cells = table_cells(n_parents);
  const auto parents = read_array<std::uint32_t>(
      group, "parent", {std::accumulate(n_parents.begin(), n_parents.end(), std::uint64_t{0})});
  const auto on = read_array<double>(group, "on", {cells});
  std::vector<CauseTable> tables(n_causes);
  auto parent = parents.begin();
  auto value = on.begin();
  for (std::size_t i = 0; i < n_causes; ++i) {
    const auto n = static_cast<std::ptrdiff_t>(n_parents[i]);
    const auto n_cells = std::ptrdiff_t{1} << n;
    tables[i].parents.assign(parent, parent + n);
    tables[i].on.assign(value, value + n_cells);
    parent += n;
    value += n_cells;
  }
  return CauseNetwork(std::move(tables));
}

}  // namespace orrery::store
