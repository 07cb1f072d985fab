// What is told of a network beside a known truth: of an anchored one also what data and labels say,
// of any how much was found by the likeness of strengths.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/progress.hpp"
#include "families/noisy_or/scores/sections.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
namespace {

using model::NoisyOrNetwork;
using nlohmann::json;

const std::string& name_of(const NoisyOrNetwork& network, std::size_t cause) {
  return network.causes()[cause].name;
}

void add_matches(report::Section& section, const AnchoredScores& scores,
                 const NoisyOrNetwork& truth, const NoisyOrNetwork& learned) {
  report::Table& matches = section.table("matches", "");
  for (std::size_t t = 0; t < scores.partner.size(); ++t) {
    const std::int64_t partner = scores.partner[t];
    matches.row()
        .data("true", name_of(truth, t))
        .data("learned", partner < 0 ? json(nullptr)
                                     : json(name_of(learned, static_cast<std::size_t>(partner))));
  }
}

/// "a - b, c - d and 3 more"; JSON has them all.
void add_ends(report::Section& section, const char* key, const char* label,
              const NoisyOrNetwork& network, const std::vector<AnchoredScores::Ends>& edges) {
  constexpr std::size_t listed = 5;
  json list = json::array();
  std::string text;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto& [a, b] = edges[e];
    list.push_back({name_of(network, a), name_of(network, b)});
    if (e >= listed) continue;
    text += fmt::format("{}{} - {}", e > 0 ? ", " : "", name_of(network, a), name_of(network, b));
  }
  if (edges.size() > listed) text += fmt::format(" and {} more", edges.size() - listed);
  section.data(key, std::move(list));
  if (!text.empty()) section.show(label, text);
}

void add_graph(report::Section& section, const AnchoredScores& scores) {
  section.data("matched_by", scores.by_name ? "name" : "loadings")
      .data("true_edges", scores.n_true_edges)
      .data("learned_edges", scores.n_learned_edges)
      .data("common_edges", scores.n_common_edges)
      .data("precision", scores.precision)
      .data("recall", scores.recall);
  section.tell(
      "f1", scores.f1, "edges among causes", fmt::format("F1 {:.3f}", scores.f1),
      fmt::format("precision {:.3f}, recall {:.3f}, whatever their direction; causes "
                  "matched by {}",
                  scores.precision, scores.recall, scores.by_name ? "name" : "their loadings"));
  const auto& kl = scores.kl_from_truth;
  section.data("kl_from_truth", kl ? report::finite_or_null(*kl) : json(nullptr));
  if (!kl) return;
  section.show("divergence of the causes",
               std::isfinite(*kl) ? report::short_number(*kl) + " nats" : "infinite",
               "KL(true, learned) of the distribution of all causes");
}

void add_loadings(report::Section& section, const AnchoredScores& scores) {
  const auto number = [](double value) { return report::short_number(value); };
  section.data("observed", scores.n_observed)
      .data("true_loadings", scores.n_true_loadings)
      .data("mean_failure_error", scores.mean_failure_error)
      .data("max_failure_error", scores.max_failure_error)
      .data("mean_extra_strength", scores.mean_extra_strength)
      .data("max_leak_error", scores.max_leak_error)
      .data("max_prior_error", scores.max_prior_error);
  section.tell("median_failure_error", scores.median_failure_error, "error of a failure",
               number(scores.median_failure_error),
               fmt::format("median of {}; mean {}, largest {}",
                           report::count_of(scores.n_true_loadings, "true loading"),
                           number(scores.mean_failure_error), number(scores.max_failure_error)));
  section.tell("extra_loadings", scores.n_extra_loadings, "loadings that are not true",
               format_count(scores.n_extra_loadings),
               scores.n_extra_loadings == 0
                   ? ""
                   : "mean strength 1 - failure " + number(scores.mean_extra_strength));
  section.tell("mean_leak_error", scores.mean_leak_error, "error of a leak",
               number(scores.mean_leak_error), "mean; largest " + number(scores.max_leak_error));
  section.tell("mean_prior_error", scores.mean_prior_error, "error of a prior",
               number(scores.mean_prior_error), "mean; largest " + number(scores.max_prior_error));
  if (scores.n_with_error == 0) return;
  section.tell(
      "coverage", {scores.n_covered, scores.n_with_error}, "inside their intervals",
      fmt::format("{} of {}", format_count(scores.n_covered), format_count(scores.n_with_error)),
      "true failures, leaks and priors; 95 % intervals");
}

void add_likelihood(report::Record& record, const std::string& path, const char* label,
                    const AnchoredLikelihood& likelihood) {
  record.data(path + "log_likelihood", report::finite_or_null(likelihood.mean))
      .data(path + "out_of_reach", likelihood.n_out_of_reach)
      .data(path + "impossible", likelihood.n_impossible);
  if (likelihood.n_out_of_reach > 0) {
    record.show(label, "out of reach",
                fmt::format("{} too dense for an exact sum",
                            report::count_of(likelihood.n_out_of_reach, "row")));
  } else {
    record.show(label, fmt::format("{:.4f}", likelihood.mean));
  }
}

}  // namespace

