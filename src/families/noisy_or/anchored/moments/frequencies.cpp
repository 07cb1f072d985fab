#include "families/noisy_or/anchored/moments/frequencies.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "kernels/kernels.hpp"
#include "model/network_moments.hpp"

namespace orrery::anchored {
namespace {

using data::panel_lanes;

constexpr std::size_t most_groups = 32;
constexpr std::size_t strip_words = 256;  // of eight columns: 16 KiB

std::size_t words_of(std::uint64_t n_samples) {
  return static_cast<std::size_t>((n_samples + 63) / 64);
}

/// Words first, first + step, ... : how many of them.
struct Words {
  std::size_t first, step, count;
  [[nodiscard]] std::size_t at(std::size_t i) const { return first + step * i; }
};

/// Every groups-th word of 64 rows: files are often sorted, and neighbours then all of a kind.
Words words_of_group(std::size_t group, std::size_t groups, std::size_t n_words) {
  return {group, groups, (n_words - group + groups - 1) / groups};
}

std::uint64_t word_of(const Observations& observed, const Column& column, std::size_t w) {
  switch (column.kind) {
    case Column::Kind::observed:
      return observed.values.word(column.index, w);
    case Column::Kind::label_on:
      return observed.labels->values.word(column.index, w);
    case Column::Kind::labelled:
      return observed.labels->known.word(column.index, w);
    case Column::Kind::every_row:
      break;
  }
  const std::uint64_t rest = observed.n_samples - 64 * static_cast<std::uint64_t>(w);
  return rest >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
}

/// Eight lanes of these words, each the AND of its columns.
void fill_panel(const Observations& observed, std::span<const Product> lanes, const Words& words,
                std::span<std::uint64_t> panel) {
  std::ranges::fill(panel, 0);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    for (std::size_t i = 0; i < words.count; ++i) {
      const std::size_t w = words.at(i);
      std::uint64_t word = word_of(observed, {Column::Kind::every_row, 0}, w);
      for (const Column& column : lanes[lane]) word &= word_of(observed, column, w);
      panel[panel_lanes * i + lane] = word;
    }
  }
}

/// The columns, and every row, as products of one.
std::vector<Product> right_lanes(std::span<const Column> columns) {
  std::vector<Product> lanes;
  for (const Column& column : columns) lanes.push_back({column});
  lanes.emplace_back();
  return lanes;
}

}  // namespace

std::size_t n_groups(std::uint64_t n_samples) noexcept {
  return std::min(most_groups, words_of(n_samples));
}

namespace {

/// Adds the counts of these words to `sums`, products x lanes.
void count_strip(const Observations& observed, std::span<const Product> products,
                 std::span<const Product> lanes, const Words& words, std::span<double> sums) {
  const std::size_t n_words = words.count;
  const std::size_t n_panels = (lanes.size() + panel_lanes - 1) / panel_lanes;
  data::AlignedVector<std::uint64_t> right(n_panels * panel_lanes * n_words);
  for (std::size_t p = 0; p < n_panels; ++p) {
    const std::size_t n = std::min(panel_lanes, lanes.size() - panel_lanes * p);
    fill_panel(observed, lanes.subspan(panel_lanes * p, n), words,
               std::span(right).subspan(p * panel_lanes * n_words, panel_lanes * n_words));
  }
  data::AlignedVector<std::uint64_t> left(panel_lanes * n_words);
  std::array<std::uint32_t, panel_lanes * panel_lanes> tile{};
  const kernels::Kernel& kernel = kernels::active();
  for (std::size_t first = 0; first < products.size(); first += panel_lanes) {
    const std::size_t n = std::min(panel_lanes, products.size() - first);
    fill_panel(observed, products.subspan(first, n), words, left);
    for (std::size_t p = 0; p < n_panels; ++p) {
      kernel.tile(left.data(), right.data() + p * panel_lanes * n_words, n_words, tile.data(),
                  panel_lanes);
      const std::size_t width = std::min(panel_lanes, lanes.size() - panel_lanes * p);
      for (std::size_t r = 0; r < n; ++r) {
        double* const row = sums.data() + (first + r) * lanes.size() + panel_lanes * p;
        for (std::size_t c = 0; c < width; ++c) row[c] += tile[panel_lanes * r + c];
      }
    }
  }
}

std::vector<double> exact_probabilities(const model::NoisyOrNetwork& network,
                                        std::span<const Product> products,
                                        std::span<const Column> columns) {
  const model::AnchoredMoments moments(network);
  std::vector<double> values;
  std::vector<std::uint32_t> set;
  const auto probability = [&] {
    std::ranges::sort(set);
    set.erase(std::unique(set.begin(), set.end()), set.end());
    return set.empty() ? 1.0 : moments.table(set).back();
  };
  for (const Product& product : products) {
    for (std::size_t c = 0; c <= columns.size(); ++c) {
      set.clear();
      for (const Column& column : product) set.push_back(column.index);
      if (c < columns.size() && columns[c].kind == Column::Kind::observed) {
        set.push_back(columns[c].index);
      }
      values.push_back(probability());
    }
  }
  return values;
}

}  // namespace

