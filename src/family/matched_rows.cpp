#include "family/matched_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "base/log.hpp"
#include "data/bits.hpp"
#include "orrery/base/error.hpp"
#include "store/store.hpp"

namespace orrery::family {

namespace {

/// "3 (ann, bob, cat)", at most five of them.
std::string numbered_names(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 5;
  std::string text = fmt::format("{} (", names.size());
  for (std::size_t i = 0; i < std::min(names.size(), shown); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return text + (names.size() > shown ? ", ...)" : ")");
}

data::ColumnUnions places_as_unions(const std::vector<std::string>& names,
                                    const std::vector<std::size_t>& columns) {
  data::ColumnUnions places{names, {}};
  for (const std::size_t column : columns) places.members.push_back({column});
  return places;
}

/// Place by name.
std::map<std::string, std::size_t> places_of(const std::vector<std::string>& names,
                                             const std::string& source) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [found, fresh] = places.emplace(names[i], i);
    if (!fresh) {
      throw InputError(
          fmt::format("{}: variables {} and {} are both called '{}', but columns are matched by "
                      "name; rename one of them",
                      source, found->second, i, names[i]));
    }
  }
  return places;
}

}  // namespace

std::vector<std::size_t> columns_by_name(const std::vector<std::string>& names,
                                         const std::vector<std::string>& columns,
                                         const std::string& model_source,
                                         const std::string& data_source, Use use) {
  (void)places_of(names, model_source);
  const std::map<std::string, std::size_t> places = places_of(columns, data_source);
  std::vector<std::size_t> matched;
  std::vector<std::string> lacking;
  for (const std::string& name : names) {
    const auto place = places.find(name);
    if (place == places.end()) {
      lacking.push_back(name);
    } else {
      matched.push_back(place->second);
    }
  }
  if (lacking.empty()) return matched;
  const std::set<std::string> known(names.begin(), names.end());
  std::vector<std::string> extra;
  for (const std::string& name : columns) {
    if (!known.contains(name)) extra.push_back(name);
  }
  throw InputError(fmt::format(
      "{}: of the {} variables of {}, the data lack {}{}; columns are matched by name: rename "
      "them, or {}",
      data_source, names.size(), model_source, numbered_names(lacking),
      extra.empty() ? "" : "; they have others: " + numbered_names(extra),
      use == Use::learning
          ? fmt::format("leave the variables that have no data out of {}", model_source)
          : "add these columns, empty in the rows where nobody looked (import needs a value in one "
            "row at least)"));
}

std::vector<std::size_t> match_columns(const std::vector<std::string>& names,
                                       const std::vector<std::string>& columns,
                                       const std::string& model_source,
                                       const std::string& data_source) {
  const auto matched = columns_by_name(names, columns, model_source, data_source);
  warn_of_unused(columns, places_as_unions(names, matched), model_source, data_source);
  return matched;
}

data::SampleMatrix in_order(const data::SampleMatrix& samples, const data::ColumnUnions& places) {
  const auto moved = [&](const data::BitPanels& from) {
    data::BitPanels into(places.members.size(), from.n_rows());
    into.insert(0, data::unite(from.extract(0, from.n_rows()), places));
    return into;
  };
  data::SampleMatrix sorted;
  sorted.names = places.names;
  sorted.digest = samples.digest;
  sorted.values = moved(samples.values);
  if (samples.missing) sorted.missing = moved(*samples.missing);
  return sorted;
}

data::SampleMatrix read_matched_samples(const std::vector<std::string>& names,
                                        const std::string& model_source, const std::string& path) {
  data::SampleMatrix samples = store::read_samples(path);
  const auto columns = match_columns(names, samples.names, model_source, path);
  if (samples.names == names) return samples;
  return in_order(samples, places_as_unions(names, columns));
}

void warn_of_unused(const std::vector<std::string>& columns, const data::ColumnUnions& used,
                    const std::string& model_source, const std::string& data_source) {
  std::vector<bool> is_used(columns.size(), false);
  for (const auto& members : used.members) {
    for (const std::size_t member : members) is_used[member] = true;
  }
  std::vector<std::string> extra;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (!is_used[c]) extra.push_back(columns[c]);
  }
  if (extra.empty()) return;
  log::warning("{}: columns that {} does not have are not used: {}", data_source, model_source,
               numbered_names(extra));
}

void MatchedRows::transpose(const data::BitColumns& block, std::size_t first,
                            std::vector<std::uint64_t>& rows) const {
  rows.resize(64 * n_words());
  for (std::size_t word = 0; word < n_words(); ++word) {
    data::BitSquare square{};
    const std::size_t n = std::min<std::size_t>(64, members_.size() - 64 * word);
    for (std::size_t c = 0; c < n; ++c) {
      for (const std::size_t member : members_[64 * word + c]) {
        square[c] |= block.column(member)[first / 64];
      }
    }
    data::transpose(square);
    for (std::size_t r = 0; r < 64; ++r) rows[r * n_words() + word] = square[r];
  }
}

void MatchedRows::load(const store::SampleReader::Block& block, std::size_t first) {
  transpose(block.values, first, values_);
  missing_.clear();
  if (!block.missing) return;
  transpose(*block.missing, first, missing_);
  for (std::size_t i = 0; i < missing_.size(); ++i) missing_[i] &= ~values_[i];
}

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
