// /model of any file: InputError, or a network that is one.
#include "good_files.hpp"
#include "hdf5_target.hpp"
#include "sound_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using namespace orrery::fuzz;
  static const Hdf5Target<orrery::model::LearnedModel> target(
      {"/model", write_good_model, orrery::store::read_model, require_sound, require_equal});
  target.run(bytes, n);
  return 0;
}
