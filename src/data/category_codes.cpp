#include "data/category_codes.hpp"

#include <algorithm>
#include <numeric>

#include "data/cells.hpp"
#include "orrery/data/categorical_table.hpp"

namespace orrery::data {

CategoryCodes::CategoryCodes(const std::vector<std::string>& given)
    : are_given_(!given.empty()), categories_(given) {
  for (std::size_t c = 0; c < given.size(); ++c) {
    codes_.emplace(given[c], static_cast<std::uint8_t>(c));
  }
}

CategoryCodes::Found CategoryCodes::find(std::string_view token, std::uint8_t& code) {
  key_ = token;
  if (const auto known = codes_.find(key_); known != codes_.end()) {
    code = known->second;
    return Found::known;
  }
  if (are_given_) return Found::not_given;
  if (categories_.size() == max_categories) return Found::too_many;
  code = static_cast<std::uint8_t>(categories_.size());
  codes_.emplace(key_, code);
  categories_.push_back(key_);
  return Found::added;
}

std::vector<double> CategoryCodes::numbers() const {
  const NumberReader reader({});
  std::vector<double> numbers;
  for (const std::string& category : categories_) {
    double value = 0;
    if (reader.read(category, value) != NumberCell::number) return {};
    numbers.push_back(value);
  }
  return numbers;
}

std::vector<std::string> CategoryCodes::same_numbers() const {
  const std::vector<double> values = numbers();
  for (std::size_t b = 1; b < values.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      if (values[a] == values[b]) return {categories_[a], categories_[b]};
    }
  }
  return {};
}

std::vector<std::uint8_t> CategoryCodes::sort() {
  std::vector<std::size_t> order(categories_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!are_given_) {
    const std::vector<double> values = numbers();
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      return values.empty() ? categories_[a] < categories_[b] : values[a] < values[b];
    });
  }
  std::vector<std::uint8_t> new_code(order.size());
  std::vector<std::string> sorted;
  for (std::size_t place = 0; place < order.size(); ++place) {
    new_code[order[place]] = static_cast<std::uint8_t>(place);
    sorted.push_back(categories_[order[place]]);
  }
  categories_ = std::move(sorted);
  for (auto& [category, code] : codes_) code = new_code[code];
  return new_code;
}

}  // namespace orrery::data
