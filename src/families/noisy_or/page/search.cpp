// A table of many causes that is searched and sorted on the page.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "families/noisy_or/page/view.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
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

}  // namespace orrery::noisy_or
