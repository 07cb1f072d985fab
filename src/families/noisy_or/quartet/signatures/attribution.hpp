// What the rows attribute to each cause, and to the leaks: samples of their own, in which causes
// that hide behind others are searched for; and such a sample as rows of two classes, each with
// independent variables, of a cause that was learned with the rows of two.
//
// Memory: 4 bytes for each variable that is on, and for each row. Cost of two classes: some 60
// passes over the variables attributed to the cause.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace orrery::quartet {

/// Variables that one explanation accounts for, row by row.
class Attribution {
 public:
  /// `variables`: rising.
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
  /// The same rows, in which variable a is number[a].
  [[nodiscard]] Attribution renumbered(std::span<const std::uint32_t> number) const;
  /// The same rows, of these of the m variables alone.
  [[nodiscard]] Attribution of(std::span<const std::uint32_t> variables, std::size_t m) const;
  /// Those of `words`, which save() gave, from there on; the place after them.
  std::size_t add(std::span<const std::uint32_t> words, std::size_t place);
  void save(std::vector<std::uint32_t>& words) const;
  [[nodiscard]] std::uint64_t n_rows() const noexcept { return n_rows_; }
  [[nodiscard]] std::size_t n_bytes() const noexcept { return cells_.size() * sizeof(cells_[0]); }
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
