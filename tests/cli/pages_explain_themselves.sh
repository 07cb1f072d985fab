#!/usr/bin/env bash
# A page says what it is of: titles, verdict, glossary, the run and what to cite. Where it goes
# without -o, and what it never replaces.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
root=$(realpath "$(dirname "$0")/../..")

make_table 2000 >table.csv
make import table.csv -o data.h5
make learn quartet data.h5 --seed 11 -o model.h5
make report model.h5 -o page.html
has() { check "the page has: $1" grep -qF -e "$1" "${2-page.html}"; }
has '<html lang="en">'
check 'causes have titles' grep -qE '>cause [0-9]+: [a-z]+, [a-z]+, [a-z]+' page.html
has 'class="verdict'
has '<h2>Glossary</h2>'
has '<dt>leak</dt>'
has '<th scope="row">seed</th><td>11</td>'
has 'learn quartet data.h5 --seed 11 -o model.h5'
has '<th scope="row">data file</th><td>data.h5</td>'
has "<th scope=\"row\">digest of the data</th><td>$("$orrery" info model.h5 --json |
  sed -n 's/.*"data_digest": "\([0-9a-f]*\)".*/\1/p' | head -n1)</td>"
has "<th scope=\"row\">host</th><td>$(hostname), 1 rank of"
sleep 1 # the hour is that of the run
make report model.h5 -o again.html
check 'the same page at any hour' cmp page.html again.html

# What is cited is what CITATION.cff and the bibliography say.
authors=$(sed -n 's/^  - name: "\(.*\)"/\1/p' "$root/CITATION.cff")
title=$(sed -n 's/^title: //p' "$root/CITATION.cff")
has "Cite as: $authors. $title, version $("$orrery" --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n1)"
paper=$(sed -n 's/.*The method: \(.*\)<\/p>.*/\1/p' page.html)
check "the bibliography has: $paper" grep -qF -e "- $paper" "$root/src/BIBLIOGRAPHY.md"
check 'a paper is cited' test -n "$paper"
for learner in quartet vem tree linear anchored sep sem params; do
  check "a paper of $learner" grep -qE "\{\"$learner\"," "$root"/src/families/*/family.cpp
done

# Titles stand beside names in JSON; names do not change.
"$orrery" info model.h5 --json >info.json
"$orrery" evaluate model.h5 --json >evaluate.json
check 'names stay' grep -qF '"name": "cause0"' evaluate.json
check 'titles beside them' grep -qE '"title": "cause 0: [a-z]+, [a-z]+, [a-z]+"' evaluate.json
accepts 'cause 0: ' -- evaluate model.h5

# Without -o.
mkdir models
cp model.h5 models/
accepts 'open models/model.html in a browser' -- report models/model.h5
has '<h2>Glossary</h2>' models/model.html
accepts 'models/model.html' -- report models/model.h5 # a page of orrery is replaced
make report img
has '<h2>Where it came from</h2>' img.html
has 'not recorded' img.html
echo 'my own page' >models/model.html
refuses 2 'models/model.html' 'did not draw' -o -- report models/model.h5
accepts 'models/model.html' -- report models/model.h5 -o models/model.html
"$orrery" export model.h5 --format json --quiet -o net.html
cp model.h5 net.h5
refuses 2 'net.html' '--truth' -- report net.h5 --truth net.html
finish
