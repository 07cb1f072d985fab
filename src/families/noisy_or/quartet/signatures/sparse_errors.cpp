// Standard errors of the parameters of hundreds of causes.
//
// As errors.hpp, each cause alone with its failures and, of causes of up to 30 children, the leaks
// of its children; the rest counts as known, so that errors are a little too small. Rows in which a
// cause has no part differ from a row without any child in few gradients, and are added as that
// difference. Of very many causes some 20,000 of the rows are looked at.
//
// Gradients are taken to within [-1, 1] by factors of their parameters, p (1 - p) of a prior p,
// f (1 - f) of a failure f, l (1 - l) of a leak l, so that sums of their products are of integers
// and any number of threads and ranks add up to the same bytes; at last errors are taken back.
//
// Cost: a pass over the rows (sparse_posterior.hpp) and, for each cause that may be present in a
// row, (1 + 2 d)^2 / 2 additions for d children; (1 + 2 d)^3 / 3 for the inverse of each. Memory: 8
// bytes per thread for each of the sums, (1 + 2 d)^2 / 2 a cause, at most most_error_sums of all.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "data/bits.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/refine/errors.hpp"
#include "families/noisy_or/quartet/refine/expectation.hpp"
#include "families/noisy_or/quartet/signatures/fixed_sums.hpp"
#include "families/noisy_or/quartet/signatures/sparse_expectation.hpp"
#include "model/sparse_posterior.hpp"

namespace orrery::quartet {
namespace {

double inside(double probability) { return std::clamp(probability, 1e-9, 1 - 1e-9); }

/// A cause's own parameters: prior, failures, leaks of its children (where they are among them).
struct CauseBlock {
  std::size_t n_children = 0;
  bool with_leaks = false;
  std::size_t sum = 0;  ///< where its sums begin: of differences
  std::size_t sum_absent =
      0;                      ///< the same of rows in which it is surely absent; how many those are
  std::size_t products = 0;   ///< and of their products, lower triangle by rows
  std::vector<double> quiet;  ///< gradient of a row without any child, the cause as likely as then
  std::vector<double> scale;  ///< of each gradient

  /// Gradient i of a row in which the cause is surely absent and no child is on.
  [[nodiscard]] double absent(std::size_t i, double prior) const noexcept {
    return i == 0 ? -prior : i <= n_children ? 0 : quiet[i];
  }
  [[nodiscard]] std::size_t size() const noexcept { return 1 + n_children * (with_leaks ? 2 : 1); }
};

struct ErrorLayout {
  SumLayout sums;   ///< of a RowPass
  SumLayout words;  ///< of a thread
  std::vector<CauseBlock> blocks;
  std::size_t leak_squares = 0;  ///< m: of the leaks' gradients
  std::size_t seen = 0;          ///< m: rows in which a variable is off
};

ErrorLayout lay_out(const model::NoisyOrNetwork& network, const model::SparseNetwork& prepared) {
  ErrorLayout layout;
  layout.leak_squares = layout.sums.part(network.n_observed());
  layout.seen = layout.sums.part(network.n_observed());
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    const auto children = network.children(u);
    CauseBlock block;
    block.n_children = children.size();
    block.with_leaks = children.size() <= constants::signatures::most_children_with_leaks;
    const double p = inside(network.causes()[u].prior);
    const double q = prepared.quiet_posterior(u);
    block.quiet.push_back(q - p);
    block.scale.push_back(p * (1 - p));
    for (const model::Edge& edge : children) {
      const double failure = inside(edge.failure);
      block.quiet.push_back(q * (1 - failure));
      block.scale.push_back(failure * (1 - failure));
    }
    for (std::size_t i = 0; block.with_leaks && i < children.size(); ++i) {
      const double leak = inside(network.observed()[children[i].observed].leak);
      block.quiet.push_back(-leak);
      block.scale.push_back(leak * (1 - leak));
    }
    block.sum = layout.words.part(block.size());
    block.sum_absent = layout.words.part(block.size() + 1);
    block.products = layout.words.part(block.size() * (block.size() + 1) / 2);
    layout.blocks.push_back(std::move(block));
  }
  return layout;
}

/// One thread's way through the rows.
class ErrorCollector {
 public:
  ErrorCollector(const model::NoisyOrNetwork& network, const model::SparseNetwork& prepared,
                 const ErrorLayout& layout, model::Candidates which)
      : network_(network),
        prepared_(prepared),
        layout_(layout),
        row_(prepared, which),
        leak_gradient_(network.n_observed()),
        shared_(network.edges().size(), 0),
        is_on_(network.n_observed(), 0),
        is_missing_(network.n_observed(), 0),
        seen_edges_(network.n_causes()),
        words_(layout.words.size(), 0) {}

