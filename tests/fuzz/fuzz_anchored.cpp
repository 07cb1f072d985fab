// /model with anchors of any file: InputError, or a network that is one.
#include "good_files.hpp"
#include "hdf5_target.hpp"
#include "sound_model.hpp"
#include "store/store.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using namespace orrery::fuzz;
  using orrery::model::LearnedModel;
  static const Hdf5Target<LearnedModel> target(
      {"/model", write_good_anchored, orrery::store::read_model,
       [](const LearnedModel& learned) { require_sound(learned); },
       [](const LearnedModel& a, const LearnedModel& b) { require_equal(a, b); }});
  target.run(bytes, n);
  return 0;
}
