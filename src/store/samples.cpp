// Samples into and out of files, a block of rows at a time.
// Memory: one block (at most 32 MiB of bits, twice that with a mask) beside what the caller holds.
// Time: linear.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <utility>

#include "store/groups.hpp"
#include "store/store.hpp"
#include "store/stored_file.hpp"

namespace orrery::store {

using data::BitColumns;
using hdf5::FormatError;
using hdf5::Handle;

std::uint64_t samples_digest(std::uint64_t n_samples, std::uint64_t n_observed, std::uint64_t bits,
                             std::uint64_t missing, std::uint64_t names) {
  const std::array<std::uint64_t, 5> parts = {n_samples, n_observed, bits, missing, names};
  return digest_of(std::span<const std::uint64_t>(parts));
}

namespace {

bool any_bit(const BitColumns& block) {
  return std::ranges::any_of(block.words(), [](std::uint64_t word) { return word != 0; });
}

/// Without the sum that would overflow at the limit.
std::uint64_t divide_up(std::uint64_t n, std::uint64_t divisor) {
  return n / divisor + (n % divisor != 0 ? 1 : 0);
}

}  // namespace

/// A bit matrix being written: the dataset and the digests of the blocks that it received.
class BitStream {
 public:
  /// `first_words` is the number of words per column of the first block: if that block is shorter
  /// than block_rows, there is no other, and small data makes a small file.
  BitStream(const Handle& group, const std::string& name, std::size_t n_columns,
            std::size_t first_words)
      : dataset_(Dataset::create_growing(
            group, name, hdf5::number_type<std::uint64_t>(), n_columns,
            {std::min<hsize_t>(64, n_columns), std::max<hsize_t>(1, first_words)})) {}

  void append(const BitColumns& block) {
    const hsize_t first = dataset_.shape()[1];
    const hsize_t n_words = block.words_per_column();
    dataset_.extend(first + n_words);
    dataset_.write({0, first}, {block.n_columns(), n_words}, block.words().data());
    block_digests_.push_back(digest_of(block.words()));
  }
  /// Stores the digests of the blocks as a dataset and returns theirs, which is that of the bits.
  std::uint64_t finish(const Handle& group, const std::string& name) {
    const std::uint64_t digest = write_array(group, name, block_digests_);
    dataset_.write_digest(digest);
    dataset_.close();
    return digest;
  }

 private:
  Dataset dataset_;
  std::vector<std::uint64_t> block_digests_;
};

// --------------------------------------------------------------------------------------- writing

struct SampleWriter::State {
  NewFile file;  // first: destroyed after all that is inside it
  Handle group;
  std::vector<std::string> names;
  std::optional<BitStream> bits;
  std::optional<BitStream> missing;
  data::RowNames row_names;
  std::uint64_t n_samples = 0;

  explicit State(const std::filesystem::path& path) : file(path) {}

