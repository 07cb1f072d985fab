// HDF5 files: one schema, versioned, documented in README. Every file is written to a temporary
// name, closed, read back and checked, synced and renamed; every dataset carries an XXH3 digest
// that is verified when it is read.
//
// Reading throws InputError: not an HDF5 file, another program's file, truncated, a newer schema
// (both versions named), a group that is absent (what the file holds instead), a damaged dataset
// (digest differs). Writing throws EnvironmentError: no permission, disk full.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "moments/pair_counts.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/data/sample_sink.hpp"
#include "store/group_writer.hpp"
#include "store/run_info.hpp"
#include "store/sample_reader.hpp"

namespace orrery::store {

inline constexpr std::uint32_t schema_version = 1;

/// Streams samples into /samples of a new file: blocks arrive in order, one is held at a time.
class SampleWriter final : public data::SampleSink {
 public:
  explicit SampleWriter(const std::filesystem::path& path);
  ~SampleWriter() override;
  void begin(const std::vector<std::string>& names) override;
  void append(const data::BitColumns& values, const data::BitColumns* missing) override;
  /// Writes /run, checks and renames. Without it no file appears. `truth`, if given, stands beside
  /// the samples: the model that `sample` drew them from.
  void finish(const RunInfo& run, const GroupWriter& truth = {});
  /// All of finish() but the renaming.
  void prepare(const RunInfo& run, const GroupWriter& truth = {});
  /// After prepare(): the file appears. Two writers that both prepare first fail together.
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// All samples in memory; see sample_reader.hpp for a part of them.
data::SampleMatrix read_samples(const std::filesystem::path& path);
/// Without reading the bits.
SampleHeader read_sample_header(const std::filesystem::path& path);

/// Streams /moments into a new file: the pair counts, then (order 3) the triple counts of a = 0, 1,
/// ... as moments::TripleSlab orders them.
class MomentsWriter {
 public:
  /// `order` 2 or 3; `data_digest` is that of the samples counted.
  MomentsWriter(const std::filesystem::path& path, const moments::PairCounts& pairs, int order,
                std::uint64_t data_digest, const std::vector<std::string>& names);
  ~MomentsWriter();
  /// The counts of all (a, x, y) with a < x < y: C(m - 1 - a, 2) values, x-major.
  void append_triples(std::size_t a, const std::vector<std::uint32_t>& counts);
  void finish(const RunInfo& run);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads /moments; triple slabs on demand (thread-safe).
class MomentsReader {
 public:
  explicit MomentsReader(const std::filesystem::path& path);
  ~MomentsReader();
  [[nodiscard]] const moments::PairCounts& pairs() const;
  [[nodiscard]] int order() const;
  [[nodiscard]] std::uint64_t data_digest() const;
  [[nodiscard]] const std::vector<std::string>& names() const;
  /// As appended by MomentsWriter::append_triples. Order 3 only.
  [[nodiscard]] std::vector<std::uint32_t> read_triples(std::size_t a) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// XXH3-64 of a text.
[[nodiscard]] std::uint64_t digest_of_text(std::string_view text);

/// What a file holds, by its groups.
struct FileContents {
  std::uint32_t schema = 0;
  std::set<std::string> groups;
  std::optional<RunInfo> run;

  [[nodiscard]] bool has(const std::string& group) const { return groups.contains(group); }
};
FileContents inspect(const std::filesystem::path& path);
/// Bytes of values that this process has read from files of the schema so far.
std::uint64_t bytes_read() noexcept;
/// True if the file begins with HDF5's signature (no error for any readable file).
bool is_hdf5(const std::filesystem::path& path);

}  // namespace orrery::store
