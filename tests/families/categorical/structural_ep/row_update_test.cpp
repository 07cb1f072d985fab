// Eight rows at once against the same rows one by one: every number of every message, sum and
// belief, bit by bit, in each instruction set that this machine has.
#include "families/categorical/structural_ep/row_update.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "families/categorical/structural_ep/group_update.hpp"
#include "kernels/logarithm.hpp"

namespace orrery::structural_ep {
namespace {

struct Kind {
  std::size_t n_causes, cardinality, max_parents;
  Projection projection;
  bool is_held;          // the structure
  double missing_share;  // of the values
};

/// Rows with messages as they may come: some values missing, some cavities improper.
class Rows {
 public:
  Rows(const Kind& kind, std::size_t n_rows, unsigned seed)
      : shape(make_shape(kind.n_causes, kind.cardinality, kind.max_parents, categories(seed))),
        messages(shape, n_rows),
        codes_(n_rows),
        random_(seed) {
    const std::size_t d = shape.n_observed();
    if (kind.is_held) {
      for (std::size_t i = 0; i < d; ++i) {
        sets_.push_back(static_cast<std::uint32_t>(random_() % shape.n_sets()));
      }
    }
    for (std::size_t at = 0; at < d * shape.n_sets(); ++at) {
      posterior.structure.push_back(uniform(.01, 1));
    }
    for (std::size_t l = 0; l < shape.n_counts(); ++l) posterior.counts.push_back(uniform(.9, 40));
    for (std::size_t row = 0; row < n_rows; ++row) {
      weights.push_back(row % 3 == 0 ? 1 : uniform(1, 9));
      for (std::size_t i = 0; i < d; ++i) draw_value(row, i, kind.missing_share);
    }
  }

  RowView view(std::size_t row) { return row_view(shape, messages, row, codes_[row], sets_); }

  Shape shape;
  Posterior posterior;
  RowMessages messages;
  std::vector<double> weights;

 private:
  /// Twenty variables: more than the messages that are multiplied before a logarithm.
  static std::vector<std::size_t> categories(unsigned seed) {
    std::vector<std::size_t> n;
    for (std::size_t i = 0; i < 20; ++i) n.push_back(2 + (i + seed) % 5);
    return n;
  }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  void draw_value(std::size_t row, std::size_t i, double missing_share) {
    codes_[row].push_back(static_cast<std::uint8_t>(random_() % shape.n_categories[i]));
    if (uniform(0, 1) < missing_share) {
      codes_[row].back() = data::missing_code;
      return;
    }
    codes_[row].resize(i + 1);
    const std::size_t n_sets = shape.n_sets();
    std::vector<std::uint8_t> padded = codes_[row];
    padded.resize(shape.n_observed());
    const RowView own = row_view(shape, messages, row, padded, sets_);
    for (std::size_t k = 0; k < n_sets; ++k) {
      if (sets_.empty()) own.structure[i * n_sets + k] = uniform(.1, 1);
      if (!sets_.empty() && sets_[i] != k) continue;
      const ParentSet& set = shape.sets[k];
      for (std::size_t s = set.first_state; s < set.end_state(); ++s) {
        own.states[i * shape.n_states + s] = uniform(.001, 1);
      }
      for (std::size_t j = set.first_row; j < set.first_row + set.n_states; ++j) {
        for (std::size_t l = 0; l < shape.n_categories[i]; ++l) {
          // Now and then more than the posterior has.
          own.counts[shape.first_count[i] + j * shape.n_categories[i] + l] =
              uniform(0, 1) < .001 ? 50 : uniform(-.2, .5);
        }
      }
    }
  }

