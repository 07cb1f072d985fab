// What a build without libzip says of archives of NPY arrays.
#include <fmt/format.h>

#include "data/readers.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& path) {
  throw InputError(
      fmt::format("{}: is an archive of arrays (NPZ), which this build cannot read: build with "
                  "-DORRERY_NPZ=ON (it needs libzip), or save the one array as NPY (numpy.save)",
                  path.string()));
}

}  // namespace

bool reads_npz() noexcept { return false; }

ImportSummary import_npz(const std::filesystem::path& path, const ImportOptions& /*options*/,
                         SampleSink& /*sink*/) {
  refuse(path);
}

DenseImportSummary import_dense_npz(const std::filesystem::path& path,
                                    const ImportOptions& /*options*/, DenseSink& /*sink*/) {
  refuse(path);
}

}  // namespace orrery::data
