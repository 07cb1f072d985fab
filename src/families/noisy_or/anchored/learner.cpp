// Anchored discrete factor analysis (Halpern, Horng, Sontag 2015), Algorithm 1:
//
//   paper                      code                                what
//   D, A, P(A|Y)               observe, find_noise_rates           Sec. 3.3
//   RecoverMarginals           SignCounts, recover_moments         Sec. 3, Eqs. (1)-(4), (23)
//   BuildLatentModel           learn_structure, fit_tables         Sec. 4.1, Eq. (5)
//   LearnFactorLoadings        find_loadings                       Sec. 4.2, 4.3, Eqs. (6)-(11)
//   EM                         run_em                              App. F.3
//
// Cost: see each. Of K causes, m variables, N rows, a tree: K (K + m) N / 64 words to count, K^2
// small problems, K m numbers a view; rows are not looked at again. Memory: the rows, one copy a
// host, and 33 K (K + 32) counts. At 1,000 ranks the units of loadings (m / 32) run out first.
//
// Departures from the paper, each an option: failures from all causes' ratios at once (--loadings
// direct, tree, blanket are the paper's), rows behind noisy anchors count for less in Eq. (5) and
// in tests of independence (--structure-rows all is the paper's), no regulariser (--regularise
// 0.01, --regularise-loadings 0.1 are the paper's). Beyond it: standard errors of everything, and
// edges that are significant.

#include "learning/learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/variables_map.hpp>
#include <cmath>
#include <vector>

#include "base/log.hpp"
#include "families/noisy_or/anchored/em/em.hpp"
#include "families/noisy_or/anchored/loadings/complete_data.hpp"
#include "families/noisy_or/anchored/loadings/loadings.hpp"
#include "families/noisy_or/anchored/moments/cause_moments.hpp"
#include "families/noisy_or/anchored/noise/noise_rates.hpp"
#include "families/noisy_or/anchored/observations.hpp"
#include "families/noisy_or/anchored/options.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::anchored {
namespace {

/// P(A = 0 | Y = 1) = (1 - leak) failure.
model::Edge anchor_edge(const model::Anchor& anchor, const model::AnchorRates& rates) {
  return {anchor.cause, anchor.observed, (1 - rates.on) / (1 - rates.off)};
}

double anchor_edge_error(const model::AnchorRates& rates) {
  const double by_on = rates.on_error / (1 - rates.off);
  const double by_off = rates.off_error * (1 - rates.on) / ((1 - rates.off) * (1 - rates.off));
  return std::hypot(by_on, by_off);
}

/// Edges with errors, which must keep their order together.
struct Edges {
  std::vector<model::Edge> edges;
  std::vector<double> errors;

