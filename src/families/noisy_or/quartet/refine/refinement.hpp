// What all moves of a refinement share: the fit at hand, the rows it is of, what parameters, causes
// and edges cost, and the names and provenance of the causes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "families/noisy_or/quartet/calibrated/search.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/constraints.hpp"
#include "families/noisy_or/quartet/options.hpp"
#include "families/noisy_or/quartet/refine/em.hpp"
#include "families/noisy_or/quartet/refine/refine_journal.hpp"
#include "learning/learner.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::quartet {

class CauseNames {
 public:
  /// `rules` must outlive this.
  explicit CauseNames(const Constraints& rules) : rules_(rules) {}

  /// A name that no known cause has: rules are by name.
  std::string fresh(const char* origin);
  /// The elected cause under a fresh name, with what elected it as its provenance.
  model::Cause name(const Elected& elected, int depth);
  void set_origin(const std::string& name, const model::Provenance& provenance) {
    origin_[name] = provenance;
  }
  /// The part of a cause that is split has the origin of the whole.
  void copy_origin(const std::string& part, const std::string& whole) {
    origin_[part] = origin_[whole];
  }

  [[nodiscard]] std::vector<model::Provenance> provenance(
      const std::vector<model::Cause>& causes) const;
  /// The causes as a model calls them: numbered in their order, but for known ones.
  [[nodiscard]] std::vector<model::Cause> numbered(std::vector<model::Cause> causes) const;

 private:
  const Constraints& rules_;
  std::map<std::string, model::Provenance> origin_;  // by name
  int n_named_ = 0;
};

struct Refinement {
  /// Without a network yet. `journal` has what a refinement that was stopped came to; `pause` is
  /// called before each iteration of EM.
  Refinement(const learning::LearnContext& learn_context, const Options& options,
             Journal& moves_made, std::function<void()> pause_work);
  // Names refer to the rules.
  Refinement(const Refinement&) = delete;
  Refinement& operator=(const Refinement&) = delete;

  /// EM from `network`, which is made to keep the rules first, until `gives_up` says that it need
  /// not go on. Collective.
  [[nodiscard]] Fit refit(model::NoisyOrNetwork network,
                          const constants::refinement::EmLimits& limits,
                          std::function<bool(const Fit&)> gives_up = {}) const;
  /// EM that goes on from this fit of the rows looked at. Collective.
  [[nodiscard]] Fit refit_further(Fit begun, const constants::refinement::EmLimits& limits) const;
  /// Of this fit; made once for each. Collective.
  const EdgeTests& tests_of(Fit& of) const;
  [[nodiscard]] double score() const { return score(fit); }
  [[nodiscard]] double score(const Fit& of) const { return quartet::score(of, penalty); }
  [[nodiscard]] bool is_fixed(std::size_t cause) const {
    return rules.is_fixed(fit.network.causes()[cause].name);
  }
  /// Looks at every `step`-th block of rows only, or (1) at all, from the next EM on.
  void look_at(std::uint64_t step);

  [[nodiscard]] FitOptions fit_options(const constants::refinement::EmLimits& limits) const;

  const learning::LearnContext& context;
  Constraints rules;
  learning::RowPass rows;  ///< those looked at
  Journal& journal;
  std::function<void()> pause;
  double alpha;
  Penalty penalty;
  FailurePrior prior;
  double state_tolerance = constants::refinement::trial_tolerance;
  Fit fit;
  CauseNames names;
  std::set<std::string> failed;  ///< moves that were tried in vain
};

}  // namespace orrery::quartet
