// Classifiers of causes from their anchors, taken as labels with noise (Natarajan, Dhillon,
// Ravikumar, Tewari 2013, "Learning with noisy labels"): the discriminative baseline of Halpern,
// Horng, Sontag 2015 (Sec. 5.5), which knows nothing of how causes depend on one another, and what
// their imputation draws from.
//
//   paper                        code
//   Y~, the noisy label          the anchor's column
//   rho_-1 = P(Y~=+1|Y=-1)       NoisyLabel::off
//   rho_+1 = P(Y~=-1|Y=+1)       1 - NoisyLabel::on
//   alpha* (Theorem 9)           (on + off) / 2
//
// A cause's features are all columns but its own anchors. Other causes' anchors stay: an anchor's
// noise depends on nothing but its own cause, so nothing is unfair in them, and without them the
// baseline would be weaker than it need be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "data/row_lists.hpp"
#include "learning/stages.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::learning {

/// A label of a cause.
struct NoisyLabel {
  std::uint32_t column = 0;  ///< the anchor
  double off = 0;            ///< P(A = 1 | Y = 0) < on
  double on = 1;             ///< P(A = 1 | Y = 1)
  /// Columns that are no features: the cause's anchors, `column` among them; rising.
  std::vector<std::uint32_t> left_out;
};

/// P(A = 1 | Y = 0) and P(A = 1 | Y = 1) of an anchor: as given or estimated where the model keeps
/// that, else by its parameters.
std::pair<double, double> anchor_rates(const model::LearnedModel& learned, std::size_t anchor);

/// Of each cause the anchor that tells most, by on - off (the lower column of two equal ones).
/// Throws InputError naming a cause without an anchor, and one whose anchors are on no more often
/// with it than without.
std::vector<NoisyLabel> noisy_labels(const model::LearnedModel& learned);

class NoisyLabelClassifiers {
 public:
  /// A label's rates, and the weights of its scores: one per column, 0 where it is left out, then
  /// the constant.
  struct Classifier {
    double off = 0;
    double on = 1;
    double prior = 0;  ///< P(Y = 1), by the anchor: (P(A = 1) - off) / (on - off), within [0, 1]
    std::vector<double> weights;
  };

  NoisyLabelClassifiers() = default;
  explicit NoisyLabelClassifiers(std::vector<Classifier> classifiers)
      : classifiers_(std::move(classifiers)) {}

  [[nodiscard]] std::size_t n_causes() const noexcept { return classifiers_.size(); }
  [[nodiscard]] const Classifier& classifier(std::size_t cause) const {
    return classifiers_[cause];
  }
  /// More than 0: more likely on than off. `row`: columns that are on.
  [[nodiscard]] double score(std::size_t cause, std::span<const std::uint16_t> row) const noexcept;
  /// P(Y = 1 | the row without the cause's anchors) as estimated; may lie outside [0, 1] by
  /// (1 - on) / (on - off) or off / (on - off) at most, and then tells rows apart that
  /// probability() does not.
  [[nodiscard]] double estimate(std::size_t cause,
                                std::span<const std::uint16_t> row) const noexcept;
  [[nodiscard]] double probability(std::size_t cause,
                                   std::span<const std::uint16_t> row) const noexcept;

 private:
  std::vector<Classifier> classifiers_;
};

/// alpha* of a label's rates.
inline double alpha_of(double off, double on) noexcept { return (on + off) / 2; }
/// P(Y = 1), of rows of which so many have A = 1: (P(A = 1) - off) / (on - off).
inline double clean_share(const NoisyLabelClassifiers::Classifier& label,
                          double share_on) noexcept {
  return (share_on - label.off) / (label.on - label.off);
}

struct NoisyLabelOptions {
  /// C of 1/2 |w|^2 + C sum of losses; each row's loss weighs 1 on average if noise is even.
  double loss_weight = 1;
  /// Newton's method ends when the gradient is so much smaller than at the start.
  double tolerance = 1e-6;
  /// Its name in progress and in the checkpoint: one a training.
  const char* stage = "classifiers";
};

/// One classifier a label. `rows`: 1 to 2^31 - 1 of them (else InputError). Causes are units: same
/// result at every rank. Memory of a thread: 16 bytes per value that is on, beside `rows`. Time:
/// some ten to thirty passes over the rows a cause. At 1,000 ranks a cause's rows, all on one
/// thread, are what takes longest. Collective.
NoisyLabelClassifiers train_noisy_labels(const Workers& workers, const data::RowLists& rows,
                                         std::size_t n_columns, std::span<const NoisyLabel> labels,
                                         const NoisyLabelOptions& options = {});

/// One draw of every (row, cause) from the classifier's probability, keyed by (seed, row): the
/// single imputation of Sec. 5.5. As many columns as causes.
data::BitPanels impute_causes(const NoisyLabelClassifiers& classifiers, const data::RowLists& rows,
                              std::uint64_t seed, int threads);

}  // namespace orrery::learning
