# shellcheck shell=bash disable=SC2154
# The page of a sweep, for jobs/sweep: write_page MEANS.csv, on standard output.
write_page() {
  local title=${config##*/}
  cat <<END
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${title%.ini}</title>
<style>body{font:15px/1.5 sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem;color:#222}
svg{max-width:100%;height:auto}table{border-collapse:collapse;font-size:13px}
td,th{border-bottom:1px solid #ddd;padding:.2rem .6rem;text-align:left}
pre{background:#f4f4f4;padding:1rem;overflow:auto}</style></head><body>
<h1>${title%.ini}</h1>
<p>Means over the seeds of a set, a number of samples and a method. Point at a dot for its value.
Logarithmic scales end at 0.001.</p>
END
  awk -f "$here/sweep_parts/plots.awk" "$1"
  awk -v want=html -f "$here/sweep_parts/table.awk" "$1"
  echo "<h2>Its configuration</h2><pre>"
  sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' "$config"
  echo "</pre></body></html>"
}
