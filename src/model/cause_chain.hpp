// Purpose: Gibbs sampling of the free causes of a row, where no exact sum can be done.
// Source: Wang, Sontag, Wang 2014, Sec. 4.3 (of the discrete factors given a row, one at a time);
//         Geman, Geman 1984.
// Method: a cause is drawn from P(y_i | the others, row), whose odds are those of the causes'
//         network (the families that hold it), of the absent findings, and of each present one,
//         (1 - q f) / (1 - q), q = (1 - l) prod of the failures of its other causes that are on.
//         A cause that has free parents is drawn together with one of them, so that neighbours that
//         exclude or imply each other change places at once.
//         States that cannot be weigh e^-penalty at first, growing: that leads to one that can be.
// Cost of a sweep: O(edges from free causes to present findings), three times for causes with
//         parents. Drift of the products: they are formed anew by refresh().
// What breaks: tables with zeros may cut the states into islands that changes of two neighbours do
//         not connect; a chain then stays on the one it came by. Chains from several starts tell.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "model/row_findings.hpp"

namespace orrery::model {

class CauseChain {
 public:
  /// `row` must stay as it is; not contradicted.
  void read(const RowFindings& row);
  /// From this state of the free causes, by place.
  void start(std::span<const std::uint8_t> values);
  /// The same without beginning anew.
  void move_to(std::span<const std::uint8_t> values);
  /// Sweeps with a penalty that grows to that of run(). False if the state reached cannot be.
  bool settle(std::size_t n_sweeps, RowRandom& random);
  void sweep(RowRandom& random);
  /// The state at hand can be.
  [[nodiscard]] bool is_possible() const;
  /// log P(state at hand, row), with what all states have in common.
  [[nodiscard]] double log_joint() const;
  /// log P(one sweep, a cause at a time, leads from the state at hand to `target`); ends there. Its
  /// mean over states drawn from the posterior is P(target | row) (Chib 1995; Murray, Salakhutdinov
  /// 2008): hence the row's evidence.
  double log_transition(std::span<const std::uint8_t> target);
  /// Changes causes one at a time while that makes the state more probable.
  void climb();
  /// Forms the products of failures anew.
  void refresh();

  [[nodiscard]] std::size_t n_free() const noexcept { return weights_.size(); }
  [[nodiscard]] std::span<const std::uint8_t> values() const noexcept { return values_; }
  /// P(on | the others) of each cause when it was drawn last: averages of these have a smaller
  /// variance than those of values (Rao, Blackwell).
  [[nodiscard]] std::span<const double> on() const noexcept { return on_; }

 private:
  struct Link {
    std::uint32_t finding;
    double failure;
  };
  struct Place {
    std::uint32_t family;
    std::uint32_t bit;
  };
  struct Family {
    std::vector<double> log_table;
    std::uint32_t cell = 0;
  };
  struct Finding {
    double leak = 0;
    double quiet = 1;        // P(off) of what is on now
    std::uint32_t n_on = 0;  // parents
  };

  [[nodiscard]] double floored(double log_value) const noexcept {
    return log_value < -penalty_ ? -penalty_ : log_value;
  }
  [[nodiscard]] double log_odds(std::size_t cause);
  [[nodiscard]] double log_odds_of_findings(std::size_t cause);
  [[nodiscard]] double quiet_without(const Finding& finding, const Link& link, std::size_t cause);
  void set(std::size_t cause, bool on);
  void draw_alone(std::size_t cause, RowRandom& random);
  void draw_with(std::size_t cause, std::size_t parent, RowRandom& random);

  const RowFindings* row_ = nullptr;
  std::vector<std::array<double, 2>> weights_;
  std::vector<std::vector<Link>> links_;             // of a cause
  std::vector<std::vector<Place>> places_;           // families that hold it
  std::vector<std::vector<std::uint32_t>> parents_;  // free ones
  std::vector<Family> families_;
  std::vector<Finding> findings_;
  std::vector<std::uint8_t> values_;
  std::vector<double> on_;
  std::uint64_t n_sweeps_ = 0;
  double penalty_ = 0;
  double log_constant_ = 0;
  bool all_impossible_ = false;  // by the causes that are known
};

}  // namespace orrery::model
