// /tree of any file: InputError, or a tree that is one.
#include "good_files.hpp"
#include "hdf5_target.hpp"
#include "sound_model.hpp"
#include "store/store.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using namespace orrery::fuzz;
  using orrery::model::LearnedTree;
  static const Hdf5Target<LearnedTree> target(
      {"/tree", write_good_tree, orrery::store::read_tree,
       [](const LearnedTree& learned) { require_sound(learned); },
       [](const LearnedTree& a, const LearnedTree& b) { require_equal(a, b); }});
  target.run(bytes, n);
  return 0;
}
