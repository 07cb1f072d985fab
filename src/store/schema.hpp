// The layout of orrery's HDF5 files, schema version 1. The README.md of this folder tells the same for h5py users.
//
// All numbers are little-endian. All strings have a fixed length, are UTF-8 and null-padded. The
// objects are in HDF5's 1.10 format (superblock 3), in which all metadata carries checksums; no
// filters, no time stamps. A group appears only if the file holds what it is for.
//
//   /                      attributes  format "orrery"; schema uint32, 1
//
//   /samples               attributes  n_samples uint64, N; n_observed uint64, m; digest
//     bits                 uint64, m x ceil(N / 64): bit i (from the least significant) of word w
//                          of row c is variable c in sample 64 w + i. Bits beyond N are zero.
//                          Chunked, min(64, m) x min(B, N rounded up to 64) / 64, B = block_rows(m)
//                          All 64 bits are used: a reader that takes the words for signed integers
//                          or doubles (R's hdf5r does) corrupts those with the top bit set; h5py
//                          reads them right, and `orrery export --rows --format csv` suits all
//     missing              as bits, 1 = missing (the bit of `bits` is then 0); only if a value is
//                          missing
//     block_digests        uint64, ceil(N / B): XXH3 of each block of B rows, variable after
//                          variable
//     missing_block_digests  the same of missing
//     names                string, m
//
//   /dense                 attributes  n_samples uint64, N; n_columns uint64, n; digest
//     values               float64, N x n: a row per sample; NaN: missing, all else is finite.
//     Chunked,
//                          min(B, N) x n, B = dense_block_rows(n)
//     block_digests        uint64, ceil(N / B): XXH3 of each block of B rows
//     names                string, n
//     present              uint64, n: values of a column that are not missing
//     mean, sd, min, max   float64, n: of those (sd: root of the mean squared distance from the
//                          mean); NaN: there are none
//
//   /moments               attributes  order uint32, 2 or 3; n_samples uint64; data_digest, of the
//                          samples counted
//     pairs                uint64, m x m: samples in which a and b are both 0; diagonal: a is 0
//     triples              uint32, C(m, 3): samples in which a < x < y are all 0, in the order
//                          (0,1,2), (0,1,3), ..., (m-3,m-2,m-1); order 3 only
//     triple_digests       uint64, max(m, 2) - 2: XXH3 of the triples of a = 0, 1, ...; order 3
//     only names                string, m
//
//   /model                 attributes  learner string; data_digest, of the samples learned from (0:
//                          none); n_samples uint64 (0: exact moments)
//     causes/name          string, n
//     causes/prior         float64, n
//     observed/name        string, m
//     observed/leak        float64, m
//     edges/cause          uint32, e; sorted by (cause, observed)
//     edges/observed       uint32, e
//     edges/failure        float64, e
//     causes/prior_error, observed/leak_error, edges/failure_error
//                          float64, n, m, e: standard errors, NaN: not known; all three or none
//     provenance/depth     int32, n; round of the search that found the cause, from 0 (not its
//                          structural depth, which follows from the edges); -1: not applicable
//                          (provenance: learned models only)
//     provenance/quartet   int32, n x 4; -1: none
//     provenance/statistic float64, n; -1: none
//     provenance/statistic_error  float64, n; 0: not known, or exact; absent from older files
//     provenance/support   uint64, n; 0: not applicable; absent from older files
//     cause_tables/n_parents  uint32, n: how many parents each cause has among the causes; the
//     group
//                          is there only if causes depend on one another; a prior is what it says
//     cause_tables/parent  uint32: of the first cause, of the second, ...; rising for each
//     cause_tables/on      float64: P(cause = 1 | parents), 2^n_parents values per cause; bit i of
//     a
//                          value's place is the value of parent i
//     anchors/cause        uint32, a; sorted by (cause, observed) (anchors: only if there are any)
//     anchors/observed     uint32, a
//     anchors/n_columns    uint32, a: of how many columns the observed variable is the union; 0:
//                          itself
//     anchors/column       string: those of the first anchor, of the second, ...
//     anchors/off, on      float64, a: P(A = 1 | Y = 0) and P(A = 1 | Y = 1), as given or
//                          estimated; optional, with all that follow
//     anchors/off_error, on_error  float64, a: standard errors; 0: given; NaN: not known
//     anchors/source       string, a: where the rates come from
//     moments              attributes  order uint32, 1 to 6 (only if there are any)
//     moments/cell         float64: P(causes of a set = values), of all sets of up to `order`
//                          causes, by size, then in colexicographic order; bit i of a cell's place
//                          in its set is the value of the set's i-th cause
//     stability            attributes  resamples uint32, at least 1 (only if it was measured)
//     stability/cause      float64, n; share of the resamples that have it
//     stability/edge       float64, e; the same
//     fit                  attributes  misfit, held_out, held_out_tree, held_out_independent,
//                          held_out_mixture float64; held_out_rows uint64; mixture_kinds uint32
//                          (model::Fit; only if the learner looked)
//     remarks              string; only if there are any
//
//   /tree                  attributes  learner string; data_digest, of the samples learned from (0:
//                          none); n_samples uint64 (0: exact moments); crossover float64, q: a sign
//                          is observed as its opposite with this probability; crossover_error
//                          float64, its standard error (0: q was given; NaN: not known)
//     variables/name       string, p
//     variables/mean       float64, p: E[X_i] of the hidden sign, in (-1, 1)
//     edges/a, edges/b     uint32, e; a < b, sorted by (a, b); no cycle
//     edges/moment         float64, e: E[X_a X_b] of the hidden signs
//     edges/moment_error   float64, e: standard errors, NaN: not known; optional
//     remarks              string; only if there are any
//
//   /linear                attributes  learner string; data_digest, of the samples learned from (0:
//                          none); n_samples uint64 (0: exact moments); law string: gaussian, skewed
//                          or heavy-tailed
//     observed/name        string, n
//     observed/mean        float64, n
//     observed/noise       float64, n: variances, 0 or more
//     causes/name          string, k
//     causes/covariance    float64, of the causes (of the highest level, if there are any) in both
//                          dimensions; absent: the identity, or as follows from a coupling
//     causes/coupling      float64, k x k: entry (i, j) is Lambda_ij, no cycle; optional
//     causes/innovation    float64, k: variances, more than 0; with a coupling only
//     loadings/value       float64, n x k; 0: no edge
//     loadings/estimate    float64, n x k: before those that are not significant were set to 0;
//                          NaN: not known; optional
//     loadings/error, observed/noise_error, causes/covariance_error, causes/coupling_error
//                          float64, n x k, n, k x k, k x k: standard errors, NaN: not known; each
//                          optional
//     levels/0, levels/1, ...  from below upwards; only if there are any
//       name               string
//       loading            float64, variables of the level below x of this one
//       noise              float64, a variable of the level below
//     rank_test/rank       uint32, steps; only if there was a test
//     rank_test/statistic, expected, error
//                          float64, steps; NaN: not known
//     remarks              string; only if there are any
//
//   /anchored              what earlier versions called a /model with cause_tables and anchors; it
//   is
//                          read as that, and no longer written
//
//   /categorical           attributes  n_samples uint64, N; n_columns uint64, D; digest
//     codes                uint8, N x D: a row per sample; the number of the value's category, 255:
//                          missing. Chunked, in blocks of about 1 MiB
//     names                string, D
//     n_categories         uint32, D: 1 to 64
//     category             string: those of the first column by code, of the second, ...
//
//   /categorical_network   attributes  learner string; data_digest, of the samples learned from (0:
//                          none); n_samples uint64 (0: not from samples); log_evidence float64,
//                          nats; evidence_kind string (empty: there is none)
//     causes/name          string, K
//     causes/cardinality   uint32, K
//     causes/prior         float64: of the states of the first cause, of the second, ...
//     observed/name        string, D
//     observed/n_categories  uint32, D; observed/category as in /categorical
//     observed/n_parents   uint32, D
//     observed/parent      uint32: causes of the first variable, of the second, ...; rising for
//     each observed/table       float64: of the first variable J x L values, P(category | state of
//     the
//                          parents) a row per state (the first parent's changes fastest), of the
//                          second, ...
//     observed/counts      as table: Dirichlet pseudocounts; NaN: not known; optional
//     structure/n_parents, parent  uint32, S parent sets, as of observed
//     structure/probability  float64, D x S: rows sum to 1; the group is there only if it is known
//     modes/variable, n_parents  uint32, M
//     modes/parent         uint32: of the first mode, of the second, ...
//     modes/log_evidence   float64, M; the group is there only if there are any
//     choices/n_causes     uint32, C
//     choices/held_out, error  float64, C; the group is there only if there are any
//     remarks              string; only if there are any
//
//   /checkpoint            attributes  version uint32, 1, of this group; learner string;
//   data_digest,
//                          of the samples learned from (0: none); n_samples, n_observed uint64;
//                          digest
//     option_names         string; what the result depends on
//     option_values        string, the same
//     words/NAME           uint64, one dimension: the state; names and meaning are the learner's
//     reals/NAME           float64, the same
//
//   /posterior             attributes  n_samples uint64, N; data_digest, of the samples;
//                          min_posterior float64; top uint32, K
//     causes               string, n: their names
//     log_evidence         float64, N: log P(row), nats; -infinity: impossible
//     log_evidence_error   float64, N: half the width of its interval; 0: exact
//     method               uint32, N: 0 exact, 1 sampled, 2 impossible
//     effective_samples    float64, N; 0: exact
//     end                  uint64, N: row i has the entries from end[i - 1] (0 for the first) to
//                          end[i] of the next three
//     cause                uint32: a cause with a posterior of at least min_posterior
//     probability, error   float64: its posterior, and what that may be off
//     explanations/log_probability  float64, N K: of a row's K most probable states of all causes,
//                          given the row, the most probable first; NaN: there are fewer
//     explanations/proven  uint32, N K: 1 if no state is left out before it
//     explanations/end     uint64, N K: as end, of
//     explanations/cause   uint32: the present causes; the group is there only if K > 0
//
//   /prediction            attributes  n_samples uint64, N; data_digest, of the samples; given
//                          uint64: how many variables' values were looked at; crossover float64, q
//     variables            string, k: names of those that were predicted
//     log_evidence         float64, N: log P(the given values of the row), nats; -infinity:
//                          impossible
//     probability          float64, N k: of row i from i k: P(the variable's hidden sign is +1 |
//                          given values), NaN: the row is impossible. P(it is observed as on) is
//                          q + (1 - 2 q) times that
//
//   /run                   attributes  version, host, started, kernel string; seed uint64;
//                          ranks, threads uint32; bytes_read uint64, of input by all ranks. The
//                          only group that may differ between two runs of the same work.
//     command_line         string, 1
//     stage_names          string, number of stages
//     stage_seconds        float64, the same
//     stage_units          uint64, the same: pieces of work
//     stage_imbalance      float64, the same: the busiest rank's working time over the mean of all;
//                          0: not measured
//     hosts                string, of all ranks: each once, in the order of ranks
//
// Every dataset has the attribute `digest`: XXH3-64 (seed 0) as 16 lower-case hexadecimal digits
// over its values as little-endian bytes, row by row; a string is hashed as its bytes and one zero
// byte. `bits`, `missing` and /dense/values are hashed a block at a time; their digest is that of
// their blocks' digests. /samples' own digest is XXH3-64 over five uint64: N, m, the digests of
// bits, missing (0 if absent) and names. /dense's own is over four: N, n, the digests of values and
// names. /categorical's own is over six: N, D, the digests of codes, names, n_categories and
// category. /checkpoint's own is over its learner (as a string), four uint64: version, data_digest,
// n_samples, n_observed; and then of option_names, option_values, words/NAME and reals/NAME in the
// order of their names: the name (as a string), two uint64: the number of values and the digest.
#pragma once

namespace orrery::store {

inline constexpr const char* format_name = "orrery";

}  // namespace orrery::store
