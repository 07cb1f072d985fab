// /run of any file: InputError, or who made it.
#include "good_files.hpp"
#include "hdf5_target.hpp"

namespace orrery::fuzz {
namespace {

store::FileContents read(const std::filesystem::path& path) { return store::inspect(path); }

void require_sound(const store::FileContents& contents) {
  require(contents.schema == store::schema_version);
}

void require_equal(const store::FileContents& a, const store::FileContents& b) {
  require(a.groups == b.groups);
  require(a.run.has_value() && a.run->command_line == b.run->command_line);
  require(a.run->hosts == b.run->hosts && a.run->started == b.run->started);
  require(a.run->stages.size() == b.run->stages.size());
  for (std::size_t i = 0; i < a.run->stages.size(); ++i) {
    require(a.run->stages[i].name == b.run->stages[i].name);
    require(a.run->stages[i].seconds == b.run->stages[i].seconds);
  }
}

}  // namespace
}  // namespace orrery::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using namespace orrery::fuzz;
  static const Hdf5Target<orrery::store::FileContents> target(
      {"/run", write_good_model, read, require_sound, require_equal});
  target.run(bytes, n);
  return 0;
}
