// /checkpoint of any file: InputError, or the state of a run.
#include "good_files.hpp"
#include "hdf5_target.hpp"
#include "store/run.hpp"

namespace orrery::fuzz {
namespace {

void require_sound(const store::Checkpoint& checkpoint) {
  for (const auto& [name, words] : checkpoint.words) require(!name.empty());
  for (const auto& [name, reals] : checkpoint.reals) require(!name.empty());
}

void require_equal(const store::Checkpoint& a, const store::Checkpoint& b) { require(a == b); }

}  // namespace
}  // namespace orrery::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using namespace orrery::fuzz;
  static const Hdf5Target<orrery::store::Checkpoint> target({"/checkpoint", write_good_checkpoint,
                                                             orrery::store::read_checkpoint,
                                                             require_sound, require_equal});
  target.run(bytes, n);
  return 0;
}
