// Any bytes, read as a model file: a model, which survives being written and read again, or an
// InputError.
#include <cstddef>
#include <cstdint>

#include "base/output_file.hpp"
#include "families/categorical/from_json.hpp"
#include "families/model_files.hpp"
#include "orrery/model/categorical_network.hpp"
#include "orrery/model/linear_network.hpp"
#include "sound_model.hpp"
#include "target.hpp"

namespace orrery::fuzz {
namespace {

using model::LearnedLinear;
using model::LearnedModel;
using model::LearnedTree;

void require_same_when_written(const LearnedModel& model, const ScratchFile& file) {
  file.write(model::to_network_json(model));
  require_equal(model, model::read_network_json(file.path()));
}

void require_same_when_written(const LearnedTree& learned, const ScratchFile& file) {
  file.write(model::to_tree_json(learned));
  require_equal(learned, model::read_tree_json(file.path()));
}

void require_same_when_written(const LearnedLinear& learned, const ScratchFile& file) {
  file.write(model::to_linear_json(learned));
  require_equal(learned, model::read_linear_json(file.path()));
}

void require_same_when_written(const model::LearnedCategorical& learned, const ScratchFile& file) {
  const std::string text = model::categorical_to_json(learned);
  require_equal(learned, model::categorical_from_json(text, file.path().string()));
}

}  // namespace
}  // namespace orrery::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using namespace orrery;
  static const fuzz::ScratchFile file;
  file.write({reinterpret_cast<const char*>(bytes), n});
  fuzz::refused_or(file.path(), [&] { return model::read_network_json(file.path(), "SMALL"); });
  const auto try_reader = [&](const auto& read) {
    if (const auto found = fuzz::refused_or(file.path(), read)) {
      fuzz::require_sound(*found);
      fuzz::require_same_when_written(*found, file);
    }
  };
  try_reader([&] { return model::read_network_json(file.path()); });
  try_reader([&] { return model::read_tree_json(file.path()); });
  try_reader([&] { return model::read_linear_json(file.path()); });
  try_reader([&] {
    return model::categorical_from_json(read_text_file(file.path()), file.path().string());
  });
  return 0;
}
