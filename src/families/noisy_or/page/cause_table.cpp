// The causes of any model as tables, a row per cause: priors, numbers of children, evidence, and
// the strongest children by name; of many causes also those that were missed. Size on the page:
// below 2 kB a cause, however long the names are. A table of many causes is searched and sorted.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/noisy_or/page/view.hpp"
#include "model/learnability.hpp"
#include "report/page.hpp"
#include "report/text.hpp"
#include "report/titles.hpp"

namespace orrery::noisy_or {

// The search and its script.

namespace {

constexpr std::size_t max_found_name = 60;

// Rows hold in data-children pairs of a variable's index and its strength in percent, strongest
// first: all of them, where the table shows a few. A row is shown if each word is in its text or in
// the name of a child; children that only this list has are then added to the row.
// No slash twice in a row and no "less than": the page must hold nothing that looks like an address
// or a tag.
constexpr const char* script = R"js(
(() => {
  'use strict';
  const names = JSON.parse(document.getElementById('variables').textContent);
  const lower = names.map(name => name.toLowerCase());
  const value = (row, i) => {
    const cell = row.cells[i];
    const text = cell.firstChild ? cell.firstChild.textContent.trim() : '';
    return cell.classList.contains('n') ? parseFloat(text.replace(/,/g, '')) : text;
  };
  const compare = (a, b) => typeof a === 'number' ? a - b || 0
                                                  : a.localeCompare(b, undefined, {numeric: true});
  const sort = (table, i, sign) => {
    const known = [], unknown = [];
    for (const row of table.tBodies[0].rows) {
      (Number.isNaN(value(row, i)) ? unknown : known).push(row);
    }
    known.sort((a, b) => sign * compare(value(a, i), value(b, i)));
    table.tBodies[0].append(...known, ...unknown);
  };
  for (const table of document.querySelectorAll('table.sorted')) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, i) => {
      const act = () => {
        const was = head.getAttribute('aria-sort');
        const numbers = [...table.tBodies[0].rows].some(row => typeof value(row, i) === 'number');
        const down = was ? was === 'ascending' : numbers;
        heads.forEach(other => other.removeAttribute('aria-sort'));
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        sort(table, i, down ? -1 : 1);
      };
      head.tabIndex = 0;
      head.addEventListener('click', act);
      head.addEventListener('keydown', event => {
        if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); act(); }
      });
    });
  }
  const box = document.getElementById('search');
  const [input, count] = [box.querySelector('input'), box.querySelector('output')];
  const rows = [...document.querySelector('table.searched').tBodies[0].rows].map(row => {
    const text = row.textContent.toLowerCase();
    const numbers = (row.dataset.children || '').split(' ').filter(Boolean).map(Number);
    const hits = row.cells[row.cells.length - 1].appendChild(document.createElement('em'));
    return {row, text, numbers, hits};
  });
  const search = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = words.map(
      word => new Set([...lower.keys()].filter(i => lower[i].includes(word))));
    let shown = 0;
    for (const {row, text, numbers, hits} of rows) {
      const also = new Map();
      const fits = words.every((word, w) => {
        if (text.includes(word)) return true;
        let any = false;
        numbers.forEach((variable, i) => {
          if (i % 2 || !wanted[w].has(variable)) return;
          any = true;
          if (6 > also.size) also.set(variable, numbers[i + 1] / 100);
        });
        return any;
      });
      row.hidden = !fits;
      shown += fits;
      hits.textContent = fits && also.size
        ? ' also ' + [...also].map(([v, s]) => names[v] + ' ' + s.toFixed(2)).join(', ') : '';
    }
    count.textContent = words.length ? shown + ' of ' + rows.length : '';
  };
  box.hidden = false;
  input.addEventListener('input', search);
  search();
})();
)js";

