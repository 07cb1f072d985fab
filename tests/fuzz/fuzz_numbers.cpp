// Any bytes, imported as a table of numbers: the import succeeds or throws orrery::Error.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/import_tables.hpp"
#include "target.hpp"

namespace orrery::fuzz {
namespace {

using data::Format;

/// Checks the promises of DenseSink.
class CheckingSink final : public data::DenseSink {
 public:
  void begin(const std::vector<std::string>& names) override {
    require(names.size() >= 2 && n_columns_ == 0);
    n_columns_ = names.size();
  }
  void append(const data::DenseBlock& block) override {
    require(block.n_columns == n_columns_ && block.n_rows > 0 && !last_seen_);
    require(block.values.size() == block.n_rows * n_columns_);
    last_seen_ = block.n_rows != data::dense_block_rows(n_columns_);
    for (const double value : block.values) {
      require(!std::isinf(value));
      n_missing_ += std::isnan(value) ? 1 : 0;
    }
    n_rows_ += block.n_rows;
  }
  [[nodiscard]] std::uint64_t n_rows() const { return n_rows_; }
  [[nodiscard]] std::uint64_t n_missing() const { return n_missing_; }

 private:
  std::size_t n_columns_ = 0;
  std::uint64_t n_rows_ = 0;
  std::uint64_t n_missing_ = 0;
  bool last_seen_ = false;
};

void import_with(const std::filesystem::path& path, const data::ImportOptions& options) {
  CheckingSink sink;
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
