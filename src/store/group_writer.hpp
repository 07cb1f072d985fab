// A model as a group of a file: alone, or beside the samples that were drawn from it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "store/run_info.hpp"

namespace orrery::store {

namespace hdf5 {
class Handle;
}
class Archive;

/// Writes one group below the root of a file that is being made.
using GroupWriter = std::function<void(const hdf5::Handle& root)>;
/// Goes through the fields of a model; see store/archive.hpp.
using GoThroughFields = std::function<void(Archive& archive)>;

/// A group of that name with these fields. Writing throws InputError if a text cannot be stored.
GroupWriter group_of_fields(std::string name, GoThroughFields fields);
/// A new file with that group and /run, checked, synced and renamed.
void write_group(const std::filesystem::path& path, const GroupWriter& group, const RunInfo& run);
/// Takes fields out of a group of a file. Throws InputError, which says what the file holds if it
/// has no such group.
void read_group(const std::filesystem::path& path, const std::string& name,
                const GoThroughFields& fields);

}  // namespace orrery::store