void add_anchored_truth(report::Sheet& sheet, const AnchoredScores& scores,
                        const NoisyOrNetwork& truth, const NoisyOrNetwork& learned) {
  report::Section& section = sheet.section("", "Beside the true network");
  const auto n_matched =
      std::ranges::count_if(scores.partner, [](std::int64_t l) { return l >= 0; });
  section.sentences.push_back(fmt::format(
      "{} of {} causes matched; {} of {} edges among causes found, {} wrong", n_matched,
      scores.partner.size(), scores.n_common_edges, scores.n_true_edges, scores.wrong.size()));
  add_graph(section, scores);
  add_ends(section, "missing_edges", "missing edges", truth, scores.missing);
  add_ends(section, "wrong_edges", "wrong edges", learned, scores.wrong);
  add_loadings(section, scores);
  add_matches(section, scores, truth, learned);
}

void add_anchored_data(report::Sheet& sheet, const AnchoredDataScores& scores) {
  report::Section& section = sheet.section("data", "Likelihood");
  section.sentences.push_back(
      fmt::format("Mean log-likelihood per row in nats, over {}{}",
                  report::count_of(scores.model.n_rows, "row"),
                  scores.held_out ? "" : " that the model was learned from"));
  section.data("rows", scores.model.n_rows).data("held_out", scores.held_out);
  add_likelihood(section, "", "this model", scores.model);
  if (scores.truth) add_likelihood(section, "truth/", "true network", *scores.truth);
}

void add_labels(report::Sheet& sheet, const LabelScores& scores) {
  const auto number = [](double value) {
    return std::isfinite(value) ? fmt::format("{:.4f}", value) : std::string("-infinity");
  };
  report::Section& section = sheet.section("labels", "Likelihood of the labels");
  section.sentences.push_back(
      fmt::format("Mean log-likelihood of the true causes per row in nats, over {}",
                  report::count_of(scores.model.n_rows, "row")));
  section.data("rows", scores.model.n_rows)
      .data("impossible", scores.model.n_impossible)
      .data("floor", scores.floor);
  section.tell("log_likelihood", report::finite_or_null(scores.model.mean), "this model",
               number(scores.model.mean),
               scores.model.n_impossible == 0
                   ? ""
                   : fmt::format("the model rules out {}",
                                 report::count_of(scores.model.n_impossible, "row")));
  section.tell("floored_log_likelihood", scores.floored, "no probability too near to 0 or 1",
               number(scores.floored), fmt::format("none nearer than {:.2g}", scores.floor));
  section.tell("independent_log_likelihood", scores.independent, "the same without edges",
               number(scores.independent));
  if (!scores.truth) return;
  section.tell("true_log_likelihood", report::finite_or_null(*scores.truth), "true network",
               number(*scores.truth));
}

// Of any network: how much of a known truth was found, by the likeness of strengths 1 - failure.

