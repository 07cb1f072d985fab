// What a build without LIBLINEAR says where classifiers are to be trained.
#include "learning/noisy_labels.hpp"
#include "orrery/base/error.hpp"

namespace orrery::learning {

NoisyLabelClassifiers train_noisy_labels(const Workers& /*workers*/, const data::RowLists& /*rows*/,
                                         std::size_t /*n_columns*/,
                                         std::span<const NoisyLabel> /*labels*/,
                                         const NoisyLabelOptions& /*options*/) {
  throw InputError(
      "classifiers of causes by their anchors: this build has no LIBLINEAR to train them with: "
      "build with -DORRERY_ANCHORED=ON, or leave --train out");
}

}  // namespace orrery::learning
