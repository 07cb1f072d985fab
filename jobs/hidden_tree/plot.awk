# What page.awk and weak_page.awk share: panels against samples, whose axis goes by decades, from 10^low
# to 10^high.
BEGIN {
  width = 400; height = 200; left = 66; x_gap = 74; y_gap = 78; top = 60
  ten = log(10)
}

function log10(x) { return log(x) / ten }
function floor_of(x) { return int(x + 100) - 100 }
function text(x, y, style, what) {
  printf "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>\n", x, y, style, what
}
function rule(x, y, to_x, to_y, style) {
  printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x, y, to_x, to_y, style
}
function px(x, v) { return x + (log10(v) - low) / (high - low) * width }

function draw_decades(x, bottom,    d) {
  for (d = low; d <= high; ++d) {
    rule(px(x, 10 ^ d), bottom, px(x, 10 ^ d), bottom - height, "grid")
    text(px(x, 10 ^ d), bottom + 16, "middle", d < 4 ? 10 ^ d : "10<tspan dy=\"-5\" font-size=\"9\">" d "</tspan>")
  }
}

function print_style() {
  print "<style>body{font:15px/1.5 sans-serif;max-width:92rem;margin:2rem auto;padding:0 1rem;color:#222}"
  print "svg{max-width:100%;height:auto}table{border-collapse:collapse;font-size:13px}"
  print "td,th{border-bottom:1px solid #ddd;padding:.2rem .8rem .2rem 0;text-align:left}</style></head><body>"
}
