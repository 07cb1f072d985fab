// /moments of any file: InputError, or counts that inclusion-exclusion can rely on.
#include "good_files.hpp"
#include "hdf5_target.hpp"

namespace orrery::fuzz {
namespace {

struct Moments {
  moments::PairCounts pairs;
  int order = 0;
  std::uint64_t data_digest = 0;
  std::vector<std::string> names;
  std::vector<std::vector<std::uint32_t>> triples;
};

Moments read(const std::filesystem::path& path) {
  const store::MomentsReader reader(path);
  Moments found{reader.pairs(), reader.order(), reader.data_digest(), reader.names(), {}};
  if (found.order == 3) {
    for (std::size_t a = 0; a < found.names.size(); ++a) {
      found.triples.push_back(reader.read_triples(a));
    }
  }
  return found;
}

void require_sound(const Moments& found) {
  const auto& pairs = found.pairs;
  const std::size_t m = found.names.size();
  require(found.order == 2 || found.order == 3);
  require(pairs.n_observed == m && pairs.off.size() == m * m);
  for (std::size_t a = 0; a < m; ++a) {
    require(pairs.single(a) <= pairs.n_samples);
    for (std::size_t b = 0; b < m; ++b) {
      require(pairs.at(a, b) <= pairs.single(a) && pairs.at(a, b) == pairs.at(b, a));
    }
  }
  for (std::size_t a = 0; a < found.triples.size(); ++a) {
    const std::size_t later = m - 1 - a;
    require(found.triples[a].size() == (later < 2 ? 0 : later * (later - 1) / 2));
  }
}

void require_equal(const Moments& a, const Moments& b) {
  require(a.pairs.off == b.pairs.off && a.pairs.n_samples == b.pairs.n_samples);
  require(a.order == b.order && a.data_digest == b.data_digest);
  require(a.names == b.names && a.triples == b.triples);
}

}  // namespace
}  // namespace orrery::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using namespace orrery::fuzz;
  static const Hdf5Target<Moments> target(
      {"/moments", write_good_moments, read, require_sound, require_equal});
  target.run(bytes, n);
  return 0;
}
