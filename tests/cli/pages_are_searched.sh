#!/usr/bin/env bash
# The script on the page of many causes, in a browser: words are looked for, headings sort.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  skip 'no Chromium to open the page'

# 121 causes of four children of their own; p falls from cause to cause.
awk 'BEGIN {
  print "{\"format\": \"orrery-network-1\", \"causes\": ["
  for (k = 0; k <= 120; ++k)
    printf "%s{\"name\": \"disease%d\", \"prior\": %.5f}\n", k ? "," : "", k, .05 - k * .0004
  print "], \"observed\": ["
  for (a = 0; a < 968; ++a) printf "%s{\"name\": \"sign%d\", \"leak\": 0.01}\n", a ? "," : "", a
  print "], \"edges\": ["
  for (a = 0; a < 968; ++a)
    printf "%s[%d, %d, %.2f]\n", a ? "," : "", int(a / 8), a, .1 + .1 * (a % 8)
  print "]}"
}' >many.json
make report many.json -o page.html

# What a reader does, and what is then seen: a line each.
cat page.html - >probe.html <<'EOF_OF_SCRIPT'
<script>
const field = document.querySelector('#search input');
const table = document.querySelector('table.searched');
const seen = [];
const rows = () => [...table.tBodies[0].rows].filter(row => !row.hidden);
const names = () => rows().map(row => row.cells[0].textContent).slice(0, 3).join(' ');
const type = text => {
  field.value = text;
  field.dispatchEvent(new Event('input'));
  const also = rows().length ? rows()[0].querySelector('em').textContent : '';
  seen.push(`[${text}] ${document.querySelector('#search output').textContent}: ${names()}${also}`);
};
const click = i => {
  const head = table.tHead.rows[0].cells[i];
  head.click();
  seen.push(`${head.textContent} ${head.getAttribute('aria-sort')}: ${names()}`);
};
seen.push(`box hidden: ${document.getElementById('search').hidden}`);
type('DISEASE12');
type('sign960');
type('sign967');
type('disease12 sign967');
type('sign961 sign1');
type('no such thing');
type('');
click(1);
click(1);
click(0);
click(0);
document.body.innerHTML = '';
for (const line of seen) {
  document.body.append(Object.assign(document.createElement('pre'), {textContent: line}));
}
</script>
EOF_OF_SCRIPT
timeout -k 5 50 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$outside/browser" \
  --dump-dom "file://$PWD/probe.html" >"$outside/dom" 2>"$outside/err"
sees() { check "$1: $(cat "$outside/dom")" grep -qF "<pre>$1</pre>" "$outside/dom"; }
sees 'box hidden: false'
sees '[DISEASE12] 2 of 121: disease12 disease120'
sees '[sign960] 1 of 121: disease120'                       # shown anyway
sees '[sign967] 1 of 121: disease120 also sign967 0.20'     # its eighth child
sees '[disease12 sign967] 1 of 121: disease120 also sign967 0.20'
sees '[sign961 sign1] 0 of 121: '
sees '[no such thing] 0 of 121: '
sees '[] : disease0 disease1 disease2'
sees 'prior descending: disease0 disease1 disease2'
sees 'prior ascending: disease120 disease119 disease118'
sees 'cause ascending: disease0 disease1 disease2'
sees 'cause descending: disease120 disease119 disease118'
finish
