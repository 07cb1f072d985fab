/// A list of entries as columns, one per field, as a file keeps them.
#pragma once

#include <cstddef>
#include <vector>

namespace orrery::noisy_or {

/// One field of all entries, in their order.
template <class Value, class Entry>
std::vector<Value> column(const std::vector<Entry>& entries, Value Entry::*member) {
  std::vector<Value> values;
  values.reserve(entries.size());
  for (const Entry& entry : entries) values.push_back(entry.*member);
  return values;
}

/// Values in the file's order, in another.
template <class Value>
std::vector<Value> in_order(const std::vector<Value>& values,
                            const std::vector<std::size_t>& places) {
  std::vector<Value> ordered;
  for (const std::size_t place : places) ordered.push_back(values[place]);
  return ordered;
}

}  // namespace orrery::noisy_or
