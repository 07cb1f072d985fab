// Any bytes, imported as one format: the import succeeds or throws orrery::Error. Built once a
// reader, with ORRERY_FUZZ_FORMATS a list of the formats that it reads.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/data/import.hpp"
#include "orrery/data/sample_sink.hpp"
#include "target.hpp"

namespace orrery::fuzz {
namespace {

using data::BitColumns;
using data::Format;

// Checks the promises of SampleSink, and ends a table that a size line made endless.
class CheckingSink final : public data::SampleSink {
 public:
  void begin(const std::vector<std::string>& names) override {
    require(names.size() >= 2 && n_columns_ == 0);
    n_columns_ = names.size();
  }
  void append(const BitColumns& values, const BitColumns* missing) override {
    require(values.n_columns() == n_columns_ && values.n_rows() > 0 && !last_seen_);
    last_seen_ = values.n_rows() != data::block_rows(n_columns_);
    if (missing != nullptr) {
      require(missing->n_columns() == n_columns_ && missing->n_rows() == values.n_rows());
      for (std::size_t w = 0; w < values.words().size(); ++w) {
        require((values.words()[w] & missing->words()[w]) == 0);
      }
    }
    n_rows_ += values.n_rows();
    if (++n_blocks_ == 4) throw EnvironmentError("enough");
  }
  [[nodiscard]] std::uint64_t n_rows() const { return n_rows_; }

 private:
  std::size_t n_columns_ = 0;
  std::size_t n_blocks_ = 0;
  std::uint64_t n_rows_ = 0;
  bool last_seen_ = false;
};

void import_with(const std::filesystem::path& path, const data::ImportOptions& options) {
  CheckingSink sink;
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
  }
  return 0;
}
