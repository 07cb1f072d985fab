// The sums over all states, compiled once for each instruction set (see state_lanes_*.cpp):
// everything has internal linkage, so that no wide instruction leaks elsewhere.
#pragma once

#include <cmath>

#include "model/eight_lanes.hpp"
#include "model/state_sums.hpp"

namespace orrery::model {
namespace {

inline std::size_t lowest(std::uint64_t bits) {
  return static_cast<std::size_t>(__builtin_ctzll(bits));
}

class RowAdder {
 public:
  explicit RowAdder(const StateSumsArrays& arrays)
      : p_(arrays),
        n_fours_((arrays.n_observed + 3) / 4),
        n_words_((arrays.n_observed + 63) / 64),
        n_columns_(arrays.n_parts * arrays.n_observed + 1),
        range_(arrays.log_tolerance > -700 ? arrays.log_tolerance : -700) {}

  double add(const std::uint64_t* values, const std::uint64_t* missing, std::size_t n_rows) {
    double log_likelihood = 0;
    for (std::size_t r = 0; r < n_rows; ++r) {
      read_row(values + r * n_words_, missing == nullptr ? nullptr : missing + r * n_words_);
      log_likelihood += weigh_states();
      add_row();
    }
    settle();
    return log_likelihood;
  }

  /// Of one row: the sums of the columns that are on, and of the states alone.
  double find(const std::uint64_t* values, const std::uint64_t* missing) {
    read_row(values, missing);
    const double log_likelihood = weigh_states();
    find_row();
    return log_likelihood;
  }

 private:
  void read_row(const std::uint64_t* values, const std::uint64_t* missing) {
    p_.row_terms[0] = 0;
    n_row_terms_ = 1;
    n_row_columns_ = 0;
    read(values, 0);
    n_on_ = n_row_columns_;
    if (missing != nullptr) read(missing, 1);
    p_.row_columns[n_row_columns_++] = static_cast<std::uint32_t>(n_columns_ - 1);
  }
  /// Where a row's terms are in the table, and which columns get its mass.
  void read(const std::uint64_t* words, std::size_t part) {
    for (std::size_t w = 0; w < n_words_; ++w) {
      std::size_t four = part * n_fours_ + 16 * w;
      for (std::uint64_t left = words[w]; left != 0; left >>= 4, ++four) {
        p_.row_terms[n_row_terms_] = static_cast<std::uint32_t>(1 + 16 * four + (left & 15U));
        n_row_terms_ += (left & 15U) != 0 ? 1 : 0;  // which no branch could foresee
      }
      const std::size_t first = part * p_.n_observed + 64 * w;
      for (std::uint64_t left = words[w]; left != 0; left &= left - 1) {
        p_.row_columns[n_row_columns_++] = static_cast<std::uint32_t>(first + lowest(left));
      }
    }
  }

  /// log P(row, state) of the chunks tried, from number `first` on; the last may come twice.
  void weigh(std::size_t first) {
    constexpr std::size_t batch = StateSumsArrays::batch;
    for (; first < n_row_chunks_; first += batch) {
      const Lanes* terms[batch];
      Lanes sums[batch];
      for (std::size_t k = 0; k < batch; ++k) {
        terms[k] = lanes(p_.terms) + p_.chunks[first + k] * p_.n_terms;
        sums[k] = terms[k][0];
      }
      for (std::size_t i = 1; i < n_row_terms_; ++i) {
        const std::size_t term = p_.row_terms[i];
#pragma GCC unroll 4
        for (std::size_t k = 0; k < batch; ++k) sums[k] += terms[k][term];
      }
      for (std::size_t k = 0; k < batch; ++k) lanes(p_.weights)[first + k] = sums[k];
    }
  }

  /// The chunks that matter to the row at hand and their shares of its likelihood, whose logarithm
  /// is returned.
  double weigh_states() {
    std::size_t n_open = 0;
    for (std::size_t cause = 1; cause < p_.n_chunks; cause *= 2) {
      p_.open[n_open++] = {static_cast<std::uint32_t>(cause), 0, HUGE_VAL, 0};
    }
    p_.chunks[0] = 0;
    n_row_chunks_ = 1;
    weigh(0);
    heaviest_ = largest_part(lanes(p_.weights)[0]);
    if (n_open > 0) visit(0, HUGE_VAL, p_.open, n_open);
    return find_shares();
  }

