// /linear of any file: InputError, or a network that is one.
#include "good_files.hpp"
#include "hdf5_target.hpp"
#include "orrery/model/linear_network.hpp"
#include "sound_model.hpp"
#include "store/store.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using namespace orrery::fuzz;
  using orrery::model::LearnedLinear;
  static const Hdf5Target<LearnedLinear> target(
      {"/linear", write_good_linear, orrery::store::read_linear,
       [](const LearnedLinear& learned) { require_sound(learned); },
       [](const LearnedLinear& a, const LearnedLinear& b) { require_equal(a, b); }});
  target.run(bytes, n);
  return 0;
}