  void append(const BitColumns& values, const BitColumns* mask);
  void append_missing(const BitColumns& mask);
  /// All of /samples but the bits.
  void finish_samples();
};

void SampleWriter::State::append(const BitColumns& values, const BitColumns* mask) {
  assert(values.n_columns() == names.size());
  assert(values.n_rows() <= data::block_rows(names.size()));
  assert(n_samples % data::block_rows(names.size()) == 0 && "only the last block may be short");
  if (!bits) {
    bits.emplace(group, "bits", names.size(), values.words_per_column());
  }
  bits->append(values);
  if (missing || (mask != nullptr && any_bit(*mask))) {
    append_missing(mask != nullptr ? *mask : BitColumns(names.size(), values.n_rows()));
  }
  n_samples += values.n_rows();
}

void SampleWriter::State::append_missing(const BitColumns& mask) {
  if (!missing) {
    // The first missing value: the blocks before it had none.
    const std::size_t rows = data::block_rows(names.size());
    missing.emplace(group, "missing", names.size(),
                    n_samples > 0 ? rows / 64 : mask.words_per_column());
    const BitColumns none(names.size(), rows);
    for (std::uint64_t row = 0; row < n_samples; row += rows) {
      missing->append(none);
    }
  }
  missing->append(mask);
}

void SampleWriter::State::finish_samples() {
  if (!bits) {
    bits.emplace(group, "bits", names.size(), 0);
  }
  const std::uint64_t bits_digest = bits->finish(group, "block_digests");
  const std::uint64_t missing_digest =
      missing ? missing->finish(group, "missing_block_digests") : 0;
  write_strings(group, "names", names);
  write_row_names(group, row_names);
  const std::uint64_t n_observed = names.size();
  hdf5::write_attribute(group, "n_samples", n_samples);
  hdf5::write_attribute(group, "n_observed", n_observed);
  write_digest_attribute(
      group, "digest",
      samples_digest(n_samples, n_observed, bits_digest, missing_digest, digest_of_names(names)));
  group.close();
}

SampleWriter::SampleWriter(const std::filesystem::path& path)
    : state_(writing(path, [&] { return std::make_unique<State>(path); })) {}

SampleWriter::~SampleWriter() {
  const hdf5::LibraryLock lock;
  state_.reset();
}

void SampleWriter::begin(const std::vector<std::string>& names) {
  if (names.empty()) {
    throw InputError(fmt::format("{}: samples of no variable cannot be stored; give at least one",
                                 state_->file.path().string()));
  }
  require_storable_names(names);
  state_->names = names;
  writing(state_->file.path(),
          [&] { state_->group = hdf5::create_group(state_->file.root(), "samples"); });
}

void SampleWriter::append(const BitColumns& values, const BitColumns* missing) {
  if (values.n_rows() > 0) {
    writing(state_->file.path(), [&] { state_->append(values, missing); });
  }
}

void SampleWriter::name_rows(const data::RowNames& names) { state_->row_names = names; }

void SampleWriter::finish(const RunInfo& run, const GroupWriter& truth) {
  prepare(run, truth);
  commit();
}

void SampleWriter::prepare(const RunInfo& run, const GroupWriter& truth) {
  writing(state_->file.path(), [&] {
    state_->finish_samples();
    if (truth) truth(state_->file.root());
    state_->file.prepare(run);
  });
}

void SampleWriter::commit() {
  writing(state_->file.path(), [&] { state_->file.commit(); });
}

// --------------------------------------------------------------------------------------- reading

namespace {

/// Counting relies on zeros beyond the last row.
void require_clear_tail(const BitColumns& block, const std::string& name) {
  if (block.n_rows() % 64 == 0) {
    return;
  }
  const std::uint64_t beyond = ~std::uint64_t{0} << (block.n_rows() % 64);
  for (std::size_t c = 0; c < block.n_columns(); ++c) {
    if ((block.column(c).back() & beyond) != 0) {
      throw FormatError(
          fmt::format("{} has ones beyond the last sample in row {}; {}", name, c, not_ours));
    }
  }
}

/// And on zeros where a value is missing.
void require_disjoint(const BitColumns& values, const BitColumns& missing) {
  for (std::size_t w = 0; w < values.words().size(); ++w) {
    if ((values.words()[w] & missing.words()[w]) != 0) {
      throw FormatError(
          fmt::format("/samples/bits is 1 where /samples/missing says missing, in row {}; {}",
                      w / values.words_per_column(), not_ours));
    }
  }
}

}  // namespace

StoredBits::StoredBits(const Handle& group, const std::string& name, const std::string& digests,
                       std::uint64_t n_samples, std::uint64_t n_observed)
    : dataset_(Dataset::open(group, name, hdf5::number_type<std::uint64_t>(), 2)) {
  dataset_.require_shape({n_observed, divide_up(n_samples, 64)});
  const std::uint64_t n_blocks = divide_up(n_samples, data::block_rows(n_observed));
  block_digests_ = read_array<std::uint64_t>(group, digests, {n_blocks});
  if (dataset_.stored_digest() != digest()) {
    throw FormatError(fmt::format("the digest of {} is {}, but its blocks' digests give {}; {}",
                                  this->name(), digest_to_hex(dataset_.stored_digest()),
                                  digest_to_hex(digest()), not_ours));
  }
}

std::uint64_t StoredBits::digest() const {
  return digest_of(std::span<const std::uint64_t>(block_digests_));
}

BitColumns StoredBits::read(std::size_t block, std::size_t n_rows) const {
  const std::uint64_t first_row = block * data::block_rows(dataset_.shape()[0]);
  BitColumns bits(dataset_.shape()[0], n_rows);
  dataset_.read({0, first_row / 64}, {bits.n_columns(), bits.words_per_column()},
                bits.words().data());
  const std::uint64_t computed = digest_of(std::as_const(bits).words());
  if (computed != block_digests_[block]) {
    throw FormatError(fmt::format(
        "the digest of block {} of {} (rows {} to {}) is {}, but its values give {}; the file is "
        "damaged: restore a copy or write it anew",
        block, name(), first_row, first_row + n_rows - 1, digest_to_hex(block_digests_[block]),
        digest_to_hex(computed)));
  }
  require_clear_tail(bits, name());
  return bits;
}

StoredSamples::StoredSamples(const StoredFile& file) {
  const Handle group = file.group("samples");
  header_.n_samples = hdf5::read_attribute<std::uint64_t>(group, "n_samples");
  header_.n_observed = hdf5::read_attribute<std::uint64_t>(group, "n_observed");
  const std::uint64_t stored = read_digest_attribute(group, "digest");
  names_ = read_strings(group, "names", header_.n_observed);
  bits_.emplace(group, "bits", "block_digests", header_.n_samples, header_.n_observed);
  header_.has_missing = hdf5::has_object(group, "missing");
  if (header_.has_missing) {
    missing_.emplace(group, "missing", "missing_block_digests", header_.n_samples,
                     header_.n_observed);
  }
  header_.digest = samples_digest(header_.n_samples, header_.n_observed, bits_->digest(),
                                  missing_ ? missing_->digest() : 0, digest_of_names(names_));
  if (stored != header_.digest) {
    throw FormatError(fmt::format("the digest of /samples is {}, but its datasets give {}; {}",
                                  digest_to_hex(stored), digest_to_hex(header_.digest), not_ours));
  }
  if (names_.empty()) {
    throw FormatError(fmt::format("/samples has no variable; {}", not_ours));
  }
}

std::size_t StoredSamples::n_blocks() const {
  return divide_up(header_.n_samples, data::block_rows(header_.n_observed));
}

std::size_t StoredSamples::rows_of(std::size_t block) const {
  const std::size_t rows = data::block_rows(header_.n_observed);
  return std::min<std::uint64_t>(rows, header_.n_samples - block * rows);
}

SampleReader::Block StoredSamples::read(std::size_t block) const {
  assert(block < n_blocks());
  SampleReader::Block found{bits_->read(block, rows_of(block)), std::nullopt};
  if (missing_) {
    found.missing = missing_->read(block, rows_of(block));
    require_disjoint(found.values, *found.missing);
  }
  return found;
}

namespace {

/// Of blocks as a file would have them, and the digest that it would state.
std::uint64_t digest_of_blocks(const data::BitPanels& bits) {
  const std::size_t rows = data::block_rows(bits.n_columns());
  std::vector<std::uint64_t> digests;
  for (std::size_t first = 0; first < bits.n_rows(); first += rows) {
    const BitColumns block = bits.extract(first, std::min(rows, bits.n_rows() - first));
    digests.push_back(digest_of(block.words()));
  }
  return digest_of(std::span<const std::uint64_t>(digests));
}

}  // namespace

/// Rows in memory in the place of a file's.
class HeldSamples {
 public:
  explicit HeldSamples(data::SampleMatrix samples) : samples_(std::move(samples)) {
    assert(!samples_.names.empty());
    auto& mask = samples_.missing;
    if (mask && std::ranges::all_of(mask->words(), [](std::uint64_t word) { return word == 0; })) {
      mask.reset();  // a file has none either
    }
    header_.n_samples = samples_.n_samples();
    header_.n_observed = samples_.n_observed();
    header_.has_missing = mask.has_value();
    header_.digest =
        samples_digest(header_.n_samples, header_.n_observed, digest_of_blocks(samples_.values),
                       mask ? digest_of_blocks(*mask) : 0, digest_of_names(samples_.names));
  }

