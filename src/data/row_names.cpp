#include "data/row_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "data/cells.hpp"
#include "data/columns.hpp"
#include "orrery/base/error.hpp"
#include "orrery/data/sample_sink.hpp"

namespace orrery::data {

void RowNames::add(const RowNames& others) {
  const std::uint64_t before = bytes_.size();
  bytes_ += others.bytes_;
  for (const std::uint64_t end : others.ends_) ends_.push_back(before + end);
}

std::size_t RowNames::longest() const noexcept {
  std::size_t longest = 0;
  for (std::size_t row = 0; row < size(); ++row) longest = std::max(longest, at(row).size());
  return longest;
}

namespace {

std::string unfit_alone(const RowNames& names) {
  for (std::size_t row = 0; row < names.size(); ++row) {
    const std::string_view name = names.at(row);
    if (!name.empty() && name.size() <= longest_name && is_utf8(name) &&
        !has_control_character(name)) {
      continue;
    }
    return fmt::format("row {} has {}", format_count(row + 1),
                       name.empty() ? "none" : in_quotes(name) + ", which is no short UTF-8 text");
  }
  return {};
}

}  // namespace

std::string unfit_as_row_names(const RowNames& names) {
  std::string unfit = unfit_alone(names);
  if (!unfit.empty()) return unfit;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> hashes;  // and their rows
  hashes.reserve(names.size());
  for (std::size_t row = 0; row < names.size(); ++row) {
    hashes.emplace_back(std::hash<std::string_view>{}(names.at(row)), row);
  }
  std::ranges::sort(hashes);
  std::uint64_t first = names.size();  // the first row whose name was there before
  std::uint64_t before = 0;
  for (std::size_t i = 1; i < hashes.size(); ++i) {
    const auto [hash, row] = hashes[i];
    if (hashes[i - 1].first != hash || names.at(hashes[i - 1].second) != names.at(row)) continue;
    if (row < first) {
      first = row;
      before = hashes[i - 1].second;
    }
  }
  if (first == names.size()) return {};
  return fmt::format("rows {} and {} are both called {}", format_count(before + 1),
                     format_count(first + 1), in_quotes(names.at(first)));
}

bool are_fit(const std::string& file, const RowNames& names, std::uint64_t n_rows) {
  if (names.size() != n_rows || names.empty()) return false;
  const std::string unfit = unfit_as_row_names(names);
  if (unfit.empty()) return true;
  if (names.are_guessed()) {
    throw InputError(
        fmt::format("{}: the first column has no name in the header, and does not name the rows, "
                    "since {}; name "
                    "the column there, or leave it out with --drop '{}'",
                    file, unfit, unnamed_index));
  }
  log::warning("{}: the names of the rows are left out, since {}", file, unfit);
  return false;
}

}  // namespace orrery::data
