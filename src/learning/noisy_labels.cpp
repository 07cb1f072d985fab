// The scores of classifiers as probabilities, and what is drawn from them. label_classifiers.cpp
// trains them, and derives the formulas.
#include "learning/noisy_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "orrery/base/error.hpp"

namespace orrery::learning {
std::pair<double, double> anchor_rates(const model::LearnedModel& learned, std::size_t anchor) {
  if (learned.rates.empty()) return learned.network.anchor_rates(anchor);
  return {learned.rates[anchor].off, learned.rates[anchor].on};
}

std::vector<NoisyLabel> noisy_labels(const model::LearnedModel& learned) {
  const model::NoisyOrNetwork& network = learned.network;
  std::vector<NoisyLabel> labels(network.n_causes());
  std::vector<double> best(network.n_causes(), 0);
  for (std::size_t a = 0; a < network.anchors().size(); ++a) {
    const model::Anchor& anchor = network.anchors()[a];
    const auto [off, on] = anchor_rates(learned, a);
    NoisyLabel& label = labels[anchor.cause];
    label.left_out.push_back(anchor.observed);  // anchors are sorted by (cause, observed)
    if (!(on - off > best[anchor.cause])) continue;
    best[anchor.cause] = on - off;
    label.column = anchor.observed;
    label.off = off;
    label.on = on;
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (best[i] > 0) continue;
    throw InputError(fmt::format(
        "cause {}: {}; a classifier needs a label: name an anchor that the cause switches on",
        network.causes()[i].name,
        labels[i].left_out.empty() ? "it has no anchor" : "its anchors say nothing of it"));
  }
  return labels;
}

double NoisyLabelClassifiers::score(std::size_t cause,
                                    std::span<const std::uint16_t> row) const noexcept {
  const std::vector<double>& weights = classifiers_[cause].weights;
  double sum = weights.back();
  for (const std::uint16_t column : row) sum += weights[column];
  return sum;
}

double NoisyLabelClassifiers::estimate(std::size_t cause,
                                       std::span<const std::uint16_t> row) const noexcept {
  const Classifier& label = classifiers_[cause];
  const double a = alpha_of(label.off, label.on);
  // The odds of A = 1 are exp(t) alpha* / (1 - alpha*).
  return clean_share(label, 1 / (1 + std::exp(-score(cause, row)) * (1 - a) / a));
}

double NoisyLabelClassifiers::probability(std::size_t cause,
                                          std::span<const std::uint16_t> row) const noexcept {
  return std::clamp(estimate(cause, row), 0.0, 1.0);
}

data::BitPanels impute_causes(const NoisyLabelClassifiers& classifiers, const data::RowLists& rows,
                              std::uint64_t seed, int threads) {
  const std::size_t n_causes = classifiers.n_causes();
  data::BitPanels causes(n_causes, rows.n_rows());
  const std::size_t n_words = causes.n_words();
  // 64 rows share words: one thread writes them.
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t w = 0; w < n_words; ++w) {
    for (std::size_t r = 64 * w; r < std::min(rows.n_rows(), 64 * (w + 1)); ++r) {
      RowRandom random(seed, Stream::imputation, r);
      for (std::size_t i = 0; i < n_causes; ++i) {
        if (random.bernoulli(classifiers.probability(i, rows.row(r)))) causes.set(r, i, true);
      }
    }
  }
  return causes;
}

}  // namespace orrery::learning
