// Any bytes, imported as a table of numbers: the import succeeds or throws orrery::Error.
#include <cstddef>
#include <cstdint>

#include "data/import_tables.hpp"
#include "sinks.hpp"
#include "target.hpp"

namespace orrery::fuzz {
namespace {

using data::Format;

void import_with(const std::filesystem::path& path, const data::ImportOptions& options) {
  CheckingNumbers sink;
  try {
    const auto summary = refused_or(path, [&] { return data::import_dense(path, options, sink); });
    if (summary) {
      require(summary->n_samples == sink.n_rows() && summary->n_samples > 0);
      require(summary->n_missing == sink.n_missing());
    }
  } catch (const UsageError&) {
    require(!options.missing_tokens.empty());  // an NPY array has no names
  }
}

}  // namespace
}  // namespace orrery::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using orrery::data::Format;
  static const orrery::fuzz::ScratchFile file;
  file.write({reinterpret_cast<const char*>(bytes), n});
  for (const Format format : {Format::csv, Format::tsv, Format::npy, Format::automatic}) {
    orrery::data::ImportOptions options;
    options.format = format;
    orrery::fuzz::import_with(file.path(), options);
    options.drop_columns = {"x1"};
    options.header = orrery::data::Header::yes;
    options.missing_tokens = {"9", "nan"};
    orrery::fuzz::import_with(file.path(), options);
    options.header = orrery::data::Header::no;
    orrery::fuzz::import_with(file.path(), options);
  }
  return 0;
}
