#include "store/archive.hpp"

namespace orrery::store {

void Archive::origin(model::Origin& origin) {
  value({"learner", "@learner"}, origin.learner, !origin.learner.empty());
  value({"n_samples", "@n_samples"}, origin.n_samples, origin.n_samples > 0);
  digest({"data_digest", "@data_digest"}, origin.data_digest, origin.data_digest != 0);
}

void Archive::remarks(model::Origin& origin) { texts({"remarks", "remarks"}, origin.remarks); }

}  // namespace orrery::store
