// Any bytes, read as any format: the import succeeds or throws orrery::Error; nothing else.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "orrery/base/error.hpp"
#include "orrery/base/log.hpp"
#include "orrery/data/import.hpp"
#include "orrery/data/sample_sink.hpp"

namespace {

using orrery::data::BitColumns;
using orrery::data::Format;
using orrery::data::Header;
using orrery::data::ImportOptions;

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

// Checks the promises of SampleSink, and ends a table that a size line made endless.
class CheckingSink final : public orrery::data::SampleSink {
 public:
  void begin(const std::vector<std::string>& names) override {
    require(names.size() >= 2 && n_columns_ == 0);
    n_columns_ = names.size();
  }
  void append(const BitColumns& values, const BitColumns* missing) override {
    require(values.n_columns() == n_columns_ && values.n_rows() > 0 && !last_seen_);
    last_seen_ = values.n_rows() != orrery::data::block_rows(n_columns_);
    if (missing != nullptr) {
      require(missing->n_columns() == n_columns_ && missing->n_rows() == values.n_rows());
      for (std::size_t w = 0; w < values.words().size(); ++w) {
        require((values.words()[w] & missing->words()[w]) == 0);
      }
    }
    n_rows_ += values.n_rows();
    if (++n_blocks_ == 4) {
      throw orrery::EnvironmentError("enough");
    }
  }
  [[nodiscard]] std::uint64_t n_rows() const { return n_rows_; }

 private:
  std::size_t n_columns_ = 0;
  std::size_t n_blocks_ = 0;
  std::uint64_t n_rows_ = 0;
  bool last_seen_ = false;
};

std::filesystem::path scratch_file() {
  const std::filesystem::path memory = "/dev/shm";
  const auto folder =
      std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
  return folder / ("orrery-fuzz-import-" + std::to_string(getpid()));
}

void import_with(const std::filesystem::path& path, const ImportOptions& options) {
  CheckingSink sink;
  try {
    const auto summary = orrery::data::import_samples(path, options, sink);
    require(summary.n_samples == sink.n_rows() && summary.n_samples > 0);
  } catch (const orrery::Error& error) {
    require(std::string(error.what()).find('\n') == std::string::npos);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  static const std::filesystem::path path = [] {
    orrery::log::configure(orrery::log::Level::quiet, false);
    return scratch_file();
  }();
  std::FILE* file = std::fopen(path.c_str(), "wb");
  require(file != nullptr && std::fwrite(bytes, 1, n, file) == n);
  std::fclose(file);
  for (const Format format :
       {Format::automatic, Format::csv, Format::tsv, Format::rows, Format::mtx, Format::npy}) {
    ImportOptions options;
    options.format = format;
    options.memory_bytes = 1;
    import_with(path, options);
    options.drop_columns = {"x1"};
    options.header = Header::no;
    if (format != Format::mtx) {
      options.missing_tokens = {"9"};
    }
    import_with(path, options);
  }
  std::filesystem::remove(path);
  return 0;
}
