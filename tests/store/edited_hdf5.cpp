#include "store/edited_hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "store/digest.hpp"
#include "store/groups.hpp"
#include "store/run.hpp"

namespace orrery::store {

using hdf5::Handle;

namespace {

Handle type_of(const Cells& cells) {
  const auto copy = [](hid_t type) { return Handle(H5Tcopy(type), H5Tclose, "copy a type"); };
  switch (cells.type) {
    case CellType::u8:
      return copy(H5T_STD_U8LE);
    case CellType::u32:
      return copy(H5T_STD_U32LE);
    case CellType::u64:
      return copy(H5T_STD_U64LE);
    case CellType::i32:
      return copy(H5T_STD_I32LE);
    case CellType::i64:
      return copy(H5T_STD_I64LE);
    case CellType::f32:
      return copy(H5T_IEEE_F32LE);
    case CellType::f64:
      return copy(H5T_IEEE_F64LE);
    case CellType::big_u64:
      return copy(H5T_STD_U64BE);
    case CellType::text:
      return hdf5::string_type(cells.text_bytes);
    case CellType::variable_text: {
      Handle type = copy(H5T_C_S1);
      H5Tset_size(type.id(), H5T_VARIABLE);
      return type;
    }
    case CellType::complex:
      break;
  }
  Handle type(H5Tcreate(H5T_COMPOUND, 16), H5Tclose, "create a type");
  H5Tinsert(type.id(), "r", 0, H5T_IEEE_F64LE);
  H5Tinsert(type.id(), "i", 8, H5T_IEEE_F64LE);
  return type;
}

Handle space_of(const std::vector<std::uint64_t>& shape) {
  if (shape.empty()) return {H5Screate(H5S_SCALAR), H5Sclose, "create a space"};
  const std::vector<hsize_t> extents(shape.begin(), shape.end());
  return {H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose,
          "create a space"};
}

Handle storage_of(const Cells& cells) {
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "create a property list");
  H5Pset_obj_track_times(properties.id(), false);
  const std::vector<hsize_t> extents(cells.shape.begin(), cells.shape.end());
  switch (cells.storage) {
    case Storage::contiguous:
      break;
    case Storage::compact:
      H5Pset_layout(properties.id(), H5D_COMPACT);
      break;
    case Storage::chunked:
    case Storage::deflated:
      H5Pset_chunk(properties.id(), static_cast<int>(extents.size()), extents.data());
      if (cells.storage == Storage::deflated) H5Pset_deflate(properties.id(), 1);
      break;
    case Storage::elsewhere:
      H5Pset_external(properties.id(), "/etc/hostname", 0, H5F_UNLIMITED);
      break;
  }
  return properties;
}

/// Opens what `place` names as (handle, type, space); the handle is closed if there is none.
struct Opened {
  Handle owner;  // of an attribute
  Handle handle;
  Handle type;
  Handle space;
};
Opened open_values(const Handle& file, const Place& place) {
  Opened opened;
  if (place.attribute.empty()) {
    opened.handle =
        Handle(H5Dopen2(file.id(), place.object.c_str(), H5P_DEFAULT), H5Dclose, "open");
    opened.type = Handle(H5Dget_type(opened.handle.id()), H5Tclose, "open");
    opened.space = Handle(H5Dget_space(opened.handle.id()), H5Sclose, "open");
  } else {
    opened.owner = Handle(H5Oopen(file.id(), place.object.c_str(), H5P_DEFAULT), H5Oclose, "open");
    opened.handle =
        Handle(H5Aopen(opened.owner.id(), place.attribute.c_str(), H5P_DEFAULT), H5Aclose, "open");
    opened.type = Handle(H5Aget_type(opened.handle.id()), H5Tclose, "open");
    opened.space = Handle(H5Aget_space(opened.handle.id()), H5Sclose, "open");
  }
  return opened;
}

/// Room for all values in memory; 0 where that is too much, since a shape may claim anything.
std::size_t bytes_of_all(const Handle& type, const Handle& space) {
  constexpr std::size_t most = std::size_t{1} << 20U;
  const hssize_t n = H5Sget_simple_extent_npoints(space.id());
  const std::size_t size = H5Tget_size(type.id());
  return n < 0 || static_cast<std::size_t>(n) > most / size ? 0
                                                            : static_cast<std::size_t>(n) * size;
}

/// The same; 0 for values of variable length, which are pointers in memory.
std::size_t size_of_values(const Opened& opened) {
  return H5Tis_variable_str(opened.type.id()) > 0 ? 0 : bytes_of_all(opened.type, opened.space);
}

bool write_values(const Opened& opened, bool is_attribute, std::string bytes) {
  const std::size_t size = size_of_values(opened);
  if (size == 0) return false;
  bytes.resize(size);
  return (is_attribute ? H5Awrite(opened.handle.id(), opened.type.id(), bytes.data())
                       : H5Dwrite(opened.handle.id(), opened.type.id(), H5S_ALL, H5S_ALL,
                                  H5P_DEFAULT, bytes.data())) >= 0;
}

Handle open_for_writing(const std::filesystem::path& path) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "create a property list");
  H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110);
  H5Pset_fclose_degree(access.id(), H5F_CLOSE_STRONG);
  H5Pset_file_locking(access.id(), false, true);
  return {H5Fopen(path.c_str(), H5F_ACC_RDWR, access.id()), H5Fclose, "open the file"};
}

