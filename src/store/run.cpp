// Unfinished runs into and out of files.
// Memory: the arrays once, where the caller has or wants them; they are verified in pieces.
#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "store/dataset.hpp"
#include "store/groups.hpp"

namespace orrery::store {

using hdf5::FormatError;
using hdf5::Handle;

namespace {

constexpr const char* group_name = "checkpoint";

/// The digest of the group: each dataset's own digest shows that its values are whole, this one
/// that they are the values of that name, and that the attributes are whole.
class GroupDigest {
 public:
  explicit GroupDigest(const Checkpoint& head) {
    digest_.add({head.learner});
    add_words({checkpoint_version, head.data_digest, head.n_samples, head.n_observed});
  }
  void add(const std::string& dataset, std::uint64_t length, std::uint64_t digest) {
    digest_.add({dataset});
    add_words({length, digest});
  }
  [[nodiscard]] std::uint64_t value() const { return digest_.value(); }

 private:
  void add_words(const std::vector<std::uint64_t>& words) {
    digest_.add(std::span<const std::uint64_t>(words));
  }

  Digest digest_;
};

std::uint64_t digest_of_strings(const std::vector<std::string>& strings) {
  Digest digest;
  digest.add(strings);
  return digest.value();
}

void write_options(const Handle& group, const Checkpoint& checkpoint, GroupDigest& whole) {
  using Option = std::pair<std::string, std::string>;
  const auto names = gather<std::string>(checkpoint.options, &Option::first);
  const auto values = gather<std::string>(checkpoint.options, &Option::second);
  write_strings(group, "option_names", names);
  write_strings(group, "option_values", values);
  whole.add("option_names", names.size(), digest_of_strings(names));
  whole.add("option_values", values.size(), digest_of_strings(values));
}

template <class T>
void write_arrays(const Handle& group, const std::string& name,
                  const std::map<std::string, std::vector<T>>& arrays, GroupDigest& whole) {
  Handle part = hdf5::create_group(group, name);
  for (const auto& [array, values] : arrays) {
    assert(!array.empty() && array != "." && array.find('/') == std::string::npos);
    whole.add(name + "/" + array, values.size(), write_array(part, array, values));
  }
  part.close();
}

void require_version(const Handle& group) {
  const auto version = hdf5::read_attribute<std::uint32_t>(group, "version");
  if (version != checkpoint_version) {
    throw FormatError(fmt::format(
        "the checkpoint has version {}, this orrery reads {}; {}, or begin the run anew", version,
        checkpoint_version,
        version > checkpoint_version ? "use a newer orrery" : "use the orrery that wrote it"));
  }
}

Checkpoint read_head(const Handle& group) {
  require_version(group);
  Checkpoint head;
  head.learner = hdf5::read_attribute<std::string>(group, "learner");
  head.data_digest = read_digest_attribute(group, "data_digest");
  head.n_samples = hdf5::read_attribute<std::uint64_t>(group, "n_samples");
  head.n_observed = hdf5::read_attribute<std::uint64_t>(group, "n_observed");
  return head;
}

void read_options(const Handle& group, Checkpoint& checkpoint, GroupDigest& whole) {
  const auto names = read_strings(group, "option_names");
  const auto values = read_strings(group, "option_values", names.size());
  whole.add("option_names", names.size(), digest_of_strings(names));
  whole.add("option_values", values.size(), digest_of_strings(values));
  for (std::size_t i = 0; i < names.size(); ++i) {
    checkpoint.options.emplace_back(names[i], values[i]);
  }
}

/// Each array of a part is opened, handed to `take`, which compares its digest, and added to the
/// digest of the whole.
template <class T, class Take>
void for_each_array(const Handle& group, const std::string& name, GroupDigest& whole,
                    const Take& take) {
  const Handle part = hdf5::open_group(group, name);
  for (const std::string& array : hdf5::object_names(part)) {
    const Dataset dataset = Dataset::open(part, array, hdf5::number_type<T>(), 1);
    take(array, dataset);
    whole.add(name + "/" + array, dataset.shape()[0], dataset.stored_digest());
  }
}

void require_whole(const Handle& group, const GroupDigest& whole) {
  const std::uint64_t stored = read_digest_attribute(group, "digest");
  if (stored != whole.value()) {
    throw FormatError(fmt::format(
        "the digest of /checkpoint is {}, but its parts give {}; the file is damaged: restore a "
        "copy or begin the run anew",
        digest_to_hex(stored), digest_to_hex(whole.value())));
  }
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint,
                      const RunInfo& run) {
  writing(path, [&] {
    NewFile file(path);
    Handle group = hdf5::create_group(file.root(), group_name);
    hdf5::write_attribute(group, "version", checkpoint_version);
    hdf5::write_attribute(group, "learner", checkpoint.learner);
    write_digest_attribute(group, "data_digest", checkpoint.data_digest);
    hdf5::write_attribute(group, "n_samples", checkpoint.n_samples);
    hdf5::write_attribute(group, "n_observed", checkpoint.n_observed);
    GroupDigest whole(checkpoint);
    write_options(group, checkpoint, whole);
    write_arrays(group, "words", checkpoint.words, whole);
    write_arrays(group, "reals", checkpoint.reals, whole);
    write_digest_attribute(group, "digest", whole.value());
    group.close();
    file.finish(run);
  });
}

Checkpoint read_checkpoint_group(const StoredFile& file) {
  const Handle group = file.group(group_name);
  Checkpoint checkpoint = read_head(group);
  GroupDigest whole(checkpoint);
  read_options(group, checkpoint, whole);
  for_each_array<std::uint64_t>(group, "words", whole,
                                [&](const std::string& name, const Dataset& dataset) {
                                  checkpoint.words[name] = read_values<std::uint64_t>(dataset);
                                });
  for_each_array<double>(group, "reals", whole,
                         [&](const std::string& name, const Dataset& dataset) {
                           checkpoint.reals[name] = read_values<double>(dataset);
                         });
  require_whole(group, whole);
  return checkpoint;
}

void verify_checkpoint_group(const StoredFile& file) {
  const Handle group = file.group(group_name);
  Checkpoint head = read_head(group);
  GroupDigest whole(head);
  read_options(group, head, whole);
  const auto verify = [](const std::string& /*name*/, const Dataset& dataset) {
    verify_values(dataset);
  };
  for_each_array<std::uint64_t>(group, "words", whole, verify);
  for_each_array<double>(group, "reals", whole, verify);
  require_whole(group, whole);
}

std::uint64_t digest_of_state(const Checkpoint& checkpoint) {
  GroupDigest whole(checkpoint);
  const auto names =
      gather<std::string>(checkpoint.options, &std::pair<std::string, std::string>::first);
  const auto values =
      gather<std::string>(checkpoint.options, &std::pair<std::string, std::string>::second);
  whole.add("option_names", names.size(), digest_of_strings(names));
  whole.add("option_values", values.size(), digest_of_strings(values));
  const auto add_arrays = [&]<class T>(const std::string& part,
                                       const std::map<std::string, std::vector<T>>& arrays) {
    for (const auto& [array, values_of] : arrays) {
      whole.add(part + "/" + array, values_of.size(), digest_of(std::span<const T>(values_of)));
    }
  };
  add_arrays("words", checkpoint.words);
  add_arrays("reals", checkpoint.reals);
  return whole.value();
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  return reading(path, [&] { return read_checkpoint_group(StoredFile(path)); });
}

}  // namespace orrery::store
