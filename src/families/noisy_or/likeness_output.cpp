#include "families/noisy_or/likeness_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "families/noisy_or/evaluation_output.hpp"

namespace orrery::noisy_or {
namespace {

using model::NoisyOrNetwork;
using nlohmann::json;

json name_or_null(std::int64_t cause, const NoisyOrNetwork& network) {
  return cause < 0 ? json() : json(network.causes()[static_cast<std::size_t>(cause)].name);
}

json nearest_json(const Nearest& nearest, const NoisyOrNetwork& network) {
  if (nearest.cause < 0) return nullptr;
  return {{"name", name_or_null(nearest.cause, network)}, {"cosine", nearest.cosine}};
}

json by_strength_json(const Likeness& likeness) {
  json bands = json::array();
  for (const auto& band : likeness.by_strength) {
    bands.push_back({{"above", band.low},
                     {"up_to", band.high},
                     {"precision", share_json(band.precision)},
                     {"recall", share_json(band.recall)}});
  }
  return bands;
}

json by_prior_json(const Likeness& likeness) {
  json bands = json::array();
  for (const auto& band : likeness.by_prior) {
    bands.push_back({{"from", band.low},
                     {"below", band.high},
                     {"true", band.n_true},
                     {"matched", band.matched},
                     {"strict", band.strict},
                     {"learned", band.n_learned},
                     {"extra", band.extra},
                     {"edge_precision", share_json(band.precision)},
                     {"edge_recall", share_json(band.recall)}});
  }
  return bands;
}

/// "0.987", or "-" of nothing.
std::string describe_share(const Share& share) {
  return share.total == 0 ? "-" : fmt::format("{:.3f}", share.value(0));
}

std::string describe_priors(const Likeness& likeness) {
  std::string text =
      fmt::format("{:18}{:>7}{:>9}{:>8}{:>9}{:>7}{:>16}{:>13}\n", "prior", "true", "matched",
                  "strict", "learned", "extra", "edge precision", "edge recall");
  for (const auto& band : likeness.by_prior) {
    if (band.n_true + band.n_learned == 0) continue;
    text += fmt::format("{:18}{:>7}{:>9}{:>8}{:>9}{:>7}{:>16}{:>13}\n",
                        fmt::format("from {} to {}", band.low, band.high), band.n_true,
                        band.matched, band.strict, band.n_learned, band.extra,
                        describe_share(band.precision), describe_share(band.recall));
  }
  return text;
}

std::string describe_strengths(const Likeness& likeness) {
  std::string text = fmt::format("{:18}{:>14}{:>11}{:>12}{:>8}\n", "strength 1 - f",
                                 "learned edges", "precision", "true edges", "recall");
  for (const auto& band : likeness.by_strength) {
    if (band.precision.total + band.recall.total == 0) continue;
    text +=
        fmt::format("{:18}{:>14}{:>11}{:>12}{:>8}\n",
                    fmt::format("above {} to {}", band.low, band.high), band.precision.total,
                    describe_share(band.precision), band.recall.total, describe_share(band.recall));
  }
  return text;
}

std::string describe_nearest(const char* what, const Nearest& nearest,
                             const NoisyOrNetwork& network) {
  if (nearest.cause < 0) return fmt::format("no {} shares a child", what);
  return fmt::format("nearest {}: {} ({:.3f})", what,
                     network.causes()[static_cast<std::size_t>(nearest.cause)].name,
                     nearest.cosine);
}

std::string describe_missed(const Likeness& likeness, const NoisyOrNetwork& learned,
                            const NoisyOrNetwork& truth) {
  constexpr std::size_t listed = 10;
  std::vector<std::size_t> missed;
  for (std::size_t t = 0; t < likeness.truth.size(); ++t) {
    if (likeness.truth[t].match < 0) missed.push_back(t);
  }
  if (missed.empty()) return "";
  const auto prior = [&](std::size_t t) { return -truth.causes()[t].prior; };
  std::ranges::stable_sort(missed, {}, prior);
  std::string text = fmt::format("\n{} missed", missed.size());
  if (missed.size() > listed) {
    text += fmt::format("; the {} of the largest priors (--json: all)", listed);
  }
  text += ":\n";
  missed.resize(std::min(missed.size(), listed));
  for (const std::size_t t : missed) {
    text += fmt::format("  {:14} prior {:<9.4g} {}, {}\n", truth.causes()[t].name,
                        truth.causes()[t].prior,
                        describe_nearest("true cause", likeness.truth[t].twin, truth),
                        describe_nearest("learned one", likeness.truth[t].learned, learned));
  }
  return text;
}

}  // namespace

json likeness_json(const Likeness& likeness, const NoisyOrNetwork& learned,
                   const NoisyOrNetwork& truth) {
  json of_truth = json::array();
  for (std::size_t t = 0; t < likeness.truth.size(); ++t) {
    const auto& cause = likeness.truth[t];
    const bool matched = cause.match >= 0;
    of_truth.push_back({{"name", truth.causes()[t].name},
                        {"prior", truth.causes()[t].prior},
                        {"match", name_or_null(cause.match, learned)},
                        {"cosine", matched ? json(cause.cosine) : json()},
                        {"strict", cause.strict},
                        {"nearest_learned", nearest_json(cause.learned, learned)},
                        {"nearest_true", nearest_json(cause.twin, truth)}});
  }
  json of_learned = json::array();
  for (std::size_t k = 0; k < likeness.learned.size(); ++k) {
    const auto& cause = likeness.learned[k];
    of_learned.push_back({{"name", learned.causes()[k].name},
                          {"prior", learned.causes()[k].prior},
                          {"match", name_or_null(cause.match, truth)},
                          {"nearest_true", nearest_json(cause.truth, truth)},
                          {"edge_precision", share_json(cause.precision)}});
  }
  return {{"matched", likeness.matched},
          {"strict", likeness.strict},
          {"extra", likeness.extra},
          {"least_edge_precision", likeness.least_precision},
          {"imprecise", likeness.imprecise},
          {"by_prior", by_prior_json(likeness)},
          {"by_strength", by_strength_json(likeness)},
          {"true", std::move(of_truth)},
          {"learned", std::move(of_learned)}};
}

std::string describe_likeness(const Likeness& likeness, const NoisyOrNetwork& learned,
                              const NoisyOrNetwork& truth) {
  std::string text = fmt::format(
      "{} of {} causes matched, {} strictly, {} extra (cosine of 1 - f above .9, any prior;\n"
      "  strictly: each true edge above .1 within a factor of e, the prior within one of 2)\n"
      "  edges above .1 of a learned cause that are its match's: {:.3f} at least; {} of {} below "
      ".95\n",
      likeness.matched, likeness.truth.size(), likeness.strict, likeness.extra,
      likeness.least_precision, likeness.imprecise, likeness.learned.size());
  if (likeness.truth.size() <= many_causes) return text;
  return text + '\n' + describe_priors(likeness) + '\n' + describe_strengths(likeness) +
         describe_missed(likeness, learned, truth) + '\n';
}

}  // namespace orrery::noisy_or
