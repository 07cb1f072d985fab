// Purpose: exact evidence and posteriors of a group of positive findings.
// Source: Heckerman 1989, "A tractable inference algorithm for diagnosing multiple diseases"
//         (Quickscore): P(F+) = sum over subsets S of F+ of (-1)^|S| P(S off), each term a product
//         over the causes: 2^|F+| instead of 2^causes.
// Departure: the signed terms cancel (twelve digits are gone with nine findings of Promedas), so
//         the same 2^|F+| numbers are kept in the other basis: the state is the set of findings
//         that some cause has switched on so far, and causes are added one at a time. A present
//         cause switches its findings on independently; "on" stays on. Only positive numbers are
//         added and multiplied, so every result keeps all its digits: the relative error is below
//         2^-53 times the number of operations on a path, some 1e-13 for 400 causes.
//         A finding enters the state with its first cause and leaves, on, after its last, so that
//         the exponent is not |F+| but the largest number of findings open at once; findings that
//         no cause connects never meet.
//
//   symbol                                               code
//   F_i[S] = P(findings switched on by causes 1..i = S)  a row of forward_
//   B_i[S] = P(the others switched on by the rest | S)   back_
//   P(U = 1, F+) = present sum_S F[S] (push B)[S]        posterior * evidence
//
// Cost: sum over causes of 2^open (links + 3), twice for posteriors; memory 8 * 2^open bytes a
// step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "model/row_groups.hpp"
#include "orrery/data/sample_matrix.hpp"

namespace orrery::model {

/// A finding in a set of them.
inline std::uint64_t finding_bit(std::size_t finding) { return std::uint64_t{1} << finding; }

/// One thread's scratch. Call plan(), look at work() and cells(), then run(), then draw().
class Quickscore {
 public:
  /// A cause's findings are bits of a word; work() would be beyond all reach long before.
  static constexpr std::size_t max_findings = 64;

  /// Chooses the order of causes; `group` must outlive the calls below. False if it has more than
  /// max_findings.
  bool plan(const FindingGroup& group);
  /// Multiply-adds of run(), and numbers that it holds.
  [[nodiscard]] double work() const noexcept { return work_; }
  [[nodiscard]] double cells() const noexcept { return cells_; }
  /// Findings open at once.
  [[nodiscard]] std::size_t width() const noexcept { return width_; }

  /// Fills all of `result`.
  void run(GroupPosterior& result);
  /// After run(), if the evidence is not 0: `n` independent draws of the causes from their
  /// posterior; draw i has cause k if present[k * n + i] is 1.
  void draw(RowRandom& random, std::size_t n, std::vector<std::uint8_t>& present);

 private:
  enum class Kind : std::uint8_t { open, cause, close };
  struct Step {
    Kind kind;
    std::uint32_t index;        // of the finding or cause
    std::uint32_t bit = 0;      // open, close: of the finding in the state
    std::uint32_t width = 0;    // findings open before it
    std::size_t first_bit = 0;  // cause: its links in bits_
    std::size_t offset = 0;     // F before it in forward_; F after it follows
    double scale = 1;           // close: what F was multiplied by
  };
  struct BitLink {
    std::uint32_t bit;
    double failure;
    double success;  // over the finding's unit
  };

  void find_parents();
  void order_causes();
  [[nodiscard]] std::size_t next_finding() const;
  void process(std::uint32_t cause);
  void open(std::uint32_t finding);
  void close(std::uint32_t finding);
  void add_step(Step step, std::uint32_t width_after);
  void set_units();
  void set_links();
  [[nodiscard]] std::span<const BitLink> bits_of(const Step& step) const noexcept {
    const auto& cause = group_->causes[step.index];
    return {bits_.data() + step.first_bit, cause.end_link - cause.first_link};
  }
  void go_forward(Step& step);
  void go_back(const Step& step, double total, GroupPosterior& result);
  void draw_cause(const Step& step, RowRandom& random, std::uint8_t* present);

  const FindingGroup* group_ = nullptr;
  double work_ = 0, cells_ = 0;
  std::size_t width_ = 0;
  double log_units_ = 0, log_scale_ = 0;
  std::vector<Step> steps_;
  std::vector<BitLink> bits_;
  std::vector<std::uint64_t> reach_;  // of a cause: its findings
  std::vector<std::uint8_t> done_;    // of a cause
  std::vector<std::size_t> first_parent_;
  std::vector<std::uint32_t> parents_;  // causes by finding
  std::vector<std::uint32_t> left_;     // of a finding: causes to come
  std::vector<std::uint32_t> open_;     // findings by bit
  std::uint64_t is_open_ = 0, is_closed_ = 0;
  std::vector<double> unit_;  // of a finding: what being on is measured by
  data::AlignedVector<double> forward_, back_, push_;
  std::vector<std::uint64_t> states_;  // of draws
};

}  // namespace orrery::model
