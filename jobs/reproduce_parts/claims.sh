# shellcheck shell=bash disable=SC2154,SC2016
# What is claimed of each experiment, for jobs/reproduce, which sets $folder and $experiment: a line
# "| experiment | claim | measured | holds |" each. A claim is an awk program that prints what was
# measured and ends with 0 if the claim holds. In its CSV files columns go by the names in their first
# line: $at["name"].

# claim TEXT PROGRAM FILE...
claim() {
  local text=$1 program=$2 measured holds=yes
  shift 2
  measured=$(awk -F , 'FNR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i }'" $program" "$@") ||
    holds='**no**'
  printf '| %s | %s | %s | %s |\n' "$experiment" "$text" "$measured" "$holds"
}

claims_of_figure3() {
  local rows
  for rows in 100 10000; do
    awk -v rows="$rows" 'NR == 1 { print "rows,recovered" } /^  "recovered":/ { print rows "," $2 + 0 }' \
      "$folder/figure3/img_${rows}_paper_3.json"
  done >"$folder/figure3/recovered.csv"
  claim 'Figure 3: of 8 sources few are found with 100 rows, nearly all with 10,000' '
    FNR > 1 { found[$at["rows"]] = $at["recovered"] }
    END { printf "%d and %d", found[100], found[10000]; exit !(found[100] <= 3 && found[10000] >= 6) }' \
    "$folder/figure3/recovered.csv"
}

