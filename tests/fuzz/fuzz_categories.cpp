// Any bytes, imported as a table of categories: InputError, or a table that is one.
#include <cstddef>
#include <cstdint>

#include "data/import_tables.hpp"
#include "target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using namespace orrery;
  static const fuzz::ScratchFile file;
  file.write({reinterpret_cast<const char*>(bytes), n});
  const auto found =
      fuzz::refused_or(file.path(), [&] { return data::import_categorical(file.path(), {}, {}); });
  if (found) {
    data::check(found->table);
    fuzz::require(found->table.n_rows > 0);
    for (const auto& categories : found->table.categories) fuzz::require(categories.size() > 1);
  }
  return 0;
}