  void add(const model::Edge& edge, double error) {
    if (!(edge.failure < 1)) return;  // no edge
    edges.push_back(edge);
    errors.push_back(error);
  }
  [[nodiscard]] double error_of(const model::Edge& edge) const {
    const auto found = std::ranges::find_if(edges, [&](const model::Edge& e) {
      return e.cause == edge.cause && e.observed == edge.observed;
    });
    return errors[static_cast<std::size_t>(found - edges.begin())];
  }
};

/// Anchors get their rates as leak and failure; everything else what was found for it. Errors are
/// 0 where moments are exact.
model::LearnedModel assemble(const Observations& observed, const NoiseRates& noise,
                             const std::vector<CauseView>& views, const AllLoadings& loadings) {
  model::LearnedModel learned;
  std::vector<model::Cause> causes;
  for (std::size_t i = 0; i < observed.n_causes(); ++i) {
    std::vector<double> priors;
    for (const CauseView& view : views) priors.push_back(view.sums->on()[i]);
    causes.push_back({observed.causes[i], priors[0]});
    learned.errors.prior.push_back(jackknife_error(priors));
  }
  std::vector<model::Observed> variables;
  Edges edges;
  for (std::size_t j = 0; j < observed.n_observed(); ++j) {
    const VariableLoadings& variable = loadings.variables[j];
    variables.push_back({observed.names[j], variable.leak});
    learned.errors.leak.push_back(variable.leak_error);
    for (const Loading& loading : variable.edges) {
      edges.add({loading.cause, static_cast<std::uint32_t>(j), loading.failure}, loading.error);
    }
  }
  for (std::size_t a = 0; a < observed.anchors.size(); ++a) {
    const model::Anchor& anchor = observed.anchors[a];
    variables[anchor.observed].leak = noise.rates[a].off;
    learned.errors.leak[anchor.observed] = noise.rates[a].off_error;
    edges.add(anchor_edge(anchor, noise.rates[a]), anchor_edge_error(noise.rates[a]));
  }
  learned.network = model::NoisyOrNetwork(
      model::NoisyOrNetwork(std::move(causes), std::move(variables), edges.edges),
      views.front().sums->network(), observed.anchors);
  for (const model::Edge& edge : learned.network.edges()) {
    learned.errors.failure.push_back(edges.error_of(edge));
  }
  // The network sorts its anchors.
  for (const model::Anchor& anchor : learned.network.anchors()) {
    const auto place = std::ranges::find(observed.anchors, anchor) - observed.anchors.begin();
    learned.rates.push_back(noise.rates[static_cast<std::size_t>(place)]);
  }
  learned.learner = "anchored";
  learned.data_digest = observed.digest;
  learned.n_samples = observed.n_samples;
  return learned;
}

void add(std::vector<std::string>& remarks, const std::vector<std::string>& more) {
  remarks.insert(remarks.end(), more.begin(), more.end());
}

/// Algorithm 1, with signs in the place of anchors.
model::LearnedModel learn_from_signs(const learning::Workers& workers, const Observations& observed,
                                     const NoiseRates& noise, const std::vector<Sign>& signs,
                                     Options options, std::vector<std::string>& remarks) {
  const SignCounts counts(workers, observed, signs, order_needed(options.structure));
  const AnchorTables tables = counts.tables(signs);
  const Recovery recovered = recover_moments(workers, tables, options.recovery);
  if (recovered.gap > options.recovery.gap) {
    remarks.push_back(fmt::format(
        "moments are up to {:.3g} nats from the best in their polytope after {} steps, more than "
        "--gap {}",
        recovered.gap, recovered.iterations, options.recovery.gap));
  }
  options.structure.n_samples = static_cast<double>(observed.n_samples);
  options.structure.names = observed.causes;
  if (options.method == Method::moments && options.effective_rows) {
    options.structure.rates = tables.rates;
  }
  const CauseStructure structure = learn_structure(workers, recovered.moments, options.structure);
  add(remarks, structure.remarks);
  const std::vector<CauseView> views =
      view_causes(counts, signs, recovered.moments, structure, options);
  const bool by_moments =
      options.method == Method::moments || options.method == Method::oracle_moments;
  const AllLoadings loadings = by_moments
                                   ? find_loadings(workers, {observed, signs, views, options})
                                   : fit_labelled(workers, observed, views, options.alpha);
  if (loadings.unsolved > 0) {
    remarks.push_back(fmt::format(
        "{} variable(s) go with the causes as no failures would have it; they are left with a leak "
        "alone",
        loadings.unsolved));
  }
  model::LearnedModel learned = assemble(observed, noise, views, loadings);
  learned.moments = recovered.moments;
  return learned;
}

/// App. F.3, from where the moments lead.
void add_em(const learning::Workers& workers, const Observations& observed, const Options& options,
            model::LearnedModel& learned, std::vector<std::string>& remarks) {
  if (options.em_steps == 0) return;
  EmOptions em;
  em.n_steps = options.em_steps;
  em.seed = options.seed;
  KnownCauses known;
  if (observed.labels) known = {&observed.labels->values, &observed.labels->known};
  const EmResult result = run_em(workers, learned.network, observed.values, known, em);
  learned.network = model::NoisyOrNetwork(result.loadings, learned.network.cause_network(),
                                          learned.network.anchors());
  learned.errors = {};
  const bool exact = std::isfinite(result.steps.front().log_likelihood) &&
                     std::isfinite(result.steps.back().log_likelihood);
  const auto told = [&](const EmStep& step) { return exact ? step.log_likelihood : step.fit; };
  remarks.push_back(fmt::format(
      "after {} steps of EM: {} from {:.6g} to {:.6g} nats per row; standard errors are of the "
      "moments, and left out",
      result.steps.size() - 1, exact ? "log-likelihood" : "E[log P(findings | causes drawn)]",
      told(result.steps.front()), told(result.steps.back())));
}

void refuse_counts(bool stored) {
  if (!stored) return;
  throw UsageError(
      "--moments: stored counts are of pairs, and anchors are counted three and more at a time; "
      "leave it out, or leave out DATA if it names a network to learn from");
}

model::AnyModel learn(const learning::DataContext& context,
                      const boost::program_options::variables_map& values) {
  refuse_counts(context.stored != nullptr);
  Options options = read_options(values);
  options.seed = context.seed;
  const learning::Workers workers{context.team, context.threads, context.checkpoints,
                                  context.stages};
  (void)context.team.root_first([&] {
    require_program(options.recovery);
    return true;
  });
  Observations observed = observe(context, options);
  options.recovery.gap = gap_of(options, observed.n_samples);
  (void)cost_of(options.recovery.polytope, observed.n_causes(), order_needed(options.structure));
  require_telling_anchors(workers, observed);
  const NoiseRates noise = find_noise_rates(workers, observed, options);
  std::vector<std::string> remarks = noise.remarks;
  add(remarks, find_contradictions(workers, observed, noise));
  const std::vector<std::size_t> mains = main_anchors(observed, noise);
  if (options.method == Method::imputation) {
    observed.labels = impute_labels(workers, observed, noise, mains, options.seed);
  }
  const std::vector<Sign> signs = options.method == Method::moments
                                      ? anchor_signs(observed, noise, mains)
                                      : label_signs(observed);
  model::LearnedModel learned = learn_from_signs(workers, observed, noise, signs, options, remarks);
  add_em(workers, observed, options, learned, remarks);
  if (context.team.is_root()) {
    for (const std::string& remark : remarks) log::warning("{}", remark);
  }
  learned.remarks = std::move(remarks);
  return learned;
}

learning::Plan plan(const learning::DataPlanContext& context,
                    const boost::program_options::variables_map& values) {
  refuse_counts(context.stored);
  return predict(context, read_options(values));
}

}  // namespace

extern const learning::LearnerEntry entry;
const learning::LearnerEntry entry{
    .name = "anchored",
    .summary = "causes that depend on one another, by their anchors (Halpern et al. 2015)",
    .add_options = add_options,
    .result_options = describe_options,
    .moments = learning::TakesMoments::network,
    .needs = "--anchors FILE",
    .example = "--anchors anchors.csv",
    .learn_data = learn,
    .plan_data = plan,
    .files = option_files};

}  // namespace orrery::anchored
