// Standard errors of the parameters of hundreds of causes.
//
// As errors.hpp, each cause alone with its failures and, of causes of up to 30 children, the leaks
// of its children; the rest counts as known, so that errors are a little too small. Rows in which a
// cause has no part differ from a row without any child in few gradients, and are added as that
// difference. Of very many causes some 20,000 of the rows are looked at.
//
// Cost: a pass over the rows (sparse_posterior.hpp) and, for each cause that may be present in a
// row, (1 + 2 d)^2 / 2 additions for d children. Memory: 48 bytes per thread for each of the sums,
// (1 + 2 d)^2 / 2 a cause, at most most_error_sums of all.
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
#include "families/noisy_or/quartet/signatures/sparse_expectation.hpp"
#include "model/sparse_posterior.hpp"

namespace orrery::quartet {
namespace {

double inside(double probability) { return std::clamp(probability, 1e-9, 1 - 1e-9); }

/// A cause's own parameters: prior, failures, leaks of its children (where they are among them).
struct CauseBlock {
  std::size_t n_children = 0;
  bool with_leaks = false;
  std::size_t sum = 0;        ///< where its sums begin: of differences
  std::size_t products = 0;   ///< and of their products, lower triangle by rows
  std::vector<double> quiet;  ///< gradient of a row without any child, the cause as likely as then

  [[nodiscard]] std::size_t size() const noexcept { return 1 + n_children * (with_leaks ? 2 : 1); }
};

struct ErrorLayout {
  SumLayout sums;
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
    block.quiet.push_back((q - p) / (p * (1 - p)));
    for (const model::Edge& edge : children) block.quiet.push_back(q / inside(edge.failure));
    for (std::size_t i = 0; block.with_leaks && i < children.size(); ++i) {
      block.quiet.push_back(-1 / (1 - inside(network.observed()[children[i].observed].leak)));
    }
    block.sum = layout.sums.part(block.size());
    block.products = layout.sums.part(block.size() * (block.size() + 1) / 2);
    layout.blocks.push_back(std::move(block));
  }
  return layout;
}

/// One thread's way through the rows.
class ErrorCollector {
 public:
  ErrorCollector(const model::NoisyOrNetwork& network, const model::SparseNetwork& prepared,
                 const ErrorLayout& layout)
      : network_(network),
        prepared_(prepared),
        layout_(layout),
        row_(prepared),
        leak_gradient_(network.n_observed()),
        shared_(network.edges().size(), 0),
        is_on_(network.n_observed(), 0),
        is_missing_(network.n_observed(), 0) {}

  void add_row(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing,
               std::span<double> into) {
    row_.evaluate(values, missing);
    note_variables(missing, into);
    for (const auto& candidate : row_.candidates()) {
      for (const auto& link : row_.links(candidate)) shared_[link.edge] = link.shared;
    }
    for (const std::uint32_t u : row_.touched()) add_cause(u, into);
    for (const auto& candidate : row_.candidates()) {
      for (const auto& link : row_.links(candidate)) shared_[link.edge] = 0;
    }
    forget_variables(missing);
  }

 private:
  void note_variables(std::span<const std::uint64_t> missing, std::span<double> into) {
    for (std::size_t i = 0; i < row_.on().size(); ++i) {
      const std::uint32_t a = row_.on()[i];
      is_on_[a] = 1;
      leak_gradient_[a] = (row_.inverse()[i] - 1) / (1 - inside(network_.observed()[a].leak));
      into[layout_.leak_squares + a] += leak_gradient_[a] * leak_gradient_[a];
      into[layout_.seen + a] -= 1;
    }
    data::for_each_bit(missing, [&](std::size_t a) {
      is_missing_[a] = 1;
      into[layout_.seen + a] -= 1;
    });
  }

  void forget_variables(std::span<const std::uint64_t> missing) {
    for (const std::uint32_t a : row_.on()) is_on_[a] = 0;
    data::for_each_bit(missing, [&](std::size_t a) { is_missing_[a] = 0; });
  }

