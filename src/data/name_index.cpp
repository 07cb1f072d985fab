#include "data/name_index.hpp"

#include <utility>

namespace orrery::data {

std::size_t NameIndex::slot_of(std::string_view name, std::uint64_t hash) const noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; slots_[at].number != none; at = (at + 1) & mask) {
    if (slots_[at].hash == hash >> 32U && (*this)[slots_[at].number] == name) break;
  }
  return at;
}

std::uint32_t NameIndex::find(std::string_view name) const noexcept {
  return slots_.empty() ? none : slots_[slot_of(name, hash(name))].number;
}

std::uint32_t NameIndex::add(std::string_view name) {
  if (2 * (size() + 1) > slots_.size()) grow();
  const std::uint64_t own_hash = hash(name);
  Slot& slot = slots_[slot_of(name, own_hash)];
  if (slot.number == none) {
    letters_ += name;
    ends_.push_back(letters_.size());
    slot = {static_cast<std::uint32_t>(size() - 1), static_cast<std::uint32_t>(own_hash >> 32U)};
  }
  return slot.number;
}

void NameIndex::grow() {
  constexpr std::size_t smallest = 16;
  slots_.assign(slots_.empty() ? smallest : 2 * slots_.size(), {});
  for (std::uint32_t number = 0; number < size(); ++number) {
    const std::uint64_t own_hash = hash((*this)[number]);
    slots_[slot_of((*this)[number], own_hash)] = {number,
                                                  static_cast<std::uint32_t>(own_hash >> 32U)};
  }
}

std::uint64_t NameIndex::bytes() const noexcept {
  return letters_.capacity() + ends_.capacity() * sizeof(std::size_t) +
         slots_.capacity() * sizeof(Slot);
}

}  // namespace orrery::data
