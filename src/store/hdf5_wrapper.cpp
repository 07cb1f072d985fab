#include "store/hdf5_wrapper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/memory_limit.hpp"

namespace orrery::store::hdf5 {

// ---------------------------------------------------------------------------------------- errors

struct ErrorFrames {
  std::string innermost;
  std::string all;
  std::string system_reason;
  bool lacks_memory = false;
};

namespace {

herr_t collect_frame(unsigned /*n*/, const H5E_error2_t* error, void* out) {
  auto& frames = *static_cast<ErrorFrames*>(out);
  std::string text = error->desc == nullptr ? "" : error->desc;
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (frames.innermost.empty()) {
    frames.innermost = text;
  }
  frames.all += fmt::format("{}{}: {}", frames.all.empty() ? "" : "; ",
                            error->func_name == nullptr ? "?" : error->func_name, text);
  frames.lacks_memory = frames.lacks_memory || error->min_num == H5E_NOSPACE ||
                        text.find("memory allocation failed") != std::string::npos;
  // The drivers word a failed system call as: errno = 28, error message = 'No space ...', ...
  constexpr std::string_view key = "error message = '";
  const std::size_t begin = text.find(key);
  if (begin != std::string::npos && frames.system_reason.empty()) {
    const std::size_t from = begin + key.size();
    frames.system_reason = text.substr(from, text.find('\'', from) - from);
  }
  return 0;
}

ErrorFrames take_stack() {
  ErrorFrames frames;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect_frame, &frames);
  H5Eclear2(H5E_DEFAULT);
  if (frames.innermost.empty()) {
    frames.innermost = "HDF5 gives no reason";
  }
  return frames;
}

}  // namespace

Hdf5Error::Hdf5Error(const std::string& action) : Hdf5Error(action, take_stack()) {}

Hdf5Error::Hdf5Error(const std::string& action, const ErrorFrames& frames)
    : std::runtime_error(
          fmt::format("cannot {}: {}", action,
                      frames.system_reason.empty() ? frames.innermost : frames.system_reason)),
      stack_(frames.all),
      system_reason_(frames.system_reason),
      lacks_memory_(frames.lacks_memory) {}

// ------------------------------------------------------------------------------ library, handles

namespace {

/// For the library as it begins, or for a file that is opened or made: HDF5 1.10 goes on with a
/// null pointer where it gets no memory for its own tables, 1.3 MB of either.
void require_room() { require_address_space(std::size_t{4} << 20, "the tables of HDF5"); }

}  // namespace

LibraryLock::LibraryLock() {
  static std::recursive_mutex mutex;
  static std::once_flag prepared;
  lock_ = std::unique_lock(mutex);
  // Every identifier has an owner; a second attempt at exit to write a file that failed would
  // print and loop.
  std::call_once(prepared, [] {
    require_room();
    H5dont_atexit();
  });
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // a setting of each thread
}

Handle::Handle(hid_t id, Close closer, const std::string& action)
    : id_(check(id, action)), close_(closer) {}

Handle::Handle(Handle&& other) noexcept
    : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}

Handle& Handle::operator=(Handle&& other) noexcept {
  if (this != &other) {
    discard();
    id_ = std::exchange(other.id_, H5I_INVALID_HID);
    close_ = other.close_;
  }
  return *this;
}

Handle::~Handle() { discard(); }

void Handle::discard() noexcept {
  if (is_open()) {
    close_(std::exchange(id_, H5I_INVALID_HID));
    H5Eclear2(H5E_DEFAULT);
  }
}

void Handle::close() {
  if (is_open()) {
    check(close_(std::exchange(id_, H5I_INVALID_HID)), "close an HDF5 object");
  }
}

// ---------------------------------------------------------------------------------- files, groups

namespace {

Handle property_list(hid_t kind) { return {H5Pcreate(kind), H5Pclose, "create a property list"}; }

/// No lock files and no flock: files are never written in place, and some file systems refuse.
Handle access_properties() {
  Handle properties = property_list(H5P_FILE_ACCESS);
  check(H5Pset_file_locking(properties.id(), false, true), "switch file locking off");
  // The last owner closes the file for good, whatever failed before.
  check(H5Pset_fclose_degree(properties.id(), H5F_CLOSE_STRONG), "set how files are closed");
  return properties;
}

}  // namespace

Handle create_file(const std::filesystem::path& path) {
  require_room();
  const Handle access = access_properties();
  check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110), "set the format");
  const Handle creation = property_list(H5P_FILE_CREATE);
  check(H5Pset_obj_track_times(creation.id(), false), "switch time stamps off");
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose,
          "create the file"};
}

Handle open_file(const std::filesystem::path& path) {
  require_room();
  const Handle access = access_properties();
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose, "open the file"};
}

void flush_file(const Handle& file) {
  check(H5Fflush(file.id(), H5F_SCOPE_GLOBAL), "flush the file");
}

Handle create_group(const Handle& parent, const std::string& name) {
  const Handle creation = property_list(H5P_GROUP_CREATE);
  check(H5Pset_obj_track_times(creation.id(), false), "switch time stamps off");
  return {H5Gcreate2(parent.id(), name.c_str(), H5P_DEFAULT, creation.id(), H5P_DEFAULT), H5Gclose,
          fmt::format("create group {}", name)};
}

Handle open_group(const Handle& parent, const std::string& name) {
  if (!has_object(parent, name)) {
    throw FormatError(
        fmt::format("group {} holds no {}; write the file anew", object_name(parent), name));
  }
  return {H5Gopen2(parent.id(), name.c_str(), H5P_DEFAULT), H5Gclose,
          fmt::format("open group {}", name)};
}

