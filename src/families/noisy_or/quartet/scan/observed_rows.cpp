#include "families/noisy_or/quartet/scan/observed_rows.hpp"

namespace orrery::quartet {

ObservedRows::ObservedRows(const moments::MomentSource& moments)
    : m_(moments.n_observed()), n_(static_cast<double>(moments.n_samples())) {
  bool complete = true;
  for (std::size_t a = 0; a < m_; ++a) complete = complete && moments.observed_share(a) == 1;
  if (complete) return;
  // Of what no row shows, half a row: nothing is divided by 0, and nothing follows from it.
  const double least = .5 / n_;
  share_.resize(m_ * m_);
  for (std::size_t a = 0; a < m_; ++a) {
    for (std::size_t b = 0; b < m_; ++b) {
      share_[a * m_ + b] = std::max(moments.observed_pair_share(a, b), least);
    }
  }
}

}  // namespace orrery::quartet
