// How pages look: on screens of any width, light and dark, and on paper.
#include "report/page.hpp"

namespace orrery::report {

const char* const style_sheet = R"css(
:root{color-scheme:light dark;
 --paper:#faf9f6;--panel:#fff;--ink:#1d1c1a;--soft:#63605a;--rule:#dfdbd2;
 --field:#f1eee7;--heat:#17407a;--brass:#96660d;--missed:#a3271d;--extra:#6b4a9c;--minus:#b8560b;
 --together:#2c7a3f;--apart:#b3261e;--good:#1f6b33;--amber:#8a5a00}
@media (prefers-color-scheme:dark){:root{
 --paper:#131519;--panel:#1a1d22;--ink:#eceae4;--soft:#a6a39b;--rule:#34373d;
 --field:#1f2329;--heat:#9ecbff;--brass:#e3b158;--missed:#ff9488;--extra:#c3a6f5;--minus:#ffab5e;
 --together:#7fd491;--apart:#ff8a80;--good:#7fd491;--amber:#e3b158}}
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
.verdict{margin:1rem 0 0;padding:.6rem .9rem;max-width:60rem;background:var(--panel);
 border:1px solid var(--rule);border-left:.4rem solid var(--amber);border-radius:3px;
 break-inside:avoid;print-color-adjust:exact}
.verdict.good{border-left-color:var(--good)}.verdict strong{color:var(--amber)}
.verdict.good strong{color:var(--good)}.verdict p,.verdict ul{margin:0;overflow-wrap:anywhere}
.verdict p+p,.verdict ul+p{margin-top:.3rem}.verdict ul{padding-left:1.2rem}
.detail .missed{color:var(--missed)}.detail .extra{color:var(--extra)}
section{margin-top:2.2rem}
h2{font-size:1.3rem;margin:0 0 .7rem;display:flex;align-items:baseline;gap:.7rem}
h2::after{content:"";flex:1;border-bottom:1px solid var(--rule)}
h2+.note{margin-top:-.55rem}.reading{margin-top:1rem}
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
.scores tbody th{padding-right:1.4rem}
thead th{color:var(--soft);font-size:.78rem;vertical-align:bottom;
 border-bottom:1px solid var(--ink)}
tbody tr+tr>*{border-top:1px solid var(--rule)}
.causes{width:100%;min-width:56rem;table-layout:fixed}
.causes tbody th,.stack tbody th{font-weight:600;overflow-wrap:anywhere}
.stack tbody th{min-width:8rem;max-width:18rem}
.causes thead th{width:4.7rem}.causes thead th:first-child{width:14rem}
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
.bands td,.depths th:first-child{padding-right:1.1rem}
.bar{background:linear-gradient(to right,var(--rule) var(--v),transparent 0);min-width:5.5rem;
 background-size:calc(100% - 1.1rem) 100%;background-repeat:no-repeat}
.map,.tree,.graph,.scatter{height:auto;
 width:clamp(calc(var(--w)*.75),100%,calc(var(--w)*1.5))}
.pair>div{flex:1 1 0;min-width:min(100%,18rem)}
.map{display:block;font:11px system-ui,"DejaVu Sans",sans-serif}
.map text{fill:var(--ink)}
.field{fill:var(--field)}.heat{fill:var(--heat);shape-rendering:crispEdges}
.rule{fill:none;stroke:var(--paper);stroke-width:1;shape-rendering:crispEdges}
.fine path{stroke:var(--heat);stroke-width:.7px;vector-effect:non-scaling-stroke;
 shape-rendering:auto}
.tree{display:block;font:11px system-ui,"DejaVu Sans",sans-serif}
.tree text{fill:var(--ink);paint-order:stroke;stroke:var(--paper);stroke-width:3px}
.tree path{stroke:var(--heat);fill:none;stroke-linecap:round}.tree .negative{stroke:var(--missed)}
.tree .wrong{stroke-dasharray:2 6}.tree .lacking{stroke:var(--brass);stroke-dasharray:1 5}
.tree circle{fill:var(--panel);stroke:var(--ink);stroke-width:1.2px}
.key{display:inline-block;width:2rem;height:0;border-top:4px solid var(--heat);
 margin:0 .35rem 0 0;vertical-align:.25rem}
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
.graph{display:block;font:11px system-ui,"DejaVu Sans",sans-serif}
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
.scatter{display:block;font:11px system-ui,"DejaVu Sans",sans-serif;overflow:visible}
.scatter text{fill:var(--soft)}.scatter .frame{fill:var(--field);stroke:none}
.scatter .even{stroke:var(--soft);stroke-dasharray:3 3;fill:none}
.scatter circle{fill:var(--heat);fill-opacity:.75}.scatter .anchor{fill:var(--brass)}
.scatter .wrong{fill:none;stroke:var(--extra)}.scatter .lacking{fill:none;stroke:var(--missed)}
.scatter .trend{stroke:var(--heat);fill:none;stroke-width:1.3}
.dot{display:inline-block;width:.6rem;height:.6rem;border-radius:50%;background:var(--heat);
 margin:0 .35rem 0 0}.dot.anchor{background:var(--brass)}
.dot.wrong{background:none;border:1.5px solid var(--extra)}
.dot.lacking{background:none;border:1.5px solid var(--missed)}
.remarks{margin:0;padding-left:1.2rem;max-width:60rem}
.legend{white-space:nowrap;margin-right:.6rem}
.column{fill:transparent}.levels path{shape-rendering:crispEdges}.gap{fill:none;stroke:var(--paper);stroke-width:3}
.swatch{display:inline-block;width:.85rem;height:.85rem;
 margin:0 .35rem 0 0;vertical-align:-.1rem;print-color-adjust:exact;
 outline:1px solid var(--rule)}
.swatch+.swatch{margin-left:-.35rem}code{font-size:.92em}
.cpt{font-size:.8rem}.cpt th,.cpt td{padding:0 .7rem 0 0;border:0!important;white-space:nowrap}
tr:has(.cpt)>.bar{background-size:calc(100% - 1.1rem) 2em}
.cpt tbody th{color:var(--soft)}.cpt .bar{min-width:3.6rem;text-align:right;
 background-size:calc(100% - .7rem) 100%}
.legend .strip{display:inline-block;width:6rem;height:.8rem;margin:0 .3rem;vertical-align:-.05rem}
.strip{display:block;width:100%;height:1.5rem;print-color-adjust:exact}
.columns{display:flex;flex-wrap:wrap;gap:0 4rem}.columns>*{min-width:0;max-width:100%}
.patterns{min-width:min(22rem,100%)}
.scores td:nth-child(2){font-weight:600;white-space:nowrap}
.scores td:last-child{color:var(--soft)}
.foot dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,19rem),1fr));
 gap:.35rem 2rem;margin:0;font-size:.82rem}
