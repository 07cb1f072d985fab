// Samples whose variables each take one of a few named values: answers, grades, genotypes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::data {

/// Code of a value that is not there.
inline constexpr std::uint8_t missing_code = 255;
/// Categories a variable may have: codes are 0 to this less one.
inline constexpr std::size_t max_categories = 64;

/// N rows of D codes. Memory: N D bytes; every rank holds all of it (at 1,000 ranks and N D beyond
/// 10^9 that comes to matter first).
struct CategoricalTable {
  std::vector<std::string> names;                    ///< D
  std::vector<std::vector<std::string>> categories;  ///< D lists, by code
  std::uint64_t n_rows = 0;
  std::vector<std::uint8_t> codes;  ///< n_rows x D by rows; a category's number, or missing_code

  [[nodiscard]] std::size_t n_columns() const noexcept { return names.size(); }
  [[nodiscard]] std::span<const std::uint8_t> row(std::uint64_t n) const noexcept {
    return std::span(codes).subspan(n * names.size(), names.size());
  }
  bool operator==(const CategoricalTable&) const = default;
};

/// Throws InputError, naming the column or the row, unless sizes fit, names are there and differ,
/// every column has 1 to max_categories categories that differ, and each code is one of them or
/// missing_code.
void check(const CategoricalTable& table);

/// Throws InputError, naming `list` and the place in it, unless names have 1 to longest_name bytes,
/// none of them zero (it would end the name in HDF5), and differ.
void require_names(const std::vector<std::string>& names, std::string_view list);
/// The same of a variable's categories, and that there are 1 to max_categories.
void require_categories(const std::vector<std::string>& categories, const std::string& variable);

}  // namespace orrery::data
