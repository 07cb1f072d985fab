// Which of the methods of Natarajan et al. (2013), and why. Their unbiased estimator of a loss
// (Sec. 3) weighs each row under its own label and, negatively, under the other one. For the
// logistic loss that is still convex, but a row whose anchor is silent then has the label -off /
// (on - off): the weights of features chase it, and the probabilities come out worse the noisier
// the anchor is (on generated data, anchors of 0.1 and 0.5: last tags 84 % right against 91 %). So
// it is the method of label-dependent costs (Sec. 4): logistic regression on the noisy labels, a
// label weighing
//   2 (1 - alpha*) where the anchor is on, 2 alpha* where it is off,   alpha* = (on + off) / 2,
// whose sign is the best guess of the clean label (Theorem 9). LIBLINEAR's class weights do just
// that. Its scores t give more than the sign: at the loss's minimum
//   t = log((1 - alpha*) q / (alpha* (1 - q))),   q = P(A = 1 | x) = off + (on - off) P(Y = 1 | x),
// solved for P(Y = 1 | x) here.
//
// LIBLINEAR's Newton method for this loss (L2R_LR) draws nothing at random.
#include <fmt/format.h>
#include <linear.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <memory>

#include "learning/noisy_labels.hpp"
#include "moments/matrix_products.hpp"
#include "orrery/base/error.hpp"

namespace orrery::learning {
namespace {

void say_nothing(const char* /*text*/) {}

/// Rows as LIBLINEAR has them: features count from 1, each list ends with -1, and the constant is
/// the last feature.
class Problem {
 public:
  Problem(const data::RowLists& rows, std::size_t n_columns, const NoisyLabel& label) {
    const std::size_t n = rows.n_rows();
    std::vector<std::size_t> begin(n);
    for (std::size_t r = 0; r < n; ++r) {
      begin[r] = nodes_.size();
      bool on = false;
      for (const std::uint16_t column : rows.row(r)) {
        on = on || column == label.column;
        if (std::ranges::binary_search(label.left_out, column)) continue;
        nodes_.push_back({static_cast<int>(column) + 1, 1});
      }
      nodes_.push_back({static_cast<int>(n_columns) + 1, 1});
      nodes_.push_back({-1, 0});
      labels_.push_back(on ? 1 : -1);
      n_on_ += on ? 1 : 0;
    }
    for (const std::size_t first : begin) lists_.push_back(nodes_.data() + first);
    problem_ = {static_cast<int>(n), static_cast<int>(n_columns) + 1, labels_.data(), lists_.data(),
                1};
  }
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  [[nodiscard]] const ::problem& get() const noexcept { return problem_; }
  [[nodiscard]] std::size_t n_on() const noexcept { return n_on_; }
  [[nodiscard]] bool has_both() const noexcept { return n_on_ > 0 && n_on_ < labels_.size(); }

 private:
  std::vector<feature_node> nodes_;
  std::vector<feature_node*> lists_;
  std::vector<double> labels_;
  std::size_t n_on_ = 0;
  ::problem problem_{};
};

/// Weights of the scores, n_columns + 1; all 0 but the constant if the anchor never changes.
void fit(const Problem& problem, const NoisyLabel& label, const NoisyLabelOptions& options,
         std::span<double> weights) {
  const double a = alpha_of(label.off, label.on);
  if (!problem.has_both()) {
    // No row speaks for the other value: scores that mean a probability of 0 or 1.
    const double q = problem.n_on() > 0 ? label.on : label.off;
    const double odds = (1 - a) * q / (a * (1 - q));
    weights.back() = std::clamp(std::log(odds), -800.0, 800.0);
    return;
  }
  std::array<int, 2> classes{1, -1};
  std::array<double, 2> costs{2 * (1 - a), 2 * a};
  parameter settings{};
  settings.solver_type = L2R_LR;
  // LIBLINEAR lowers the tolerance by the share of the rarer label.
  const auto n = static_cast<double>(problem.get().l);
  const auto rarer =
      std::min(static_cast<double>(problem.n_on()), n - static_cast<double>(problem.n_on()));
  settings.eps = options.tolerance * n / rarer;
  settings.C = options.loss_weight;
  settings.nr_weight = 2;
  settings.weight_label = classes.data();
  settings.weight = costs.data();
  const auto free_model = [](::model* fitted) { free_and_destroy_model(&fitted); };
  const std::unique_ptr<::model, decltype(free_model)> fitted(train(&problem.get(), &settings),
                                                              free_model);
  const double sign = fitted->label[0] == 1 ? 1 : -1;
  for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = sign * fitted->w[j];
}

void require_rows(std::size_t n_rows) {
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (n_rows > 0 && n_rows <= most) return;
  throw InputError(fmt::format("{} rows to learn classifiers from: must be 1 to {}", n_rows, most));
}

}  // namespace

NoisyLabelClassifiers train_noisy_labels(const Workers& workers, const data::RowLists& rows,
                                         std::size_t n_columns, std::span<const NoisyLabel> labels,
                                         const NoisyLabelOptions& options) {
  require_rows(rows.n_rows());
  set_print_string_function(say_nothing);
  moments::use_one_blas_thread();
  const std::size_t size = n_columns + 2;  // the weights, the constant, P(A = 1)
  const auto values = unit_values(workers, {options.stage, "causes", labels.size(), size},
                                  [&](std::uint64_t unit, int /*thread*/, std::span<double> found) {
                                    const NoisyLabel& label = labels[unit];
                                    const Problem problem(rows, n_columns, label);
                                    fit(problem, label, options, found.first(n_columns + 1));
                                    found.back() = static_cast<double>(problem.n_on()) /
                                                   static_cast<double>(rows.n_rows());
                                  });
  std::vector<NoisyLabelClassifiers::Classifier> classifiers;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto found = std::span(values).subspan(i * size, size);
    NoisyLabelClassifiers::Classifier one{labels[i].off, labels[i].on, 0, {}};
    one.prior = std::clamp(clean_share(one, found.back()), 0.0, 1.0);
    one.weights.assign(found.begin(), found.end() - 1);
    classifiers.push_back(std::move(one));
  }
  return NoisyLabelClassifiers(std::move(classifiers));
}

}  // namespace orrery::learning
