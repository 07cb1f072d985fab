#!/usr/bin/env bash
# In a browser: no page is wider than a phone, children come before numbers there, every cell can be
# pointed at, and a page of 570 causes is printed on fewer than 20 sheets.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  skip 'no Chromium to open the pages'

make_table 1000 >table.csv
make import table.csv -o data.h5
make learn quartet data.h5 -o model.h5
make report model.h5 --data data.h5 -o model.html
make report img --grid 8x8 -o img.html
make report qmr:150,500,2500 --truth qmr:150,500,2500 -o many.html
make report linear:bipartite:12,3,0.4 -o linear.html
make report tree:chain:6 -o tree.html

browse() {  # OPTION...
  timeout -k 5 60 "$browser" --headless --no-sandbox --disable-gpu --allow-file-access-from-files \
    --user-data-dir="$outside/browser" "$@" 2>"$outside/err"
}

# Windows are no narrower than 500 pixels: the pages are opened in frames, all in one visit. What a
# script sees of them is in the document that is then printed: a line per page and width.
{
  echo '<body>'
  for page in model img many linear tree; do
    for width in 400 1000; do
      echo "<iframe src=\"$page.html\" title=\"$page $width\" width=\"$width\" height=\"900\"></iframe>"
    done
  done
  cat <<'EOF_OF_SCRIPT'
<script>
const look = frame => {
  const page = frame.contentDocument;
  const root = page.documentElement;
  const seen = [`${frame.title}:`];
  seen.push(root.scrollWidth > root.clientWidth ? `${root.scrollWidth} wide` : 'fits');
  const untold = [...page.querySelectorAll('.heat path, .image path')]
    .filter(path => !path.querySelector('title') && !path.closest('.strip'));
  seen.push(untold.length === 0 ? 'told' : `${untold.length} cells untold`);
  const row = page.querySelector('table.causes tbody tr');
  if (row) {
    const top = one => row.querySelector(one).getBoundingClientRect().top;
    seen.push(top('.list') < top('td.n') ? 'children first' : 'numbers beside');
  }
  return seen.join(' ');
};
addEventListener('load', () => {
  const lines = [...document.querySelectorAll('iframe')].map(look);
  document.body.innerHTML = '';
  for (const line of lines) {
    document.body.append(Object.assign(document.createElement('pre'), {textContent: line}));
  }
});
</script>
EOF_OF_SCRIPT
} >probe.html
browse --dump-dom "file://$PWD/probe.html" >"$outside/dom"
sees() { check "$1; seen: $(grep '<pre>' "$outside/dom")" grep -qF "<pre>$1</pre>" "$outside/dom"; }
sees 'model 400: fits told children first'
sees 'model 1000: fits told numbers beside'
sees 'img 400: fits told'
sees 'img 1000: fits told'
sees 'many 400: fits told children first'
sees 'many 1000: fits told numbers beside'
sees 'linear 400: fits told'
sees 'linear 1000: fits told'
sees 'tree 400: fits told'
sees 'tree 1000: fits told'

command -v pdfinfo >/dev/null || finish
make report qmr -o qmr.html
browse --no-pdf-header-footer --print-to-pdf="$outside/qmr.pdf" "file://$PWD/qmr.html" >/dev/null
sheets=$(pdfinfo "$outside/qmr.pdf" | sed -n 's/^Pages: *//p')
check "570 causes are printed on ${sheets:-no} sheets, of fewer than 20" test "${sheets:-99}" -lt 20
finish
