#!/usr/bin/env bash
# import of what numpy, scipy, anndata and h5py wrote: every value, name and missing value, as bits
# and as numbers, against what these programs read themselves.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
python=/usr/bin/python3
$python -c 'import numpy, scipy, h5py' 2>/dev/null || skip 'numpy, scipy and h5py write the files'

# Each table as bits.* (0 and 1) and as numbers.*; table.npy is what must come out.
$python - <<'END'
import h5py
import numpy as np
import scipy.sparse as sp
rng = np.random.default_rng(3)
bits = (rng.random((1000, 37)) < 0.2).astype("int64")
numbers = bits * rng.integers(-3, 100, bits.shape) / 4
np.save("bits_table.npy", bits)
np.save("numbers_table.npy", numbers)
for name, table, types in (("bits", bits, ("bool", "int16", "uint64", "float32")),
                           ("numbers", numbers, ("float64", "float32"))):
    for kind in types:
        np.save(f"{name}_{kind}.npy", table.astype(kind))
    np.save(f"{name}_fortran.npy", np.asfortranarray(table))
    np.save(f"{name}_big_endian.npy", table.astype(">f8"))
    np.savez(f"{name}_stored.npz", table)
    np.savez_compressed(f"{name}_packed.npz", np.asfortranarray(table))
    for sparse in (sp.csr_matrix, sp.csc_matrix, sp.coo_matrix):
        matrix = sparse(table)
        sp.save_npz(f"{name}_{matrix.format}.npz", matrix, compressed=sparse is not sp.csc_matrix)
    with h5py.File(f"{name}_plain.h5", "w") as file:
        file["visits"] = table
        file["ids"] = np.arange(1000)
    with h5py.File(f"{name}_chunks.h5", "w", libver="latest") as file:
        file.create_dataset("a/b/table", data=table, chunks=(64, 5), compression="gzip", shuffle=True)
with h5py.File("bits_bool.h5", "w") as file:
    file["table"] = bits.astype(bool)
np.savez("several.npz", ids=np.arange(1000), visits=bits)
with h5py.File("several.h5", "w") as file:
    file["first"] = bits
    file["group/second"] = bits
END

# same NAME FILE OPTION...: FILE imported is NAME_table.npy, to the last bit; all are compared below,
# by one program.
same() {
  local name=$1 file=$2
  shift 2
  accepts '1,000 rows of 37' -- import "$file" "$@" -o out.h5
  make export out.h5 --format npy -o "came_of_$file.npy"
  printf '%s %s whole\n' "$name" "$file" >>compared
}
# shellcheck disable=SC2317  # `check` calls it
compare() {
  $python - <<'END'
import sys
import numpy as np
wrong = 0
for line in open("compared"):
    name, file, what = line.split()
    wanted = np.load(f"{name}_table.npy")
    if "float32" in file:
        wanted = wanted.astype("float32")
    if what == "above":
        wanted = wanted > 0.5
    if not np.array_equal(np.load(f"came_of_{file}{'.above' if what == 'above' else ''}.npy"), wanted):
        print(f"FAILED: {file}: {what}")
        wrong += 1
sys.exit(wrong > 0)
END
}
for file in bits_*.np[yz] bits_*.h5; do
  [[ $file == *_table.npy ]] || same bits "$file"
done
for file in numbers_*.np[yz] numbers_*.h5; do
  [[ $file == *_table.npy ]] || same numbers "$file" --numeric
done
same bits several.npz --dataset visits
same bits several.h5 --dataset group/second

for kind in csr csc coo packed fortran; do
  for file in "numbers_$kind".np[yz]; do
    make import "$file" --threshold 0.5 -o out.h5
    make export out.h5 --format npy -o "came_of_$file.above.npy"
    printf 'numbers %s above\n' "$file" >>compared
  done
done
check "every value of $(wc -l <compared) tables" compare
check 'and of as many as there are kinds' test "$(wc -l <compared)" -ge 32
rm came_of_*

# What cannot be decided or read is said.
import_refuses() {  # FILE TEXT... -- ARGUMENT...
  local file=$1
  shift
  refuses_to_write out.h5 3 "$file" "$@" -o out.h5
}
import_refuses several.npz "'ids', 'visits'" '--dataset NAME' -- import several.npz
import_refuses several.h5 "'first', 'group/second'" '--dataset PATH' -- import several.h5
import_refuses several.h5 "'third'" 'no such data set' "'first'" -- import several.h5 --dataset third
import_refuses several.h5 'neither a data set' -- import several.h5 --dataset group
import_refuses numbers_csr.npz 'row' 'column' 'neither 0 nor 1' '--numeric' -- import numbers_csr.npz
import_refuses bits_csr.npz '--categorical' 'csv, tsv or arff' -- import bits_csr.npz --categorical
import_refuses several.h5 '--categorical' 'csv, tsv or arff' -- import several.h5 --categorical
make import bits_csr.npz -o own.h5
import_refuses own.h5 'already an HDF5 file' -- import own.h5
import_refuses bits_table.npy 'not an HDF5 file' -- import bits_table.npy --format hdf5
refuses 2 '--dataset' 'npz, hdf5' -- import bits_table.npy --dataset a -o out.h5
refuses 2 '--index' 'csv' -- import bits_csr.npz --index none -o out.h5
for file in numbers_csr.npz numbers_packed.npz numbers_chunks.h5; do
  size=$(stat -c %s "$file")
  for n in 5 $((size / 2)) $((size - 1)); do
    head -c "$n" "$file" >"cut_$file"
    import_refuses "cut_$file" -- import "cut_$file" --numeric
  done
done

if $python -c 'import anndata' 2>/dev/null; then
  $python -W ignore - <<'END'
import anndata
import numpy as np
import pandas as pd
import scipy.sparse as sp
bits = np.load("bits_table.npy").astype("float32")
for name, kind in (("dense", np.asarray), ("csr", sp.csr_matrix), ("csc", sp.csc_matrix)):
    data = anndata.AnnData(kind(bits), obs=pd.DataFrame(index=[f"cell {i}" for i in range(1000)]),
                           var=pd.DataFrame(index=[f"gene é {i}" for i in range(37)]))
    data.layers["doubled"] = kind(2 * bits)
    data.obsm["X_pca"] = np.zeros((1000, 3))
    data.write_h5ad(f"bits_{name}.h5ad", compression="gzip" if name == "csr" else None)
END
  for kind in dense csr csc; do
    rm compared
    same bits "bits_$kind.h5ad"
    check "bits_$kind.h5ad: every value" compare
    rows_of out.h5 >out.csv
    check "bits_$kind.h5ad: names of the genes" grep -q '^gene é 0,gene é 1,.*gene é 36$' out.csv
    check "bits_$kind.h5ad: names of the cells" $python -c \
      'import h5py; assert list(h5py.File("out.h5")["samples/row_names"]) == [b"cell %d" % i for i in range(1000)]'
    accepts '1,000 rows of 37' -- import "bits_$kind.h5ad" --dataset layers/doubled --numeric -o out.h5
  done
  import_refuses bits_csr.h5ad '2 is neither 0 nor 1' "'gene é" -- \
    import bits_csr.h5ad --dataset layers/doubled
fi
finish
