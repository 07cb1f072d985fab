// Where a model's fields stand in an HDF5 file.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "store/hdf5_wrapper.hpp"

namespace orrery::store {

/// "causes/prior" is the dataset "prior" of the group "causes"; "stability@resamples" the attribute
/// "resamples" of the group "stability"; the model's own group has no name.
struct Place {
  std::string group;
  std::string name;
};
inline Place split(const std::string& path, char separator) {
  const std::size_t at = path.rfind(separator);
  if (at == std::string::npos) return {"", path};
  return {path.substr(0, at), path.substr(at + 1)};
}
inline Place dataset_place(const std::string& path) { return split(path, '/'); }
inline Place attribute_place(const std::string& path) { return split(path, '@'); }

/// The groups below the model's own, opened or made when they are first asked for.
class Groups {
 public:
  Groups(const hdf5::Handle& root, bool writes) : root_(root), writes_(writes) {}

  const hdf5::Handle& at(const std::string& path) {
    if (path.empty()) return root_;
    if (const auto found = open_.find(path); found != open_.end()) return found->second;
    const Place place = dataset_place(path);
    const hdf5::Handle& parent = at(place.group);
    hdf5::Handle group =
        writes_ ? hdf5::create_group(parent, place.name) : hdf5::open_group(parent, place.name);
    return open_.emplace(path, std::move(group)).first->second;
  }
  /// True if the file has the group, or the object in it.
  [[nodiscard]] bool has(const std::string& path) {
    if (path.empty()) return true;
    const Place place = dataset_place(path);
    return has(place.group) && hdf5::has_object(at(place.group), place.name);
  }
  /// Buffered data is written here.
  void close() {
    // From the innermost group outwards.
    for (auto group = open_.rbegin(); group != open_.rend(); ++group) group->second.close();
    open_.clear();
  }

 private:
  const hdf5::Handle& root_;
  bool writes_;
  std::map<std::string, hdf5::Handle> open_;
};

}  // namespace orrery::store
