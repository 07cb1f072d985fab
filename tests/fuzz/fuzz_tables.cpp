// Any bytes, read as a table of edges and as one of priors: a network that can be written and read
// again, or an InputError.
#include <cstddef>
#include <cstdint>

#include "families/model_files.hpp"
#include "model/network_tables.hpp"
#include "sound_model.hpp"
#include "target.hpp"

namespace orrery::fuzz {
namespace {

void read_edges(const ScratchFile& file, const ScratchFile& written, model::Strength strength) {
  model::NetworkTables tables;
  tables.edges = file.path();
  tables.strength = strength;
  tables.leaks.value = 0.5;
  const auto imported = refused_or(file.path(), [&] { return model::read_network_tables(tables); });
  if (!imported) return;
  model::LearnedModel model;
  model.network = imported->network;
  require(model.network.n_causes() > 0 && model.network.n_observed() > 0);
  require_sound(model);
  written.write(model::to_network_json(model));
  require_equal(model, model::read_network_json(written.path()));
}

}  // namespace
}  // namespace orrery::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using namespace orrery;
  static const fuzz::ScratchFile file;
  static const fuzz::ScratchFile other;
  const std::string_view text(reinterpret_cast<const char*>(bytes), n);
  file.write(text);
  for (const auto strength :
       {model::Strength::probability, model::Strength::frequency_class, model::Strength::rank}) {
    fuzz::read_edges(file, other, strength);
  }
  other.write("flu,fever,.5\ncold,cough,.5\n");
  model::NetworkTables tables;
  tables.edges = other.path();
  tables.priors.table = file.path();
  tables.leaks.value = 0.5;
  fuzz::refused_or(file.path(), [&] { return model::read_network_tables(tables); });
  return 0;
}
