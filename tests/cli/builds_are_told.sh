#!/usr/bin/env bash
# What a program says of its build, and what to cite: --version, files, logs, pages and `cite` agree.
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

accepts 'commit' 'compiler' 'flags' 'MPI' 'HDF5' 'BLAS' 'Eigen' 'kernels' 'noisy_or' 'quartet, vem' -- --version --verbose
accepts 'sep, sem' -- --version -v
ORRERY_KERNEL=scalar accepts 'scalar (chosen here' -- --version -v
ORRERY_KERNEL=abacus refuses 2 'abacus' -- --version -v
ORRERY_KERNEL=abacus accepts 'orrery 0.' -- --version
run --version -v
commit=$(sed -n 's/^ *commit *//p' "$outside/out")
check "a commit, or unknown: $commit" grep -qE '^([0-9a-f]{10,}(\+changes)?|unknown)$' <<<"$commit"
# The last build may be of an earlier commit than the folder is at.
if [[ -e $root/.git && $commit != unknown ]] && git -C "$root" rev-parse HEAD >/dev/null 2>&1; then
  check "git knows $commit" git -C "$root" cat-file -e "${commit%+changes}^{commit}"
fi

# In every file, in the log, in `info` and on the page.
make sample --network img --samples 300 --seed 3 -o data.h5
make learn quartet data.h5 -o model.h5 --log run.log
accepts "(commit $commit)" -- info data.h5
accepts "(commit $commit)" -- info model.h5
check 'in the log' grep -qE "version: orrery [0-9.]+ \\(commit ${commit/+/\\+}\\)" run.log
make report model.h5 -o page.html
check 'on the page' grep -qF "(commit $commit)" page.html
if command -v h5dump >/dev/null; then
  check 'as an attribute of /run' grep -qF "\"$commit\"" <(h5dump -a /run/commit model.h5)
fi

# What to cite stands in one table.
paper='Y. Jernite, Y. Halpern, D. Sontag. Discovering hidden variables in noisy-or networks using quartet tests. NIPS 2013.'
accepts '@misc{orrery,' '@inproceedings{jernite2013,' 'author = {Jernite, Yacine and Halpern, Yonatan and Sontag, David}' -- cite quartet
check 'no other paper' test "$(grep -c '^@' "$outside/out")" = 2
check 'in the log' grep -qE " cite: The orrery maintainers\\. orrery, version [0-9.]+ \\(software\\)\\. $paper\$" run.log
check 'on the page' grep -qF "The method: $paper" page.html
accepts '@article{chow1968,' '@article{nikolakakis2018,' -- cite tree
accepts '@inproceedings{halpern2013,' -- cite params
accepts '@article{singliar2006,' '@inproceedings{lazic2013,' -- cite
refuses 2 '"quartett"' 'did you mean quartet?' -- cite quartett
make params data.h5 --structure img -o params.h5 --log params.log
check 'params too' grep -qF 'Unsupervised learning of noisy-or Bayesian networks. UAI 2013.' params.log

command -v python3 >/dev/null || skip 'python3 reads the JSON'
run cite --json
check 'the bibliography has every paper, and BibTeX its braces' python3 -c '
import json, sys
entries = json.load(open(sys.argv[1]))["entries"]
lines = open(sys.argv[2]).read().splitlines()
papers = [e for e in entries if e["key"] != "orrery"]
sys.exit(not (len(papers) >= 9 and len(papers) == len({e["key"] for e in papers}) and
  all("- " + e["text"] in lines for e in papers) and
  all(e["bibtex"].count("{") == e["bibtex"].count("}") > 4 for e in entries)))' \
  "$outside/out" "$root/src/BIBLIOGRAPHY.md"
run --version --json
check 'the version as JSON' python3 -c '
import json, sys
sys.exit(list(json.load(open(sys.argv[1]))) != ["version"])' "$outside/out"
run --version --verbose --json
check 'all of it as JSON' python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
learners = [l for f in d["families"] for l in f["learners"]]
sys.exit(not (d["kernel"] in d["kernels"] and d["kernels"][0] == "scalar" and "quartet" in learners
  and d["hdf5"].startswith("1.") and d["commit"] == sys.argv[2] and "-Wall" in d["flags"]
  and len(d["mpi"]) > 3 and d["eigen"].startswith("3.")))' "$outside/out" "$commit"
finish
