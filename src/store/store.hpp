// HDF5 files: one schema, versioned, documented in README.md beside it. Every file is written to a
// temporary name, closed, read back and checked, synced and renamed; every dataset carries an XXH3
// digest that is verified when it is read.
//
// Reading throws InputError: not an HDF5 file, another program's file, truncated, a newer schema
// (both versions named), a group that is absent (what the file holds instead), a damaged dataset
// (digest differs). Writing throws EnvironmentError: no permission, disk full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "data/row_names.hpp"
#include "moments/pair_counts.hpp"
#include "orrery/data/bit_columns.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/data/sample_sink.hpp"
#include "store/archive.hpp"
#include "store/run.hpp"

namespace orrery::store {

inline constexpr std::uint32_t schema_version = 1;

/// Streams samples into /samples of a new file: blocks arrive in order, one is held at a time.
class SampleWriter final : public data::SampleSink {
 public:
  explicit SampleWriter(const std::filesystem::path& path);
  ~SampleWriter() override;
  void begin(const std::vector<std::string>& names) override;
  void append(const data::BitColumns& values, const data::BitColumns* missing) override;
  void name_rows(const data::RowNames& names) override;
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

/// The digest of the samples and their shape.
struct SampleHeader {
  std::uint64_t n_samples = 0;
  std::uint64_t n_observed = 0;
  std::uint64_t digest = 0;
  bool has_missing = false;
};

/// Samples of a file a block of rows at a time, in any order and by any rank: each block has a
/// digest of its own, so that whoever reads a part can tell that it is whole.
class SampleReader {
 public:
  /// Reads the header, the names and the digests, not the bits. Throws InputError.
  explicit SampleReader(const std::filesystem::path& path);
  /// Rows in memory instead, as if they had been written and were read: the digest is that of the
  /// file that they would make. Of one variable at least.
  explicit SampleReader(data::SampleMatrix samples);
  SampleReader(const SampleReader&) = delete;
  SampleReader& operator=(const SampleReader&) = delete;
  ~SampleReader();

  [[nodiscard]] const SampleHeader& header() const;
  [[nodiscard]] const std::vector<std::string>& names() const;
  /// Blocks of data::block_rows(n_observed) rows.
  [[nodiscard]] std::size_t n_blocks() const;
  /// Rows of a block (the last may be shorter).
  [[nodiscard]] std::size_t rows_of(std::size_t block) const;

  struct Block {
    data::BitColumns values;
    std::optional<data::BitColumns> missing;  ///< if the file has a mask
  };
  /// Reads and verifies one block; nothing else is held. Thread-safe. Throws InputError naming the
  /// file, the block and both digests if it is damaged.
  [[nodiscard]] Block read(std::size_t block) const;
  /// Of the blocks read so far.
  [[nodiscard]] std::uint64_t bytes_read() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// All samples in memory; see SampleReader for a part of them.
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

/// What the rows of a file's samples are called, of bits, numbers or categories alike; none if they
/// have no names. Throws InputError.
data::RowNames read_row_names(const std::filesystem::path& path);

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
