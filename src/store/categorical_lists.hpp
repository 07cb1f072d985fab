// Lists of different lengths as two datasets: their lengths, and their values one list after the
// other.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "store/dataset.hpp"

namespace orrery::store {

template <class T>
struct Lists {
  std::vector<std::uint32_t> lengths;
  std::vector<T> values;

  Lists() = default;
  explicit Lists(const std::vector<std::vector<T>>& lists) {
    for (const std::vector<T>& list : lists) {
      lengths.push_back(static_cast<std::uint32_t>(list.size()));
      values.insert(values.end(), list.begin(), list.end());
    }
  }
  [[nodiscard]] std::uint64_t total() const {
    return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
  }
  /// `values` must be total() of them.
  [[nodiscard]] std::vector<std::vector<T>> split() const {
    std::vector<std::vector<T>> lists;
    auto next = values.begin();
    for (const std::uint32_t length : lengths) {
      lists.emplace_back(next, next + static_cast<std::ptrdiff_t>(length));
      next += static_cast<std::ptrdiff_t>(length);
    }
    return lists;
  }
};

/// As many numbers as the dataset holds. Throws FormatError, as all that read.
template <class T>
std::vector<T> read_numbers(const hdf5::Handle& group, const std::string& name) {
  const Dataset dataset = Dataset::open(group, name, hdf5::number_type<T>(), 1);
  return read_values<T>(dataset);
}

template <class T>
void write_lists(const hdf5::Handle& group, const std::string& lengths, const std::string& values,
                 const std::vector<std::vector<T>>& lists) {
  const Lists<T> flat(lists);
  write_array(group, lengths, flat.lengths);
  write_array(group, values, flat.values);
}

inline void write_text_lists(const hdf5::Handle& group, const std::string& lengths,
                             const std::string& values,
                             const std::vector<std::vector<std::string>>& lists) {
  const Lists<std::string> flat(lists);
  write_array(group, lengths, flat.lengths);
  write_strings(group, values, flat.values);
}

template <class T>
std::vector<std::vector<T>> read_lists(const hdf5::Handle& group, const std::string& lengths,
                                       const std::string& values) {
  Lists<T> flat;
  flat.lengths = read_numbers<std::uint32_t>(group, lengths);
  flat.values = read_array<T>(group, values, {flat.total()});
  return flat.split();
}

/// Of `n` lists.
inline std::vector<std::vector<std::string>> read_text_lists(const hdf5::Handle& group,
                                                             const std::string& lengths,
                                                             const std::string& values,
                                                             std::size_t n) {
  Lists<std::string> flat;
  flat.lengths = read_array<std::uint32_t>(group, lengths, {n});
  flat.values = read_strings(group, values, flat.total());
  return flat.split();
}

}  // namespace orrery::store
