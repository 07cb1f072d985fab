// Purpose: the posterior of causes that depend on one another given a row, by the states that weigh
//          most.
// Source: truncated variational EM (Luecke and Eggert 2010), with a search in place of a selection.
// Method: best first. A state that is opened tells the weights of all states that differ from it in
//         one cause, eight causes at a time; those within `keep` nats of the heaviest are kept, and
//         opened in turn while they are within `open` of it, at most `most_opened`. At last the
//         heaviest is opened without each of its causes, for causes that take each other's place.
//         Nothing is drawn: the states that a search finds follow from the row and the network
//         alone. BeamStates keeps those of many rows, and follow() weighs them under other
//         parameters without a search: a partial E-step (Neal and Hinton 1998, section 5).
//
//   symbol                                                   code
//   1 - leak_a, f_ca, 1 / f_ca (a on)                        quiet, failure, inverse
//   log odds of c, all others off, and all its variables off field
//   log P(h_c, h_d) P(-, -) / P(h_c, -) P(-, h_d)            coupling, 0 but between relatives
//   what is left of a cause with two parents, all three on   triples
//
// Cost: a state that is opened takes K p / 8 vector steps (p variables that are on); 3 to 20 are
//       opened for a row. A state that is followed takes p / 8. Memory: 24 (m + K) (K + 8) bytes,
//       shared by threads.
#pragma once

#include <array>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/kernels.hpp"
#include "model/beam_network.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/network.hpp"

namespace orrery::model {

/// A row as its states need it, as plain pointers: the kernels' files must instantiate nothing that
/// others share.
struct RowArrays {
  std::size_t n_on;    ///< variables of the row that are on
  std::size_t stride;  ///< n_on, padded to a multiple of 8: quiet 0, failure 1
  std::size_t n_causes;
  std::size_t width;  ///< causes, one that changes nothing, and padding: a multiple of 8
  const std::uint32_t* on;
  const double *quiet_on,
      *failure_on;                  ///< by place in `on`; failure_on in a row of `stride` a cause
  const double *failure, *inverse;  ///< f, 1 / f: in a row of `width` a variable
  const double *field, *coupling;   ///< `width`; in a row of `width` a cause
};

/// A state of the causes, one a bit.
struct RowKernels {
  /// P(variable stays off) of each that is on, `stride` values.
  void (*find_off)(const RowArrays& row, std::uint64_t state, double* off);
  /// Adds to `log_weights` those of n states, each beyond the state without causes and without a
  /// variable that is on; their P(variable stays off) into rows of `off`.
  void (*weigh)(const RowArrays& row, const std::uint64_t* states, std::size_t n, double* off,
                double* log_weights);
  /// e^(log weight - heaviest) of n of them, and the sum.
  double (*find_shares)(const double* log_weights, std::size_t n, double heaviest, double* shares);
  /// Log weight of the state with each cause flipped, less its own: `width` values. `off`: scratch.
  void (*open)(const RowArrays& row, std::uint64_t state, double* off, double* gains);
  /// Bit c: whether log_weight + gains[c] is at least `least`, of `width` (at most 64) gains.
  std::uint64_t (*find_heavy)(const double* gains, std::size_t width, double log_weight,
                              double least);
  /// Adds share / P(on) of each variable that is on to `inverse`, and to `shared` (rows of
  /// `stride`) of each cause that is on.
  void (*add_share)(const RowArrays& row, std::uint64_t state, double share, const double* off,
                    double* inverse, double* shared);
};
RowKernels row_kernels_baseline();
RowKernels row_kernels_avx2();
RowKernels row_kernels_avx512();

/// Those of an instruction set that this processor has; all give the same bytes.
RowKernels find_row_kernels(kernels::Isa isa);

struct BeamOptions {
  double keep = 10;
  double open = 5;
  std::size_t most_opened = 40;  ///< beside one for each cause that is on
  std::size_t most_kept = 40;
};

class BeamStates;

/// One thread's scratch, and what it found of the row seen last.
class Beam {
 public:
  struct State {
    std::uint64_t causes;
    double log_weight;
    bool opened;
    double share = 0;  // of the row's posterior
  };

