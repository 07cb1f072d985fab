#include "families/noisy_or/anchored/moments/product_basis.hpp"

#include <algorithm>

namespace orrery::anchored {

using Eigen::Index;
using Eigen::VectorXd;
using model::SubsetTables;

ProductBasis::ProductBasis(std::size_t n_variables, std::size_t order)
    : n_(n_variables), order_(std::min(order, n_variables)) {
  binomials_.assign(n_ + 1, std::vector<std::size_t>(order_ + 2, 0));
  for (std::size_t m = 0; m <= n_; ++m) {
    binomials_[m][0] = 1;
    for (std::size_t k = 1; m > 0 && k < order_ + 2; ++k) {
      binomials_[m][k] = binomials_[m - 1][k - 1] + binomials_[m - 1][k];
    }
  }
  first_.assign(order_ + 1, 0);
  const SubsetTables shape(n_, order_);
  for (std::size_t size = 1; size <= order_; ++size) {
    first_[size] = static_cast<Index>(sets_.size());
    shape.for_each_set(size, [&](std::span<const std::uint32_t> set) {
      sets_.emplace_back(set.begin(), set.end());
    });
  }
  std::vector<std::uint32_t> members;
  for (const auto& set : sets_) {
    subsets_begin_.push_back(subsets_.size());
    for (std::size_t bits = 0; bits < (std::size_t{1} << set.size()); ++bits) {
      members.clear();
      for (std::size_t i = 0; i < set.size(); ++i) {
        if (((bits >> i) & 1U) != 0) members.push_back(set[i]);
      }
      subsets_.push_back(members.empty() ? -1 : coordinate(members));
    }
  }
}

Index ProductBasis::coordinate(std::span<const std::uint32_t> set) const {
  std::size_t rank = 0;  // colexicographic
  for (std::size_t i = 0; i < set.size(); ++i) rank += binomials_[set[i]][i + 1];
  return first_[set.size()] + static_cast<Index>(rank);
}

std::span<const Index> ProductBasis::subsets(Index z) const {
  const auto number = static_cast<std::size_t>(z);
  return std::span(subsets_).subspan(subsets_begin_[number],
                                     std::size_t{1} << sets_[number].size());
}

SubsetTables ProductBasis::tables(const VectorXd& products) const {
  SubsetTables result(n_, order_);
  for (Index z = 0; z < size(); ++z) {
    const std::span<double> table = result.table(sets_[static_cast<std::size_t>(z)]);
    const auto parts = subsets(z);
    table[0] = 1;
    for (std::size_t bits = 1; bits < table.size(); ++bits) table[bits] = products[parts[bits]];
    for (std::size_t bit = 1; bit < table.size(); bit <<= 1U) {
      for (std::size_t cell = 0; cell < table.size(); ++cell) {
        if ((cell & bit) == 0) table[cell] -= table[cell | bit];
      }
    }
  }
  return result;
}

VectorXd ProductBasis::products(const SubsetTables& tables) const {
  VectorXd result(size());
  for (Index z = 0; z < size(); ++z) {
    result[z] = tables.table(sets_[static_cast<std::size_t>(z)]).back();
  }
  return result;
}

LinearForm ProductBasis::form(const SubsetTables& gradient) const {
  LinearForm result{0, VectorXd::Zero(size())};
  std::vector<double> table;
  for (Index z = 0; z < size(); ++z) {
    const auto cells = gradient.table(sets_[static_cast<std::size_t>(z)]);
    table.assign(cells.begin(), cells.end());
    for (std::size_t bit = 1; bit < table.size(); bit <<= 1U) {  // transpose of that in tables()
      for (std::size_t cell = 0; cell < table.size(); ++cell) {
        if ((cell & bit) == 0) table[cell | bit] -= table[cell];
      }
    }
    const auto parts = subsets(z);
    result.constant += table[0];
    for (std::size_t bits = 1; bits < table.size(); ++bits) {
      result.coefficients[parts[bits]] += table[bits];
    }
  }
  return result;
}

VectorXd ProductBasis::vertex(std::span<const std::uint8_t> state) const {
  VectorXd result(size());
  for (Index z = 0; z < size(); ++z) {
    const auto& set = sets_[static_cast<std::size_t>(z)];
    result[z] = std::ranges::all_of(set, [&](std::uint32_t i) { return state[i] != 0; }) ? 1 : 0;
  }
  return result;
}

VectorXd ProductBasis::nearest_vertex(std::span<const double> singles) const {
  std::vector<std::uint8_t> state;
  for (const double value : singles) state.push_back(value > .5 ? 1 : 0);
  return vertex(state);
}

}  // namespace orrery::anchored
