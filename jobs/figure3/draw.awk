# See jobs/figure3/draw. Both kinds of JSON come from orrery, which writes a cause, an edge or a
# member a line. A slot is a column of images within a block (a depth): one slot a true source, and
# beyond them as many as learned sources without a match need.
BEGIN {
  pixel = 5; gap = 7; block_gap = 34; left = 112; top = 58; levels = 50

  read_network(ARGV[2], "truth")
  side = int(sqrt(n_observed["truth"]) + .5)
  image = side * pixel
  if (side < 1 || side * side != n_observed["truth"])
    fail(ARGV[2] ": " n_observed["truth"] + 0 " variables are not a square of pixels")
  n_slots = n_causes["truth"]
  max_depth = 1  # both blocks of the paper, even if empty
  for (i = 3; i + 2 < ARGC; i += 3) {
    label[++n_rows] = ARGV[i]
    read_network(ARGV[i + 2], n_rows)
    if (n_observed[n_rows] != n_observed["truth"])
      fail(ARGV[i + 2] ": " n_observed[n_rows] + 0 " variables, not " n_observed["truth"])
    read_matching(ARGV[i + 1], n_rows)
    find_slots(n_rows)
  }
  draw()
}

function fail(what) {
  print "jobs/figure3/draw: error: " what >"/dev/stderr"
  exit 3
}

function escape(text) {
  gsub(/&/, "\\&amp;", text)
  gsub(/</, "\\&lt;", text)
  return text
}

function string_of(line, name,    parts) {
  if (split(line, parts, "\"" name "\": \"") < 2) return ""
  return substr(parts[2], 1, index(parts[2], "\"") - 1)
}

