// /posterior of any file: InputError, or lists that fit together.
#include <numeric>

#include "good_files.hpp"
#include "hdf5_target.hpp"
#include "store/posterior.hpp"

namespace orrery::fuzz {
namespace {

void require_sound(const store::PosteriorRows& rows) {
  const auto sum = [](const std::vector<std::uint64_t>& lengths) {
    return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
  };
  require(rows.log_evidence.size() == rows.size() && rows.n_listed.size() == rows.size());
  require(sum(rows.n_listed) == rows.cause.size() && rows.cause.size() == rows.error.size());
  require(sum(rows.n_present) == rows.present.size());
}

// Not NaN for NaN, which a log evidence may be.
void require_equal(const store::PosteriorRows& a, const store::PosteriorRows& b) {
  require(a.method == b.method && a.n_listed == b.n_listed && a.cause == b.cause &&
          a.n_present == b.n_present && a.present == b.present);
}

}  // namespace
}  // namespace orrery::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using namespace orrery::fuzz;
  static const Hdf5Target<orrery::store::PosteriorRows> target({"/posterior", write_good_posterior,
                                                                orrery::store::read_posterior,
                                                                require_sound, require_equal});
  target.run(bytes, n);
  return 0;
}
