// Any bytes, read as a network file: a network, which survives being written and read again, or an
// InputError.
#include <cstddef>
#include <cstdint>

#include "orrery/model/network_json.hpp"
#include "sound_model.hpp"
#include "target.hpp"

namespace orrery::fuzz {
namespace {

void require_same_when_written(const model::LearnedModel& model, const ScratchFile& file) {
  file.write(model::to_network_json(model));
  require_equal(model, model::read_network_json(file.path()));
}

}  // namespace
}  // namespace orrery::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using namespace orrery;
  static const fuzz::ScratchFile file;
  file.write({reinterpret_cast<const char*>(bytes), n});
  fuzz::refused_or(file.path(), [&] { return model::read_network_json(file.path(), "SMALL"); });
  const auto model =
      fuzz::refused_or(file.path(), [&] { return model::read_network_json(file.path()); });
  if (model) {
    fuzz::require_sound(*model);
    fuzz::require_same_when_written(*model, file);
  }
  return 0;
}
