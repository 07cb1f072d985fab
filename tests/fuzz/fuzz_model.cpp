// The group of one family in any file: InputError, or a model that is one. ORRERY_FUZZ_MODEL is the
// type of its models, ORRERY_FUZZ_GOOD writes a good file.
#include "families/model_files.hpp"
#include "good_files.hpp"
#include "hdf5_target.hpp"
#include "sound_model.hpp"

namespace {

using Model = orrery::model::ORRERY_FUZZ_MODEL;

std::string group() {
  return orrery::family::family_of(orrery::family::AnyModel(Model())).groups[0];
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using namespace orrery::fuzz;
  static const Hdf5Target<Model> target(
      {"/" + group(), ORRERY_FUZZ_GOOD,
       [](const std::filesystem::path& path) {
         return orrery::store::read_group_of<Model>(path, group());
       },
       [](const Model& model) { require_sound(model); },
       [](const Model& a, const Model& b) { require_equal(a, b); }});
  target.run(bytes, n);
  return 0;
}
