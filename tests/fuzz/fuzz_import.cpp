// Any bytes, imported as one format: the import succeeds or throws orrery::Error. Built once a
// reader, with ORRERY_FUZZ_FORMATS a list of the formats that it reads.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "orrery/data/import.hpp"
#include "sinks.hpp"
#include "target.hpp"

namespace orrery::fuzz {
namespace {

using data::Format;

void import_with(const std::filesystem::path& path, const data::ImportOptions& options) {
  CheckingBits sink(options.like_columns.empty() ? 2 : 1);
  try {
    const auto summary =
        refused_or(path, [&] { return data::import_samples(path, options, sink); });
    if (summary) require(summary->n_samples == sink.n_rows() && summary->n_samples > 0);
  } catch (const EnvironmentError&) {
    require(sink.n_rows() > 0);  // no other is to be expected
  } catch (const UsageError&) {
    require(options.format == Format::automatic);  // not every format takes these options
  }
}

// A size line of a few bytes may ask for millions of columns, which are given names for seconds.
bool may_have_millions_of_columns(std::string_view text) {
  std::size_t n_digits = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') {
      if (n_digits == 6 || n_digits == 7) return true;
      n_digits = 0;
    } else if (c != '0' || n_digits > 0) {
      ++n_digits;
    }
  }
  return false;
}

}  // namespace
}  // namespace orrery::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using orrery::data::Format;
  static const orrery::fuzz::ScratchFile file;
  const std::string_view content(reinterpret_cast<const char*>(bytes), n);
  if (orrery::fuzz::may_have_millions_of_columns(content)) return -1;  // not for the corpus
  file.write(content);
  for (const Format format : {ORRERY_FUZZ_FORMATS}) {
    orrery::data::ImportOptions options;
    options.format = format;
    options.memory_bytes = 1;
    orrery::fuzz::import_with(file.path(), options);
    options.drop_columns = {"x1"};
    options.header = orrery::data::Header::no;
    if (format != Format::mtx) options.missing_tokens = {"9"};
    orrery::fuzz::import_with(file.path(), options);
    if (format != Format::csv && format != Format::tsv) continue;
    orrery::data::ImportOptions turned;
    turned.format = format;
    turned.transpose = true;
    turned.threshold = 0.5;
    orrery::fuzz::import_with(file.path(), turned);
    orrery::data::ImportOptions matched;
    matched.format = format;
    matched.like_columns = {"b", "x1", "none"};
    orrery::fuzz::import_with(file.path(), matched);
  }
  return 0;
}