  std::vector<std::vector<std::uint8_t>> codes_;
  std::vector<std::uint32_t> sets_;
  std::mt19937_64 random_;
};

/// What a sweep leaves.
struct Left {
  std::size_t n_passed_over = 0;
  std::vector<double> log_structure, counts, messages;
  bool operator==(const Left&) const = default;
};

template <class Sweep>
Left left_by(Rows& rows, const Sweep& sweep) {
  Left left;
  left.log_structure.resize(rows.shape.n_observed() * rows.shape.n_sets());
  left.counts.resize(rows.shape.n_counts());
  left.n_passed_over = sweep(left);
  for (const auto* part :
       {&rows.messages.structure, &rows.messages.states, &rows.messages.counts}) {
    left.messages.insert(left.messages.end(), part->begin(), part->end());
  }
  left.messages.insert(left.messages.end(), rows.messages.causes.begin(),
                       rows.messages.causes.end());
  return left;
}

Left one_by_one(Rows rows, const SweepOptions& options) {
  RowBeliefs beliefs(rows.shape);
  return left_by(rows, [&](Left& left) {
    std::size_t n = 0;
    for (std::size_t row = 0; row < rows.weights.size(); ++row) {
      n += beliefs.update(rows.view(row), rows.posterior, options,
                          {left.log_structure, left.counts, rows.weights[row]});
    }
    return n;
  });
}

Left in_groups(Rows rows, const SweepOptions& options, const RowUpdate& update) {
  RowBeliefs beliefs(rows.shape);
  GroupUpdate groups(rows.shape, update);
  return left_by(rows, [&](Left& left) {
    std::size_t n = 0;
    for (std::size_t first = 0; first < rows.weights.size(); first += row_lanes) {
      const std::size_t size = std::min(row_lanes, rows.weights.size() - first);
      std::vector<RowView> views;
      for (std::size_t r = 0; r < size; ++r) views.push_back(rows.view(first + r));
      n += groups.update(views, std::span(rows.weights).subspan(first, size), rows.posterior,
                         options, {left.log_structure, left.counts}, beliefs);
    }
    return n;
  });
}

class RowUpdates : public testing::TestWithParam<kernels::Isa> {};

TEST_P(RowUpdates, of_groups_have_the_bytes_of_single_rows) {
  if (kernels::find(GetParam()) == nullptr) GTEST_SKIP() << "not on this machine";
  const RowUpdate update = find_row_update(GetParam());
  std::size_t n_passed_over = 0;
  for (const auto& [k, j, parents] : {std::tuple{1U, 2U, 1U},
                                      {3U, 2U, 1U},
                                      {3U, 2U, 2U},
                                      {2U, 3U, 1U},
                                      {3U, 3U, 2U},
                                      {10U, 2U, 1U}}) {
    for (const Projection projection : {Projection::mean_variance, Projection::mean_log}) {
      for (const bool is_held : {false, true}) {
        for (const double missing_share : {0.0, .1}) {
          const Kind kind{k, j, parents, projection, is_held, missing_share};
          for (const std::size_t n_rows : {1U, 7U, 8U, 9U, 64U}) {
            Rows rows(kind, n_rows, static_cast<unsigned>(n_rows));
            const SweepOptions options{projection, .5, is_held};
            const Left slow = one_by_one(rows, options);
            EXPECT_EQ(in_groups(rows, options, update), slow)
                << k << " causes, " << j << " states, " << parents << " parents, " << n_rows
                << " rows" << (is_held ? ", held" : "");
            n_passed_over += slow.n_passed_over;
          }
        }
      }
    }
  }
  EXPECT_GT(n_passed_over, 50U);
}

/// What one row adds to the sums of StructureBounds::of_sets, by RowBeliefs alone.
void share_row(Rows& rows, std::size_t row, std::span<const double> expectations,
               std::span<const std::size_t> first, RowBeliefs& beliefs, std::span<double> counts,
               std::span<double> scores) {
  const Shape& shape = rows.shape;
  const RowView view = rows.view(row);
  beliefs.gather(view, false);
  for (std::size_t i = 0; i < shape.n_observed(); ++i) {
    const std::size_t x = view.codes[i];
    if (x == data::missing_code) continue;
    const auto states = beliefs.states_without(view, i, view.sets[i]);
    for (std::size_t k = 0; k < shape.n_sets(); ++k) {
      const ParentSet& set = shape.sets[k];
      const auto entry = [&](std::size_t s) { return first[i] + s * shape.n_categories[i] + x; };
      double total = 0;
      for (std::size_t s = set.first_state; s < set.end_state(); ++s) {
        total += states[s] * expectations[entry(s)];
      }
      for (std::size_t s = set.first_state; s < set.end_state(); ++s) {
        counts[entry(s)] += rows.weights[row] * (states[s] * expectations[entry(s)] / total);
      }
      scores[i * shape.n_sets() + k] += rows.weights[row] * kernels::logarithm(total);
    }
  }
}

/// q(u) of a group as its rows' messages have it, S x 8.
data::AlignedVector<double> beliefs_of(std::span<const RowView> views, RowBeliefs& beliefs) {
  data::AlignedVector<double> all(row_lanes * beliefs.states().size(), 1.0);
  for (std::size_t r = 0; r < views.size(); ++r) {
    beliefs.gather(views[r], false);
    for (std::size_t s = 0; s < beliefs.states().size(); ++s) {
      all[s * row_lanes + r] = beliefs.states()[s];
    }
  }
  return all;
}

void expect_equal_shares(Rows& rows, const RowUpdate& update) {
  const Shape& shape = rows.shape;
  std::vector<std::size_t> first{0};
  for (const std::size_t n : shape.n_categories) {
    first.push_back(first.back() + shape.n_states * n);
  }
  std::vector<double> expectations;
  for (std::size_t at = 0; at < first.back(); ++at) {
    expectations.push_back(.01 + static_cast<double>(at * at % 97) / 100);
  }
  const std::size_t n_scores = shape.n_observed() * shape.n_sets();
  std::vector<double> slow_counts(first.back()), slow_scores(n_scores);
  std::vector<double> counts(first.back()), scores(n_scores);
  RowBeliefs beliefs(shape);
  GroupUpdate groups(shape, update);
  for (std::size_t row = 0; row < rows.weights.size(); ++row) {
    share_row(rows, row, expectations, first, beliefs, slow_counts, slow_scores);
  }
  for (std::size_t begin = 0; begin < rows.weights.size(); begin += row_lanes) {
    const std::size_t size = std::min(row_lanes, rows.weights.size() - begin);
    std::vector<RowView> views;
    for (std::size_t r = 0; r < size; ++r) views.push_back(rows.view(begin + r));
    groups.share(views, std::span(rows.weights).subspan(begin, size),
                 beliefs_of(views, beliefs).data(), expectations, first, counts, scores);
  }
  EXPECT_EQ(counts, slow_counts);
  EXPECT_EQ(scores, slow_scores);
}

TEST_P(RowUpdates, of_bounds_have_the_bytes_of_single_rows) {
  if (kernels::find(GetParam()) == nullptr) GTEST_SKIP() << "not on this machine";
  for (const auto& [k, j, parents] :
       {std::tuple{1U, 2U, 1U}, {4U, 2U, 1U}, {4U, 2U, 2U}, {3U, 3U, 2U}}) {
    for (const double missing_share : {0.0, .1}) {
      for (const std::size_t n_rows : {1U, 8U, 21U}) {
        SCOPED_TRACE(std::to_string(k) + " causes, " + std::to_string(n_rows) + " rows");
        Rows rows({k, j, parents, Projection::mean_variance, true, missing_share}, n_rows, k);
        expect_equal_shares(rows, find_row_update(GetParam()));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, RowUpdates,
                         testing::Values(kernels::Isa::scalar, kernels::Isa::avx2,
                                         kernels::Isa::avx512));

}  // namespace
}  // namespace orrery::structural_ep
