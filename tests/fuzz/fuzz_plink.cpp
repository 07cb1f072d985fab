// The three files of PLINK 1, each of any bytes, or as they should be but for some.
#include <fuzzer/FuzzedDataProvider.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "data/import_tables.hpp"
#include "orrery/data/import.hpp"
#include "sinks.hpp"
#include "target.hpp"

namespace orrery::fuzz {
namespace {

void write(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

std::string lines(FuzzedDataProvider& input, int n, const std::string& rest) {
  std::string text;
  for (int i = 0; i < n; ++i) {
    text +=
        "1 " + (input.ConsumeBool() ? "r" + std::to_string(i) : input.ConsumeRandomLengthString(9));
    text += rest;
  }
  return text + (input.ConsumeBool() ? input.ConsumeRandomLengthString(20) : "");
}

template <class Sink, class Import>
void import_with(const std::filesystem::path& path, const Import& import) {
  data::ImportOptions options;
  options.format = data::Format::plink;
  Sink sink;
  try {
    // The message names one of the three files.
    const auto prefix = std::filesystem::path(path).replace_extension();
    refused_or(prefix, [&] { return import(path, options, sink); });
  } catch (const EnvironmentError&) {
    require(sink.n_rows() > 0);
  }
}

}  // namespace
}  // namespace orrery::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t n) {
  using namespace orrery;
  static const fuzz::ScratchFile name;
  const std::filesystem::path prefix = name.path();
  FuzzedDataProvider input(bytes, n);
  const int n_columns = input.ConsumeIntegralInRange<int>(0, 6);
  const int n_rows = input.ConsumeIntegralInRange<int>(0, 9);
  const bool is_sound = input.ConsumeBool();
  fuzz::write(prefix.string() + ".bim", is_sound ? fuzz::lines(input, n_columns, " 0 1 A C\n")
                                                 : input.ConsumeRandomLengthString(200));
  fuzz::write(prefix.string() + ".fam", is_sound ? fuzz::lines(input, n_rows, " 0 0 1 -9\n")
                                                 : input.ConsumeRandomLengthString(200));
  std::string bed = input.ConsumeBool() ? std::string("\x6C\x1B\x01") : std::string();
  bed += input.ConsumeRemainingBytesAsString();
  if (is_sound) bed.resize(static_cast<std::size_t>(3 + n_columns * ((n_rows + 3) / 4)));
  fuzz::write(prefix.string() + ".bed", bed);
  const std::filesystem::path file = prefix.string() + ".bed";
  fuzz::import_with<fuzz::CheckingBits>(file, data::import_samples);
  fuzz::import_with<fuzz::CheckingNumbers>(file, data::import_dense);
  for (const char* extension : {".bed", ".bim", ".fam"}) {
    std::filesystem::remove(prefix.string() + extension);
  }
  return 0;
}