claims_of_quartet() {
  local data=$folder/quartet
  local -a mean_of=('FNR > 1 { ++n[$at["method"], $at["samples"]]
      sum[$at["method"], $at["samples"]] += $at["recovered"]; rows[$at["samples"]] }
    function mean(method, samples) { return n[method, samples] ? sum[method, samples] / n[method, samples] : -1 }')
  claim 'the default learner recovers no fewer sources than --paper, and than variational EM that is told their number' \
    "${mean_of[0]}"'
    END {
      good = 1
      for (r in rows) {
        text = text sprintf("%s%s rows: %.1f, %.1f, %.1f", text == "" ? "" : "; ", r, mean("default", r), \
          mean("paper", r), mean("vem", r))
        good = good && mean("default", r) >= mean("paper", r) && mean("default", r) >= mean("vem", r)
      }
      printf "%s", text
      exit !good
    }' "$data/figure3/sweep.csv"
  cat -- "$data"/known/*.csv >"$folder/known.csv"
  claim 'known structure: the error of failures falls as the root of the rows' '
    { ++n[$1]; sum[$1] += $5 }
    END { ratio = sum[1000] / n[1000] / (sum[10000] / n[10000])
      printf "%.1f times less with 10 times the rows", ratio; exit !(ratio > 2 && ratio < 5) }' \
    "$folder/known.csv"
  claim 'Table 1: a network like aQMR-DT has 469 of 570 causes at depth 0, and 4 never' '
    BEGIN { FS = " *[|] *" } /^[|] qmr.*quartets/ { ++n; first += $3; never += $7 }
    END { printf "%.0f and %.1f", first / n, never / n; exit !(first / n > 445 && first / n < 493 && never / n <= 6) }' \
    "$data/depth.md"
}

claims_of_anchored() {
  claim 'Figure 4: with sure anchors and the most rows all polytopes come near the true network' '
    FNR > 1 && $at["figure"] == 4 && $at["case"] == "sure" { mean[$at["line"], $at["at"]] = $at["mean"]
      if ($at["at"] + 0 > most) most = $at["at"] }
    END { true = mean["true network", most]; gap = true - mean["marginal", most]
      printf "%.3f nats below it (marginal), %.3f (simplex)", gap, true - mean["simplex", most]
      exit !(gap < .1) }' "$folder/anchored/cells.csv"
  claim 'Figure 5: a tree of causes answers more last tags than the baseline' '
    FNR > 1 && $at["figure"] == 5 { mean[$at["line"], $at["at"]] = $at["mean"]
      if ($at["at"] + 0 > most) most = $at["at"] }
    END { printf "%.3f and %.3f", mean["tree", most], mean["baseline", most]
      exit !(mean["tree", most] > mean["baseline", most]) }' "$folder/anchored/cells.csv"
  claims_of_recovery
}

claims_of_recovery() {
  claim 'loadings: where causes depend on one another the corrections of Eqs. 8-9 beat the direct estimator' '
    FNR > 1 && $at["network"] ~ /tree/ && $at["kept"] == "significant" {
      if ($at["rows"] + 0 > most) { most = $at["rows"]; n = 0; split("", error) }
      if ($at["rows"] == most) { error[$at["variant"]] += $at["failure_error"]; n += $at["variant"] == "tree/direct" } }
    END { printf "mean errors: direct %.4f, tree %.4f, ours %.4f", error["tree/direct"] / n, error["tree/tree"] / n, \
        error["tree/matched"] / n
      exit !(error["tree/tree"] < error["tree/direct"] && error["tree/matched"] < error["tree/direct"]) }' \
    "$folder/recovery/loadings.csv"
  claim 'graphs: rows behind noisy anchors that count for less cost recall with few rows, and buy precision' '
    FNR > 1 && $at["network"] ~ /indegree/ && (least == "" || $at["rows"] + 0 < least) { least = $at["rows"] }
    FNR > 1 && $at["network"] ~ /indegree/ { ++n[$at["variant"], $at["rows"]]
      precision[$at["variant"], $at["rows"]] += $at["precision"] }
    END { ours = precision["indegree:2", least] / n["indegree:2", least]
      paper = precision["indegree:2-all", least] / n["indegree:2-all", least]
      printf "precision %.2f, the paper'"'"'s weight %.2f", ours, paper; exit !(ours >= paper) }' \
    "$folder/recovery/graphs.csv"
}

claims_of_linear() {
  claim 'with the most rows nearly every edge is found in every family, and no other' '
    FNR > 1 && $at["rows"] + 0 > most { most = $at["rows"]; cells = least = "" }
    FNR > 1 && $at["rows"] == most { ++cells; if (least == "" || $at["f1"] < least) least = $at["f1"] }
    END { printf "least mean F1 %.3f of %d cells", least, cells; exit !(least >= .8) }' \
    "$folder/linear/cells.csv"
  claim 'causes that correlate: more edges than factor analysis with an oblique rotation finds' '
    FNR > 1 && $at["family"] == "bipartite" && $at["oblique_f1"] != "" { ++n; ours += $at["f1"]; other += $at["oblique_f1"] }
    END { if (!n) { printf "not measured: no scikit-learn"; exit 0 }
      printf "F1 %.3f and %.3f", ours / n, other / n; exit !(ours > other) }' "$folder/linear/cells.csv"
  claim 'samples: no fewer edges than ALGORITHM 1 to the letter, over all cells' '
    FNR > 1 && $at["letter_f1"] != "" { ++n; ours += $at["f1"]; letter += $at["letter_f1"] }
    END { printf "F1 %.3f and %.3f", ours / n, letter / n; exit !(n && ours >= letter) }' "$folder/linear/cells.csv"
  claims_of_linear_exact
}

claims_of_linear_exact() {
  claim 'exact moments: where Theorem 3.2 holds ALGORITHM 1 finds the whole network; the default does also elsewhere' '
    BEGIN { FS = " *[|] *" } /ALGORITHM 1: whole/ { inside = 1; next }
    inside && /^[|] `/ { n += $3; holds += $4; letter += $5; ours += $7; if ($5 < $4) missed = 1 }
    END { printf "of %d networks it holds for %d; ALGORITHM 1 finds %d, the default %d", n, holds, letter, ours
      exit !(n && !missed && ours > letter) }' "$folder/linear_exact.md"
}

claims_of_sep() {
  claim 'Tables 1 and 2: sep has fewer wrong edges than our structural EM, over all cells' '
    FNR > 1 && $at["kind"] == "table" { sum[$at["method"]] += $at["difference"]; ++n[$at["method"]] }
    END { printf "%.2f and %.2f", sum["sep"] / n["sep"], sum["sem"] / n["sem"]
      exit !(sum["sep"] / n["sep"] <= sum["sem"] / n["sem"]) }' "$folder/sep/cells.csv"
  claim 'Figures 4 and 5: new rows are the more likely, the more rows were learned from' '
    FNR > 1 && $at["kind"] == "table" && $at["method"] == "sep" { sum[$at["rows"]] += $at["loss"]; ++n[$at["rows"]] }
    END { printf "%.2f nats per row below the truth from 100 rows, %.2f from 1,000", sum[100] / n[100], sum[1000] / n[1000]
      exit !(sum[100] / n[100] > sum[1000] / n[1000]) }' "$folder/sep/cells.csv"
}

claims_of_hidden_tree() {
  claim 'whole trees: the more samples, the more; the more noise, the fewer' '
    FNR > 1 { ++n[$at["q"], $at["samples"]]; sum[$at["q"], $at["samples"]] += $at["exact"] }
    END { for (key in n) mean[key] = sum[key] / n[key]
      printf "%.2f and %.2f of 1,000 and 10,000 clean samples; %.2f of 1,000 with a fifth flipped", \
        mean["0", 1000], mean["0", 10000], mean["0.2", 1000]
      exit !(mean["0", 10000] >= mean["0", 1000] && mean["0.2", 1000] <= mean["0", 1000] && mean["0", 10000] > .9) }' \
    "$folder/hidden_tree/cells.csv"
  claim 'ssTV falls as the root of the samples' '
    FNR > 1 && $at["q"] == "0" { ++n[$at["samples"]]; sum[$at["samples"]] += $at["mean_sstv"] }
    END { ratio = sum[1000] / n[1000] / (sum[10000] / n[10000])
      printf "%.1f times less with 10 times the samples", ratio; exit !(ratio > 2 && ratio < 6) }' \
    "$folder/hidden_tree/cells.csv"
  claims_of_weak_edges
}

claims_of_weak_edges() {
  claim 'Theorem 3.2: edges too weak to be found hardly matter to predictions' '
    FNR > 1 && $at["q"] == "0.2" { exact[$at["weakest"], $at["samples"]] = $at["exact"]
      sstv[$at["weakest"], $at["samples"]] = $at["mean_sstv"]
      if ($at["samples"] + 0 > most) most = $at["samples"] }
    END { printf "whole trees %.2f and %.2f, ssTV %.4f and %.4f, of weakest correlations of 0.2 and 0.005", \
        exact["0.2", most], exact["0.005", most], sstv["0.2", most], sstv["0.005", most]
      exit !(exact["0.005", most] < exact["0.2", most] && sstv["0.005", most] < 1.6 * sstv["0.2", most]) }' \
    "$folder/weak_edges/cells.csv"
  claim 'noise of each variable'"'"'s own is told, and costs whole trees' '
    FNR > 1 && $at["spread"] == 0 { even += $at["told"]; ++n }
    FNR > 1 && $at["spread"] + 0 > most { most = $at["spread"]; m = uneven = whole = 0 }
    FNR > 1 && most > 0 && $at["spread"] == most { uneven += $at["told"]; ++m; whole += $at["exact"] }
    END { printf "told in %.2f of the runs with the most of it, %.2f without; whole trees %.2f", uneven / m, even / n, whole / m
      exit !(even / n < .2 && uneven / m > .8 && whole / m < .2) }' "$folder/unequal_noise/cells.csv"
}

claims_of_qmr() {
  claim 'of hundreds of causes nearly all are matched' '
    BEGIN { FS = " +" } /^  causes matched/ { matched = $4; of = $6 }
    END { printf "%d of %d", matched, of; exit !(of > 0 && matched >= .9 * of) }' \
    "$folder/qmr/evaluation.txt"
}

claims_of_benchmark() {
  claim 'the default recovers all causes and nothing else (IMG-FLIP, which has flips to explain, apart)' '
    FNR > 1 && $at["method"] == "refined" && $at["set"] != "IMG-FLIP" { ++n
      good += $at["recovered"] == $at["true_causes"] && $at["extra"] == 0 }
    END { printf "%d of %d data sets", good, n; exit !(n && good >= .8 * n) }' "$folder/benchmark/sweep.csv"
  claim 'it recovers more than --paper on the same rows' '
    FNR > 1 { sum[$at["method"]] += $at["recovered"]; ++n[$at["method"]] }
    END { printf "%.2f and %.2f causes per data set", sum["refined"] / n["refined"], sum["paper"] / n["paper"]
      exit !(sum["refined"] / n["refined"] > sum["paper"] / n["paper"]) }' "$folder/benchmark/sweep.csv"
}

claims_of_real() {
  [[ -s $folder/real/report.md ]] || return 0 # the data are not there
  claim 'NLTCS: held-out rows are more likely than under a Chow-Liu tree' '
    BEGIN { FS = " *[|] *" } $2 == "nltcs" { ours = $7; tree = $8; mixture = $10 }
    END { printf "%s, the tree %s, a mixture %s", ours, tree, mixture; exit !(ours != "" && ours > tree + 0) }' \
    "$folder/real/report.md"
  claim 'the votes of 1984: two causes' '
    BEGIN { FS = " *[|] *" } $2 == "votes84" { causes = $6 }
    END { printf "%s", causes; exit causes != 2 }' "$folder/real/report.md"
}
