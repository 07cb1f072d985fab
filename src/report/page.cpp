#include "report/page.hpp"

#include <fmt/format.h>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "orrery/base/version.hpp"
#include "report/text.hpp"

namespace orrery::report {

std::string page_head(std::string_view title, std::string_view source, std::string_view summary,
                      std::string_view detail) {
  const std::string safe_title = escape(title);
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n<header><h1>{}</h1>",
      safe_title, style_sheet, safe_title);
  if (!source.empty()) {
    append_text(out, "<p class=\"source\">{}</p>", escape(source));
  }
  append_text(out, "</header>\n<p class=\"summary\">{}</p>\n<p class=\"detail\">{}</p>\n", summary,
              detail);
  return out;
}

std::string page_foot(std::uint64_t data_digest, std::string_view note, std::string_view script) {
  std::string out = fmt::format("<footer>orrery {}", version);
  if (data_digest != 0) {
    append_text(out, ", data {:016x}", data_digest);
  }
  append_text(out, ". {}</footer>\n</main>\n{}</body>\n</html>\n", note, script);
  return out;
}

std::string scroll_section(const char* title, const std::string& note, const std::string& body) {
  return fmt::format(
      "<section><h2>{}</h2><p class=\"note\">{}</p><div class=\"scroll\" tabindex=\"0\">{}</div>"
      "</section>\n",
      title, note, body);
}

std::string table_section(const char* title, const std::string& note, const std::string& heads,
                          const std::string& rows) {
  return fmt::format(
      "<section><h2>{}</h2><p class=\"note\">{}</p><div class=\"scroll pane\" tabindex=\"0\">"
      "<table class=\"patterns\"><thead><tr>{}</tr></thead><tbody>\n{}</tbody></table></div>"
      "</section>\n",
      title, note, heads, rows);
}

std::string score_row(const std::string& what, const std::string& value, const std::string& note) {
  return fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", what, value, note);
}

std::string remarks_section(const std::vector<std::string>& remarks) {
  if (remarks.empty()) return "";
  std::string out = "<section><h2>Remarks</h2><ul class=\"remarks\">\n";
  for (const std::string& remark : remarks) {
    append_text(out, "<li>{}</li>\n", escape(remark));
  }
  return out + "</ul></section>\n";
}

std::string wrong_and_missed(std::size_t wrong, std::size_t missed) {
  std::string out;
  if (wrong > 0) {
    out += fmt::format(", <span class=\"extra\">{} wrong</span>", format_count(wrong));
  }
  if (missed > 0) {
    out += fmt::format(", <span class=\"missed\">{} missed</span>", format_count(missed));
  }
  return out;
}

std::string head_cell(const char* text, bool number) {
  return fmt::format("<th scope=\"col\"{}>{}</th>", number ? " class=\"n\"" : "", text);
}

std::string number_cell(const std::string& text) {
  return fmt::format("<td class=\"n\">{}</td>", text);
}

std::string legend_key(const char* style, const char* text) {
  return fmt::format("<span class=\"legend\"><span class=\"key {}\"></span>{}</span> ", style,
                     text);
}

