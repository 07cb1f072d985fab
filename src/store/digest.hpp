// XXH3-64 digests of datasets: streaming, over values as they lie in memory (little-endian).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct XXH3_state_s;

namespace orrery::store {

static_assert(std::endian::native == std::endian::little,
              "digests are defined over little-endian bytes");

class Digest {
 public:
  Digest();
  template <class T>
  void add(std::span<const T> values) {
    add_bytes(std::as_bytes(values));
  }
  /// The bytes of each string and one zero byte.
  void add(const std::vector<std::string>& strings);
  [[nodiscard]] std::uint64_t value() const;

 private:
  struct Free {
    void operator()(XXH3_state_s* state) const noexcept;
  };
  void add_bytes(std::span<const std::byte> bytes);

  std::unique_ptr<XXH3_state_s, Free> state_;
};

template <class T>
std::uint64_t digest_of(std::span<const T> values) {
  Digest digest;
  digest.add(values);
  return digest.value();
}

std::uint64_t digest_of_names(const std::vector<std::string>& names);

/// 16 lower-case hexadecimal digits.
std::string digest_to_hex(std::uint64_t digest);
/// The reverse; nothing if `text` is anything else.
std::optional<std::uint64_t> digest_from_hex(std::string_view text);

}  // namespace orrery::store