  void add_row(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing,
               std::span<double> into) {
    row_.evaluate(values, missing);
    note_variables(missing, into);
    for (const auto& candidate : row_.candidates()) {
      for (const auto& link : row_.links(candidate)) shared_[link.edge] = link.shared;
    }
    data::for_each_bit(row_.touched(), [&](std::size_t u) { add_cause(u); });
    for (const auto& candidate : row_.candidates()) {
      for (const auto& link : row_.links(candidate)) shared_[link.edge] = 0;
    }
    forget_variables(missing);
  }

  std::vector<std::uint64_t>& words() { return words_; }

 private:
  void note_variables(std::span<const std::uint64_t> missing, std::span<double> into) {
    for (std::size_t i = 0; i < row_.on().size(); ++i) {
      const std::uint32_t a = row_.on()[i];
      is_on_[a] = 1;
      const double leak = inside(network_.observed()[a].leak);
      const double gradient = (row_.inverse()[i] - 1) / (1 - leak);
      leak_gradient_[a] = std::min(leak * (row_.inverse()[i] - 1), 1.0);
      into[layout_.leak_squares + a] += gradient * gradient;
      note_variable(a, into);
    }
    data::for_each_bit(missing, [&](std::size_t a) {
      is_missing_[a] = 1;
      leak_gradient_[a] = 0;
      note_variable(a, into);
    });
    if (missing.empty()) return;
    data::for_each_bit(row_.touched(), [&](std::size_t u) { std::ranges::sort(seen_edges_[u]); });
  }

  /// One that is not off.
  void note_variable(std::size_t a, std::span<double> into) {
    into[layout_.seen + a] -= 1;
    for (const auto& parent : prepared_.parents(a)) {
      seen_edges_[network_.edges()[parent.edge].cause].push_back(parent.edge);
    }
  }

  void forget_variables(std::span<const std::uint64_t> missing) {
    for (const std::uint32_t a : row_.on()) is_on_[a] = 0;
    data::for_each_bit(missing, [&](std::size_t a) { is_missing_[a] = 0; });
    data::for_each_bit(row_.touched(), [&](std::size_t u) { seen_edges_[u].clear(); });
  }

  // Most causes that a row touches are as likely as in a row with nothing on, or surely absent:
  // what they add is beside that, and is of their variables that are not off.
  void add_cause(std::size_t u) {
    const CauseBlock& block = layout_.blocks[u];
    const double posterior = row_.posterior(u);
    const double change = posterior - prepared_.quiet_posterior(u);
    const bool is_quiet = std::abs(change) < constants::signatures::negligible_change;
    const bool is_absent = !is_quiet && posterior < constants::signatures::surely_absent;
    differences_.clear();
    if (is_absent) {
      words_[block.sum_absent + block.size()] += 1;
    } else {
      differences_.push_back({0, change});
      add_failures(u, posterior, is_quiet);
    }
    if (block.with_leaks) add_leaks(u);
    add_products(block, is_absent ? block.sum_absent : block.sum);
  }

