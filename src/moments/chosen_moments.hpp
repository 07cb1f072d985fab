// The moments of some variables of a source, numbered from 0 on: for a learner that goes without
// the others.
//
// Cost: that of the source, and a copy of each table that it gives, without the others. Memory: of
// a walker's slab a second one, with all variables.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "moments/moment_source.hpp"

namespace orrery::moments {

class ChosenMoments final : public MomentSource, public CountsAhead {
 public:
  /// `variables`: ascending. `all` outlives the object.
  ChosenMoments(const MomentSource& all, std::vector<std::uint32_t> variables);

  [[nodiscard]] std::size_t n_observed() const override { return chosen_.size(); }
  [[nodiscard]] std::uint64_t n_samples() const override { return all_.n_samples(); }
  [[nodiscard]] double pair(std::size_t a, std::size_t b) const override {
    return all_.pair(chosen_[a], chosen_[b]);
  }
  [[nodiscard]] double observed_pair_share(std::size_t a, std::size_t b) const override {
    return all_.observed_pair_share(chosen_[a], chosen_[b]);
  }
  [[nodiscard]] double triple(std::size_t a, std::size_t b, std::size_t c) const override {
    return all_.triple(chosen_[a], chosen_[b], chosen_[c]);
  }
  [[nodiscard]] double quartet(std::size_t a, std::size_t b, std::size_t c,
                               std::size_t d) const override {
    return all_.quartet(chosen_[a], chosen_[b], chosen_[c], chosen_[d]);
  }
  void prepare(std::span<const std::array<std::uint32_t, 4>> sets) const override;
  void prepare_pairs(std::span<const std::array<std::uint32_t, 2>> pairs) const override;
  [[nodiscard]] std::vector<std::vector<double>> triples_of_pairs(
      std::span<const std::array<std::uint32_t, 2>> pairs, std::size_t first,
      std::size_t last) const override;
  void prepare_many_pairs(int threads, std::size_t most_bytes) const override {
    all_.prepare_many_pairs(threads, most_bytes);
  }
  void end_many_pairs() const override { all_.end_many_pairs(); }
  void prepare_on_with_pairs(std::span<const std::array<std::uint32_t, 2>> pairs,
                             const std::vector<std::size_t>& begins) const override;
  [[nodiscard]] std::vector<OnWithPair> on_with_pairs(
      std::span<const std::array<std::uint32_t, 2>> pairs) const override;
  [[nodiscard]] std::unique_ptr<MomentWalker> walker() const override;
  [[nodiscard]] std::size_t walker_bytes() const override { return all_.walker_bytes(); }

  /// Null unless the source counts ahead.
  [[nodiscard]] CountsAhead* counts_ahead() const override;
  bool count_triples(std::span<const TripleRequest> requests) override;
  bool count_quartets(std::span<const QuartetRequest> requests) override;
  [[nodiscard]] std::size_t budget_bytes() const override {
    return all_.counts_ahead()->budget_bytes();
  }

 private:
  class Walker;
  /// The same pairs, as the source has them.
  [[nodiscard]] std::vector<std::array<std::uint32_t, 2>> in_all(
      std::span<const std::array<std::uint32_t, 2>> pairs) const;
  /// The same variables, as bits.
  [[nodiscard]] std::vector<std::uint64_t> bits_in_all(std::span<const std::uint64_t> bits) const;

  const MomentSource& all_;
  std::vector<std::uint32_t> chosen_;  // of all_
};

}  // namespace orrery::moments
