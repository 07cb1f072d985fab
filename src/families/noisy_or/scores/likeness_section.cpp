// How much of a known truth was found, by the likeness of strengths 1 - failure.
#include <fmt/format.h>

#include <algorithm>

#include "base/progress.hpp"
#include "families/noisy_or/scores/sections.hpp"
#include "report/text.hpp"

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
