#include "orrery/family/files.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "base/build.hpp"
#include "family/table.hpp"
#include "orrery/base/version.hpp"
#include "orrery/data/bit_columns.hpp"
#include "store/store.hpp"

namespace orrery {
namespace {

store::RunInfo run_of_a_program() {
  store::RunInfo run;
  run.version = version;
  run.commit = sources_of_this_build().commit;
  return run;
}

/// The linker takes the table of families out of this library only where a source of the library
/// names it: those of the family room, which use it, come later.
void require_families() {
  if (family::families().empty()) throw std::logic_error("a program without families");
}

/// What a file must hold where a value is missing.
void set_missing_off(data::BitColumns& values, const data::BitColumns& missing) {
  const std::span<std::uint64_t> words = values.words();
  for (std::size_t i = 0; i < words.size(); ++i) words[i] &= ~missing.words()[i];
}

}  // namespace

data::SampleMatrix read_samples(const std::filesystem::path& path) {
  return store::read_samples(path);
}

void write_samples(const std::filesystem::path& path, const data::SampleMatrix& samples) {
  data::require_consistent(samples, path.string());
  store::SampleWriter writer(path);
  writer.begin(samples.names);
  const std::size_t n_rows = samples.n_samples();
  const std::size_t step = data::block_rows(samples.n_observed());
  for (std::size_t first = 0; first < n_rows; first += step) {
    const std::size_t n = std::min(step, n_rows - first);
    data::BitColumns values = samples.values.extract(first, n);
    if (!samples.missing) {
      writer.append(values, nullptr);
      continue;
    }
    const data::BitColumns missing = samples.missing->extract(first, n);
    set_missing_off(values, missing);
    writer.append(values, &missing);
  }
  writer.finish(run_of_a_program());
}

model::AnyModel read_model(const std::string& file_or_network, std::uint64_t seed) {
  require_families();
  return family::load_model(file_or_network, seed);
}

void write_model(const std::filesystem::path& path, const model::AnyModel& model) {
  require_families();
  store::write_group(path, family::group_of(model), run_of_a_program());
}

}  // namespace orrery