const char* const style_sheet = R"css(
:root{color-scheme:light dark;
 --paper:#faf9f6;--panel:#fff;--ink:#1d1c1a;--soft:#63605a;--rule:#dfdbd2;
 --field:#f1eee7;--heat:#17407a;--brass:#96660d;--missed:#a3271d;--extra:#6b4a9c;--minus:#b8560b;
 --together:#2c7a3f;--apart:#b3261e}
@media (prefers-color-scheme:dark){:root{
 --paper:#131519;--panel:#1a1d22;--ink:#eceae4;--soft:#a6a39b;--rule:#34373d;
 --field:#1f2329;--heat:#9ecbff;--brass:#e3b158;--missed:#ff9488;--extra:#c3a6f5;--minus:#ffab5e;
 --together:#7fd491;--apart:#ff8a80}}
*{box-sizing:border-box}
html{font-size:clamp(15px,.35vw + 12.5px,22px);-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);
 font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;
 line-height:1.45;font-variant-numeric:tabular-nums}
main{max-width:86rem;margin:0 auto;padding:2.2rem clamp(1rem,4vw,3.5rem) 3rem}
h1,h2,.summary{font-family:"Iowan Old Style",Charter,"Bitstream Charter","Palatino Linotype",
 Palatino,"Noto Serif","DejaVu Serif",Georgia,serif;font-weight:600;line-height:1.15}
header{border-bottom:2px solid var(--ink);padding-bottom:1rem;margin-bottom:.5rem}
h1{font-size:1.25rem;margin:0;overflow-wrap:anywhere}
.source{margin:.2rem 0 0;color:var(--soft);font-size:.85rem;overflow-wrap:anywhere}
.summary{font-size:clamp(1.7rem,4.2vw,2.6rem);margin:1.3rem 0 .2rem;letter-spacing:-.01em}
.detail{margin:0;color:var(--soft)}
.detail .missed{color:var(--missed)}.detail .extra{color:var(--extra)}
section{margin-top:2.2rem}
h2{font-size:1.3rem;margin:0 0 .7rem;display:flex;align-items:baseline;gap:.7rem}
h2::after{content:"";flex:1;border-bottom:1px solid var(--rule)}
h2+.note{margin-top:-.55rem}
.missed h2{color:var(--missed)}.extra h2{color:var(--extra)}
h2 small{font:400 .8rem system-ui,sans-serif;color:var(--soft)}
.note{margin:0 0 .9rem;color:var(--soft);font-size:.88rem;max-width:46rem}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,11rem),1fr));gap:1rem}
.cards:has(.two){grid-template-columns:repeat(auto-fill,minmax(min(100%,15.5rem),1fr))}
.card{background:var(--panel);border:1px solid var(--rule);border-radius:3px;padding:.8rem;
 break-inside:avoid;min-width:0}
h3{font-size:.95rem;font-weight:600;margin:0 0 .5rem;overflow-wrap:anywhere;line-height:1.25}
h3 small,th small,td small{font-weight:400;color:var(--soft);font-size:.8rem}
h3 small{margin-left:.3rem}.causes th small,.causes .n small{display:block}
.plates{display:grid;gap:.7rem}.two .plates{grid-template-columns:1fr 1fr}
.plate{min-width:0}
.plate span,.caption{display:block;font-size:.75rem;color:var(--soft);margin:0 0 .15rem}
.caption{margin:.7rem 0 .2rem;position:sticky;left:0}
.image{display:block;width:100%;height:auto;outline:1px solid var(--rule);
 shape-rendering:crispEdges;print-color-adjust:exact}