# name[net, u], depth[net, u], shade[net, u, a] = 1 - failure; u and a count from 0.
function read_network(file, net,    line, part, list, status) {
  while ((status = (getline line <file)) > 0) {
    if (line ~ /^  "[a-z]+": \[/) list = line
    else if (list ~ /"causes"/ && line ~ /^    \{/) {
      name[net, n_causes[net] + 0] = string_of(line, "name")
      if (split(line, part, "\"depth\": ") > 1) depth[net, n_causes[net] + 0] = part[2] + 0
      ++n_causes[net]
    } else if (list ~ /"observed"/ && line ~ /^    \{/) {
      ++n_observed[net]
    } else if (list ~ /"edges"/ && line ~ /^    \[/) {
      split(line, part, /[][, ]+/)
      shade[net, part[2] + 0, part[3] + 0] = 1 - part[4]
    }
  }
  close(file)
  if (status < 0 || !n_observed[net]) fail(file ": not a network that orrery exported as JSON")
}

# match_of[net, NAME] = slot of the true source; recovered[net, NAME].
function read_matching(file, net,    line, learned, is_recovered, slot, status) {
  while ((status = (getline line <file)) > 0) {
    if (line ~ /^      "learned":/) learned = string_of(line, "learned")
    else if (line ~ /^      "recovered": true/) is_recovered = 1
    else if (line ~ /^      "true":/) {
      if (string_of(line, "true") != name["truth", slot + 0])
        fail(file ": its source " slot + 0 " is not that of " ARGV[2])
      if (learned != "") {
        match_of[net, learned] = slot + 0
        recovered[net, learned] = is_recovered + 0
      }
      ++slot
      learned = ""
      is_recovered = 0
    }
  }
  close(file)
  if (status < 0 || slot != n_causes["truth"])
    fail(file ": no matching of " n_causes["truth"] " sources")
}

function find_slots(net,    u, d, extra) {
  for (u = 0; u < n_causes[net]; ++u) {
    d = depth[net, u]
    if (d > max_depth) max_depth = d
    if ((net, name[net, u]) in match_of) slot_of[net, u] = match_of[net, name[net, u]]
    else {
      slot_of[net, u] = n_causes["truth"] + extra[d]++
      if (slot_of[net, u] >= n_slots) n_slots = slot_of[net, u] + 1
    }
  }
}

function block_x(d) { return left + d * (n_slots * (image + gap) - gap + block_gap) }
function slot_x(d, slot) { return block_x(d) + slot * (image + gap) }
function row_y(row) { return top + row * (image + gap) + (row > 0 ? 10 : 0) }

# Pixels as paths, a path a level of gray; neighbours in a row are one rectangle.
function image_paths(net, u,    level, a, run, out, path, of) {
  for (a = 0; a < side * side; ++a) of[a] = int(shade[net, u, a] * levels + .5)
  for (level = 1; level <= levels; ++level) {
    path = ""
    for (a = 0; a < side * side; a += run) {
      for (run = 1; of[a] == level && of[a + run] == level && (a + run) % side; ) ++run
      if (of[a] == level) path = path sprintf("M%d %dh%dv1h-%dz", a % side, int(a / side), run, run)
    }
    if (path != "") out = out sprintf("<path opacity=\"%.2g\" d=\"%s\"/>", level / levels, path)
  }
  return out
}

function draw_image(net, u, x, y, title) {
  printf "<g class=\"image\" transform=\"translate(%d %d) scale(%d)\" fill=\"#fff\">", x, y, pixel
  printf "<title>%s</title><rect width=\"%d\" height=\"%d\" fill=\"#000\"/>%s</g>\n", \
    escape(title), side, side, image_paths(net, u)
}

function draw_frame(kind, x, y) {
  printf "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>\n", kind, \
    x - 1.5, y - 1.5, image + 3, image + 3
}

function draw_text(x, y, style, text) {
  printf "<text x=\"%d\" y=\"%d\" class=\"%s\">%s</text>\n", x, y, style, escape(text)
}

function draw_truth(    d, u) {
  draw_text(left - 14, row_y(0) + image / 2 + 5, "right", "true sources")
  for (d = 0; d <= max_depth; ++d)
    for (u = 0; u < n_causes["truth"]; ++u)
      draw_image("truth", u, slot_x(d, u), row_y(0), "true: " name["truth", u])
}

function draw_row(row,    d, u, x, taken) {
  draw_text(left - 14, row_y(row) + image / 2 + 5, "right", label[row])
  for (u = 0; u < n_causes[row]; ++u) {
    x = slot_x(depth[row, u], slot_of[row, u])
    taken[depth[row, u], slot_of[row, u]] = 1
    draw_image(row, u, x, row_y(row), label[row] " samples, depth " depth[row, u] ": " name[row, u])
    if (!recovered[row, name[row, u]]) draw_frame("wrong", x, row_y(row))
  }
  for (d = 0; d <= max_depth; ++d)
    for (u = 0; u < n_causes["truth"]; ++u)
      if (!((d, u) in taken)) draw_frame("none", slot_x(d, u), row_y(row))
}

function draw(    width, height, d, row) {
  width = block_x(max_depth + 1) - block_gap + 20
  height = row_y(n_rows) + image + 84
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\"", width, height
  printf " width=\"%d\" height=\"%d\">\n", width, height
  print "<title>Sources learned from more and more samples, by depth</title>"
  print "<style>text{font:14px sans-serif;fill:#222}.right{text-anchor:end}.head{font-weight:bold}"
  print ".small{font-size:13px}.wrong{fill:none;stroke:#d33;stroke-width:3}"
  print ".none{fill:none;stroke:#ccc;stroke-dasharray:2 3}</style>"
  printf "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", width, height
  draw_text(left - 14, 44, "right", "samples")
  for (d = 0; d <= max_depth; ++d) {
    draw_text(block_x(d), 26, "head", "d = " d)
    draw_text(block_x(d), 44, "small", d == 0 ? "learned without subtracting off" : \
              "learned after " d " round" (d > 1 ? "s" : "") " of subtracting off")
  }
  draw_truth()
  for (row = 1; row <= n_rows; ++row) draw_row(row)
  draw_caption(height - 60)
  print "</svg>"
}

function draw_caption(y) {
  draw_text(left, y, "small", "Each learned source stands under the true one it matches best. " \
            "Brightness is 1 - failure; black: no edge.")
  draw_text(left, y + 20, "small", "Red frame: not recovered (a failure is off by more than a " \
            "factor e). Dashed: nothing learned at this depth.")
  draw_text(left, y + 40, "small", ARGV[1])
}