herr_t note_attribute(hid_t /*object*/, const char* name, const H5A_info_t* /*info*/, void* out) {
  static_cast<std::vector<std::string>*>(out)->emplace_back(name);
  return 0;
}

void note_attributes(hid_t file, const std::string& object, std::vector<Place>& places) {
  std::vector<std::string> names;
  H5Aiterate_by_name(file, object.c_str(), H5_INDEX_NAME, H5_ITER_INC, nullptr, note_attribute,
                     &names, H5P_DEFAULT);
  for (const std::string& name : names) places.push_back({object, name});
}

herr_t note_object(hid_t file, const char* name, const H5L_info_t* link, void* out) {
  if (link->type != H5L_TYPE_HARD) return 0;
  auto& places = *static_cast<std::vector<Place>*>(out);
  const std::string object = fmt::format("/{}", name);
  const hid_t opened = H5Oopen(file, name, H5P_DEFAULT);
  places.push_back({object, "", H5Iget_type(opened) == H5I_GROUP});
  H5Oclose(opened);
  note_attributes(file, object, places);
  return 0;
}

}  // namespace

Cells cells_of(const std::vector<std::string>& texts) {
  Cells cells{CellType::text, 1, {texts.size()}};
  for (const std::string& text : texts) cells.text_bytes = std::max(cells.text_bytes, text.size());
  for (std::string text : texts) {
    text.resize(cells.text_bytes);
    cells.bytes += text;
  }
  return cells;
}

EditedHdf5::EditedHdf5(const std::filesystem::path& path) : file_(open_for_writing(path)) {}

std::vector<Place> EditedHdf5::places() const {
  std::vector<Place> places;
  note_attributes(file_.id(), "/", places);
  H5Lvisit(file_.id(), H5_INDEX_NAME, H5_ITER_INC, note_object, &places);
  return places;
}