/// A string of JSON that is safe inside a script element.
std::string json_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : report::clean_text(text)) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '<' || c == '/') {  // no tag may begin here, no comment, no address
      append_text(out, "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

std::string search_box() {
  return "<p class=\"search\" id=\"search\" hidden=\"\"><label>Search <input type=\"search\" "
         "placeholder=\"causes, all of their children, extra, strict\" "
         "autocomplete=\"off\"/></label> <output></output> <small>click a heading to "
         "sort</small></p>\n";
}

std::string searched_children(const model::NoisyOrNetwork& network, std::size_t cause) {
  const auto children = network.children(cause);
  std::vector<model::Edge> strongest(children.begin(), children.end());
  std::ranges::stable_sort(strongest, {}, &model::Edge::failure);
  std::string out = " data-children=\"";
  for (const model::Edge& edge : strongest) {
    append_text(out, "{}{} {:.0f}", &edge == strongest.data() ? "" : " ", edge.observed,
                100 * (1 - edge.failure));
  }
  return out + '"';
}

std::string search_script(const model::NoisyOrNetwork& network) {
  std::string out = "<script type=\"application/json\" id=\"variables\">[";
  for (std::size_t a = 0; a < network.n_observed(); ++a) {
    out += (a > 0 ? ",\n" : "") +
           json_text(report::shorten(network.observed()[a].name, max_found_name));
  }
  return out + "]</script>\n<script>" + script + "</script>\n";
}

// The tables.

namespace {

constexpr std::size_t max_cause_name = 72;
constexpr std::size_t max_child_name = 28;
constexpr double least_strength = .05;

std::string quartet_line(const model::LearnedModel& model, std::size_t cause) {
  std::string out;
  for (const std::size_t a : quartet_of(model, cause)) {
    out += out.empty() ? "<br><small>learned from " : " &#183; ";
    out += report::escape(report::shorten(model.network.observed()[a].name, max_child_name));
  }
  return out.empty() ? out : out + "</small>";
}

/// `label` names the number where the columns have no heads: on a phone.
std::string labelled_cell(const char* label, const std::string& text) {
  if (text.empty()) return report::number_cell("");
  return fmt::format("<td class=\"n\" data-label=\"{}\">{}</td>", label, text);
}

std::string learned_cells(const model::LearnedModel& model,
                          const std::optional<std::size_t>& cause) {
  return labelled_cell("prior", cause ? prior_text(model, *cause) : "") +
         labelled_cell("children",
                       cause ? format_count(count_children(model.network, *cause)) : "");
}

std::string true_cells(const model::NoisyOrNetwork& truth,
                       const std::optional<std::size_t>& cause) {
  return labelled_cell("true prior",
                       cause ? report::short_number(truth.causes()[*cause].prior) : "") +
         labelled_cell("true children", cause ? format_count(count_children(truth, *cause)) : "");
}

/// A column of what is known of a learned cause's evidence; left out if it is known of none.
struct EvidenceColumn {
  const char* heading;
  bool (*is_known)(const View&);
  std::string (*text)(const View&, std::size_t);
};

bool has_statistic(const View& view) {
  return std::ranges::any_of(view.input->model->provenance,
                             [](const model::Provenance& from) { return from.statistic >= 0; });
}
bool is_matched(const View& view) {
  return view.input->truth != nullptr && is_searched(*view.input);
}
bool has_depths(const View& view) { return !view.depths.empty(); }

/// The cosine with the match, and how good a match it is.
std::string cosine_text(const View& view, std::size_t k) {
  const Likeness& likeness = view.input->evaluation->likeness;
  const LearnedLikeness& cause = likeness.learned[k];
  if (cause.match < 0) return fmt::format("{:.2f} <small>extra</small>", cause.truth.cosine);
  const TrueLikeness& match = likeness.truth[static_cast<std::size_t>(cause.match)];
  return fmt::format("{:.3f}{}", match.cosine, match.strict ? " <small>strict</small>" : "");
}

std::string precision_text(const View& view, std::size_t k) {
  return fmt::format("{:.2f}", view.input->evaluation->likeness.learned[k].precision.value(1));
}

std::string statistic_text(const View& view, std::size_t k) {
  const model::Provenance from = provenance_of(*view.input->model, k);
  return from.statistic >= 0 ? statistic_of(from) : "";
}

constexpr EvidenceColumn evidence_columns[] = {
    {"cosine", is_matched, cosine_text},
    {"edge precision", is_matched, precision_text},
    {"depth", has_depths, structural_depth_text},
    {"found in round", has_depths, round_text},
    {"statistic", has_statistic, statistic_text},
    {"support", [](const View& view) { return has_support(*view.input->model); },
     [](const View& view, std::size_t k) {
       return format_count(provenance_of(*view.input->model, k).support);
     }},
    {"stability", [](const View& view) { return has_stability(*view.input->model); },
     [](const View& view, std::size_t k) {
       return fmt::format("{:.2f}", view.input->model->stability.cause[k]);
     }},
};

/// Evidence and children: of the learned cause, of a missed one the true children alone.
std::string evidence(const View& view, SectionKind kind, const Item& item,
                     std::size_t max_children) {
  const model::LearnedModel& model = *view.input->model;
  const bool missed = kind == SectionKind::missed;
  std::string out;
  for (const EvidenceColumn& column : evidence_columns) {
    if (!column.is_known(view)) continue;
    out += labelled_cell(column.heading, missed ? "" : column.text(view, *item.learned));
  }
  out += "<td class=\"list\">";
  if (missed) {
    const model::NoisyOrNetwork& truth = *view.input->truth;
    out += strongest_children(truth, *item.truth, max_children, [&](std::size_t i) {
      return fmt::format("{:.2f}", 1 - truth.edges()[i].failure);
    });
  } else {
    out += strongest_children(model.network, *item.learned, max_children,
                              [&](std::size_t i) { return strength_text(model, i); }) +
           quartet_line(model, *item.learned);
  }
  return out + "</td>";
}

std::string cause_table_head(const View& view, const Section& section) {
  const bool searched = is_searched(*view.input);
  std::string out = fmt::format(
      "{}<div class=\"scroll{}\" role=\"region\" aria-label=\"{}\" tabindex=\"0\"><table "
      "class=\"causes stack{}\"><thead><tr><th scope=\"col\">cause</th><th scope=\"col\">prior</th>"
      "<th scope=\"col\">children</th>",
      searched ? search_box() : "", searched ? " pane" : "", report::escape(section.heading),
      searched ? " sorted searched" : "");
  if (view.input->truth != nullptr) {
    out += "<th scope=\"col\">true prior</th><th scope=\"col\">true children</th>";
  }
  for (const EvidenceColumn& column : evidence_columns) {
    if (!column.is_known(view)) continue;
    append_text(out, "<th scope=\"col\">{}</th>", column.heading);
  }
  append_text(out,
              "<th scope=\"col\">strongest {}children, "
              "1&nbsp;&#8722;&nbsp;f</th></tr></thead><tbody>\n",
              section.kind == SectionKind::missed ? "true " : "");
  return out;
}

std::string section_table(const View& view, const Section& section, std::size_t max_children) {
  const bool searched = is_searched(*view.input);
  if (searched && section.kind == SectionKind::missed) return missed_table(view, section);
  std::string out = section_head(section) + cause_table_head(view, section);
  for (const Item& item : section.items) {
    append_text(out, "<tr{}><th scope=\"row\">{}</th>{}{}{}</tr>\n",
                searched ? searched_children(view.input->model->network, *item.learned) : "",
                item_name(view, section.kind, item, max_cause_name),
                learned_cells(*view.input->model, item.learned),
                view.input->truth != nullptr ? true_cells(*view.input->truth, item.truth) : "",
                evidence(view, section.kind, item, max_children));
  }
  return out + "</tbody></table></div>" +
         (searched ? report::printed_rows_note(section.items.size()) : "") + "</section>\n";
}

}  // namespace

std::string strongest_children(const model::NoisyOrNetwork& network, std::size_t cause,
                               std::size_t max_children,
                               const std::function<std::string(std::size_t)>& strength) {
  const auto children = network.children(cause);
  const auto first = static_cast<std::size_t>(children.data() - network.edges().data());
  std::vector<std::size_t> strongest;
  for (std::size_t i = first; i < first + children.size(); ++i) {
    if (1 - network.edges()[i].failure > least_strength) strongest.push_back(i);
  }
  std::ranges::stable_sort(strongest, {},
                           [&](std::size_t i) { return network.edges()[i].failure; });
  std::string out;
  for (std::size_t i = 0; i < std::min(strongest.size(), max_children); ++i) {
    const std::string& name = network.observed()[network.edges()[strongest[i]].observed].name;
    append_text(out, "{}<span>{}&nbsp;<b>{}</b></span>", i > 0 ? " " : "",
                report::escape(report::shorten(name, max_child_name)), strength(strongest[i]));
  }
  if (strongest.size() > max_children) {
    append_text(out, " <i>and {} more</i>", strongest.size() - max_children);
  }
  return out;
}

std::string cause_tables(const View& view) {
  const std::size_t max_children = is_searched(*view.input) ? 6 : 12;
  std::string out;
  for (const Section& section : view.sections) out += section_table(view, section, max_children);
  return out;
}

// Of many causes: those that no learned one matches, and what may be the reason.

namespace {

constexpr std::size_t max_missed_name = 56;
constexpr std::size_t max_children = 6;
/// What a cause of so many rows or children, or a twin so close, cannot be blamed on.
constexpr double enough_rows = 50;
constexpr double twin_cosine = .7;

std::string name_of(const model::NoisyOrNetwork& network, std::int64_t cause) {
  return report::escape(report::shorten(
      report::title_of_cause(network, static_cast<std::size_t>(cause)), max_missed_name));
}

std::string nearest_cell(const char* label, const Nearest& nearest,
                         const model::NoisyOrNetwork& network) {
  if (nearest.cause < 0) return report::number_cell("");
  return fmt::format("<td class=\"n near\" data-label=\"{}\">{:.2f} <small>{}</small></td>", label,
                     nearest.cosine, name_of(network, nearest.cause));
}

/// The first that applies; nothing if none does.
std::string reason(const View& view, std::size_t t, bool is_learnable) {
  const model::NoisyOrNetwork& truth = *view.input->truth;
  const TrueLikeness& cause = view.input->evaluation->likeness.truth[t];
  if (cause.learned.cosine > alike_cosine) {
    return "one learned cause stands for two: it is closer to another";
  }
  if (cause.twin.cosine > twin_cosine) return "near-twin of " + name_of(truth, cause.twin.cause);
  const std::uint64_t n = view.input->model->n_samples;
  const double rows = static_cast<double>(n) * truth.causes()[t].prior;
  if (n > 0 && rows < enough_rows) return fmt::format("rare: present in some {:.0f} rows", rows);
  if (count_children(truth, t) < model::quartet_size)
    return "too few children of 1 &#8722; f &gt; 0.1";
  return is_learnable ? "" : "perfect quartet tests do not find it either";
}

constexpr const char* missed_table_head =
    "<div class=\"scroll pane\" role=\"region\" aria-label=\"Missed\" tabindex=\"0\"><table "
    "class=\"causes stack sorted\"><thead><tr>"
    "<th scope=\"col\">true cause</th><th scope=\"col\">true prior</th>"
    "<th scope=\"col\">true children</th><th scope=\"col\" class=\"near\">nearest true</th>"
    "<th scope=\"col\" class=\"near\">nearest learned</th><th scope=\"col\" class=\"why\">why</th>"
    "<th scope=\"col\">strongest true children, 1&nbsp;&#8722;&nbsp;f</th></tr></thead><tbody>\n";

std::string row(const View& view, std::size_t t, bool is_learnable) {
  const model::NoisyOrNetwork& truth = *view.input->truth;
  const TrueLikeness& cause = view.input->evaluation->likeness.truth[t];
  const std::string children = strongest_children(truth, t, max_children, [&](std::size_t i) {
    return fmt::format("{:.2f}", 1 - truth.edges()[i].failure);
  });
  return fmt::format(
      "<tr><th scope=\"row\">{}</th>{}{}{}{}<td class=\"why\" data-label=\"why:\">{}</td><td "
      "class=\"list\">{}</td></tr>\n",
      name_of(truth, static_cast<std::int64_t>(t)),
      labelled_cell("true prior", report::short_number(truth.causes()[t].prior)),
      labelled_cell("true children", format_count(count_children(truth, t))),
      nearest_cell("nearest true", cause.twin, truth),
      nearest_cell("nearest learned", cause.learned, view.input->model->network),
      reason(view, t, is_learnable), children);
}

}  // namespace

std::string missed_table(const View& view, const Section& section) {
  const auto perfect = model::learnability(*view.input->truth, model::quartet_size);
  std::string out = section_head(section) + missed_table_head;
  for (const Item& item : section.items) {
    const std::size_t t = *item.truth;
    out += row(view, t, perfect[t].depth != model::CauseLearnability::never);
  }
  return out + "</tbody></table></div>" + report::printed_rows_note(section.items.size()) +
         "</section>\n";
}

}  // namespace orrery::noisy_or
