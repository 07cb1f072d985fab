// Any bytes, imported as a format in text that is no table of cells with one line per row: the
// import succeeds or throws orrery::Error. Built once a format: ORRERY_FUZZ_FORMAT.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/import_tables.hpp"
#include "orrery/data/import.hpp"
#include "orrery/data/sample_sink.hpp"
#include "target.hpp"

namespace orrery::fuzz {
namespace {

using data::Format;

/// Checks the promises of both sinks.
class CheckingBits final : public data::SampleSink {
 public:
  void begin(const std::vector<std::string>& names) override {
    require(names.size() >= 2 && n_columns_ == 0);
    n_columns_ = names.size();
  }
  void append(const data::BitColumns& values, const data::BitColumns* missing) override {
    require(values.n_columns() == n_columns_ && values.n_rows() > 0);
    for (std::size_t w = 0; missing != nullptr && w < values.words().size(); ++w) {
      require((values.words()[w] & missing->words()[w]) == 0);
    }
    n_rows += values.n_rows();
  }
  std::uint64_t n_rows = 0;

 private:
  std::size_t n_columns_ = 0;
};

class CheckingNumbers final : public data::DenseSink {
 public:
  void begin(const std::vector<std::string>& names) override { n_columns_ = names.size(); }
  void append(const data::DenseBlock& block) override {
    require(block.n_columns == n_columns_ && block.n_rows > 0);
    for (const double value : block.values) require(!std::isinf(value));
    n_rows += block.n_rows;
  }
  std::uint64_t n_rows = 0;

 private:
  std::size_t n_columns_ = 0;
};

void import_with(const std::filesystem::path& path, const data::ImportOptions& options) {
  CheckingBits bits;
  const auto samples = refused_or(path, [&] { return data::import_samples(path, options, bits); });
  if (samples) require(samples->n_samples == bits.n_rows && samples->n_samples > 0);
  data::ImportOptions no_words = options;
  no_words.on_tokens.clear();
  no_words.off_tokens.clear();
  no_words.threshold.reset();
  CheckingNumbers numbers;
  const auto dense = refused_or(path, [&] { return data::import_dense(path, no_words, numbers); });
  if (dense) require(dense->n_samples == numbers.n_rows && dense->n_samples > 0);
  if (samples && dense && options.format == Format::text) {
    require(samples->names == dense->names && samples->n_samples == dense->n_samples);
  }
  if (options.format != Format::arff) return;
  (void)refused_or(path, [&] { return data::import_categorical(path, no_words, {}); });
}

/// The same rows, however little memory there is.
data::ImportOptions options_of(Format format) {
  data::ImportOptions options;
  options.format = format;
  if (format == Format::long_table) {
    options.row_column = "p";
    options.variable_column = "c";
  }
  if (format == Format::text) options.min_documents = 1;
  return options;
}

/// Those that the format has beside.
data::ImportOptions more_options_of(Format format) {
  data::ImportOptions options = options_of(format);
  options.memory_bytes = 1;
  if (format == Format::text) {
    options.vocabulary = 3;
    options.stop_words = "english";
    return options;
  }
  options.missing_tokens = {"9", "n"};
  if (format == Format::svmlight) {
    options.missing_tokens = {"9"};
    options.label = "y";
    options.is_zero_based = true;
  }
  if (format == Format::long_table) {
    options.value_column = "v";
    options.time_column = "t";
    options.from = "2020";
    options.min_documents = 2;
  }
  if (format != Format::svmlight) {
    options.on_tokens = {"x"};
    options.off_tokens = {"y"};
  } else {
    options.threshold = .5;
  }
  return options;
}

}  // namespace
}  // namespace orrery::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  static const orrery::fuzz::ScratchFile file;
  const std::string_view content(reinterpret_cast<const char*>(bytes), n);
  // An index of a few bytes may ask for millions of columns, which are given names for seconds.
  if (ORRERY_FUZZ_FORMAT == orrery::data::Format::svmlight) {
    std::size_t n_digits = 0;
    for (const char c : content) {
      n_digits = c >= '0' && c <= '9' ? n_digits + 1 : 0;
      if (n_digits == 5) return -1;
    }
  }
  file.write(content);
  orrery::fuzz::import_with(file.path(), orrery::fuzz::options_of(ORRERY_FUZZ_FORMAT));
  orrery::fuzz::import_with(file.path(), orrery::fuzz::more_options_of(ORRERY_FUZZ_FORMAT));
  return 0;
}
