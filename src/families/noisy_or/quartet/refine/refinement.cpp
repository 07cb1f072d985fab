#include "families/noisy_or/quartet/refine/refinement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace orrery::quartet {

std::string CauseNames::fresh(const char* origin) {
  std::string name;
  do name = fmt::format("{}{}", origin, n_named_++);
  while (rules_.is_known_name(name));
  return name;
}

model::Cause CauseNames::name(const Elected& elected, int depth) {
  const std::string name = fresh("new");
  model::Provenance& origin = origin_[name];
  origin.depth = depth;
  origin.statistic = elected.statistic;
  origin.support = elected.support;
  for (std::size_t i = 0; i < 4; ++i)
    origin.quartet[i] = static_cast<std::int32_t>(elected.quartet[i]);
  return {name, std::clamp(elected.prior, 1e-4, .6)};
}

std::vector<model::Provenance> CauseNames::provenance(
    const std::vector<model::Cause>& causes) const {
  std::vector<model::Provenance> provenance;
  for (const model::Cause& cause : causes) {
    const auto found = origin_.find(cause.name);
    provenance.push_back(found == origin_.end() ? model::Provenance{} : found->second);
  }
  return provenance;
}

std::vector<model::Cause> CauseNames::numbered(std::vector<model::Cause> causes) const {
  std::size_t number = 0;
  for (model::Cause& cause : causes) {
    if (rules_.is_known_name(cause.name)) continue;
    while (rules_.is_known_name(fmt::format("cause{}", number))) ++number;
    cause.name = fmt::format("cause{}", number++);
  }
  return causes;
}

Refinement::Refinement(const learning::LearnContext& learn_context, const Options& options,
                       Journal& moves_made, std::function<void()> pause_work)
    : context(learn_context),
      rules(context.known, context.names),
      rows(*context.rows),
      journal(moves_made),
      pause(std::move(pause_work)),
      alpha(options.alpha),
      penalty(rows.n_rows(), context.names.size(), alpha),
      names(rules) {}

FitOptions Refinement::fit_options(const constants::refinement::EmLimits& limits) const {
  return {limits.iterations,
          limits.tolerance,
          prior,
          state_tolerance,
          [this](const Fit& so_far) {
            journal.set_running(so_far);
            if (pause) pause();
          },
          {}};
}

Fit Refinement::refit(model::NoisyOrNetwork network, const constants::refinement::EmLimits& limits,
                      std::function<bool(const Fit&)> gives_up) const {
  FitOptions options = fit_options(limits);
  options.gives_up = std::move(gives_up);
  return journal.fit([&](const Fit* begun) {
    return begun == nullptr ? quartet::fit(rows, rules.conform(std::move(network)), options)
                            : quartet::go_on(rows, *begun, options);
  });
}

Fit Refinement::refit_further(Fit begun, const constants::refinement::EmLimits& limits) const {
  const FitOptions options = fit_options(limits);
  begun.iterations = 0;
  begun.n_states = 0;
  return journal.fit([&](const Fit* resumed) {
    return quartet::go_on(rows, resumed == nullptr ? begun : *resumed, options);
  });
}

const EdgeTests& Refinement::tests_of(Fit& of) const {
  if (!of.tests)
    of.tests = std::make_shared<EdgeTests>(test_edges(rows, of.network, state_tolerance));
  return *of.tests;
}

void Refinement::look_at(std::uint64_t step) {
  rows = context.rows->thinned(step);
  penalty = Penalty(rows.n_rows(), context.names.size(), alpha);
  failed.clear();  // for want of rows, it may be
}

}  // namespace orrery::quartet
