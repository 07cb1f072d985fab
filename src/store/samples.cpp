// Samples into and out of files, a block of rows at a time.
// Memory: one block (at most 32 MiB of bits) beside what the caller holds. Time: linear.
#include "store/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "store/model.hpp"

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

std::uint64_t digest_of_names(const std::vector<std::string>& names) {
  Digest digest;
  digest.add(names);
  return digest.value();
}

/// A bit matrix being written: the dataset and the digest of what it received.
class BitStream {
 public:
  /// `first_words` is the number of words a column of the first block: if that block is shorter
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
    digest_.add(block.words());
  }
  /// Stores the digest, closes and returns it.
  std::uint64_t finish() {
    dataset_.write_digest(digest_.value());
    dataset_.close();
    return digest_.value();
  }

 private:
  Dataset dataset_;
  Digest digest_;
};

}  // namespace

// --------------------------------------------------------------------------------------- writing

struct SampleWriter::State {
  NewFile file;  // first: destroyed after all that is inside it
  Handle group;
  std::vector<std::string> names;
  std::optional<BitStream> bits;
  std::optional<BitStream> missing;
  std::uint64_t n_samples = 0;

  explicit State(const std::filesystem::path& path) : file(path) {}

  void append(const BitColumns& values, const BitColumns* mask);
  void append_missing(const BitColumns& mask);
  void finish(const RunInfo& run, const model::LearnedModel* truth);
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

void SampleWriter::State::finish(const RunInfo& run, const model::LearnedModel* truth) {
  if (!bits) {
    bits.emplace(group, "bits", names.size(), 0);
  }
  const std::uint64_t bits_digest = bits->finish();
  const std::uint64_t missing_digest = missing ? missing->finish() : 0;
  write_strings(group, "names", names);
  const std::uint64_t n_observed = names.size();
  hdf5::write_attribute(group, "n_samples", n_samples);
  hdf5::write_attribute(group, "n_observed", n_observed);
  write_digest_attribute(
      group, "digest",
      samples_digest(n_samples, n_observed, bits_digest, missing_digest, digest_of_names(names)));
  group.close();
  if (truth != nullptr) {
    write_model_group(file.root(), *truth);
  }
  file.finish(run);
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

void SampleWriter::finish(const RunInfo& run, const model::LearnedModel* truth) {
  writing(state_->file.path(), [&] { state_->finish(run, truth); });
}

// --------------------------------------------------------------------------------------- reading

namespace {

constexpr const char* not_ours = "the file was not written by orrery; write it anew";

std::uint64_t words_of(std::uint64_t n_rows) { return n_rows / 64 + (n_rows % 64 != 0 ? 1 : 0); }

BitColumns read_block(const Dataset& dataset, std::size_t first_row, std::size_t n_rows) {
  BitColumns block(dataset.shape()[0], n_rows);
  dataset.read({0, first_row / 64}, {block.n_columns(), block.words_per_column()},
               block.words().data());
  return block;
}

/// Counting relies on zeros beyond the last row.
void require_clear_tail(const BitColumns& block, const Dataset& dataset) {
  if (block.n_rows() % 64 == 0) {
    return;
  }
  const std::uint64_t beyond = ~std::uint64_t{0} << (block.n_rows() % 64);
  for (std::size_t c = 0; c < block.n_columns(); ++c) {
    if ((block.column(c).back() & beyond) != 0) {
      throw FormatError(fmt::format("{} has ones beyond the last sample in row {}; {}",
                                    dataset.name(), c, not_ours));
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

StoredSamples::StoredSamples(const StoredFile& file) {
  const Handle group = file.group("samples");
  header_.n_samples = hdf5::read_attribute<std::uint64_t>(group, "n_samples");
  header_.n_observed = hdf5::read_attribute<std::uint64_t>(group, "n_observed");
  const std::uint64_t stored = read_digest_attribute(group, "digest");
  names_ = read_strings(group, "names", header_.n_observed);
  const Shape shape = {header_.n_observed, words_of(header_.n_samples)};
  const hid_t type = hdf5::number_type<std::uint64_t>();
  bits_ = Dataset::open(group, "bits", type, 2);
  bits_->require_shape(shape);
  header_.has_missing = hdf5::has_object(group, "missing");
  if (header_.has_missing) {
    missing_ = Dataset::open(group, "missing", type, 2);
    missing_->require_shape(shape);
  }
  header_.digest =
      samples_digest(header_.n_samples, header_.n_observed, bits_->stored_digest(),
                     missing_ ? missing_->stored_digest() : 0, digest_of_names(names_));
  if (stored != header_.digest) {
    throw FormatError(fmt::format("the digest of /samples is {}, but its datasets give {}; {}",
                                  digest_to_hex(stored), digest_to_hex(header_.digest), not_ours));
  }
  if (names_.empty()) {
    throw FormatError(fmt::format("/samples has no variable; {}", not_ours));
  }
}

void StoredSamples::for_each_block(const Visit& visit) const {
  const std::size_t rows = data::block_rows(header_.n_observed);
  Digest bits_digest;
  Digest missing_digest;
  for (std::uint64_t row = 0; row < header_.n_samples; row += rows) {
    const std::size_t n = std::min<std::uint64_t>(rows, header_.n_samples - row);
    const BitColumns values = read_block(*bits_, row, n);
    bits_digest.add(values.words());
    require_clear_tail(values, *bits_);
    std::optional<BitColumns> missing;
    if (missing_) {
      missing = read_block(*missing_, row, n);
      missing_digest.add(std::as_const(*missing).words());
      require_clear_tail(*missing, *missing_);
      require_disjoint(values, *missing);
    }
    visit(row, values, missing ? &*missing : nullptr);
  }
  bits_->require_digest(bits_digest.value());
  if (missing_) {
    missing_->require_digest(missing_digest.value());
  }
}

data::SampleMatrix read_samples(const std::filesystem::path& path) {
  return reading(path, [&] {
    const StoredFile file(path);
    const StoredSamples stored(file);
    const SampleHeader& header = stored.header();
    data::SampleMatrix matrix;
    matrix.values = data::BitPanels(header.n_observed, header.n_samples);
    if (header.has_missing) {
      matrix.missing.emplace(header.n_observed, header.n_samples);
    }
    stored.for_each_block(
        [&](std::size_t first_row, const BitColumns& values, const BitColumns* missing) {
          matrix.values.insert(first_row, values);
          if (missing != nullptr) {
            matrix.missing->insert(first_row, *missing);
          }
        });
    matrix.names = stored.names();
    matrix.digest = header.digest;
    return matrix;
  });
}

SampleHeader read_sample_header(const std::filesystem::path& path) {
  return reading(path, [&] { return StoredSamples(StoredFile(path)).header(); });
}

}  // namespace orrery::store
