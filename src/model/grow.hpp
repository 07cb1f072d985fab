// Scratch that is kept from row to row only grows.
#pragma once

#include <cstddef>

namespace orrery::model {

template <class Values>
void grow(Values& values, std::size_t size) {
  if (values.size() < size) values.resize(size);
}

}  // namespace orrery::model
