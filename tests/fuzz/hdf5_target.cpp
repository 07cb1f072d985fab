#include "hdf5_target.hpp"

#include <array>

/// HDF5 loses some memory where it meets an error; what orrery loses is still a finding.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5\n"; }

namespace orrery::fuzz {

using store::Cells;
using store::CellType;
using store::EditedHdf5;
using store::Place;
using store::Storage;

namespace {

constexpr std::array<std::uint64_t, 14> extents{0,
                                                1,
                                                2,
                                                3,
                                                4,
                                                5,
                                                6,
                                                7,
                                                10,
                                                64,
                                                65,
                                                std::uint64_t{1} << 32U,
                                                std::uint64_t{1} << 63U,
                                                ~std::uint64_t{0}};

Cells any_cells(FuzzedDataProvider& input) {
  Cells cells;
  cells.type =
      input.PickValueInArray({CellType::u8, CellType::u32, CellType::u64, CellType::i32,
                              CellType::i64, CellType::f32, CellType::f64, CellType::big_u64,
                              CellType::text, CellType::variable_text, CellType::complex});
  cells.storage = input.PickValueInArray({Storage::contiguous, Storage::compact, Storage::chunked,
                                          Storage::deflated, Storage::elsewhere});
  cells.text_bytes = input.ConsumeIntegralInRange<std::size_t>(1, 40);
  const auto rank = input.ConsumeIntegralInRange<std::size_t>(0, 3);
  for (std::size_t i = 0; i < rank; ++i) cells.shape.push_back(input.PickValueInArray(extents));
  cells.bytes = input.ConsumeRandomLengthString(256);
  return cells;
}

/// Some of the stored values replaced.
void change_values(EditedHdf5& file, const Place& place, FuzzedDataProvider& input) {
  std::string bytes = file.bytes(place);
  if (bytes.empty()) return;
  const auto at = input.ConsumeIntegralInRange<std::size_t>(0, bytes.size() - 1);
  const std::string other = input.ConsumeRandomLengthString(bytes.size() - at);
  file.overwrite(place, bytes.replace(at, other.size(), other));
}

void edit(EditedHdf5& file, const std::vector<Place>& places, FuzzedDataProvider& input) {
  const auto any_place = [&] {
    return places[input.ConsumeIntegralInRange<std::size_t>(0, places.size() - 1)];
  };
  const Place place = any_place();
  switch (input.ConsumeIntegralInRange<int>(0, 9)) {
    case 1:
      file.put(place, any_cells(input));
      break;
    case 2:
      file.remove(place);
      break;
    case 3:
      if (place.attribute.empty()) file.put_group(place.object);
      break;
    case 4:
      if (place.attribute.empty()) file.link_hard(place.object, any_place().object);
      break;
    case 5:
      if (place.attribute.empty()) file.link_soft(place.object, any_place().object);
      break;
    default:
      if (!place.is_group) change_values(file, place, input);
  }
}

}  // namespace

std::string with_edited_bytes(std::string content, FuzzedDataProvider& input) {
  while (input.remaining_bytes() >= 4) {
    const auto at = input.ConsumeIntegralInRange<std::size_t>(0, content.size() - 1);
    content[at] = input.ConsumeIntegral<char>();
  }
  return content;
}

void edit_objects(const std::filesystem::path& path, const std::vector<Place>& places, bool repair,
                  FuzzedDataProvider& input) {
  EditedHdf5 file(path);
  const auto attempt = [](const auto& work) {
    try {
      work();
    } catch (const std::runtime_error&) {  // HDF5 does not allow it, or an earlier edit took it
    }
  };
  // Few: after many, hardly any file gets past the first check.
  const int n_edits = input.ConsumeIntegralInRange<int>(1, 4);
  for (int i = 0; i < n_edits; ++i) attempt([&] { edit(file, places, input); });
  if (repair) attempt([&] { file.repair_digests(); });
}

}  // namespace orrery::fuzz
