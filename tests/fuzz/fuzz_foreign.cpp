// Tables in HDF5 files of other programs, edited through HDF5, or by bytes under checksums: what is
// left is the reader's own checks. (Damage that misleads HDF5 itself is met by the process that
// reads such files, see store/reader_process.hpp; here the reading is within this one.)
#include "hdf5_target.hpp"
#include "sinks.hpp"
#include "store/foreign_files.hpp"
#include "store/foreign_table.hpp"

namespace orrery::fuzz {
namespace {

template <class Sink, class Import>
void import_with(const std::filesystem::path& path, const std::string& dataset,
                 const Import& import) {
  data::ImportOptions options;
  options.memory_bytes = 1;
  options.missing_tokens = {"9", "nan"};
  Sink sink;
  try {
    refused_or(path, [&] {
      const data::SourceOfTable table = store::table_of(store::find_foreign_table(path, dataset));
      return import(table, options, sink);
    });
  } catch (const EnvironmentError&) {
    // Enough rows, or more values than memory holds.
  }
}

void run(const ScratchFile& file, const std::string& good, const std::vector<store::Place>& places,
         FuzzedDataProvider& input) {
  const std::string dataset = input.PickValueInArray({"", "X", "layers/counts", "other/dense"});
  if (input.ConsumeBool()) {
    file.write(good);
    edit_objects(file.path(), places, false, input);
  } else {
    file.write(with_edited_bytes(good, input));
  }
  import_with<CheckingBits>(file.path(), dataset, [](auto& table, auto& options, auto& sink) {
    return data::import_bits(table, data::Format::hdf5, options, sink);
  });
  import_with<CheckingNumbers>(file.path(), dataset, [](auto& table, auto& options, auto& sink) {
    return data::import_numbers(table, data::Format::hdf5, options, sink);
  });
}

}  // namespace
}  // namespace orrery::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using namespace orrery;
  static const fuzz::ScratchFile file;
  static const std::string good = [] {
    store::write_anndata(file.path(), true);
    std::ifstream stream(file.path(), std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  }();
  static const std::vector<store::Place> places = store::EditedHdf5(file.path()).places();
  FuzzedDataProvider input(bytes, n);
  fuzz::run(file, good, places, input);
  return 0;
}