Frequencies::Frequencies(const Observations& observed, std::span<const Product> products,
                         std::span<const Column> columns)
    : n_products_(products.size()), n_columns_(columns.size()) {
  if (observed.exact != nullptr) {
    rows_ = {1};
    counts_ = exact_probabilities(*observed.exact, products, columns);
    return;
  }
  const std::size_t groups = n_groups(observed.n_samples);
  const std::size_t n_words = words_of(observed.n_samples);
  const std::size_t size = n_products_ * (n_columns_ + 1);
  const std::vector<Product> lanes = right_lanes(columns);
  rows_.assign(1 + groups, 0);
  counts_.assign((1 + groups) * size, 0);
  for (std::size_t g = 0; g < groups; ++g) {
    const auto sums = std::span(counts_).subspan((1 + g) * size, size);
    const Words words = words_of_group(g, groups, n_words);
    for (std::size_t i = 0; i < words.count; i += strip_words) {
      const std::size_t count = std::min(strip_words, words.count - i);
      count_strip(observed, products, lanes, {words.at(i), groups, count}, sums);
    }
    for (std::size_t i = 0; i < size; ++i) counts_[i] += sums[i];
    const bool has_last = (n_words - 1) % groups == g;
    rows_[1 + g] =
        static_cast<double>(64 * words.count - (has_last ? 64 * n_words - observed.n_samples : 0));
    rows_[0] += rows_[1 + g];
  }
  // From counts of a group to those of all the others.
  for (std::size_t g = 0; g < groups; ++g) {
    rows_[1 + g] = rows_[0] - rows_[1 + g];
    double* const others = counts_.data() + (1 + g) * size;
    for (std::size_t i = 0; i < size; ++i) others[i] = counts_[i] - others[i];
  }
}

double Frequencies::on(std::size_t view, std::size_t product, std::size_t column) const noexcept {
  return counts_[(view * n_products_ + product) * (n_columns_ + 1) + column] / rows_[view];
}

double jackknife_error(std::span<const double> values) {
  double sum = 0;
  double n = 0;
  for (const double value : values.subspan(1)) {
    if (std::isnan(value)) continue;
    sum += value;
    n += 1;
  }
  if (n < 2) return values.size() == 1 ? 0 : std::nan("");
  double squares = 0;
  for (const double value : values.subspan(1)) {
    if (!std::isnan(value)) squares += (value - sum / n) * (value - sum / n);
  }
  return std::sqrt((n - 1) / n * squares);
}

double tail_probability(double t, std::uint64_t n_samples) {
  const std::size_t groups = n_groups(n_samples);
  if (groups < 2 || std::isinf(t)) return 0;
  if (std::isnan(t)) return 1;
  const boost::math::students_t_distribution<double> law(static_cast<double>(groups) - 1);
  return 2 * boost::math::cdf(boost::math::complement(law, std::abs(t)));
}

}  // namespace orrery::anchored
