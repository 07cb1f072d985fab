// A reader of HDF5 files, fed in four ways:
//   bytes of a good file changed: it must refuse, or give what the good file holds, since checksums
//     and digests cover every byte that matters;
//   any bytes as a file;
//   a good file edited through HDF5, which keeps the checksums of metadata right;
//   the same with all digests repaired: nothing but the schema's own checks is left.
// Checksums of metadata are never repaired after a change of bytes: that would test HDF5 itself.
#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "store/edited_hdf5.hpp"
#include "store/store.hpp"
#include "target.hpp"

namespace orrery::fuzz {

template <class Content>
struct Hdf5Reader {
  std::string group;  ///< what is read: "/samples"
  void (*write_good)(const std::filesystem::path&);
  Content (*read)(const std::filesystem::path&);
  void (*require_sound)(const Content&);
  void (*require_equal)(const Content&, const Content&);
};

/// Each edit is four bytes: where (three, little-endian, modulo the length) and what.
std::string with_edited_bytes(std::string content, FuzzedDataProvider& input);
/// One to four edits, as HDF5 allows them.
void edit_objects(const std::filesystem::path& path, const std::vector<store::Place>& places,
                  bool repair, FuzzedDataProvider& input);

template <class Content>
class Hdf5Target {
 public:
  explicit Hdf5Target(const Hdf5Reader<Content>& reader) : reader_(reader) {
    reader.write_good(file_.path());
    std::ifstream stream(file_.path(), std::ios::binary);
    good_ = {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    expected_ = reader.read(file_.path());
    // An input that is used up picks the first place again and again: best the last of the group.
    for (const store::Place& place : store::EditedHdf5(file_.path()).places()) {
      if (place.object == "/" || place.object.starts_with(reader.group)) places_.push_back(place);
    }
    std::reverse(places_.begin(), places_.end());
  }

  void run(const std::uint8_t* bytes, std::size_t n) const {
    FuzzedDataProvider input(bytes, n);
    const auto way = input.PickValueInArray({Way::bytes, Way::whole, Way::edited, Way::edited,
                                             Way::repaired, Way::repaired, Way::repaired});
    if (way == Way::bytes) {
      file_.write(with_edited_bytes(good_, input));
    } else if (way == Way::whole) {
      file_.write(input.ConsumeRemainingBytesAsString());
    } else {
      file_.write(good_);
      edit_objects(file_.path(), places_, way == Way::repaired, input);
    }
    const auto content = refused_or(file_.path(), [&] { return reader_.read(file_.path()); });
    if (!content) return;
    reader_.require_sound(*content);
    if (way == Way::bytes) reader_.require_equal(*content, *expected_);
  }

 private:
  enum class Way { bytes, whole, edited, repaired };

  Hdf5Reader<Content> reader_;
  ScratchFile file_;
  std::string good_;
  std::optional<Content> expected_;
  std::vector<store::Place> places_;
};

}  // namespace orrery::fuzz