bool has_object(const Handle& parent, const std::string& name) {
  const std::string action = fmt::format("look for {}", name);
  if (check(H5Lexists(parent.id(), name.c_str(), H5P_DEFAULT), action) == 0) {
    return false;
  }
  H5L_info_t info;
  check(H5Lget_info(parent.id(), name.c_str(), &info, H5P_DEFAULT), action);
  return info.type == H5L_TYPE_HARD;
}

bool is_group(const Handle& parent, const std::string& name) {
  const Handle object(H5Oopen(parent.id(), name.c_str(), H5P_DEFAULT), H5Oclose, "open " + name);
  return H5Iget_type(object.id()) == H5I_GROUP;
}

std::vector<std::string> object_names(const Handle& group) {
  std::vector<std::string> names;
  const auto collect = [](hid_t /*group*/, const char* name, const H5L_info_t* /*info*/,
                          void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  check(H5Literate(group.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names),
        "list a group");
  return names;
}

std::string object_name(const Handle& object) {
  const ssize_t length = check(H5Iget_name(object.id(), nullptr, 0), "name an object");
  std::string name(static_cast<std::size_t>(length) + 1, '\0');
  check(H5Iget_name(object.id(), name.data(), name.size()), "name an object");
  name.resize(static_cast<std::size_t>(length));
  return name;
}

// ------------------------------------------------------------------------------ types, attributes

// Stored and native types are the same on the little-endian machines that digest.hpp insists on.
template <>
hid_t number_type<std::uint8_t>() {
  return H5T_STD_U8LE;
}
template <>
hid_t number_type<std::uint32_t>() {
  return H5T_STD_U32LE;
}
template <>
hid_t number_type<std::uint64_t>() {
  return H5T_STD_U64LE;
}
template <>
hid_t number_type<std::int32_t>() {
  return H5T_STD_I32LE;
}
template <>
hid_t number_type<double>() {
  return H5T_IEEE_F64LE;
}

Handle string_type(std::size_t length) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "create a string type");
  check(H5Tset_size(type.id(), std::max<std::size_t>(length, 1)), "size a string type");
  check(H5Tset_strpad(type.id(), H5T_STR_NULLPAD), "pad a string type");
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "encode a string type");
  return type;
}

void require_fixed_string(const Handle& type, const std::string& what) {
  const bool is_string = H5Tget_class(type.id()) == H5T_STRING;
  if (!is_string || check(H5Tis_variable_str(type.id()), "look at a string type") > 0) {
    throw FormatError(fmt::format("{} is not a string of fixed length; write the file anew", what));
  }
}

namespace {

void write_raw_attribute(const Handle& object, const std::string& name, hid_t type,
                         const void* value) {
  const std::string action = fmt::format("write attribute {}", name);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, action);
  const Handle attribute(
      H5Acreate2(object.id(), name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
      action);
  check(H5Awrite(attribute.id(), type, value), action);
}

/// An attribute with a single value, whose name in messages is `what`.
Handle open_attribute(const Handle& object, const std::string& name, const std::string& what) {
  if (!has_attribute(object, name)) {
    throw FormatError(fmt::format("there is no {}; write the file anew", what));
  }
  Handle attribute(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT), H5Aclose, "open " + what);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, "open " + what);
  if (H5Sget_simple_extent_npoints(space.id()) != 1) {
    throw FormatError(fmt::format("{} is not a single value; write the file anew", what));
  }
  return attribute;
}

std::string attribute_name(const Handle& object, const std::string& name) {
  return fmt::format("attribute {} of {}", name, object_name(object));
}

}  // namespace

bool has_attribute(const Handle& object, const std::string& name) {
  return check(H5Aexists(object.id(), name.c_str()), "look for attribute " + name) > 0;
}

template <class T>
void write_attribute(const Handle& object, const std::string& name, const T& value) {
  write_raw_attribute(object, name, number_type<T>(), &value);
}

template <>
void write_attribute(const Handle& object, const std::string& name, const std::string& value) {
  const Handle type = string_type(value.size());
  write_raw_attribute(object, name, type.id(), value.c_str());
}

template <class T>
T read_attribute(const Handle& object, const std::string& name) {
  const std::string what = attribute_name(object, name);
  const Handle attribute = open_attribute(object, name, what);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose, "read " + what);
  if (check(H5Tequal(type.id(), number_type<T>()), "read " + what) == 0) {
    throw FormatError(
        fmt::format("{} has another type than schema 1 says; write the file anew", what));
  }
  T value{};
  check(H5Aread(attribute.id(), number_type<T>(), &value), "read " + what);
  return value;
}

template <>
std::string read_attribute(const Handle& object, const std::string& name) {
  const std::string what = attribute_name(object, name);
  const Handle attribute = open_attribute(object, name, what);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose, "read " + what);
  require_fixed_string(type, what);
  std::string value(H5Tget_size(type.id()), '\0');
  if (value.size() > H5Aget_storage_size(attribute.id())) {
    throw FormatError(fmt::format("{} claims {} bytes but holds fewer", what, value.size()));
  }
  check(H5Aread(attribute.id(), type.id(), value.data()), "read " + what);
  value.resize(value.find_last_not_of('\0') + 1);
  return value;
}

template void write_attribute(const Handle&, const std::string&, const std::uint32_t&);
template void write_attribute(const Handle&, const std::string&, const std::uint64_t&);
template void write_attribute(const Handle&, const std::string&, const double&);
template double read_attribute(const Handle&, const std::string&);
template std::uint32_t read_attribute(const Handle&, const std::string&);
template std::uint64_t read_attribute(const Handle&, const std::string&);

}  // namespace orrery::store::hdf5
