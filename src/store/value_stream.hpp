// One-dimensional datasets that are written and read in pieces, in bounded memory.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "store/dataset.hpp"

namespace orrery::store {

inline constexpr hsize_t most_in_chunk = 65536;

/// Small data make a small file.
inline hsize_t chunk_of(std::uint64_t n_rows) {
  return std::clamp<hsize_t>(n_rows, 1, most_in_chunk);
}

/// A one-dimensional dataset that grows as its values come.
template <class T>
class ValueStream {
 public:
  ValueStream(const hdf5::Handle& group, const std::string& name, std::uint64_t n_rows)
      : dataset_(
            Dataset::create_growing_list(group, name, hdf5::number_type<T>(), chunk_of(n_rows))) {}

  void append(std::span<const T> values) {
    dataset_.extend(n_ + values.size());
    dataset_.write({n_}, {values.size()}, values.data());
    digest_.add(values);
    n_ += values.size();
  }
  void append(const std::vector<T>& values) { append(std::span<const T>(values)); }
  void finish() {
    dataset_.write_digest(digest_.value());
    dataset_.close();
  }

 private:
  Dataset dataset_;
  Digest digest_;
  hsize_t n_ = 0;
};

inline constexpr const char* remedy = "the file was not written by orrery; write it anew";

/// The values, n of them, in order and in pieces, then their digest.
template <class T, class Visit>
void for_each_value(const hdf5::Handle& group, const std::string& name, std::uint64_t n,
                    const Visit& visit) {
  const Dataset dataset = Dataset::open(group, name, hdf5::number_type<T>(), 1);
  dataset.require_shape({n});
  std::vector<T> piece;
  Digest digest;
  for (std::uint64_t first = 0; first < n; first += most_in_chunk) {
    piece.resize(std::min<std::uint64_t>(most_in_chunk, n - first));
    dataset.read({first}, {piece.size()}, piece.data());
    digest.add(std::span<const T>(piece));
    for (const T value : piece) visit(value);
  }
  dataset.require_digest(digest.value());
}

/// n values that are at most `most`; for probabilities NaN is allowed, for others there is none.
template <class T>
void read_bounded(const hdf5::Handle& group, const std::string& name, std::uint64_t n, T most,
                  std::vector<T>* into) {
  for_each_value<T>(group, name, n, [&](T value) {
    if (value < 0 || value > most) {
      throw hdf5::FormatError(fmt::format("{}/{} holds {}, but must be from 0 to {}; {}",
                                          hdf5::object_name(group), name, value, most, remedy));
    }
    if (into != nullptr) into->push_back(value);
  });
}

template <class T>
void read_any(const hdf5::Handle& group, const std::string& name, std::uint64_t n,
              std::vector<T>* into) {
  for_each_value<T>(group, name, n, [&](T value) {
    if (into != nullptr) into->push_back(value);
  });
}

}  // namespace orrery::store
