// Samples in memory, one copy per host.
#include <utility>

#include "base/progress.hpp"
#include "learning/learner.hpp"
#include "learning/load.hpp"
#include "learning/row_slices.hpp"
#include "orrery/base/error.hpp"
#include "store/store.hpp"

namespace orrery::learning {
namespace {

std::vector<std::byte> pack_names(const std::vector<std::string>& names) {
  std::vector<std::byte> bytes;
  for (const std::string& name : names) {
    for (const char c : name) bytes.push_back(static_cast<std::byte>(c));
    bytes.push_back(std::byte{0});
  }
  return bytes;
}

std::vector<std::string> unpack_names(const std::vector<std::byte>& bytes) {
  std::vector<std::string> names;
  std::string name;
  for (const std::byte byte : bytes) {
    if (byte == std::byte{0}) {
      names.push_back(std::exchange(name, {}));
    } else {
      name += static_cast<char>(byte);
    }
  }
  return names;
}

/// Nothing is to be kept yet: the run is simply given up.
void give_up_if_stopped(const parallel::Team& team) {
  if (!team.stop_requested()) return;
  throw Error(ExitCode::checkpointed, "stopped while reading; nothing is lost, run it again");
}

/// Of whole samples, at rank 0.
void fill(const parallel::Team& team, const store::SampleReader& reader,
          const data::ColumnUnions* unions, data::SampleMatrix& samples) {
  Progress progress("read", reader.header().n_samples, "rows");
  std::size_t row = 0;
  for (std::size_t block = 0; block < reader.n_blocks(); ++block) {
    give_up_if_stopped(team);
    store::SampleReader::Block rows = reader.read(block);
    set_missing_on(rows);
    samples.values.insert(row, unions == nullptr ? rows.values : data::unite(rows.values, *unions));
    if (samples.missing) samples.missing->insert(row, *rows.missing);
    row += rows.values.n_rows();
    progress.set(row);
  }
}

}  // namespace

data::BitPanels room_on_host(const parallel::Team& team, std::size_t n_columns, std::size_t n_rows,
                             std::uint64_t*& shared) {
  shared = team.host_words(data::BitPanels::words_needed(n_columns, n_rows));
  return shared == nullptr ? data::BitPanels(n_columns, n_rows)
                           : data::BitPanels(n_columns, n_rows, shared);
}

std::vector<std::string> read_names(const parallel::Team& team, const std::string& path) {
  std::vector<std::byte> names;
  if (team.is_root()) names = pack_names(store::SampleReader(path).names());
  team.broadcast_bytes(names);
  return unpack_names(names);
}

data::SampleMatrix load_whole(const parallel::Team& team, const std::string& path,
                              const Needs& needs, const data::ColumnUnions* unions) {
  data::SampleMatrix samples;
  std::unique_ptr<store::SampleReader> reader;
  std::vector<std::uint64_t> shape(4);
  std::vector<std::byte> names;
  if (team.is_root()) {
    reader = std::make_unique<store::SampleReader>(path);
    const store::SampleHeader& header = reader->header();
    require_columns(header.n_observed, path, needs);
    require_rows(header.n_samples, path, needs);
    shape = {header.n_samples, header.n_observed, header.digest, header.has_missing ? 1U : 0U};
    names = pack_names(unions == nullptr ? reader->names() : unions->names);
    if (unions != nullptr) {
      shape[1] = unions->names.size();
      if (shape[3] != 0) throw InputError(path + ": values are missing, and unions take none");
    }
  }
  team.broadcast(shape);
  team.broadcast_bytes(names);
  samples.names = unpack_names(names);
  samples.digest = shape[2];
  std::uint64_t* shared_values = nullptr;
  std::uint64_t* shared_missing = nullptr;
  samples.values = room_on_host(team, shape[1], shape[0], shared_values);
  if (shape[3] != 0) samples.missing = room_on_host(team, shape[1], shape[0], shared_missing);
  if (team.is_root()) fill(team, *reader, unions, samples);
  const std::size_t n_words = samples.values.words().size();
  if (shared_values != nullptr) team.broadcast_to_hosts(shared_values, n_words);
  if (shared_missing != nullptr) team.broadcast_to_hosts(shared_missing, n_words);
  return samples;
}

}  // namespace orrery::learning