  void add_failures(std::size_t u, double posterior, bool is_quiet) {
    const CauseBlock& block = layout_.blocks[u];
    const std::size_t first = prepared_.first_child(u);
    const auto add = [&](std::size_t e) {
      const model::Edge& edge = network_.edges()[e];
      const bool is_on = is_on_[edge.observed] != 0;
      const double gradient =
          is_missing_[edge.observed] != 0
              ? 0
              : (1 - inside(edge.failure)) * (posterior - (is_on ? shared_[e] : 0));
      const std::size_t at = 1 + e - first;
      differences_.push_back({at, std::max(gradient, -1.0) - block.quiet[at]});
    };
    if (is_quiet) {
      for (const std::uint32_t e : seen_edges_[u]) add(e);
    } else {
      for (std::size_t i = 0; i < block.n_children; ++i) add(first + i);
    }
  }

  void add_leaks(std::size_t u) {
    const CauseBlock& block = layout_.blocks[u];
    for (const std::uint32_t e : seen_edges_[u]) {
      const std::size_t at = 1 + block.n_children + e - prepared_.first_child(u);
      differences_.push_back({at, leak_gradient_[network_.edges()[e].observed] - block.quiet[at]});
    }
  }

  // Of differences in ascending order. What would add nothing is not looked up in memory: nearly
  // all products of a cause that is as likely as in a quiet row.
  void add_products(const CauseBlock& block, std::size_t sum) {
    double largest = 0;
    for (const auto& [i, value] : differences_) largest = std::max(largest, std::abs(value));
    for (std::size_t d = 0; d < differences_.size(); ++d) {
      const auto [i, value] = differences_[d];
      add_fixed(words_[sum + i], value, fine);
      if (adds_nothing(std::abs(value) * largest, fine)) continue;
      std::uint64_t* line = words_.data() + block.products + i * (i + 1) / 2;
      for (std::size_t e = 0; e <= d; ++e) {
        add_fixed(line[differences_[e].at], value * differences_[e].value, fine);
      }
    }
  }

  struct Difference {
    std::size_t at;
    double value;
  };
  const model::NoisyOrNetwork& network_;
  const model::SparseNetwork& prepared_;
  const ErrorLayout& layout_;
  model::SparsePosterior row_;
  std::vector<double> leak_gradient_;
  std::vector<double> shared_;  // by edge: of the row, 0 where the cause is no candidate
  std::vector<std::uint8_t> is_on_, is_missing_;
  std::vector<Difference> differences_;
  std::vector<std::vector<std::uint32_t>> seen_edges_;  // by cause: to variables that are not off
  std::vector<std::uint64_t> words_;
};

Eigen::MatrixXd information_of(const CauseBlock& block, const std::vector<std::uint64_t>& words,
                               double prior, double n_rows) {
  const std::size_t k = block.size();
  const auto n_absent = static_cast<double>(words[block.sum_absent + k]);
  std::vector<double> sum(k);
  std::vector<double> sum_absent(k);
  std::vector<double> absent(k);
  for (std::size_t i = 0; i < k; ++i) {
    sum[i] = real(words[block.sum + i], fine) + .5 * (n_rows - n_absent) * block.quiet[i];
    absent[i] = block.absent(i, prior);
    sum_absent[i] = real(words[block.sum_absent + i], fine) + .5 * n_absent * absent[i];
  }
  Eigen::MatrixXd matrix(k, k);
  std::size_t next = block.products;
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double value = real(words[next++], fine) + block.quiet[i] * sum[j] +
                           sum[i] * block.quiet[j] + absent[i] * sum_absent[j] +
                           sum_absent[i] * absent[j];
      const auto row = static_cast<Eigen::Index>(i);
      const auto column = static_cast<Eigen::Index>(j);
      matrix(row, column) = matrix(column, row) = value / (block.scale[i] * block.scale[j]);
    }
  }
  return matrix;
}