namespace {

json name_or_null(std::int64_t cause, const NoisyOrNetwork& network) {
  return cause < 0 ? json() : json(network.causes()[static_cast<std::size_t>(cause)].name);
}

json nearest_json(const Nearest& nearest, const NoisyOrNetwork& network) {
  if (nearest.cause < 0) return nullptr;
  return {{"name", name_or_null(nearest.cause, network)}, {"cosine", nearest.cosine}};
}

/// "zoster (0.71)", or "none".
std::string nearest_text(const Nearest& nearest, const NoisyOrNetwork& network) {
  if (nearest.cause < 0) return "none";
  return fmt::format("{} ({:.3f})", network.causes()[static_cast<std::size_t>(nearest.cause)].name,
                     nearest.cosine);
}

void show_share(report::Record& row, const char* label, const Share& share) {
  if (share.total == 0) {
    row.show(label, "-");
  } else {
    row.show_share(label, fmt::format("{:.3f}", share.value(0)), share.value(0));
  }
}

void add_bands_of_priors(report::Section& section, const Likeness& likeness, bool shown) {
  report::Table& table = section.table("by_cosine/by_prior", shown ? "Causes by prior" : "",
                                       "true causes by the true prior, learned ones by the learned "
                                       "prior; edges of strength 1 - failure above 0.1");
  for (const PriorBand& band : likeness.by_prior) {
    report::Record& row = table.row();
    row.data("from", band.low).data("below", band.high).data("extra", band.extra);
    row.data("true", band.n_true).data("matched", band.matched).data("strict", band.strict);
    row.data("learned", band.n_learned).data("edge_precision", share_json(band.precision));
    row.data("edge_recall", share_json(band.recall));
    if (band.n_true + band.n_learned == 0) continue;
    row.show("prior", fmt::format("{} to {}", band.low, band.high));
    row.show("true", format_count(band.n_true));
    show_share(row, "matched", {band.matched, band.n_true});
    show_share(row, "strict", {band.strict, band.n_true});
    row.show("learned", format_count(band.n_learned));
    show_share(row, "not extra", {band.n_learned - band.extra, band.n_learned});
    show_share(row, "edge precision", band.precision);
    show_share(row, "edge recall", band.recall);
  }
}

void add_bands_of_strengths(report::Section& section, const Likeness& likeness, bool shown) {
  report::Table& table = section.table(
      "by_cosine/by_strength", shown ? "Edges by strength" : "",
      "precision: learned edges that the match has at all; recall: true edges that the match has "
      "at all; bounds lie between QMR's frequency classes");
  for (const StrengthBand& band : likeness.by_strength) {
    report::Record& row = table.row();
    row.data("above", band.low).data("up_to", band.high);
    row.data("precision", share_json(band.precision)).data("recall", share_json(band.recall));
    if (band.precision.total + band.recall.total == 0) continue;
    row.show("1 - failure", fmt::format("{} to {}", band.low, band.high));
    row.show("learned", format_count(band.precision.total));
    show_share(row, "precision", band.precision);
    row.show("true", format_count(band.recall.total));
    show_share(row, "recall", band.recall);
  }
}

/// For people: the most frequent first. The page has a table of its own, with reasons.
void add_missed(report::Section& section, const Likeness& likeness, const NoisyOrNetwork& learned,
                const NoisyOrNetwork& truth) {
  std::vector<std::size_t> missed;
  for (std::size_t t = 0; t < likeness.truth.size(); ++t) {
    if (likeness.truth[t].match < 0) missed.push_back(t);
  }
  std::ranges::stable_sort(missed, {}, [&](std::size_t t) { return -truth.causes()[t].prior; });
  report::Table& table = section.table("", "Missed causes");
  table.most_shown = 10;
  table.most_on_page = 0;
  for (const std::size_t t : missed) {
    table.row()
        .show("cause", truth.causes()[t].name)
        .show("prior", fmt::format("{:.4g}", truth.causes()[t].prior))
        .show("nearest true cause", nearest_text(likeness.truth[t].twin, truth))
        .show("nearest learned cause", nearest_text(likeness.truth[t].learned, learned));
  }
}

void add_causes_of_both(report::Section& section, const Likeness& likeness,
                        const NoisyOrNetwork& learned, const NoisyOrNetwork& truth) {
  report::Table& of_truth = section.table("by_cosine/true", "");
  for (std::size_t t = 0; t < likeness.truth.size(); ++t) {
    const TrueLikeness& cause = likeness.truth[t];
    of_truth.row()
        .data("name", truth.causes()[t].name)
        .data("prior", truth.causes()[t].prior)
        .data("match", name_or_null(cause.match, learned))
        .data("cosine", cause.match >= 0 ? json(cause.cosine) : json())
        .data("strict", cause.strict)
        .data("nearest_learned", nearest_json(cause.learned, learned))
        .data("nearest_true", nearest_json(cause.twin, truth));
  }
  report::Table& of_learned = section.table("by_cosine/learned", "");
  for (std::size_t k = 0; k < likeness.learned.size(); ++k) {
    const LearnedLikeness& cause = likeness.learned[k];
    of_learned.row()
        .data("name", learned.causes()[k].name)
        .data("prior", learned.causes()[k].prior)
        .data("match", name_or_null(cause.match, truth))
        .data("nearest_true", nearest_json(cause.truth, truth))
        .data("edge_precision", share_json(cause.precision));
  }
}

}  // namespace

void add_likeness(report::Section& section, const Likeness& likeness, const NoisyOrNetwork& learned,
                  const NoisyOrNetwork& truth) {
  const auto tell = [&](const char* key, std::size_t n, std::size_t total, const char* label,
                        const std::string& note) {
    section.tell(fmt::format("by_cosine/{}", key), n, label,
                 fmt::format("{} of {}", format_count(n), format_count(total)), note);
  };
  const std::size_t n_true = likeness.truth.size();
  const std::size_t n_learned = likeness.learned.size();
  tell("matched", likeness.matched, n_true, "causes matched",
       "cosine of strengths 1 - failure above 0.9 with a learned cause of their own, any prior");
  tell("strict", likeness.strict, n_true, "strictly",
       "each true edge above 0.1 within a factor of e, the prior within a factor of 2");
  tell("extra", likeness.extra, n_learned, "extra causes", "learned, but no true cause's match");
  tell("imprecise", likeness.imprecise, n_learned, "imprecise causes",
       fmt::format("less than 0.95 of their edges above 0.1 are the match's; least {}",
                   report::short_number(likeness.least_precision)));
  section.data("by_cosine/least_edge_precision", likeness.least_precision);
  const bool many = n_true > many_causes;
  add_bands_of_priors(section, likeness, many);
  add_bands_of_strengths(section, likeness, many);
  if (many) add_missed(section, likeness, learned, truth);
  add_causes_of_both(section, likeness, learned, truth);
}

}  // namespace orrery::noisy_or
