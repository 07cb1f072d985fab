// Categories of the columns of a table that is read: those that a user gives, on the command line
// or in a file, and those that are found.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace orrery::data {

/// What the user says of categories, in order: code 0 is the first.
struct GivenCategories {
  std::vector<std::string> all;                                ///< of every column; may be empty
  std::map<std::string, std::vector<std::string>> of_columns;  ///< of some
  std::string source;                                          ///< for messages
};
/// "negative,low,medium,high", or the name of a CSV file of lines column,category,category,...
/// Throws UsageError for a text that is neither, InputError for a file without such lines; both for
/// fewer than 2 or more than max_categories, for one that is empty or given twice.
[[nodiscard]] GivenCategories parse_categories(const std::string& text);

/// The categories of one column while its values are read: given, or found as they come.
class CategoryCodes {
 public:
  /// Empty: found.
  explicit CategoryCodes(const std::vector<std::string>& given);

  enum class Found : std::uint8_t { known, added, not_given, too_many };
  /// Sets `code` if the category is known or was added.
  Found find(std::string_view token, std::uint8_t& code);

  [[nodiscard]] bool are_given() const noexcept { return are_given_; }
  [[nodiscard]] const std::vector<std::string>& categories() const noexcept { return categories_; }

  /// Two categories that are the same number; empty if there are none.
  [[nodiscard]] std::vector<std::string> same_numbers() const;
  /// Sorts categories that were found: as numbers if all are, else by their bytes. The new code of
  /// each old one.
  [[nodiscard]] std::vector<std::uint8_t> sort();

 private:
  /// Empty if a category is no finite number.
  [[nodiscard]] std::vector<double> numbers() const;

  bool are_given_;
  std::vector<std::string> categories_;
  std::unordered_map<std::string, std::uint8_t> codes_;
  std::string key_;  // of the look-up: kept, so that a known value allocates nothing
};

}  // namespace orrery::data