  Beam(const BeamNetwork& network, const BeamOptions& options);
  /// `values` is 0 where missing; `missing` may be empty.
  void evaluate(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing);
  /// The same, and adds the states that are kept to `found`, as those of a further row.
  void evaluate(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing,
                BeamStates& found);
  /// The states alone that row number r of `found` has; if it has none, the row is searched.
  void follow(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing,
              const BeamStates& found, std::size_t r);

  [[nodiscard]] double log_likelihood() const noexcept { return log_likelihood_; }
  /// log of the share of the likelihood that the states have which were added to a BeamStates; 0
  /// without that.
  [[nodiscard]] double log_share_kept() const noexcept { return log_share_kept_; }
  [[nodiscard]] bool truncated() const noexcept { return truncated_; }
  /// The variables that are on.
  [[nodiscard]] std::span<const std::uint32_t> on() const noexcept { return on_; }
  [[nodiscard]] std::span<const std::uint32_t> missing() const noexcept { return missing_; }
  /// The heaviest first, where they were searched; their shares add up to 1.
  [[nodiscard]] std::span<const State> states() const noexcept { return states_; }
  /// Adds what state number i expects of the variables that are on, by their place in on(): see
  /// RowKernels::add_share.
  void add_share(std::size_t i, double weight, double* inverse, double* shared);
  /// Of a cause's row in `shared`.
  [[nodiscard]] std::size_t stride() const noexcept { return stride_; }
  [[nodiscard]] double failure(std::size_t cause, std::size_t observed) const noexcept {
    return network_.failure_[observed * network_.width_ + cause];
  }

 private:
  struct Unopened {
    double log_weight;
    std::uint32_t place;                                // in states_
    auto operator<=>(const Unopened&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  void list(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing);
  void pack(std::uint64_t causes);
  void begin(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing,
             std::uint64_t causes);
  double search(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing);
  [[nodiscard]] RowArrays arrays() const;
  void open(std::uint64_t causes, double log_weight);
  void add_triples(std::uint64_t causes);
  void forget_light();
  [[nodiscard]] std::optional<std::size_t> take_next();
  void open_best_first();
  bool open_swaps();
  void sort_heaviest();
  double keep_heaviest();
  void clear_slots();
  bool meet(std::uint64_t causes);
  bool meet_more(std::uint64_t causes);

  const BeamNetwork& network_;
  BeamOptions options_;
  RowKernels kernels_;
  std::vector<std::uint32_t> on_, missing_;
  std::size_t stride_ = 0;
  data::AlignedVector<double> quiet_on_, failure_on_, off_;
  data::AlignedVector<double> field_, gains_;
  std::vector<State> states_, sorted_;
  // Of states that are followed, in rows of stride_ those of off_.
  std::vector<std::uint64_t> followed_;
  data::AlignedVector<double> log_weights_, shares_;
  bool follows_ = false;
  std::vector<Unopened> to_open_;     // a heap of those heavy enough when they were met
  std::vector<std::uint64_t> slots_;  // states that the row has met; open addressing
  std::vector<std::uint32_t> taken_slots_;
  unsigned log_slots_ = 0;
  std::size_t n_met_ = 0, most_met_ = 0, n_opened_ = 0;
  std::size_t best_ = 0;
  double forgot_below_ = 0;  // weight of the heaviest state when light ones were last forgotten
  double log_silent_ = 0;    // log weight of no cause, but for the variables that are on
  double log_likelihood_ = 0;
  double log_share_kept_ = 0;
  bool truncated_ = false;
};

/// The heaviest states of some rows, as searches under one network found them. Under a network of
/// the same causes and similar parameters their sums are close to those of a new search, which
/// takes several times as long.
///
/// Memory: a byte for eight causes of a state, and four bytes per row.
class BeamStates {
 public:
  /// Rows that find no room in so many bytes are searched again.
  explicit BeamStates(std::size_t n_causes = 0, std::size_t most_bytes = 0)
      : bytes_per_state_(n_causes / 8 + 1), most_bytes_(most_bytes) {}
  /// The states of a further row; false if they find no room.
  bool add(std::span<const Beam::State> states);
  /// Of row r into `causes`; none: it is to be searched.
  void read(std::size_t r, std::vector<std::uint64_t>& causes) const;

 private:
  std::size_t bytes_per_state_, most_bytes_;
  std::vector<std::uint32_t> ends_{0};
  std::vector<std::uint8_t> bytes_;
};

}  // namespace orrery::model