  /// Those with one more cause than the one at `place`, the most promising first, and what is below
  /// them: each without those before it. `most` is the most that any of them weighs. What a cause
  /// can do for a state only falls with the causes that are in it, as sum over a of
  /// log((1 - q_a f_a) / (1 - q_a)) does. So one that does nothing here does nothing below, and all
  /// that are open together do at most what each does here.
  void visit(std::size_t place, double most, const OpenChunk* open, std::size_t n_open) {
    const std::size_t first = n_row_chunks_;
    const double least = largest(heaviest_) + range_;
    for (std::size_t i = 0; i < n_open; ++i) {
      if (most + open[i].gain < least) continue;
      p_.chunks[n_row_chunks_++] = p_.chunks[place] | open[i].cause;
    }
    weigh(first);
    const Lanes& here = lanes(p_.weights)[place];
    OpenChunk* kept = p_.open + (depth_ + 1) * p_.n_causes;
    std::size_t n = 0;
    for (std::size_t i = first; i < n_row_chunks_; ++i) {
      const Lanes& with = lanes(p_.weights)[i];
      heaviest_ = larger(heaviest_, largest_part(with));
      const double gain = largest(with - here);
      if (gain < range_) continue;
      std::size_t rank = n++;
      for (; rank > 0 && kept[rank - 1].gain < gain; --rank) kept[rank] = kept[rank - 1];
      kept[rank] = {p_.chunks[i] ^ p_.chunks[place], static_cast<std::uint32_t>(i), gain, 0};
    }
    find_most(here, kept, n);
    ++depth_;
    for (std::size_t k = 0; k + 1 < n; ++k) {
      if (kept[k].most < largest(heaviest_) + range_) continue;
      visit(kept[k].place, kept[k].most, kept + k + 1, n - k - 1);
    }
    --depth_;
  }

  /// What a cause can do here together with those after it.
  void find_most(const Lanes& here, OpenChunk* kept, std::size_t n) const {
    Lanes after{};
    for (std::size_t k = n; k-- > 0;) {
      const Lanes& with = lanes(p_.weights)[kept[k].place];
      kept[k].most = largest(with + after);
      after += larger(with - here, Lanes{});
    }
  }

  /// Of the chunks tried leaves those that matter, whose shares take the place of their weights.
  double find_shares() {
    Lanes* weights = lanes(p_.weights);
    const double best = largest(heaviest_);
    Lanes total{};
    std::size_t n = 0;
    for (std::size_t i = 0; i < n_row_chunks_; ++i) {
      const Lanes relative = weights[i] - all(best);
      if (largest(relative) < range_) continue;
      weights[n] = each([&](std::size_t v) {
        return relative.part[v] >= range_ ? exponential(relative.part[v]) : Vector{};
      });
      total += weights[n];
      p_.chunks[n++] = p_.chunks[i];
    }
    n_row_chunks_ = n;
    const double of_all = sum(total);
    const double scale = 1 / of_all;
    for (std::size_t i = 0; i < n; ++i) weights[i] = scale * weights[i];
    return best + std::log(of_all);
  }

  /// Adds the states of the row at hand to the mass of the block.
  void add_row() {
    for (std::size_t i = 0; i < n_row_chunks_; ++i) {
      const Lanes& share = lanes(p_.weights)[i];
      Lanes* mass = lanes(p_.mass) + p_.chunks[i] * n_columns_;
      p_.used[p_.chunks[i]] = 1;
      for (std::size_t k = 0; k < n_row_columns_; ++k) mass[p_.row_columns[k]] += share;
    }
  }

  /// The sums of the row at hand.
  void find_row() {
    for (std::size_t k = 0; k < n_on_; ++k) {
      const Lanes* inverse_on = lanes(p_.inverse_on) + p_.row_columns[k];
      find_column(p_.row_columns[k], [&](std::size_t i) {
        return lanes(p_.weights)[i] * inverse_on[p_.chunks[i] * p_.n_observed];
      });
    }
    find_column(n_columns_ - 1, [&](std::size_t i) { return lanes(p_.weights)[i]; });
  }

