// The exact negative moments of a known network, as if from infinitely many samples.
#pragma once

#include "moments/moment_source.hpp"
#include "orrery/model/network.hpp"

namespace orrery::model {

class NetworkMoments final : public moments::MomentSource {
 public:
  /// `network` must outlive the object.
  explicit NetworkMoments(const NoisyOrNetwork& network);

  [[nodiscard]] std::size_t n_observed() const override { return network_.n_observed(); }
  [[nodiscard]] std::uint64_t n_samples() const override { return 0; }
  [[nodiscard]] const std::vector<double>& pairs() const override { return pairs_; }
  [[nodiscard]] double triple(std::size_t a, std::size_t b, std::size_t c) const override;
  [[nodiscard]] double quartet(std::size_t a, std::size_t b, std::size_t c,
                               std::size_t d) const override;
  [[nodiscard]] std::unique_ptr<moments::MomentWalker> walker() const override;
  [[nodiscard]] std::size_t walker_bytes() const override { return 8 * n_observed(); }

 private:
  const NoisyOrNetwork& network_;
  std::vector<double> pairs_;
};

}  // namespace orrery::model
