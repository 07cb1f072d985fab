// /dense of any file: InputError, or rows that are what is said of their columns.
#include <cmath>

#include "good_files.hpp"
#include "hdf5_target.hpp"
#include "store/tables.hpp"

namespace orrery::fuzz {
namespace {

struct Dense {
  std::vector<std::string> names;
  std::vector<store::DenseColumn> columns;
  store::DenseHeader header;
  std::vector<double> values;
};

Dense read(const std::filesystem::path& path) {
  const store::DenseReader reader(path);
  Dense dense{reader.names(), reader.columns(), reader.header(), {}};
  reader.visit(0, dense.header.n_samples, [&](const double* rows, std::size_t n_rows) {
    dense.values.insert(dense.values.end(), rows, rows + n_rows * dense.names.size());
  });
  return dense;
}

void require_sound(const Dense& dense) {
  const std::size_t n = dense.names.size();
  require(n > 0 && n == dense.header.n_columns && n == dense.columns.size());
  require(dense.values.size() == dense.header.n_samples * n);
  for (std::size_t i = 0; i < dense.values.size(); ++i) {
    const store::DenseColumn& column = dense.columns[i % n];
    require(std::isnan(dense.values[i])
                ? column.n_present < dense.header.n_samples
                : dense.values[i] >= column.min && dense.values[i] <= column.max);
    require(!std::isinf(dense.values[i]));
  }
}

void require_equal(const Dense& a, const Dense& b) {
  require(a.names == b.names && a.header.digest == b.header.digest);
  require(a.values.size() == b.values.size());
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    require(a.values[i] == b.values[i] || (std::isnan(a.values[i]) && std::isnan(b.values[i])));
  }
}

}  // namespace
}  // namespace orrery::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using namespace orrery::fuzz;
  static const Hdf5Target<Dense> target(
      {"/dense", write_good_dense, read, require_sound, require_equal});
  target.run(bytes, n);
  return 0;
}
