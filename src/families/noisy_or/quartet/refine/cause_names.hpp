// Names and provenance of the causes of a refinement.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "families/noisy_or/quartet/calibrated/search.hpp"
#include "families/noisy_or/quartet/constraints.hpp"
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

}  // namespace orrery::quartet
