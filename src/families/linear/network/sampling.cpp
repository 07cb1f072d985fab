// Purpose: exact samples of a linear network.
// Source: Anandkumar, Hsu, Javanmard, Kakade 2013, Eq. (2) and (6); normals by the polar method
//         (Marsaglia, Bray 1964), Student's t as a normal over the root of a chi-squared (of four
//         degrees of freedom as -2 log of two uniforms, and a normal squared).
//
//   paper   code     shape
//   eta     parts    number of independent parts (moments.hpp)
//   h       causes   k
//   x       row      n
//
// Cost: a draw a part and an observed variable, a product per edge and k a part: O(n k) a row;
// O(k^3)
//       a call.
// Order of draws of a row: the parts from RowRandom(seed, Stream::rows, row), in their order; the
// noise from Stream::noise, in the order of the variables, whatever the variances. A change to this
// order, and of the order of sums, changes every sample.
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "families/linear/network/moments.hpp"
#include "orrery/model/linear_sampling.hpp"

namespace orrery::model {
namespace {

/// Of mean 0 and variance 1.
class Draws {
 public:
  Draws(std::uint64_t seed, Stream stream, std::uint64_t row) noexcept
      : random_(seed, stream, row) {}

  double normal() noexcept {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    double x = 0;
    double y = 0;
    double square = 0;
    do {
      x = 2 * random_.uniform() - 1;
      y = 2 * random_.uniform() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square == 0);
    const double scale = std::sqrt(-2 * std::log(square) / square);
    spare_ = y * scale;
    has_spare_ = true;
    return x * scale;
  }
  double draw(CauseLaw law) noexcept {
    if (law == CauseLaw::skewed) return exponential() - 1;
    if (law == CauseLaw::heavy_tailed) return student();
    return normal();
  }

 private:
  double exponential() noexcept { return -std::log(1 - random_.uniform()); }
  /// t with 5 degrees of freedom has variance 5/3: normal sqrt(5 / chi2) sqrt(3/5).
  double student() noexcept {
    const double above = normal();
    const double other = normal();
    const double chi_squared = 2 * (exponential() + exponential()) + other * other;
    return above * std::sqrt(3 / chi_squared);
  }

  RowRandom random_;
  double spare_ = 0;
  bool has_spare_ = false;
};

/// The entries of a matrix that are not 0, row after row.
struct SparseRows {
  struct Entry {
    std::size_t column;
    double value;
  };
  std::vector<std::size_t> end;  // of each row, among the entries
  std::vector<Entry> entries;

  explicit SparseRows(const Eigen::MatrixXd& matrix) {
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
        if (matrix(i, j) != 0) entries.push_back({static_cast<std::size_t>(j), matrix(i, j)});
      }
      end.push_back(entries.size());
    }
  }
  /// to[i] += matrix row i times `from`.
  void add_product(std::span<const double> from, std::span<double> to) const noexcept {
    std::size_t e = 0;
    for (std::size_t i = 0; i < end.size(); ++i) {
      for (; e < end[i]; ++e) to[i] += entries[e].value * from[entries[e].column];
    }
  }
};

std::vector<double> roots_of(const Eigen::VectorXd& variances) {
  const Eigen::VectorXd roots = variances.cwiseSqrt();
  return {roots.begin(), roots.end()};
}

class LinearRowSampler {
 public:
  struct Scratch {
    std::vector<double> parts;
    std::vector<double> causes;
  };

  LinearRowSampler(const LinearNetwork& network, std::uint64_t seed)
      : LinearRowSampler(network, mixing_of(network), seed) {}

  [[nodiscard]] Scratch scratch() const {
    return {std::vector<double>(part_sd_.size()), std::vector<double>(effects_.end.size())};
  }

  void draw_row(std::uint64_t row, std::span<double> values, Scratch& scratch) const noexcept {
    Draws parts(seed_, Stream::rows, row);
    for (std::size_t j = 0; j < part_sd_.size(); ++j) {
      scratch.parts[j] = part_sd_[j] * parts.draw(law_);
    }
    std::fill(scratch.causes.begin(), scratch.causes.end(), 0);
    effects_.add_product(scratch.parts, scratch.causes);
    Draws noise(seed_, Stream::noise, row);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = means_[i] + noise_sd_[i] * noise.normal();
    }
    loadings_.add_product(scratch.causes, values);
  }

 private:
  LinearRowSampler(const LinearNetwork& network, const CauseMixing& mixing, std::uint64_t seed)
      : seed_(seed),
        law_(network.law()),
        part_sd_(roots_of(mixing.variances)),
        effects_(mixing.effects),
        means_(network.means().begin(), network.means().end()),
        noise_sd_(roots_of(network.noise())),
        loadings_(network.loadings()) {}

  std::uint64_t seed_;
  CauseLaw law_;
  std::vector<double> part_sd_;
  SparseRows effects_;
  std::vector<double> means_;
  std::vector<double> noise_sd_;
  SparseRows loadings_;
};

}  // namespace

data::DenseBlock sample_linear_rows(const LinearNetwork& network, std::uint64_t seed,
                                    std::uint64_t first_row, std::size_t n_rows) {
  data::DenseBlock block(n_rows, network.n_observed());
  const LinearRowSampler sampler(network, seed);
  // Allocated here: nothing may throw inside the parallel region.
  std::vector<LinearRowSampler::Scratch> scratch(static_cast<std::size_t>(omp_get_max_threads()),
                                                 sampler.scratch());
#pragma omp parallel for schedule(static) if (n_rows > 1)
  for (std::size_t r = 0; r < n_rows; ++r) {
    sampler.draw_row(first_row + r, block.row(r),
                     scratch[static_cast<std::size_t>(omp_get_thread_num())]);
  }
  return block;
}

}  // namespace orrery::model
