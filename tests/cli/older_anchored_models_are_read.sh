#!/usr/bin/env bash
# Models with /anchored, and orrery-anchored-1, which earlier versions wrote, are read by every
# command; what is written of them is a /model, and orrery-network-1.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

older=$(CDPATH='' cd -P -- "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)/older
cp "$older/anchored.h5" "$older/anchored.json" .
accepts 'anchored network: 3 causes, 12 variables' '3 anchors, learned by anchored' \
  -- info anchored.h5

for name in h5 json; do
  old=anchored.$name
  accepts '3,000 samples of 12 variables' -- sample --network "$old" --samples 3000 --labels labels.h5 -o data.h5
  accepts '3 of 3 causes matched; 2 of 2 edges among causes found' 'matched by name' 'in nats, over 3,000 rows' \
    -- evaluate "$old" --truth anchored.h5 --data data.h5 --labels labels.h5
  accepts '3,000 rows: 3,000 exact' -- infer "$old" data.h5 -o posterior.h5
  accepts 'open page.html' -- report "$old" --truth anchored.h5 -o page.html
  make export "$old" --format anchors -o anchors.csv
  accepts '3 causes of 12 variables' \
    -- learn anchored --moments "$old" --anchors anchors.csv -o exact.h5
  for format in csv dot graphml bif; do
    accepts '3 causes' -- export "$old" --format $format -o "drawn.$format"
  done
  make export "$old" --format json -o "new.$name.json"
done
check 'both say the same' cmp new.h5.json new.json.json
check 'what is written is a noisy-OR network' grep -q '"format": "orrery-network-1"' new.h5.json
accepts '"model"' '"n_anchors": 3' -- info exact.h5 --json
refuses 3 'anchored.h5' 'an anchored network, but a noisy-OR network of independent causes' \
  -- depth anchored.h5
finish