  /// A column's sums, from its mass in each chunk of the row. Most causes are in all of the chunks
  /// or in none.
  template <class Mass>
  void find_column(std::size_t column, const Mass& mass) {
    Lanes total = mass(0);
    std::size_t in_all = p_.chunks[0];  // causes
    std::size_t in_some = in_all;
    for (std::size_t i = 1; i < n_row_chunks_; ++i) {
      total += mass(i);
      in_all &= p_.chunks[i];
      in_some |= p_.chunks[i];
    }
    const double of_all = sum(total);
    p_.all[column] = of_all;
    double* with_cause = p_.with_cause + column;
    for (std::size_t u = 0; u < p_.n_causes && u < 3; ++u) {
      with_cause[u * n_columns_] = sum(total, std::size_t{1} << u);
    }
    for (std::size_t u = 3; u < p_.n_causes; ++u) {
      const std::size_t bit = std::size_t{1} << (u - 3);
      double with = (in_all & bit) != 0 ? of_all : 0;
      if ((in_all & bit) != (in_some & bit)) {
        Lanes with_it{};
        for (std::size_t i = 0; i < n_row_chunks_; ++i) {
          if ((p_.chunks[i] & bit) != 0) with_it += mass(i);
        }
        with = sum(with_it);
      }
      with_cause[u * n_columns_] = with;
    }
  }

  /// The sums of the block from the mass of its states, which is cleared.
  void settle() {
    Lanes* with = lanes(p_.mass_with);
    std::size_t n_with = 1;  // all, then a cause each
    for (std::size_t bits = p_.n_chunks - 1; bits != 0; bits >>= 1) ++n_with;
    for (std::size_t i = 0; i < n_with * n_columns_; ++i) with[i] = Lanes{};
    for (std::size_t chunk = 0; chunk < p_.n_chunks; ++chunk) {
      if (p_.used[chunk] == 0) continue;
      p_.used[chunk] = 0;
      Lanes* mass = lanes(p_.mass) + chunk * n_columns_;
      const Lanes* inverse_on = lanes(p_.inverse_on) + chunk * p_.n_observed;
      for (std::size_t a = 0; a < p_.n_observed; ++a) mass[a] *= inverse_on[a];
      for (std::size_t a = 0; a < n_columns_; ++a) with[a] += mass[a];
      for (std::size_t left = chunk; left != 0; left &= left - 1) {
        Lanes* into = with + (lowest(left) + 1) * n_columns_;
        for (std::size_t a = 0; a < n_columns_; ++a) into[a] += mass[a];
      }
      for (std::size_t a = 0; a < n_columns_; ++a) mass[a] = Lanes{};
    }
    for (std::size_t a = 0; a < n_columns_; ++a) {
      p_.all[a] = sum(with[a]);
      for (std::size_t u = 0; u < p_.n_causes; ++u) {
        p_.with_cause[u * n_columns_ + a] =
            u < 3 ? sum(with[a], std::size_t{1} << u) : sum(with[(u - 2) * n_columns_ + a]);
      }
    }
  }

  const StateSumsArrays& p_;
  std::size_t n_fours_, n_words_, n_columns_;
  double range_;
  std::size_t n_row_terms_ = 0;
  std::size_t n_row_columns_ = 0;
  std::size_t n_on_ = 0;  // of these, the first
  std::size_t n_row_chunks_ = 0;
  std::size_t depth_ = 0;
  Vector heaviest_;
};

double add_rows_in_lanes(const StateSumsArrays& arrays, const std::uint64_t* values,
                         const std::uint64_t* missing, std::size_t n_rows) {
  return RowAdder(arrays).add(values, missing, n_rows);
}

double find_row_in_lanes(const StateSumsArrays& arrays, const std::uint64_t* values,
                         const std::uint64_t* missing) {
  return RowAdder(arrays).find(values, missing);
}

}  // namespace
}  // namespace orrery::model
