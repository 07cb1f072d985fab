// /anchored of any file: InputError, or a network that is one.
#include "good_files.hpp"
#include "hdf5_target.hpp"
#include "orrery/store/store.hpp"
#include "sound_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using namespace orrery::fuzz;
  using orrery::model::LearnedAnchored;
  static const Hdf5Target<LearnedAnchored> target(
      {"/anchored", write_good_anchored, orrery::store::read_anchored,
       [](const LearnedAnchored& learned) { require_sound(learned); },
       [](const LearnedAnchored& a, const LearnedAnchored& b) { require_equal(a, b); }});
  target.run(bytes, n);
  return 0;
}