.mark{fill:#c77700;shape-rendering:auto}
.absent{margin:0;aspect-ratio:1;display:grid;place-items:center;text-align:center;
 border:1px dashed var(--rule);color:var(--soft);font-size:.8rem}
table{border-collapse:collapse;font-size:.88rem}
th,td{text-align:left;font-weight:400;padding:.3rem .9rem .3rem 0;vertical-align:top}
.facts{width:100%;margin-top:.5rem;font-size:.82rem;table-layout:fixed}
.facts th{width:4.6rem;color:var(--soft)}
.facts th,.facts td{padding:.05rem 0;border:0;overflow-wrap:anywhere}
thead th{color:var(--soft);font-size:.78rem;vertical-align:bottom;
 border-bottom:1px solid var(--ink)}
tbody tr+tr>*{border-top:1px solid var(--rule)}
.causes{width:100%;min-width:62rem;table-layout:fixed}
.causes tbody th{font-weight:600;overflow-wrap:anywhere}
.causes thead th{width:4.7rem}.causes thead th:first-child{width:11rem}
.n{text-align:right;white-space:nowrap}
.causes thead th:not(:first-child):not(:last-child):not(.why){text-align:right}
.causes thead th:last-child{width:auto;padding-left:.6rem}
.list{padding-left:.6rem;overflow-wrap:anywhere}
.list span{display:inline-block;margin-right:.8rem}.list b{font-weight:400;color:var(--brass)}
.list i{color:var(--soft);font-style:normal;white-space:nowrap}
.scroll{overflow-x:auto;padding-bottom:.4rem}
.pane{max-height:85vh;overflow:auto}
.pane thead th{position:sticky;top:0;background:var(--paper)}
.causes .near{width:7.5rem}.causes .near small{white-space:normal;overflow-wrap:anywhere}
.causes .why{width:12rem;padding-left:.6rem}
.list em{display:block;font-style:normal;color:var(--heat)}
.search{margin:0 0 .6rem;color:var(--soft);font-size:.88rem}.search small{margin-left:.6rem}
.search input{font:inherit;width:min(26rem,90%);padding:.3rem .5rem;color:var(--ink);
 background:var(--panel);border:1px solid var(--rule);border-radius:3px}
.sorted th[tabindex]{cursor:pointer}
.sorted [aria-sort=ascending]::after{content:" \2191"}
.sorted [aria-sort=descending]::after{content:" \2193"}
.bands td,.depths td:first-child{padding-right:1.1rem}
.bar{background:linear-gradient(to right,var(--rule) var(--v),transparent 0);min-width:5.5rem;
 background-size:calc(100% - 1.1rem) 100%;background-repeat:no-repeat}
.map{display:block;font:11px system-ui,"DejaVu Sans",sans-serif}
.map text{fill:var(--ink)}
.field{fill:var(--field)}.heat{fill:var(--heat);shape-rendering:crispEdges}
.rule{fill:none;stroke:var(--paper);stroke-width:1;shape-rendering:crispEdges}
.fine path{stroke:var(--heat);stroke-width:.7px;vector-effect:non-scaling-stroke;
 shape-rendering:auto}
.tree{display:block;font:11px system-ui,"DejaVu Sans",sans-serif;max-width:none}
.tree text{fill:var(--ink);paint-order:stroke;stroke:var(--paper);stroke-width:3px}
.tree path{stroke:var(--heat);fill:none;stroke-linecap:round}.tree .negative{stroke:var(--missed)}
.tree .wrong{stroke-dasharray:2 6}.tree .lacking{stroke:var(--brass);stroke-dasharray:1 5}
.tree circle{fill:var(--panel);stroke:var(--ink);stroke-width:1.2px}
.key{display:inline-block;width:2rem;height:0;border-top:4px solid var(--heat);
 margin:0 .35rem 0 .9rem;vertical-align:.25rem}
.key.negative{border-color:var(--missed)}.key.wrong{border-top-style:dashed}
.key.lacking{border-top:3px dotted var(--brass)}.key.minus{border-color:var(--minus)}
.heat.negative{fill:var(--minus)}.group{fill:none;stroke:var(--soft);stroke-width:1}
.marks path{fill:none;pointer-events:all;stroke-width:1.6}.marks .wrong{stroke:var(--ink)}
.marks .missed{stroke:var(--missed);stroke-dasharray:3 2}
.small path{stroke-width:1}.small .missed{stroke-dasharray:none}
.box{display:inline-block;width:1.4rem;height:.75rem;border:1.6px solid var(--ink);
 margin:0 .35rem 0 .5rem;vertical-align:-.05rem}.box.missed{border:1.6px dashed var(--missed)}
.numbers{font-size:10px;text-anchor:middle;pointer-events:none}.map .deep{fill:var(--paper)}
.pair{display:flex;gap:2.5rem}
.graph{display:block;font:11px system-ui,"DejaVu Sans",sans-serif;max-width:none}
.graph text{fill:var(--ink);paint-order:stroke;stroke:var(--paper);stroke-width:3px}
.graph path{stroke:var(--heat);fill:none}.graph .negative path{stroke:var(--minus)}
.graph .head,.graph .negative .head{stroke:none;fill:var(--heat)}
.graph .negative .head{fill:var(--minus)}.graph .wrong path{stroke-dasharray:5 4}
.graph .lacking path{stroke:var(--brass);stroke-dasharray:1 4;stroke-linecap:round}
.graph .lacking .head{fill:var(--brass)}
.graph circle{fill:var(--panel);stroke:var(--ink);stroke-width:1.2px}
.dag .positive path{stroke:var(--together)}.dag .positive .head{fill:var(--together)}
.dag .negative path{stroke:var(--apart)}.dag .negative .bar{stroke-width:4}
.graph.dag .lacking path{stroke:var(--brass)}.graph.dag .lacking .head{fill:var(--brass);
 stroke:none}.graph.dag .lacking .bar,.graph.dag .wrong .bar{stroke-dasharray:none}
.dag rect{fill:var(--panel);stroke:var(--ink);stroke-width:1.2px}.graph.dag text{stroke:none}
.key.together{border-color:var(--together)}.key.apart{border-color:var(--apart)}
.scatter{display:block;font:11px system-ui,"DejaVu Sans",sans-serif;max-width:none;overflow:visible}
.scatter text{fill:var(--soft)}.scatter .frame{fill:var(--field);stroke:none}
.scatter .even{stroke:var(--soft);stroke-dasharray:3 3;fill:none}
.scatter circle{fill:var(--heat);fill-opacity:.75}.scatter .anchor{fill:var(--brass)}
.scatter .wrong{fill:none;stroke:var(--extra)}.scatter .lacking{fill:none;stroke:var(--missed)}
.scatter .trend{stroke:var(--heat);fill:none;stroke-width:1.3}
.dot{display:inline-block;width:.6rem;height:.6rem;border-radius:50%;background:var(--heat);
 margin:0 .35rem 0 .9rem}.dot.anchor{background:var(--brass)}
.dot.wrong{background:none;border:1.5px solid var(--extra)}
.dot.lacking{background:none;border:1.5px solid var(--missed)}
.remarks{margin:0;padding-left:1.2rem;max-width:60rem}
.legend{white-space:nowrap}
.levels path{shape-rendering:crispEdges}.gap{fill:none;stroke:var(--paper);stroke-width:3}
.swatch{display:inline-block;width:.85rem;height:.85rem;
 margin:0 .35rem 0 .7rem;vertical-align:-.1rem;print-color-adjust:exact;
 outline:1px solid var(--rule)}
.swatch+.swatch{margin-left:-.35rem}
.cpt{font-size:.8rem}.cpt th,.cpt td{padding:0 .7rem 0 0;border:0!important;white-space:nowrap}
tr:has(.cpt)>.bar{background-size:calc(100% - 1.1rem) 2em}
.cpt tbody th{color:var(--soft)}.cpt .bar{min-width:3.6rem;text-align:right;
 background-size:calc(100% - .7rem) 100%}
.legend .strip{display:inline-block;width:6rem;height:.8rem;margin:0 .3rem;vertical-align:-.05rem}
.strip{display:block;width:100%;height:1.5rem;print-color-adjust:exact}
.columns{display:flex;flex-wrap:wrap;gap:0 4rem}
.patterns{min-width:22rem}
.scores td:nth-child(2){font-weight:600;white-space:nowrap}
.scores td:last-child{color:var(--soft)}
footer{margin-top:2.5rem;padding-top:.8rem;border-top:1px solid var(--rule);
 color:var(--soft);font-size:.8rem}
@media print{:root{--paper:#fff;--panel:#fff;--ink:#000;--soft:#444;--rule:#bbb;--field:#f1eee7;
 --heat:#17407a;--brass:#7a5208;--missed:#a3271d;--extra:#6b4a9c;--minus:#a34700;
 --together:#1e6a30;--apart:#a3271d}
 html{font-size:10.5pt}main{padding:0;max-width:none}
 .cards:has(.two){grid-template-columns:repeat(3,1fr)}
 .map,.tree,.graph,.scatter{max-width:100%;height:auto;print-color-adjust:exact}
 .scroll{overflow:visible;max-height:none}.search{display:none}
 h2,.note{break-after:avoid}tr{break-inside:avoid}}
)css";

}  // namespace orrery::report
