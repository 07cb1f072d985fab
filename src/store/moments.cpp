// Pair and triple counts into and out of files; the triples a slab at a time.
// Memory: the pairs and one slab, C(m - 1, 2) counts.
#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "store/groups.hpp"
#include "store/store.hpp"

namespace orrery::store {

using hdf5::FormatError;
using hdf5::Handle;
using moments::PairCounts;

namespace {

std::uint64_t choose_2(std::uint64_t n) { return n < 2 ? 0 : n * (n - 1) / 2; }
/// Dividing early keeps the products small.
std::uint64_t choose_3(std::uint64_t n) { return n < 3 ? 0 : choose_2(n) * (n - 2) / 3; }

/// Where slab `a` begins: all triples but those of the variables from `a` on.
std::uint64_t slab_begin(std::size_t n_observed, std::size_t a) {
  return choose_3(n_observed) - choose_3(n_observed - a);
}

}  // namespace

std::uint64_t slab_size(std::size_t n_observed, std::size_t a) {
  return choose_2(n_observed - 1 - a);
}

// --------------------------------------------------------------------------------------- writing

struct MomentsWriter::State {
  NewFile file;  // first: destroyed after all that is inside it
  Handle group;
  std::size_t n_observed = 0;
  std::optional<Dataset> triples;
  Digest digest;
  std::vector<std::uint64_t> slab_digests;

