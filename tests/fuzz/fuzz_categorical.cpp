// /categorical and /categorical_network of any file: InputError, or a table and a network.
#include <utility>

#include "families/model_files.hpp"
#include "good_files.hpp"
#include "hdf5_target.hpp"
#include "orrery/model/categorical_network.hpp"
#include "sound_model.hpp"
#include "store/tables.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using namespace orrery;
  using namespace orrery::fuzz;
  using Found = std::pair<store::StoredTable, model::LearnedCategorical>;
  static const Hdf5Target<Found> target(
      {"/categorical", write_good_categorical,
       [](const std::filesystem::path& path) -> Found {
         return {store::read_categorical(path), store::read_categorical_network(path)};
       },
       [](const Found& found) {
         data::check(found.first.table);
         require_sound(found.second);
       },
       [](const Found& a, const Found& b) {
         require(a.first.table == b.first.table && a.first.digest == b.first.digest);
         require_equal(a.second, b.second);
       }});
  target.run(bytes, n);
  return 0;
}
