#include "store/origin.hpp"

#include <cstdint>
#include <string>

#include "store/dataset.hpp"

namespace orrery::store {

void write_origin(const hdf5::Handle& group, const model::Origin& origin) {
  hdf5::write_attribute(group, "learner", origin.learner);
  write_digest_attribute(group, "data_digest", origin.data_digest);
  hdf5::write_attribute(group, "n_samples", origin.n_samples);
}

model::Origin read_origin(const hdf5::Handle& group) {
  model::Origin origin;
  origin.learner = hdf5::read_attribute<std::string>(group, "learner");
  origin.data_digest = read_digest_attribute(group, "data_digest");
  origin.n_samples = hdf5::read_attribute<std::uint64_t>(group, "n_samples");
  if (hdf5::has_object(group, "remarks")) origin.remarks = read_strings(group, "remarks");
  return origin;
}

}  // namespace orrery::store