  void add_cause(std::size_t u, std::span<double> into) {
    const CauseBlock& block = layout_.blocks[u];
    const double p = inside(network_.causes()[u].prior);
    const double posterior = row_.posterior(u);
    differences_.clear();
    differences_.push_back({0, (posterior - p) / (p * (1 - p)) - block.quiet[0]});
    const auto children = network_.children(u);
    const bool is_quiet = std::abs(posterior - prepared_.quiet_posterior(u)) <
                          constants::signatures::negligible_change;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const std::uint32_t a = children[i].observed;
      if (is_quiet && is_on_[a] == 0 && is_missing_[a] == 0) continue;
      const double failure = inside(children[i].failure);
      const auto e = static_cast<std::size_t>(&children[i] - network_.edges().data());
      const double gradient = is_missing_[a] != 0 ? 0
                              : is_on_[a] != 0    ? (posterior - shared_[e]) / failure
                                                  : posterior / failure;
      differences_.push_back({1 + i, gradient - block.quiet[1 + i]});
    }
    for (std::size_t i = 0; block.with_leaks && i < children.size(); ++i) {
      const std::uint32_t a = children[i].observed;
      if (is_on_[a] == 0 && is_missing_[a] == 0) continue;
      const std::size_t at = 1 + children.size() + i;
      differences_.push_back({at, (is_missing_[a] != 0 ? 0 : leak_gradient_[a]) - block.quiet[at]});
    }
    for (const auto& [i, value] : differences_) {
      into[block.sum + i] += value;
      double* line = into.data() + block.products + i * (i + 1) / 2;
      for (const auto& [j, other] : differences_) {
        if (j > i) break;
        line[j] += value * other;
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
};

Eigen::MatrixXd information_of(const CauseBlock& block, const std::vector<double>& sums,
                               double n_rows) {
  const auto k = static_cast<Eigen::Index>(block.size());
  Eigen::MatrixXd matrix(k, k);
  std::size_t next = block.products;
  for (std::size_t i = 0; i < block.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double value = sums[next++] + block.quiet[i] * sums[block.sum + j] +
                           sums[block.sum + i] * block.quiet[j] +
                           n_rows * block.quiet[i] * block.quiet[j];
      const auto row = static_cast<Eigen::Index>(i);
      const auto column = static_cast<Eigen::Index>(j);
      matrix(row, column) = matrix(column, row) = value;
    }
  }
  return matrix;
}

}  // namespace

model::StandardErrors sparse_standard_errors(const learning::RowPass& rows,
                                             const model::NoisyOrNetwork& network,
                                             const FailurePrior& prior) {
  const model::SparseNetwork prepared(network);
  const ErrorLayout layout = lay_out(network, prepared);
  if (layout.sums.size() > constants::signatures::most_error_sums) return {};
  std::vector<ErrorCollector> collectors(static_cast<std::size_t>(rows.n_threads()),
                                         ErrorCollector(network, prepared, layout));
  const std::uint64_t step =
      layout.sums.size() > constants::signatures::many_error_sums
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
  const auto n_rows = static_cast<double>(looked_at.n_rows());
  const double scale = static_cast<double>(rows.n_rows()) / n_rows;
  model::StandardErrors errors;
  errors.leak.assign(network.n_observed(), 0);
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    const CauseBlock& block = layout.blocks[u];
    const auto children = network.children(u);
    Eigen::MatrixXd matrix = scale * information_of(block, sums, n_rows);
    matrix(0, 0) += curvature(inside(network.causes()[u].prior), .5, .5);
    for (std::size_t i = 0; i < children.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(1 + i);
      matrix(at, at) += curvature(inside(children[i].failure), prior.failures, prior.successes);
      if (!block.with_leaks) continue;
      const auto of_leak = static_cast<Eigen::Index>(1 + children.size() + i);
      matrix(of_leak, of_leak) +=
          curvature(inside(network.observed()[children[i].observed].leak), .5, 0);
    }
    const std::vector<double> found = errors_of_information(matrix);
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