/// Of the prior densities of a cause's parameters.
Eigen::MatrixXd curvature_of(const model::NoisyOrNetwork& network, std::size_t u,
                             const CauseBlock& block, const FailurePrior& prior) {
  const auto children = network.children(u);
  const auto k = static_cast<Eigen::Index>(block.size());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(k, k);
  matrix(0, 0) = curvature(inside(network.causes()[u].prior), .5, .5);
  for (std::size_t i = 0; i < children.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(1 + i);
    matrix(at, at) = curvature(inside(children[i].failure), prior.failures, prior.successes);
    if (!block.with_leaks) continue;
    const auto of_leak = static_cast<Eigen::Index>(1 + children.size() + i);
    matrix(of_leak, of_leak) =
        curvature(inside(network.observed()[children[i].observed].leak), .5, 0);
  }
  return matrix;
}

}  // namespace

model::StandardErrors sparse_standard_errors(const learning::RowPass& rows,
                                             const model::NoisyOrNetwork& network,
                                             const FailurePrior& prior) {
  const model::SparseNetwork prepared(network);
  const ErrorLayout layout = lay_out(network, prepared);
  if (layout.words.size() > constants::signatures::most_error_sums) return {};
  std::vector<ErrorCollector> collectors(
      static_cast<std::size_t>(rows.n_threads()),
      ErrorCollector(network, prepared, layout, candidates_of(rows)));
  const std::uint64_t step =
      layout.words.size() > constants::signatures::many_error_sums
          ? std::max<std::uint64_t>(rows.n_rows() / constants::signatures::enough_error_rows, 1)
          : 1;
  const learning::RowPass looked_at = rows.thinned(step);
  const std::vector<double> sums = looked_at.sum(
      layout.sums.size(), [&](const learning::RowBlock& block, int thread, std::span<double> into) {
        for (std::size_t r = 0; r < block.n_rows; ++r) {
          collectors[static_cast<std::size_t>(thread)].add_row(block.row(r), block.missing_in(r),
                                                               into);
        }
      });
  std::vector<std::uint64_t>& words = collectors[0].words();
  for (std::size_t t = 1; t < collectors.size(); ++t) {
    for (std::size_t i = 0; i < words.size(); ++i) words[i] += collectors[t].words()[i];
  }
  rows.team().sum_words(words);
  const auto n_rows = static_cast<double>(looked_at.n_rows());
  const double scale = static_cast<double>(rows.n_rows()) / n_rows;
  std::vector<std::size_t> first{0};  // of each cause
  for (const CauseBlock& block : layout.blocks) first.push_back(first.back() + block.size());
  std::vector<double> of_causes(first.back(), 0);
  Progress silent("", 0, "");
  rows.team().for_each_unit(
      network.n_causes(), rows.n_threads(), silent, [&](std::uint64_t u, int /*thread*/) {
        const CauseBlock& block = layout.blocks[u];
        const double p = inside(network.causes()[u].prior);
        std::ranges::copy(errors_of_information(scale * information_of(block, words, p, n_rows) +
                                                curvature_of(network, u, block, prior)),
                          of_causes.begin() + static_cast<std::ptrdiff_t>(first[u]));
      });
  rows.team().share_values(of_causes);
  model::StandardErrors errors;
  errors.leak.assign(network.n_observed(), 0);
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    const CauseBlock& block = layout.blocks[u];
    const auto children = network.children(u);
    const auto found = std::span(of_causes).subspan(first[u], block.size());
    errors.prior.push_back(found[0]);
    errors.failure.insert(errors.failure.end(), found.begin() + 1,
                          found.begin() + 1 + static_cast<std::ptrdiff_t>(children.size()));
    for (std::size_t i = 0; block.with_leaks && i < children.size(); ++i) {
      double& error = errors.leak[children[i].observed];
      error = std::max(error, found[1 + children.size() + i]);  // NaN is no more than what is there
    }
  }
  for (std::size_t a = 0; a < network.n_observed(); ++a) {
    if (errors.leak[a] > 0) continue;  // else alone
    const double leak = inside(network.observed()[a].leak);
    const double off = (n_rows + sums[layout.seen + a]) / ((1 - leak) * (1 - leak));
    const double information =
        scale * (sums[layout.leak_squares + a] + off) + curvature(leak, .5, 0);
    errors.leak[a] = 1 / std::sqrt(information);
  }
  return errors;
}

}  // namespace orrery::quartet
