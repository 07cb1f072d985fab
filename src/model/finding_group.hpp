// What is left of a row once everything that factors is summed out: positive findings and the
// causes that two or more of them share. Negative findings are in the causes' odds, causes with a
// single positive finding in that finding's leak.
//
//   symbol                                                code
//   P(U on | the row's negative findings)                 present, absent = 1 - present
//   prod (1 - P(on by itself)) over leak and lone causes  quiet
//   1 - that, from sums of positive numbers               fire
//   f_{U,a}                                               Link::failure
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery::model {

struct FindingGroup {
  struct Link {
    std::uint32_t finding = 0;  // of the group
    double failure = 0;
  };
  struct Cause {
    std::uint32_t cause = 0;  // of the network
    double present = 0;
    double absent = 0;
    std::size_t first_link = 0;
    std::size_t end_link = 0;
  };
  std::vector<double> quiet;  // a finding
  std::vector<double> fire;   // the same
  std::vector<Cause> causes;
  std::vector<Link> links;  // by cause

  [[nodiscard]] std::size_t n_findings() const noexcept { return quiet.size(); }
  [[nodiscard]] std::span<const Link> links_of(const Cause& cause) const noexcept {
    return {links.data() + cause.first_link, cause.end_link - cause.first_link};
  }
  void clear() noexcept {
    quiet.clear();
    fire.clear();
    causes.clear();
    links.clear();
  }
};

/// What a row asks of a group. `inverse` of finding a is E[1 / P(a on | causes)]: all that the lone
/// causes of a need. Errors are 0 where it is exact.
struct GroupPosterior {
  double log_evidence = 0;  // nats, of the positive findings; -infinity if impossible
  double log_evidence_error = 0;
  std::vector<double> posterior, posterior_error;  // a cause
  std::vector<double> absence;  // the same: 1 - posterior, with all its digits where that is small
  std::vector<double> inverse, inverse_error;  // a finding
  double effective_samples = 0;                // 0: exact

  void resize(std::size_t n_causes, std::size_t n_findings) {
    log_evidence = log_evidence_error = effective_samples = 0;
    posterior.assign(n_causes, 0);
    posterior_error.assign(n_causes, 0);
    absence.assign(n_causes, 1);
    inverse.assign(n_findings, 1);
    inverse_error.assign(n_findings, 0);
  }
};

}  // namespace orrery::model
