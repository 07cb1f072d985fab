#include "family/batches.hpp"

#include <cstring>
#include <utility>

namespace orrery::family {
namespace {

constexpr const char* array_name = "batches";  // of each its number of bytes, then the bytes
constexpr const char* part_name = "part";      // of the batch that is under way: the same
constexpr const char* units_name = "part_units";

std::size_t words_of(std::uint64_t n_bytes) { return static_cast<std::size_t>((n_bytes + 7) / 8); }

void append(const std::vector<std::byte>& bytes, std::vector<std::uint64_t>& words) {
  words.push_back(bytes.size());
  const std::size_t first = words.size();
  words.resize(first + words_of(bytes.size()), 0);
  if (!bytes.empty()) std::memcpy(words.data() + first, bytes.data(), bytes.size());
}

/// `first`: the word with the number of bytes, which must fit.
std::vector<std::byte> bytes_at(const std::vector<std::uint64_t>& words, std::size_t first) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(words[first]));
  if (!bytes.empty()) std::memcpy(bytes.data(), words.data() + first + 1, bytes.size());
  return bytes;
}

bool fits(const std::vector<std::uint64_t>& words, std::size_t first) {
  return words[first] <= 8 * (words.size() - first - 1);
}

}  // namespace

void require_batch(bool fits) { learning::require(fits, array_name); }

KeptBatches::KeptBatches(const parallel::Team& team, learning::Checkpoints checkpoints)
    : team_(team), checkpoints_(std::move(checkpoints)) {
  if (team.is_root()) {
    const auto& arrays = checkpoints_.state().words;
    const auto found = arrays.find(array_name);
    const std::size_t n = found == arrays.end() ? 0 : found->second.size();
    for (std::size_t at = 0; at < n;) {
      require_batch(fits(found->second, at));
      first_.push_back(at);
      at += 1 + words_of(found->second[at]);
    }
  }
  std::vector<std::uint64_t> n_done{first_.size()};
  team.broadcast(n_done);
  n_done_ = n_done[0];
}

std::vector<std::byte> KeptBatches::batch(std::uint64_t index) const {
  const std::vector<std::uint64_t>& words = learning::array(checkpoints_.state().words, array_name);
  return bytes_at(words, first_[static_cast<std::size_t>(index)]);
}

void KeptBatches::add(const std::vector<std::byte>& bytes) {
  if (!keeps()) return;
  if (team_.is_root()) {
    auto& words = checkpoints_.state().words;
    append(bytes, words[array_name]);
    words.erase(part_name);
    words.erase(units_name);
  }
  checkpoints_.keep(team_, checkpoints_.pause_now(team_));
}

KeptBatches::Part KeptBatches::part(std::uint64_t index, std::uint64_t n_units) const {
  Part part{{n_units, 0, {}}, {}};
  const auto& arrays = checkpoints_.state().words;
  if (team_.is_root() && index == n_done_ && arrays.contains(part_name)) {
    const std::vector<std::uint64_t>& words = learning::array(arrays, part_name);
    require_batch(!words.empty() && fits(words, 0));
    part = {learning::unpack_units(learning::array(arrays, units_name)), bytes_at(words, 0)};
    require_batch(part.units.total == n_units);
  }
  std::vector<std::uint64_t> units = learning::pack(part.units);
  team_.broadcast(units);
  part.units = learning::unpack_units(units);
  return part;
}

void KeptBatches::keep_part(parallel::Team::Pause pause, const Part& part) {
  if (team_.is_root()) {
    auto& words = checkpoints_.state().words;
    words[units_name] = learning::pack(part.units);
    words[part_name].clear();
    append(part.bytes, words[part_name]);
  }
  checkpoints_.keep(team_, pause);
}

}  // namespace orrery::family