  [[nodiscard]] const SampleHeader& header() const noexcept { return header_; }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return samples_.names; }
  [[nodiscard]] SampleReader::Block read(std::size_t block) const {
    const std::size_t rows = data::block_rows(samples_.n_observed());
    const std::size_t first = block * rows;
    const std::size_t n = std::min(rows, samples_.n_samples() - first);
    SampleReader::Block found{samples_.values.extract(first, n), std::nullopt};
    if (samples_.missing) found.missing = samples_.missing->extract(first, n);
    return found;
  }

 private:
  data::SampleMatrix samples_;
  SampleHeader header_;
};

struct SampleReader::State {
  struct File {
    std::filesystem::path path;
    StoredFile file;
    StoredSamples samples;
    explicit File(const std::filesystem::path& where) : path(where), file(where), samples(file) {}
  };
  std::optional<File> file;  // this or
  std::optional<HeldSamples> held;
  std::atomic<std::uint64_t> n_bytes{0};

  [[nodiscard]] const SampleHeader& header() const {
    return file ? file->samples.header() : held->header();
  }
};

SampleReader::SampleReader(const std::filesystem::path& path)
    : state_(reading(path, [&] {
        auto state = std::make_unique<State>();
        state->file.emplace(path);
        return state;
      })) {}

SampleReader::SampleReader(data::SampleMatrix samples) : state_(std::make_unique<State>()) {
  state_->held.emplace(std::move(samples));
}