.foot dl>div{break-inside:avoid}.foot dt{font-weight:600;display:inline}
.foot dd{display:inline;margin:0;color:var(--soft)}.foot dd::before{content:" \2014  "}
.foot .scores td:nth-child(2){font-weight:400;white-space:normal;overflow-wrap:anywhere}
.cite{margin:.5rem 0 0;font-size:.88rem;overflow-wrap:anywhere}
.printed{display:none}
footer{margin-top:2.5rem;padding-top:.8rem;border-top:1px solid var(--rule);
 color:var(--soft);font-size:.8rem}
@media screen and (max-width:44rem){
 main{display:flex;flex-direction:column;padding-top:1.2rem}
 main>*{order:1;min-width:0}
 header,.summary,.detail,.verdict,.reading{order:-2}.found,.missed,.extra,.remarked{order:-1}
 main>.foot{order:2}main>footer{order:3}
 .stack{min-width:0}.stack,.stack tbody{display:block}
 .stack thead{position:absolute;clip-path:inset(50%);height:1px;width:1px;overflow:hidden}
 .stack tr{display:flex;flex-wrap:wrap;gap:.1rem 1rem;padding:.6rem 0;
  border-top:1px solid var(--rule)}
 .stack tbody tr>*{border:0;padding:0}.stack tr[hidden]{display:none}
 .stack tbody th,.stack .list{flex:0 0 100%}
 .stack .list{order:1}
 .stack td:not(.list){order:2;text-align:left;font-size:.8rem;width:auto;white-space:normal}
 .stack td:not(.list):not(:empty)::before{content:attr(data-label) " ";color:var(--soft)}
 .stack td:empty{display:none}.stack .n small{display:inline}
 .map,.tree,.graph,.scatter{width:clamp(var(--w),100%,calc(var(--w)*1.5))}
 .stack tbody th{max-width:none}.pane{max-height:none}.pair{flex-direction:column;gap:1rem}
 .scores td:nth-child(2){white-space:normal}.legend{white-space:normal}}
@media print{:root{--paper:#fff;--panel:#fff;--ink:#000;--soft:#444;--rule:#bbb;--field:#f1eee7;
 --heat:#17407a;--brass:#7a5208;--missed:#a3271d;--extra:#6b4a9c;--minus:#a34700;
 --together:#1e6a30;--apart:#a3271d;--good:#1f6b33;--amber:#7a5208}
 html{font-size:9.5pt}main{padding:0;max-width:none}
 .cards:has(.two){grid-template-columns:repeat(3,1fr)}
 .map,.tree,.graph,.scatter{width:min(100%,calc(var(--w)*1.2));height:auto;
  print-color-adjust:exact}
 .scroll{overflow:visible;max-height:none}.search,.list em{display:none}
 .causes{min-width:0;font-size:8pt}.causes thead th{width:auto}
 .causes thead th:first-child{width:22%}.causes thead th:last-child{width:52%}
 .pane tbody tr:nth-child(n+101){display:none}.printed{display:block;font-size:8pt}
 h2,.note{break-after:avoid}tr,.card{break-inside:avoid}}
)css";

}  // namespace orrery::report
