// XXH3 from xxHash's header: its functions are compiled here, so that no library of it is linked.
#include "store/digest.hpp"

#define XXH_STATIC_LINKING_ONLY
#define XXH_IMPLEMENTATION
#include <fmt/format.h>
#include <xxhash.h>

#include <charconv>
#include <new>

#include "store/store.hpp"

namespace orrery::store {

Digest::Digest() : state_(XXH3_createState()) {
  if (state_ == nullptr) {
    throw std::bad_alloc();
  }
  XXH3_64bits_reset(state_.get());
}

void Digest::Free::operator()(XXH3_state_s* state) const noexcept { XXH3_freeState(state); }

void Digest::add_bytes(std::span<const std::byte> bytes) {
  if (!bytes.empty()) {
    XXH3_64bits_update(state_.get(), bytes.data(), bytes.size());
  }
}

void Digest::add(const std::vector<std::string>& strings) {
  for (const std::string& text : strings) {
    add(std::span<const char>(text.c_str(), text.size() + 1));
  }
}

std::uint64_t Digest::value() const { return XXH3_64bits_digest(state_.get()); }

std::uint64_t digest_of_names(const std::vector<std::string>& names) {
  Digest digest;
  digest.add(names);
  return digest.value();
}

std::uint64_t digest_of_text(std::string_view text) { return digest_of(std::span(text)); }

std::string digest_to_hex(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

std::optional<std::uint64_t> digest_from_hex(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  if (text.size() != 16 || text.find_first_not_of(digits) != std::string_view::npos) {
    return std::nullopt;
  }
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value;
}

}  // namespace orrery::store
