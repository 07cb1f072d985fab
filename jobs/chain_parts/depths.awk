# `orrery depth --json` -> lines LABEL,DEPTH,CAUSES,EDGES, the last of depth "never".
/^  "depths":/ { inside = 1 }
/^  "never":/ { inside = 1; depth = "never" }
!inside { next }
/"causes":/ { causes = $2 + 0 }
/"edges":/ { edges = $2 + 0 }
/"depth":/ { depth = $2 + 0 }
/^    \}|^  \}/ { print label "," depth "," causes "," edges }
/^  []}]/ { inside = 0 }