SampleReader::~SampleReader() {
  const hdf5::LibraryLock lock;
  state_.reset();
}

const SampleHeader& SampleReader::header() const { return state_->header(); }
const std::vector<std::string>& SampleReader::names() const {
  return state_->file ? state_->file->samples.names() : state_->held->names();
}
std::size_t SampleReader::n_blocks() const {
  return divide_up(header().n_samples, data::block_rows(header().n_observed));
}
std::size_t SampleReader::rows_of(std::size_t block) const {
  const std::size_t rows = data::block_rows(header().n_observed);
  return std::min<std::uint64_t>(rows, header().n_samples - block * rows);
}
std::uint64_t SampleReader::bytes_read() const { return state_->n_bytes; }

SampleReader::Block SampleReader::read(std::size_t block) const {
  if (state_->held) return state_->held->read(block);
  Block found = reading(state_->file->path, [&] { return state_->file->samples.read(block); });
  state_->n_bytes += found.values.words().size_bytes() * (found.missing ? 2 : 1);
  return found;
}

data::SampleMatrix read_samples(const std::filesystem::path& path) {
  const SampleReader reader(path);
  const SampleHeader& header = reader.header();
  data::SampleMatrix matrix;
  matrix.names = reader.names();
  matrix.digest = header.digest;
  try {
    matrix.values = data::BitPanels(header.n_observed, header.n_samples);
    if (header.has_missing) {
      matrix.missing.emplace(header.n_observed, header.n_samples);
    }
  } catch (const std::bad_alloc&) {
    throw_out_of_memory(path);
  }
  std::size_t first_row = 0;
  for (std::size_t i = 0; i < reader.n_blocks(); ++i) {
    const SampleReader::Block block = reader.read(i);
    matrix.values.insert(first_row, block.values);
    if (block.missing) {
      matrix.missing->insert(first_row, *block.missing);
    }
    first_row += reader.rows_of(i);
  }
  return matrix;
}

SampleHeader read_sample_header(const std::filesystem::path& path) {
  return SampleReader(path).header();
}

}  // namespace orrery::store
