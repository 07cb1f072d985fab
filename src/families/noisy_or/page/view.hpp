// What a report shows, before it is drawn: the causes in sections, learned beside true, and the
// edges among causes; and the parts of the page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "families/noisy_or/page/page.hpp"
#include "orrery/model/cause_network.hpp"
#include "report/page.hpp"

namespace orrery::noisy_or {

// Edges of a network of binary causes with what readers ask of them first: do the two go together,
// or does one keep the other away (green and red in Halpern, Horng, Sontag 2015, Fig. 3).

struct CauseEdge {
  std::uint32_t parent = 0;
  std::uint32_t child = 0;
  /// Correlation of the two under the whole network; NaN: one of them does not vary. Where no
  /// elimination is feasible: what the parent adds to P(child = 1), the other parents' values all
  /// alike likely.
  double correlation = 0;
};

struct CauseEdges {
  std::vector<CauseEdge> edges;  ///< by (parent, child)
  bool exact = true;             ///< correlations, not effects
};

/// O(edges n 2^width).
CauseEdges cause_edges(const model::CauseNetwork& network);

// Causes in sections.

/// One cause to show: as learned, as it truly is, or both.
struct Item {
  std::optional<std::size_t> learned;
  std::optional<std::size_t> truth;
};

enum class SectionKind : std::uint8_t { found, missed, extra };

struct Section {
  SectionKind kind = SectionKind::found;
  std::string heading;
  std::string note;
  std::vector<Item> items;
};

struct View {
  const ReportInput* input = nullptr;
  std::vector<std::string> titles;       ///< of the learned causes
  std::vector<std::string> true_titles;  ///< of the true ones
  /// Structural depth of each learned cause; empty where no search found them in rounds.
  std::vector<std::int32_t> depths;
  /// Found causes by structural depth (all learned ones if there is no truth), missed ones, extra
  /// ones. Where causes are searched: all learned ones, missed ones.
  std::vector<Section> sections;
  /// Of each observed variable of the truth, the index in the model.
  std::vector<std::size_t> model_index;
};
View make_view(const ReportInput& input);

/// Too many causes for pictures: they are shown as one table that can be searched, and are held
/// against the truth by the cosine of strengths, since most are too rare to be "recovered".
bool is_searched(const ReportInput& input);
/// How many true causes were found by the criterion of this page. There is a truth.
struct Outcome {
  const char* word;  ///< "recovered" or "matched"
  std::size_t found = 0;
  std::size_t extra = 0;
};
Outcome outcome_of(const ReportInput& input);
/// The true cause that each learned one recovers or matches.
std::vector<std::optional<std::size_t>> partners(const ReportInput& input);

/// The default where the model holds none.
model::Provenance provenance_of(const model::LearnedModel& model, std::size_t cause);
/// The structural depth of a learned cause, "never" if quartets never find it, or nothing; and the
/// round of the search that found it.
std::string structural_depth_text(const View& view, std::size_t cause);
std::string round_text(const View& view, std::size_t cause);
/// "0.0012 ± 0.0004".
std::string statistic_of(const model::Provenance& from);
/// Those of the quartet that exist.
std::vector<std::size_t> quartet_of(const model::LearnedModel& model, std::size_t cause);
/// What a model knows of itself beside its parameters.
bool has_support(const model::LearnedModel& model);
inline bool has_stability(const model::LearnedModel& model) {
  return model.stability.resamples > 0;
}
/// A prior with its 95 % interval, smaller, if it is known.
std::string prior_text(const model::LearnedModel& model, std::size_t cause);
/// The same of an edge's strength 1 - f.
std::string strength_text(const model::LearnedModel& model, std::size_t edge);

/// What speaks for the model, and what to distrust, as far as it is known.
report::Verdict verdict_of(const View& view);

/// True if the edge leads from a cause to an anchor of its own. O(log anchors): they are sorted.
bool is_anchor(const model::NoisyOrNetwork& network, const model::Edge& edge);
/// Edges that count: 1 - f > edge_strength.
std::size_t count_children(const model::NoisyOrNetwork& network, std::size_t cause);
/// Learned causes by structural depth, beside what perfect tests would learn of the truth; empty if
/// depths are not known.
std::string depth_section(const View& view);

/// Opening tag, heading and note of a section.
std::string section_head(const Section& section);
/// The name of what is shown, and smaller the name of its partner; escaped.
std::string item_name(const View& view, SectionKind kind, const Item& item,
                      std::size_t max_characters);

/// The strongest children of a cause by name; `strength` gives the text of an edge's strength.
std::string strongest_children(const model::NoisyOrNetwork& network, std::size_t cause,
                               std::size_t max_children,
                               const std::function<std::string(std::size_t)>& strength);

/// The causes of a grid model as cards of images.
std::string gallery(const View& view);
/// The causes of any other model: a bipartite heat map, unless there are too many, and tables.
std::string heat_map_and_tables(const View& view);
/// The tables alone.
std::string cause_tables(const View& view);
// Of many causes the table is searched and sorted on the page. Without scripts it is a table.
/// The field to type into; hidden until the script is there.
std::string search_box();
/// For the row of a cause, an attribute with all of its children, for the script to search.
std::string searched_children(const model::NoisyOrNetwork& network, std::size_t cause);
/// The script, and the names of the observed variables that it reads. Comes last on the page.
std::string search_script(const model::NoisyOrNetwork& network);
/// Where causes are searched: the true causes without a match, and why.
std::string missed_table(const View& view, const Section& section);

}  // namespace orrery::noisy_or