  State(const std::filesystem::path& path, const PairCounts& pairs, int order,
        std::uint64_t data_digest, const std::vector<std::string>& names);
  void append(std::size_t a, const std::vector<std::uint32_t>& counts);
  void finish(const RunInfo& run);
};

MomentsWriter::State::State(const std::filesystem::path& path, const PairCounts& pairs, int order,
                            std::uint64_t data_digest, const std::vector<std::string>& names)
    : file(path), group(hdf5::create_group(file.root(), "moments")), n_observed(pairs.n_observed) {
  assert((order == 2 || order == 3) && names.size() == n_observed);
  require_storable_names(names);
  hdf5::write_attribute(group, "order", static_cast<std::uint32_t>(order));
  hdf5::write_attribute(group, "n_samples", pairs.n_samples);
  write_digest_attribute(group, "data_digest", data_digest);
  write_strings(group, "names", names);
  write_array(group, "pairs", std::span<const std::uint64_t>(pairs.off), {n_observed, n_observed});
  if (order == 3) {
    triples = Dataset::create(group, "triples", hdf5::number_type<std::uint32_t>(),
                              {choose_3(n_observed)});
  }
}

void MomentsWriter::State::append(std::size_t a, const std::vector<std::uint32_t>& counts) {
  assert(triples && a == slab_digests.size() && counts.size() == slab_size(n_observed, a));
  triples->write({slab_begin(n_observed, a)}, {counts.size()}, counts.data());
  digest.add(std::span<const std::uint32_t>(counts));
  slab_digests.push_back(digest_of(std::span<const std::uint32_t>(counts)));
}

void MomentsWriter::State::finish(const RunInfo& run) {
  if (triples) {
    assert(slab_digests.size() == n_slabs(n_observed));
    triples->write_digest(digest.value());
    triples->close();
    write_array(group, "triple_digests", slab_digests);
  }
  group.close();
  file.finish(run);
}

MomentsWriter::MomentsWriter(const std::filesystem::path& path, const PairCounts& pairs, int order,
                             std::uint64_t data_digest, const std::vector<std::string>& names)
    : state_(writing(
          path, [&] { return std::make_unique<State>(path, pairs, order, data_digest, names); })) {}

MomentsWriter::~MomentsWriter() {
  const hdf5::LibraryLock lock;
  state_.reset();
}

void MomentsWriter::append_triples(std::size_t a, const std::vector<std::uint32_t>& counts) {
  if (a < n_slabs(state_->n_observed)) {
    writing(state_->file.path(), [&] { state_->append(a, counts); });
  }
}

void MomentsWriter::finish(const RunInfo& run) {
  writing(state_->file.path(), [&] { state_->finish(run); });
}

// --------------------------------------------------------------------------------------- reading

namespace {

/// What inclusion-exclusion relies on.
void require_counts(const PairCounts& pairs) {
  for (std::size_t a = 0; a < pairs.n_observed; ++a) {
    for (std::size_t b = 0; b < pairs.n_observed; ++b) {
      const std::uint64_t most = a == b ? pairs.n_samples : pairs.single(a);
      if (pairs.at(a, b) > most || pairs.at(a, b) != pairs.at(b, a)) {
        throw FormatError(fmt::format(
            "/moments/pairs[{}, {}] is {}, but [{}, {}] is {} and at most {} is possible; the file "
            "was not written by orrery; write it anew",
            a, b, pairs.at(a, b), b, a, pairs.at(b, a), most));
      }
    }
  }
}

}  // namespace

StoredMoments::StoredMoments(const StoredFile& file) {
  const Handle group = file.group("moments");
  const auto order = hdf5::read_attribute<std::uint32_t>(group, "order");
  if (order != 2 && order != 3) {
    throw FormatError(
        fmt::format("attribute order of /moments is {}, not 2 or 3; write the file anew", order));
  }
  order_ = static_cast<int>(order);
  data_digest_ = read_digest_attribute(group, "data_digest");
  names_ = read_strings(group, "names");
  const std::size_t m = names_.size();
  pairs_.n_observed = m;
  pairs_.n_samples = hdf5::read_attribute<std::uint64_t>(group, "n_samples");
  pairs_.off = read_array<std::uint64_t>(group, "pairs", {m, m});
  require_counts(pairs_);
  if (order_ == 3) {
    triples_ = Dataset::open(group, "triples", hdf5::number_type<std::uint32_t>(), 1);
    triples_->require_shape({choose_3(m)});
    slab_digests_ = read_array<std::uint64_t>(group, "triple_digests", {n_slabs(m)});
  }
}

std::vector<std::uint32_t> StoredMoments::read_slab(std::size_t a) const {
  assert(triples_ && a < names_.size());
  std::vector<std::uint32_t> counts(slab_size(names_.size(), a));
  if (a < slab_digests_.size()) {
    triples_->read({slab_begin(names_.size(), a)}, {counts.size()}, counts.data());
    const std::uint64_t computed = digest_of(std::span<const std::uint32_t>(counts));
    if (computed != slab_digests_[a]) {
      throw FormatError(fmt::format(
          "the digest of the triples of variable {} is {}, but /moments/triples gives {}; the file "
          "is damaged: restore a copy or write it anew",
          a, digest_to_hex(slab_digests_[a]), digest_to_hex(computed)));
    }
  }
  return counts;
}

void StoredMoments::verify_triples() const {
  if (!triples_) {
    return;
  }
  Digest digest;
  for (std::size_t a = 0; a < slab_digests_.size(); ++a) {
    const std::vector<std::uint32_t> counts = read_slab(a);
    digest.add(std::span<const std::uint32_t>(counts));
  }
  triples_->require_digest(digest.value());
}

struct MomentsReader::State {
  std::filesystem::path path;
  StoredFile file;
  StoredMoments moments;

  explicit State(const std::filesystem::path& where) : path(where), file(where), moments(file) {}
};

MomentsReader::MomentsReader(const std::filesystem::path& path)
    : state_(reading(path, [&] { return std::make_unique<State>(path); })) {}

MomentsReader::~MomentsReader() {
  const hdf5::LibraryLock lock;
  state_.reset();
}

const PairCounts& MomentsReader::pairs() const { return state_->moments.pairs(); }
int MomentsReader::order() const { return state_->moments.order(); }
std::uint64_t MomentsReader::data_digest() const { return state_->moments.data_digest(); }
const std::vector<std::string>& MomentsReader::names() const { return state_->moments.names(); }

std::vector<std::uint32_t> MomentsReader::read_triples(std::size_t a) const {
  return reading(state_->path, [&] { return state_->moments.read_slab(a); });
}

}  // namespace orrery::store