std::string EditedHdf5::bytes(const Place& place) const {
  const Opened opened = open_values(file_, place);
  std::string bytes(size_of_values(opened), '\0');
  if (bytes.empty()) return bytes;
  if (place.attribute.empty()) {
    H5Dread(opened.handle.id(), opened.type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
  } else {
    H5Aread(opened.handle.id(), opened.type.id(), bytes.data());
  }
  return bytes;
}

bool EditedHdf5::overwrite(const Place& place, std::string bytes) {
  return write_values(open_values(file_, place), !place.attribute.empty(), std::move(bytes));
}

bool EditedHdf5::put(const Place& place, const Cells& cells) {
  remove(place);
  const Handle type = type_of(cells);
  const Handle space = space_of(cells.shape);
  // HDF5 would make room for all of these; contiguous values take none until they are written.
  const bool takes_room = !place.attribute.empty() || cells.storage != Storage::contiguous;
  if (takes_room && bytes_of_all(type, space) == 0) return false;
  const hid_t id =
      place.attribute.empty()
          ? H5Dcreate2(file_.id(), place.object.c_str(), type.id(), space.id(), H5P_DEFAULT,
                       storage_of(cells).id(), H5P_DEFAULT)
          : H5Acreate_by_name(file_.id(), place.object.c_str(), place.attribute.c_str(), type.id(),
                              space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (id < 0) return false;
  (place.attribute.empty() ? H5Dclose : H5Aclose)(id);
  if (cells.storage != Storage::elsewhere) overwrite(place, cells.bytes);
  return true;
}

bool EditedHdf5::put_group(const std::string& object) {
  remove({object, ""});
  const hid_t group = H5Gcreate2(file_.id(), object.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  return group >= 0 && H5Gclose(group) >= 0;
}

bool EditedHdf5::remove(const Place& place) {
  const bool removed =
      (place.attribute.empty() ? H5Ldelete(file_.id(), place.object.c_str(), H5P_DEFAULT)
                               : H5Adelete_by_name(file_.id(), place.object.c_str(),
                                                   place.attribute.c_str(), H5P_DEFAULT)) >= 0;
  H5Eclear2(H5E_DEFAULT);
  return removed;
}

bool EditedHdf5::link_hard(const std::string& object, const std::string& target) {
  remove({object, ""});
  return H5Lcreate_hard(file_.id(), target.c_str(), file_.id(), object.c_str(), H5P_DEFAULT,
                        H5P_DEFAULT) >= 0;
}

bool EditedHdf5::link_soft(const std::string& object, const std::string& target) {
  remove({object, ""});
  return H5Lcreate_soft(target.c_str(), file_.id(), object.c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0;
}

std::uint64_t EditedHdf5::offset(const std::string& object) const {
  const Handle dataset(H5Dopen2(file_.id(), object.c_str(), H5P_DEFAULT), H5Dclose, "open");
  haddr_t address = H5Dget_offset(dataset.id());
  if (address == HADDR_UNDEF) {  // chunked
    hsize_t size = 0;
    H5Dget_chunk_info(dataset.id(), H5S_ALL, 0, nullptr, nullptr, &address, &size);
  }
  return address == HADDR_UNDEF ? 0 : address;
}

std::uint64_t EditedHdf5::digest_of_values(const std::string& object) const {
  const Opened opened = open_values(file_, {object, ""});
  const std::string values = bytes({object, ""});
  Digest digest;
  if (H5Tget_class(opened.type.id()) == H5T_STRING && !values.empty()) {
    std::vector<std::string> texts;
    const std::size_t length = H5Tget_size(opened.type.id());
    for (std::size_t at = 0; at < values.size(); at += length) {
      texts.push_back(values.substr(at, length));
      texts.back().resize(texts.back().find_last_not_of('\0') + 1);
    }
    digest.add(texts);
  } else {
    digest.add(std::span<const char>(values));
  }
  return digest.value();
}

void EditedHdf5::put_digest(const std::string& object, std::uint64_t digest) {
  Cells cells = cells_of({digest_to_hex(digest)});
  cells.shape.clear();
  put({object, "digest"}, cells);
}

std::uint64_t EditedHdf5::number(const Place& place) const {
  std::uint64_t value = 0;
  const htri_t exists =
      H5Aexists_by_name(file_.id(), place.object.c_str(), place.attribute.c_str(), H5P_DEFAULT);
  if (exists > 0) {
    const std::string stored = bytes(place);
    std::memcpy(&value, stored.data(), std::min(sizeof value, stored.size()));
  }
  return value;
}

void EditedHdf5::repair_blocks(DigestOf& digests, const std::string& bits,
                               const std::string& blocks) {
  if (!digests.contains(bits) || !digests.contains(blocks)) return;
  const std::uint64_t digest = digests[bits];  // files that are edited have one block
  overwrite({blocks, ""}, {reinterpret_cast<const char*>(&digest), sizeof digest});
  digests[blocks] = digests[bits] = digest_of_values(blocks);
}

void EditedHdf5::repair_samples(DigestOf& digests) {
  put_digest("/samples",
             samples_digest(number({"/samples", "n_samples"}), number({"/samples", "n_observed"}),
                            digests["/samples/bits"], digests["/samples/missing"],
                            digests["/samples/names"]));
}

void EditedHdf5::repair_dense(DigestOf& digests) {
  put_digest("/dense",
             dense_digest(number({"/dense", "n_samples"}), number({"/dense", "n_columns"}),
                          digests["/dense/values"], digests["/dense/names"]));
}

void EditedHdf5::repair_categorical(DigestOf& digests) {
  const std::uint64_t n_samples = number({"/categorical", "n_samples"});
  const std::uint64_t n_columns = number({"/categorical", "n_columns"});
  put_digest(
      "/categorical",
      categorical_digest(n_samples, n_columns,
                         {digests["/categorical/codes"], digests["/categorical/names"],
                          digests["/categorical/n_categories"], digests["/categorical/category"]}));
}

void EditedHdf5::repair_checkpoint(const DigestOf& digests) {
  const auto text = [&](const char* name) {
    std::string stored = bytes({"/checkpoint", name});
    stored.resize(stored.find_last_not_of('\0') + 1);
    return stored;
  };
  Digest whole;
  const auto add = [&](const std::string& name, const std::vector<std::uint64_t>& numbers) {
    whole.add({name});
    whole.add(std::span<const std::uint64_t>(numbers));
  };
  add(text("learner"),
      {checkpoint_version, digest_from_hex(text("data_digest")).value_or(0),
       number({"/checkpoint", "n_samples"}), number({"/checkpoint", "n_observed"})});
  for (const std::string part : {"option_names", "option_values", "words/", "reals/"}) {
    for (const auto& [object, digest] : digests) {
      if (!object.starts_with("/checkpoint/" + part)) continue;
      const Opened opened = open_values(file_, {object, ""});
      const hssize_t n = H5Sget_simple_extent_npoints(opened.space.id());
      add(object.substr(12), {static_cast<std::uint64_t>(n), digest});
    }
  }
  put_digest("/checkpoint", whole.value());
}

void EditedHdf5::repair_digests() {
  DigestOf digests;
  const std::vector<Place> all = places();
  for (const Place& place : all) {
    if (place.attribute.empty() && !place.is_group) {
      digests[place.object] = digest_of_values(place.object);
    }
  }
  repair_blocks(digests, "/samples/bits", "/samples/block_digests");
  repair_blocks(digests, "/samples/missing", "/samples/missing_block_digests");
  repair_blocks(digests, "/dense/values", "/dense/block_digests");
  for (const auto& [object, digest] : digests) put_digest(object, digest);
  for (const Place& place : all) {
    if (!place.is_group) continue;
    if (place.object == "/samples") repair_samples(digests);
    if (place.object == "/dense") repair_dense(digests);
    if (place.object == "/categorical") repair_categorical(digests);
    if (place.object == "/checkpoint") repair_checkpoint(digests);
  }
}

}  // namespace orrery::store
