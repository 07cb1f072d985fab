// Causes that hide behind others: one that no learned cause stands for leaves variables that leak
// together; one that was learned as a part of another leaves children of that cause that come
// together more often than it says. Both are causes in a sample of their own, of what the rows
// attribute to the leaks, or to the cause, and are searched for there by pair signatures.
//
// Cost: of the variables attributed in a row, their pairs; then a SignatureSearch of the few
// variables that depend on each other. At rank 0 alone: 4 bytes for each variable that is on.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "learners/quartet/search.hpp"
#include "orrery/parallel/team.hpp"

namespace orrery::quartet {

/// Variables that one explanation accounts for, row by row.
class Attribution {
 public:
  void add_row(std::span<const std::uint32_t> variables) {
    ++n_rows_;
    if (variables.empty()) return;
    cells_.push_back(static_cast<std::uint32_t>(variables.size()));
    cells_.insert(cells_.end(), variables.begin(), variables.end());
  }
  void add(const Attribution& other) {
    n_rows_ += other.n_rows_;
    cells_.insert(cells_.end(), other.cells_.begin(), other.cells_.end());
  }
  /// Those of `words`, which put() gave, from there on; the place after them.
  std::size_t add(std::span<const std::uint32_t> words, std::size_t place);
  void put(std::vector<std::uint32_t>& words) const;
  [[nodiscard]] std::uint64_t n_rows() const noexcept { return n_rows_; }
  /// Calls visit(variables) for each row that has any.
  template <class Visit>
  void for_each_row(const Visit& visit) const {
    for (std::size_t i = 0; i < cells_.size(); i += cells_[i] + 1) {
      visit(std::span(cells_).subspan(i + 1, cells_[i]));
    }
  }

 private:
  std::uint64_t n_rows_ = 0;
  std::vector<std::uint32_t> cells_;  // of each row that has any: how many, which
};

/// All ranks' at root, explanation by explanation; empty elsewhere. Collective.
std::vector<Attribution> gathered(const parallel::Team& team, std::vector<Attribution> own);

/// Causes of these rows as if nothing else were known; priors are shares of them. m: variables.
/// Does not depend on the order of the rows.
std::vector<Elected> causes_within(const Attribution& rows, std::size_t m, int threads);

/// A cause's rows as those of two: shares of the rows, and failures (m, 1 where there is no edge).
struct TwoCauses {
  double gain = 0;                      ///< log-likelihood of its rows beyond one cause's, nats
  double share = 0;                     ///< of the second
  std::array<std::uint32_t, 2> seed{};  ///< come together in the rows of the second
  std::vector<double> first, second;
};
/// The better of a few mixtures of two classes of rows with independent variables, each by EM from
/// the rows with both of a pair that come together more often than chance has it; none if none do.
std::optional<TwoCauses> separate(const Attribution& rows, std::size_t m);

}  // namespace orrery::quartet
