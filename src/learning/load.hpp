// From a data file to moments: in memory, one copy per host, or in slices of rows if memory is
// short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/work_time.hpp"
#include "data/bits.hpp"
#include "learning/checkpoints.hpp"
#include "learning/row_sums.hpp"
#include "moments/counted_moments.hpp"
#include "orrery/data/categorical_table.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/learning/run_options.hpp"
#include "parallel/team.hpp"

namespace orrery::learning {

class RowSlices;
struct LearnContext;

/// Pair counts (and triples) made earlier.
struct StoredCounts {
  moments::PairCounts pairs;
  moments::StoredTriples triples;
};

/// Not copyable: the moments refer to what stands beside them.
struct Samples {
  Samples();
  Samples(Samples&&) noexcept;
  Samples& operator=(Samples&&) noexcept;
  ~Samples();

  std::vector<std::string> names;
  std::uint64_t digest = 0;
  /// Null if no rank holds all rows. A missing value is on, see load_whole.
  std::unique_ptr<data::SampleMatrix> matrix;
  std::unique_ptr<RowSlices> slices;
  std::unique_ptr<moments::MomentSource> moments;
  std::unique_ptr<RowPass> rows;
  std::size_t memory_left = 0;  ///< bytes that the learner may use, a rank; 0: no limit

  /// The rows in memory if none misses a value, else null.
  [[nodiscard]] const data::SampleMatrix* complete() const {
    return matrix && !matrix->missing ? matrix.get() : nullptr;
  }
};

/// Where values are missing the moments are moments::PairwiseDeleted (said in a warning). With
/// `memory_bytes` (a rank; 0: no limit) samples that do not fit are dealt to the ranks in slices of
/// rows, and if these do not fit either, read from the file for every count. `stored`: for data
/// without missing values only. Throws InputError for fewer than 4 columns, fewer than 50 rows or
/// a column observed in fewer, UsageError if not even a slice fits, Stopped. Collective.
Samples load_samples(const parallel::Team& team, int threads, const std::string& path,
                     std::size_t memory_bytes, std::optional<StoredCounts> stored,
                     Checkpoints& checkpoints, std::vector<Stage>& stages);

/// The same of samples that are in memory, without a limit to it. `source` names them in messages.
Samples samples_in_memory(const parallel::Team& team, int threads, data::SampleMatrix matrix,
                          const std::string& source, Checkpoints& checkpoints,
                          std::vector<Stage>& stages);

/// The least that a learner needs of a data set.
struct Needs {
  std::size_t columns = 4;
  std::uint64_t rows = 50;
  const char* columns_for = "a search for hidden causes";
  const char* rows_for = "to learn from";
};
/// Throw InputError for fewer. `source` names the file in messages.
void require_columns(std::size_t n_observed, const std::string& source, const Needs& needs = {});
void require_rows(std::uint64_t n_rows, const std::string& source, const Needs& needs = {});

/// What learners of categorical networks ask of their data. Throws InputError naming `source`, and
/// the column or row (the first is 0): fewer than 2 rows, a column without any value or whose
/// values are all the same, a row without any value, more causes than columns.
void require_learnable(const data::CategoricalTable& table, std::size_t n_causes,
                       const std::string& source);

/// How rows are held: all of them, one copy per host; each rank's part of them, in slices; or not,
/// and a rank's part is read from the file for every count.
enum class Hold : std::uint8_t { whole, dealt, read_again };
/// Names, digest, slices and, if held whole, the matrix; no moments. Collective.
Samples load_rows(const parallel::Team& team, int threads, const std::string& path, Hold hold,
                  const Needs& needs, std::vector<Stage>& stages);

/// Names of the variables of a data file; read at rank 0. Collective.
std::vector<std::string> read_names(const parallel::Team& team, const std::string& path);

/// All rows in memory, one copy per host; read at rank 0, with so many threads. For counting,
/// unlike elsewhere, a missing value is on. `unions`: the columns to hold in the place of the
/// file's, whose values must not be missing then. Collective.
data::SampleMatrix load_whole(const parallel::Team& team, int threads, const std::string& path,
                              const Needs& needs = {}, const data::ColumnUnions* unions = nullptr);
/// Room for a bit per value; `shared` is then what the ranks of a host share, or null where each
/// has its own. Collective.
data::BitPanels room_on_host(const parallel::Team& team, int threads, std::size_t n_columns,
                             std::size_t n_rows, std::uint64_t*& shared);
/// Bytes that this process has in memory now.
std::size_t resident_bytes();

/// A run on samples that a program has in memory: one rank, no checkpoint.
class MemoryRun {
 public:
  /// Copies the samples and counts their pairs.
  /// @throws InputError for too few columns or rows, and names or a mask that do not fit them;
  ///     UsageError for a negative number of threads
  MemoryRun(const data::SampleMatrix& samples, const learn::RunOptions& options);

  /// What to learn from; the run must outlive it.
  [[nodiscard]] LearnContext context();

 private:
  parallel::Team team_;
  int threads_;
  std::uint64_t seed_;
  Checkpoints checkpoints_;
  std::vector<Stage> stages_;
  Samples samples_;
};

}  // namespace orrery::learning
