#include "data/column_unions.hpp"

namespace orrery::data {

BitColumns unite(const BitColumns& block, const ColumnUnions& unions) {
  BitColumns united(unions.members.size(), block.n_rows());
  for (std::size_t c = 0; c < unions.members.size(); ++c) {
    const auto into = united.column(c);
    for (const std::size_t member : unions.members[c]) {
      const auto from = block.column(member);
      for (std::size_t w = 0; w < into.size(); ++w) into[w] |= from[w];
    }
  }
  return united;
}

}  // namespace orrery::data
